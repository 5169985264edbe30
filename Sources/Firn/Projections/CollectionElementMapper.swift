/// Names the property of the elements that a ``ProjectedCollection`` shows: `\Track.players.projectTo.nick`.
@dynamicMemberLookup
public struct CollectionElementMapper<Element> where Element: ObjectBase & RealmCollectionValue {
  private let make: any ElementMapping<Element>

  fileprivate init(_ make: any ElementMapping<Element>) { self.make = make }

  /// The values of a property, one for each element of the collection.
  public subscript<V: RealmCollectionValue>(dynamicMember keyPath: KeyPath<Element, V>) -> ProjectedCollection<V> {
    make.projected(keyPath)
  }
}

/// A collection of objects whose kind does not matter.
private protocol ElementMapping<Element> {
  associatedtype Element: ObjectBase & RealmCollectionValue
  func projected<V: RealmCollectionValue>(_ keyPath: KeyPath<Element, V>) -> ProjectedCollection<V>
}

private struct ObjectsToProject<Objects: RealmCollection>: ElementMapping
where Objects.Element: ObjectBase & RealmCollectionValue {
  let objects: Objects

  func projected<V: RealmCollectionValue>(_ keyPath: KeyPath<Objects.Element, V>) -> ProjectedCollection<V> {
    ProjectedCollection(source: ProjectedObjects(objects, keyPath))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// One property of each object: `players.projectTo.nick` is a live ``ProjectedCollection`` of the nicks.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(ObjectsToProject(objects: self)) }
}
