internal import FirnEngine
internal import Foundation

/// An object whose class is known by name only.
///
///     for row in realm.dynamicObjects("Flight") {
///         print(row["id"] ?? "", row.delay as? Int ?? 0)
///     }
///
/// Properties are read and written by name, as subscript or as members. Values come in stored form: `Int` for integers
/// of every width, an `NSNumber` for a `Float`, the raw value of an enumeration, links as objects of their own class,
/// collections, also those of the other direction of a link, with dynamic objects or with values in stored form, nil
/// for null. Each read of a collection gives another instance of it. A mixed value comes as the value that is in it;
/// objects there, also those in collections, are `DynamicObject` too. Setting takes the forms of
/// ``Realm/create(_:value:update:)``.
///
/// A mixed value may lead to an object whose class is in the file but not in the realm's schema. Such objects are always
/// `DynamicObject`, with the properties that the file has. They can be changed and deleted, but none can be created.
///
/// Unknown names trap, and so does assigning the primary key. Everything else, threads, versions and deletion, is as for
/// objects of a class; an accessor of the class and a dynamic one of the same row show the same.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The value of a property; see ``ObjectBase/subscript(_:)``.
  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }

  /// False: it stands for rows of other classes.
  override public class func shouldIncludeInDefaultSchema() -> Bool { false }

  override func _value(of property: ClassModel.Property) -> Any {
    // One of no realm has the model of its own class.
    _table == nil ? super._value(of: property) : _read(property) as Any
  }
}

extension DynamicObject {
  /// The value of a property in stored form.
  func _read(_ property: ClassModel.Property) -> Any? {
    let table = _table.unsafelyUnwrapped
    let slot = table.slot(property.column)
    let shape = property.shape
    if let kind = shape.collection { return collection(kind, shape, slot) }
    switch shape.type {
    case .int: return scalar(Int.self, slot)
    case .bool: return scalar(Bool.self, slot)
    case .float: return scalar(Float.self, slot)
    case .double: return scalar(Double.self, slot)
    case .string: return scalar(String.self, slot)
    case .data: return scalar(Data.self, slot)
    case .date: return scalar(Date.self, slot)
    case .UUID: return scalar(UUID.self, slot)
    case .object:
      return _storedTarget(property.column, inOwnClass: _instance?.store.isMigrating != true)
    case .objectId: return scalar(ObjectId.self, slot)
    case .decimal128: return scalar(Decimal128.self, slot)
    case .any: return mixed(slot)
    case .linkingObjects: return nil
    }
  }

  /// The value of one of the class's `LinkingObjects` properties.
  func _readLinking(_ index: Int) -> LinkingObjects<DynamicObject> {
    LinkingObjects<DynamicObject>._read(self, _table.unsafelyUnwrapped.linkingSlot(index))
  }

  private func scalar<Value: _PersistableScalar & _PersistableInsideOptional>(
    _ type: Value.Type, _ slot: UInt64
  ) -> Any? {
    _withStoredRow(slot) { cluster, row, root in Value._loadOptional(cluster, row, slot, self, root) }
  }

  /// The payload; an object of any class as a `DynamicObject`.
  private func mixed(_ slot: UInt64) -> Any? {
    let value = PropertySlot.isLive(slot) ? _readSlowly(slot) : AnyRealmValue._read(self, slot)
    return value.payload
  }

  private func collection(_ kind: CollectionKind, _ shape: _PropertyShape, _ slot: UInt64) -> Any {
    func of<Value: _RealmCollectionValueInsideOptional>(_ type: Value.Type) -> Any {
      switch (kind, shape.isOptional) {
      case (.list, false): List<Value>._fresh(self, slot)
      case (.list, true): List<Value?>._fresh(self, slot)
      case (.set, false): MutableSet<Value>._fresh(self, slot)
      case (.set, true): MutableSet<Value?>._fresh(self, slot)
      case (.map, false): Map<String, Value>._fresh(self, slot)
      case (.map, true): Map<String, Value?>._fresh(self, slot)
      }
    }
    return switch shape.type {
    case .int: of(Int.self)
    case .bool: of(Bool.self)
    case .float: of(Float.self)
    case .double: of(Double.self)
    case .string: of(String.self)
    case .data: of(Data.self)
    case .date: of(Date.self)
    case .UUID: of(UUID.self)
    case .object: of(DynamicObject.self)
    case .objectId: of(ObjectId.self)
    case .decimal128: of(Decimal128.self)
    case .any, .linkingObjects:
      switch kind {
      case .list: List<AnyRealmValue>._fresh(self, slot)
      case .set: MutableSet<AnyRealmValue>._fresh(self, slot)
      case .map: Map<String, AnyRealmValue>._fresh(self, slot)
      }
    }
  }
}

extension ObjectBase {
  /// Calls `body` with the cluster and slot of the row that the calling thread may see, and the root of its version.
  final func _withStoredRow<Result>(
    _ slot: UInt64, _ body: (UnsafeRawPointer, Int, UnsafeRawPointer?) -> Result
  ) -> Result {
    if PropertySlot.isLive(slot) {
      guard _resolveAtHome(slot) else {
        let row = _beginAwayRead(slot)
        defer { _endAwayRead(row) }
        return body(row.cluster.unsafelyUnwrapped, row.slot, row.root)
      }
    }
    let root = _context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer?.self)
    return body(_cluster.unsafelyUnwrapped, Int(_slot), root)
  }

  /// The list that a property of a managed object holds, with objects whose class is known by name only.
  ///
  /// Traps for an unmanaged object, and when the property is not a list of objects.
  public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    _dynamic(propertyName, .list, DynamicObject._elementShape)
  }

  /// The list of values that a property of a managed object holds:
  ///
  ///     let tags: List<String> = row.dynamicList("tags")
  ///
  /// Traps for an unmanaged object, and when the property is not a list of such elements.
  @_disfavoredOverload
  public final func dynamicList<Element: RealmCollectionValue>(_ propertyName: String) -> List<Element> {
    _dynamic(propertyName, .list, Element._elementShape)
  }

  fileprivate final func _dynamic<Collection: _PersistableCollection>(
    _ propertyName: String, _ kind: CollectionKind, _ element: _PropertyShape
  ) -> Collection {
    guard let table = _table else { fatalError("Dynamic collections exist in objects that a realm manages only.") }
    let model = table.model
    guard let property = model.properties.first(where: { $0.name == propertyName }) else {
      model.trapForProperty(named: propertyName)
    }
    let shape = property.shape
    let isOfClass = element.target == nil || element.target == DynamicObject.self || element.target == shape.target
    let isOptional = shape.isOptional || shape.type == .any
    guard shape.collection == kind, shape.type == element.type, isOfClass,
      shape.type == .object || isOptional == (element.isOptional || element.type == .any)
    else {
      let found =
        "\(Coercion.typeName(shape))\(shape.isOptional ? "?" : "")"
        + (shape.collection.map { " \($0.propertyName)" } ?? "")
      fatalError(
        "Property '\(model.name).\(propertyName)' is not a \(Collection._kindName) of "
          + "\(element.type == .object ? "objects" : "'\(element.type.name)'"), but \(found). Give the type that it has."
      )
    }
    return Collection._fresh(self, table.slot(property.column))
  }
}

extension Object {
  /// The set that a property of a managed object holds; see `dynamicList(_:)`.
  public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    _dynamic(propertyName, .set, DynamicObject._elementShape)
  }

  /// The set of values that a property of a managed object holds; see `dynamicList(_:)`.
  @_disfavoredOverload
  public final func dynamicMutableSet<Element: RealmCollectionValue>(_ propertyName: String) -> MutableSet<Element> {
    _dynamic(propertyName, .set, Element._elementShape)
  }

  /// The map that a property of a managed object holds; see `dynamicList(_:)`.
  public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    _dynamic(propertyName, .map, DynamicObject._elementShape)
  }

  /// The map of values that a property of a managed object holds; see `dynamicList(_:)`.
  @_disfavoredOverload
  public final func dynamicMap<Key: _MapKey, Value: RealmCollectionValue>(_ propertyName: String) -> Map<Key, Value> {
    _dynamic(propertyName, .map, Value._elementShape)
  }
}
