internal import FirnEngine
internal import Foundation

/// A collection of objects of which one property is shown, whatever its kind and class.
class ProjectedSource<Value: RealmCollectionValue> {
  var count: Int { trap() }
  var realm: Realm? { trap() }
  var isInvalidated: Bool { trap() }
  var isFrozen: Bool { trap() }
  var names: [String] { trap() }
  var observed: _Observed<RealmCollectionChange<ProjectedCollection<Value>>> { trap() }
  func value(at position: Int) -> Value { trap() }
  func set(_ value: Value, at position: Int) { trap() }
  func index(matching predicate: NSPredicate) -> Int? { trap() }
  func freeze() -> ProjectedSource { trap() }
  func thaw() -> ProjectedSource? { trap() }
  func makeReference() -> ReferenceTarget { trap() }

  private func trap() -> Never { fatalError("A projected collection of nothing was used.") }
}

/// The same where kind and class are known.
final class ProjectedObjects<Objects: RealmCollection, Value: RealmCollectionValue>: ProjectedSource<Value>
where Objects.Element: ObjectBase {
  private let objects: Objects
  private let keyPath: KeyPath<Objects.Element, Value>

  init(_ objects: Objects, _ keyPath: KeyPath<Objects.Element, Value>) {
    self.objects = objects
    self.keyPath = keyPath
  }

  override var count: Int { objects.count }
  override var realm: Realm? { objects.realm }
  override var isInvalidated: Bool { objects.isInvalidated }
  override var isFrozen: Bool { objects.isFrozen }
  override var names: [String] { StoreSchema.propertyNames(of: keyPath, on: Objects.Element.self) }

  override func value(at position: Int) -> Value { objects[position][keyPath: keyPath] }
  override func set(_ value: Value, at position: Int) { objects[position][keyPath: keyPath.writable] = value }

  override func index(matching predicate: NSPredicate) -> Int? { objects.index(matching: predicate) }

  override func freeze() -> ProjectedSource<Value> { ProjectedObjects(objects.freeze(), keyPath) }
  override func thaw() -> ProjectedSource<Value>? { objects.thaw().map { ProjectedObjects($0, keyPath) } }

  override func makeReference() -> ReferenceTarget {
    guard let objects = objects as? any Referable else {
      fatalError("Cannot construct reference to a projection of '\(Objects.self)'.")
    }
    return objects.makeReference().map { [keyPath] found in
      (found as? Objects).map { ProjectedCollection(source: ProjectedObjects($0, keyPath)) }
    }
  }

  override var observed: _Observed<RealmCollectionChange<ProjectedCollection<Value>>> {
    objects._observed.map { [keyPath] change in
      change.map { ProjectedCollection(source: ProjectedObjects($0, keyPath)) }
    }
  }
}
