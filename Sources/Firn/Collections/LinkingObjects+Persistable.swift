internal import FirnEngine

extension LinkingObjects: _Persistable {
  public typealias PersistedType = LinkingObjects<Element>

  /// Traps: conditions compare collections with elements.
  public var _constant: _Constant { CollectionComparison.trap() }

  public static func _default() -> LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }

  public static var _shape: _PropertyShape { _PropertyShape(.linkingObjects, target: Element.self) }

  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> LinkingObjects {
    let table = object._table.unsafelyUnwrapped
    let instance = object._instance.unsafelyUnwrapped
    let origin = table.origin(PropertySlot.column(slot))
    let core = ResultsCore(
      instance: instance,
      table: instance.handle(origin.table.index, isDynamic: Element.self == DynamicObject.self),
      source: .backlinks(owner: table, row: RowKey(object._key), column: origin.column))
    return LinkingObjects(source: LinkingSource(origin.name, core: core))
  }

  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> LinkingObjects {
    object._instance.unsafelyUnwrapped.trace?.note(PropertySlot.column(slot), of: object, isCollection: true)
    return _read(object, slot)
  }

  public static func _set(_ value: LinkingObjects, on object: ObjectBase, _ slot: UInt64) { trapForAssignment() }

  public static func _insert(_ value: LinkingObjects, into row: _NewRow, _ column: Int) {}

  public static func _assigning(_ new: LinkingObjects, over old: LinkingObjects?) -> LinkingObjects {
    trapForAssignment()
  }

  private static func trapForAssignment() -> Never {
    fatalError(
      "A LinkingObjects property is read-only. Change the links of the '\(_typeName(Element.self, qualified: false))' "
        + "objects instead.")
  }
}

extension Persisted where Value: LinkingObjectsProtocol {
  /// Declares the other direction of a link: the objects whose property `originProperty` leads to this one.
  ///
  /// - Parameter originProperty: The name of a property of the linking class: a link to the declaring class, or a
  ///   collection of such links. Anything else makes opening a realm throw.
  @inlinable @inline(__always)
  public init(originProperty: String) {
    value = Value(fromType: Value.Element.self, property: originProperty)
    slot = 0
  }
}
