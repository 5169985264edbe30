/// The values that an observer was told last. Used where the observer is called.
final class ObservedValues<Row: ValueProjection> {
  private(set) var rows: [Row] = []

  /// The change of a collection as one of values.
  func take<Objects: RealmCollection>(_ change: RealmCollectionChange<Objects>) -> RealmCollectionChange<[Row]>
  where Objects.Element == Row.Root {
    switch change {
    case .initial(let objects):
      rows = objects.values()
      return .initial(rows)
    case .update(let objects, let deletions, let insertions, let modifications):
      apply(deletions, insertions, modifications) { Row(projecting: objects[$0]) }
      return .update(rows, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error(let error): return .error(error)
    }
  }

  /// - Parameters:
  ///   - deletions: Old positions, as modifications are; insertions are new ones. All ascend.
  ///   - make: Makes the value at a new position.
  private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ make: (Int) -> Row) {
    // Up to here nothing moved.
    let start = min(deletions.first ?? rows.count, insertions.first ?? rows.count)
    var modifications = modifications[...]
    while let position = modifications.first, position < start {
      rows[position] = make(position)
      modifications.removeFirst()
    }
    if deletions.isEmpty && insertions.isEmpty { return }
    var (deletions, insertions) = (deletions[...], insertions[...])
    var rest: [Row] = []
    rest.reserveCapacity(rows.count - start - deletions.count + insertions.count)
    var old = start
    while true {
      let new = start + rest.count
      if insertions.first == new {
        insertions.removeFirst()
        rest.append(make(new))
      } else if old == rows.count {
        break
      } else if deletions.first == old {
        deletions.removeFirst()
        old += 1
      } else {
        let isModified = modifications.first == old
        if isModified { modifications.removeFirst() }
        rest.append(isModified ? make(new) : rows[old])
        old += 1
      }
    }
    rows.replaceSubrange(start..., with: rest)
  }
}
