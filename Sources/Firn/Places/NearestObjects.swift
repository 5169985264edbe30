internal import FirnEngine

/// Objects by their distance from a point of the globe, the nearest first, with the distances; see
/// ``RealmCollection/nearest(to:by:)``.
///
/// A sequence, not a collection: each iteration looks at the objects as they are when it begins.
public struct NearestObjects<Root: ObjectBase & RealmCollectionValue>: Sequence {
  /// An object and how far its place is.
  public typealias Neighbor = (object: Root, distance: Distance)

  fileprivate let core: ResultsCore
  fileprivate let place: PlacePath
  fileprivate let point: SpherePoint

  /// The objects as they are now, and are found one after the other.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Finds the objects one after the other. What is written meanwhile changes nothing; an object that is deleted meanwhile
  /// comes, and is invalidated.
  public struct Iterator: IteratorProtocol {
    private let table: TableHandle
    private let walk: NearestWalk

    fileprivate init(_ objects: NearestObjects) {
      table = objects.core.table
      walk = NearestWalk(objects.core, objects.place, objects.point)
    }

    /// The next object; nil when no other has a place.
    public mutating func next() -> Neighbor? {
      guard let found = walk.next(), let distance = Distance.radians(found.distance) else { return nil }
      return (Root._element(of: table.accessor(found.key)), distance)
    }
  }
}

/// Where an iteration is. Copies of an iterator share it.
final class NearestWalk {
  /// What is walked over, and the version that it belongs to.
  private var open: (rows: NearestRows, version: Version)?
  private let predicate: CompiledPredicate?
  private var known: ArraySlice<NearestRows.Found>
  /// What the walk cost so far, counted for tests.
  var work: QueryWork { open?.rows.work ?? QueryWork() }

  init(_ core: ResultsCore, _ place: PlacePath, _ point: SpherePoint) {
    predicate = core.compiled
    known = []
    core.noteRead(counting: core.everythingBehind)
    if case .table = core.source, core.steps.isEmpty, !core.instance.isReadingTransaction {
      let version = core.instance.heldVersion()
      if let rows = version.withContents({ NearestRows(place, of: core.table.table, from: point, in: $0) }) {
        open = (rows, version)
        return
      }
    }
    // What a transaction writes may change with every step, and collections have no index.
    let keys = core.allKeys()
    known = core.readSettled { NearestRows.sorted(keys, by: place, of: core.table.table, from: point, in: $0) }[...]
  }

  func next() -> NearestRows.Found? {
    while let found = open?.rows.next() {
      guard let predicate, let version = open?.version else { return found }
      if version.withContents({ predicate.matches(found.key, in: $0) }) { return found }
    }
    return known.popFirst()
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects by the distance of their places from a point, the nearest first.
  ///
  ///     for (airport, distance) in airports.nearest(to: boston, by: \.location).prefix(3) {
  ///       print(airport.code, Int(distance.asKilometers()))
  ///     }
  ///
  /// Objects that have no place are left out. Objects at one distance come in the order in which they were added, whatever
  /// order the collection has. Iterations look at the objects as they are when they begin, and never move with the data.
  ///
  /// Traps when the class at the end of the key path holds no places, and on collections that no realm manages.
  ///
  /// - Complexity: With an index of the places (``Index/geo(_:)``), about O(log n) for each object that is asked for, and for
  ///   each that a condition leaves out on the way. Without one, on lists, and inside of a transaction, O(n log n) for the
  ///   first.
  public func nearest<Place: EmbeddedObject>(
    to point: GeoPoint, by keyPath: KeyPath<Element, Place?>
  ) -> NearestObjects<Element> {
    let core = _query.core
    return NearestObjects(core: core, place: core.placePath(keyPath), point: point.spherePoint)
  }
}

extension ResultsCore {
  /// The place that a key path leads to; traps for one that leads to none.
  func placePath(_ keyPath: AnyKeyPath) -> PlacePath {
    let binder = QueryBinder(self)
    do throws(QueryError) {
      return try binder.place(at: QueryKeyPath(ClassPath.of(keyPath, on: table.model.type)))
    } catch {
      fatalError(error.message)
    }
  }
}
