internal import FirnEngine

/// The declarations in a model class, before its class methods are asked.
///
/// Made once per class and kept.
final class DeclaredProperties: Sendable {
  struct Property: Sendable {
    let name: String
    /// Offset of the wrapper in an instance, in bytes.
    let offset: Int
    let wrapper: any PersistedProperty.Type
    let index: PropertyIndex?
    let isPrimaryKey: Bool
    let deleteRule: DeleteRule
    /// The fault of the declaration, as the end of a sentence; nil when there is none.
    let problem: String?
    /// The links that a property of type `LinkingObjects` was declared with; nil for other properties.
    let origin: (type: ObjectBase.Type, property: String)?
  }

  let properties: [Property]

  var primaryKey: String? { properties.first(where: \.isPrimaryKey)?.name }

  var indexed: [String] { properties.filter { $0.index != nil }.map(\.name) }

  private init(_ type: ObjectBase.Type) {
    let sample = Unmanaged.passRetained(type.init())
    let start = UnsafeRawPointer(sample.toOpaque())
    properties = RuntimeFields.fields(of: type).compactMap { field in
      guard let wrapper = field.type as? any PersistedProperty.Type else { return nil }
      let declared = wrapper.declaration(at: start + field.offset)
      return Property(
        name: Self.propertyName(field.name), offset: field.offset, wrapper: wrapper, index: declared.index,
        isPrimaryKey: declared.isPrimaryKey, deleteRule: declared.deleteRule,
        problem: wrapper.declarationProblem(at: start + field.offset),
        origin: wrapper.origin(at: start + field.offset))
    }
    sample.release()
  }

  /// The storage of a wrapped property `age` is called `_age`.
  static func propertyName(_ field: String) -> String { field.hasPrefix("_") ? String(field.dropFirst()) : field }

  private static let known = Lock<[ObjectIdentifier: DeclaredProperties]>([:])

  /// The declarations in a class. The first call makes an instance of it.
  static func of(_ type: ObjectBase.Type) -> DeclaredProperties {
    let id = ObjectIdentifier(type)
    if let declared = known.withLock({ $0[id] }) { return declared }
    // Outside the lock: making an instance runs the user's initialiser.
    let declared = DeclaredProperties(type)
    return known.withLock { known in
      if let other = known[id] { return other }
      known[id] = declared
      return declared
    }
  }
}
