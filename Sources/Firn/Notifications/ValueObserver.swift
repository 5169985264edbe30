internal import FirnEngine
internal import FirnReactive

/// Observes values of a collection in the order of a query.
///
/// An element is known by its position in the collection, which is followed through the operations on that. What was
/// assigned is modified if it stays where it was, else deleted and inserted.
///
/// - Complexity: O(n log n) for n elements, at each step in which the collection was written.
final class ValueObserver: CollectionObserver {
  private let place: ListPlace
  private let run: (Snapshot) -> [RowKey]
  /// Positions in the collection, in the order of the query.
  private var positions: [RowKey] = []

  init(_ place: ListPlace, run: @escaping (Snapshot) -> [RowKey], _ body: @escaping (CollectionEvent) -> Void) {
    self.place = place
    self.run = run
    super.init(body)
  }

  override func start(_ context: RealmObservers) -> [ObserverPlace] {
    guard let version = context.instance.version else { return [] }
    positions = run(version.snapshot)
    return [.row(place.table, place.row)]
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    let isGone = step.isDeleted(place.row, in: place.table.index)
    guard let delta = isGone ? ListDelta(replacing: place.count(step.old), with: 0) : place.delta(step) else { return }
    // Where the elements are now.
    let dropped = RowKey(.max)
    var moved = Array(repeating: dropped, count: delta.oldCount)
    var touched: Set<RowKey> = []
    delta.forEachRun { kind, count, old, new in
      if kind != .keep, kind != .touch { return }
      for index in 0..<count {
        let position = RowKey(UInt64(new + index))
        moved[old + index] = position
        if kind == .touch { touched.insert(position) }
      }
    }
    let old = positions.map { moved[Int($0.rawValue)] }
    positions = run(step.new)
    let changes = PositionChanges(from: old, to: positions) { touched.contains($0) }
    if !changes.isEmpty { add(changes, from: old.count, to: positions.count) }
  }
}
