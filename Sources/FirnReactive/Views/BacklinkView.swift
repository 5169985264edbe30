import FirnEngine

/// The rows that link to one row, without a condition and in their own order.
///
/// - Complexity: O(log n) with n links for each row of the linking table that a step touched, besides what is delivered;
///   O(n log n) at most.
package final class BacklinkView: View {
  private let place: BacklinkPlace

  package init(_ place: BacklinkPlace) { self.place = place }

  package var owner: OwnerRow? { place.owner }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { place.places(filter) }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> CollectionChange? {
    let new = place.postings(step.new)
    let touched = step.touchedRows(among: new?.count ?? 0, filter, in: place.origin.index) {
      new?.positions(of: $0).isEmpty == false
    } forEach: { body in
      new?.forEachKey(body)
    }
    guard let (positions, oldCount, newCount) = place.change(step, touched) else { return nil }
    return positions.isEmpty ? nil : .step(positions, from: oldCount, to: newCount)
  }
}

extension BacklinkPlace {
  package var owner: OwnerRow { OwnerRow(target, row) }

  /// What concerns a subscriber.
  func places(_ filter: KeyPathFilter) -> [ViewPlace] { [owner.place, .backlinks(self, filter)] }

  /// Which links came and went, and the number of them before and after; nil when there never were any.
  ///
  /// - Parameter touched: The rows that are reported as modified if they link as often as before.
  func change(_ step: Step, _ touched: Set<RowKey>) -> (positions: PositionChanges, old: Int, new: Int)? {
    let (old, new) = (postings(step.old), postings(step.new))
    let (oldCount, newCount) = (old?.count ?? 0, new?.count ?? 0)
    if oldCount + newCount == 0 { return nil }
    let changes = step.changes.tables[origin.index]
    var candidates = touched
    if changes.touchedRowCount > oldCount + newCount {
      old?.forEachKey { candidates.insert($0) }
      new?.forEachKey { candidates.insert($0) }
    } else {
      candidates.formUnion(changes.inserted)
      candidates.formUnion(changes.deleted)
      for row in changes.modified where row.columns.contains(column) { candidates.insert(row.key) }
    }
    var positions = PositionChanges()
    for key in candidates.sorted() {
      let (before, after) = (old?.positions(of: key) ?? 0..<0, new?.positions(of: key) ?? 0..<0)
      let kept = min(before.count, after.count)
      if touched.contains(key) { positions.modifications += before.prefix(kept) }
      positions.deletions += before.dropFirst(kept)
      positions.insertions += after.dropFirst(kept)
    }
    return (positions, oldCount, newCount)
  }
}
