internal import FirnEngine
internal import FirnReactive

/// Observes the objects that link to one object, without a condition and in their own order.
///
/// - Complexity: O(log n) with n links for each row of the linking class that a step touched, besides what is delivered.
final class BacklinkObserver: CollectionObserver {
  private let place: BacklinkPlace
  private let filter: KeyPathFilter
  private var isGone = false

  init(_ place: BacklinkPlace, _ filter: KeyPathFilter, _ body: @escaping (CollectionEvent) -> Void) {
    self.place = place
    self.filter = filter
    super.init(body)
  }

  override func start(_ context: RealmObservers) -> [ObserverPlace] {
    [.row(place.target, place.row), .backlinks(place, filter)]
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if isGone { return }
    let old = place.postings(step.old)
    if step.isDeleted(place.row, in: place.target.index) {
      isGone = true
      let count = old?.count ?? 0
      if count > 0 { add(PositionChanges(deletions: Array(0..<count)), from: count, to: 0) }
      return
    }
    let new = place.postings(step.new)
    if old == nil, new == nil { return }
    let changes = step.changes.tables[place.origin.index]
    let touched = filter.touchedRows(step, place.origin.index)
    var candidates = Set(changes.inserted).union(changes.deleted)
    for row in changes.modified where row.columns.contains(place.column) { candidates.insert(row.key) }
    var positions = PositionChanges()
    for key in candidates.union(touched).sorted() {
      let (before, after) = (old?.positions(of: key) ?? 0..<0, new?.positions(of: key) ?? 0..<0)
      let kept = min(before.count, after.count)
      if touched.contains(key) { positions.modifications += before.prefix(kept) }
      positions.deletions += before.dropFirst(kept)
      positions.insertions += after.dropFirst(kept)
    }
    if !positions.isEmpty { add(positions, from: old?.count ?? 0, to: new?.count ?? 0) }
  }
}
