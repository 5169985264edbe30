internal import FirnEngine

extension RealmCollectionValue {
  /// The element that a value of any type stands for, in the forms that ``Realm/create(_:value:update:)`` takes; nil when
  /// it stands for none.
  static func _given(_ input: Any?) -> Self? {
    guard let given = input.flatMap({ Unwrapping.value($0) }) else {
      return Self.self == AnyRealmValue.self ? AnyRealmValue.none as? Self : _null
    }
    if let element = given as? Self { return element }
    if Self.self == AnyRealmValue.self { return AnyRealmValue.given(given) as? Self }
    if let custom = _elementShape.custom {
      return Unwrapping.object(given).flatMap { custom._converted($0) } as? Self
    }
    guard let stored = Coercion.stored(given, _elementShape) else { return nil }
    return (Self.self as? any _Persistable.Type)?._make(_StoredValue(stored)) as? Self
  }

  /// The element that is nil; nil where elements are not optional.
  static var _null: Self? { (Self.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Self }
}
