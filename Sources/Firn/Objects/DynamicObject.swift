internal import FirnEngine
internal import Foundation

/// An object whose class is known by name only.
///
///     for row in realm.dynamicObjects("Flight") {
///         print(row["id"] ?? "", row.delay as? Int ?? 0)
///     }
///
/// Properties are read and written by name, as subscript or as members. Values come in stored form: `Int` for integers of
/// every width, the raw value of an enumeration, links as `DynamicObject`, collections, also those of the other
/// direction of a link, with such objects or with values in stored form, nil for null. Each read of a collection gives another instance of it. Setting takes the forms of
/// ``Realm/create(_:value:update:)``.
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
}

extension DynamicObject {
  /// The value of a property in stored form.
  func _read(_ property: ClassModel.Property) -> Any? {
    let table = _table.unsafelyUnwrapped
    let slot = table.slot(property.column)
    let shape = property.shape
    if shape.isArray { return shape.isOptional ? optionalList(shape.type, slot) : list(shape.type, slot) }
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
      let target = _withStoredRow(slot) { cluster, row, _ in
        IntLeaf.value(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row)
      }
      return target == 0 ? nil : _awayTarget(target, property.column)
    case .linkingObjects, .any, .objectId, .decimal128:
      fatalError("Properties of type '\(shape.type.name)' cannot be read by name.")
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

  private func list(_ type: PropertyType, _ slot: UInt64) -> Any {
    switch type {
    case .int: List<Int>._fresh(self, slot)
    case .bool: List<Bool>._fresh(self, slot)
    case .float: List<Float>._fresh(self, slot)
    case .double: List<Double>._fresh(self, slot)
    case .string: List<String>._fresh(self, slot)
    case .data: List<Data>._fresh(self, slot)
    case .date: List<Date>._fresh(self, slot)
    case .UUID: List<UUID>._fresh(self, slot)
    case .object: List<DynamicObject>._fresh(self, slot)
    case .linkingObjects, .any, .objectId, .decimal128:
      fatalError("Lists of type '\(type.name)' cannot be read by name.")
    }
  }

  private func optionalList(_ type: PropertyType, _ slot: UInt64) -> Any {
    switch type {
    case .int: List<Int?>._fresh(self, slot)
    case .bool: List<Bool?>._fresh(self, slot)
    case .float: List<Float?>._fresh(self, slot)
    case .double: List<Double?>._fresh(self, slot)
    case .string: List<String?>._fresh(self, slot)
    case .data: List<Data?>._fresh(self, slot)
    case .date: List<Date?>._fresh(self, slot)
    case .UUID: List<UUID?>._fresh(self, slot)
    case .object, .linkingObjects, .any, .objectId, .decimal128:
      fatalError("Lists of optional type '\(type.name)' cannot be read by name.")
    }
  }
}

extension ObjectBase {
  /// Calls `body` with the cluster and slot of the row that the calling thread may see, and the root of its version.
  final func _withStoredRow<Result>(
    _ slot: UInt64, _ body: (UnsafeRawPointer, Int, UnsafeRawPointer?) -> Result
  ) -> Result {
    if PropertySlot.isLive(slot) {
      guard _resolveAtHome() else {
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
    guard let table = _table else { fatalError("dynamicList works on objects that a realm manages only.") }
    let model = table.model
    guard let property = model.properties.first(where: { $0.name == propertyName }) else {
      fatalError("Invalid property name '\(propertyName)' for class '\(model.name)'.")
    }
    guard property.shape.isArray, property.shape.type == .object else {
      fatalError("Property '\(model.name).\(propertyName)' is not a list of objects.")
    }
    return List<DynamicObject>._fresh(self, table.slot(property.column))
  }
}
