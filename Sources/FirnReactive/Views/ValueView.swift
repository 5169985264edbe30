package import FirnEngine

/// Values of a collection in the order of a query.
///
/// An element is known by its position in the collection, which is followed through the operations on that. What was
/// assigned is modified if it stays where it was, else deleted and inserted.
///
/// - Complexity: O(n log n) for n elements, at each step in which the collection was written.
package final class ValueView: View {
  private let place: ListPlace
  private let run: (GraphContents) -> [RowKey]
  /// Positions in the collection, in the order of the query.
  @exclusivity(unchecked) private var positions: [RowKey]

  /// - Parameter run: Runs the query.
  package init(_ place: ListPlace, in contents: GraphContents, run: @escaping (GraphContents) -> [RowKey]) {
    self.place = place
    self.run = run
    positions = run(contents)
  }

  package var owner: OwnerRow? { place.owner }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { [place.owner.place] }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> CollectionChange? {
    guard let delta = place.delta(step) else { return nil }
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
    return changes.isEmpty ? nil : .step(changes, from: old.count, to: positions.count)
  }
}
