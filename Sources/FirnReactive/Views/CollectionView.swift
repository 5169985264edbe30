package import FirnEngine

/// The elements of a list or set in their own order: the operations on it, and changes of the objects in it.
///
/// - Complexity: O(n) for n elements when one of them was touched; else what the operations cost.
package final class CollectionView: View {
  private let place: ListPlace

  package init(_ place: ListPlace) { self.place = place }

  package var owner: OwnerRow? { place.owner }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { place.places(filter) }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> CollectionChange? {
    place.marked(step, filter).map { .composed($0) }
  }
}

/// A map by its keys: the operations on it, and changes of the objects in it.
package final class MapView: View {
  private let place: ListPlace

  package init(_ place: ListPlace) { self.place = place }

  package var owner: OwnerRow? { place.owner }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { place.places(filter) }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> MapKeyChanges? {
    place.marked(step, filter).map { MapKeyChanges($0, from: place.root(step.old), to: place.root(step.new)) }
  }
}

extension ListPlace {
  package var owner: OwnerRow { OwnerRow(table, row) }

  /// What concerns a subscriber of the collection.
  func places(_ filter: KeyPathFilter) -> [ViewPlace] { [owner.place, .elements(self, filter)] }

  /// What happened to the collection, in which the elements that were touched are marked; nil when nothing did.
  func marked(_ step: Step, _ filter: KeyPathFilter) -> ListDelta? {
    let delta = delta(step).flatMap { $0.isEmpty ? nil : $0 }
    let touched = touchedElements(step, filter)
    if touched.isEmpty { return delta }
    var positions: [Int] = []
    var count = 0
    forEachElement(step.new) {
      if let row = $0, touched.contains(row) { positions.append(count) }
      count += 1
    }
    let marked = (delta ?? ListDelta(count: count)).touching(positions)
    return marked.isEmpty ? nil : marked
  }

  /// The elements of which something counts that was written.
  func touchedElements(_ step: Step, _ filter: KeyPathFilter) -> Set<RowKey> {
    guard let target = target(step.new.layout) else { return [] }
    return step.touchedRows(among: count(step.new), filter, in: target) {
      contains($0, step.new)
    } forEach: { body in
      forEachElement(step.new) { if let row = $0 { body(row) } }
    }
  }
}

extension ListDelta {
  /// The delta that also touches those of some elements that are kept. Their new positions ascend.
  fileprivate func touching(_ positions: [Int]) -> ListDelta {
    var result = ListDelta(count: 0)
    var next = 0
    forEachRun { kind, count, _, new in
      if kind != .keep { return result.append(kind, count) }
      while next < positions.count, positions[next] < new { next += 1 }
      var start = new
      while next < positions.count, positions[next] < new + count {
        if positions[next] > start { result.append(.keep, positions[next] - start) }
        result.append(.touch, 1)
        start = positions[next] + 1
        next += 1
      }
      if start < new + count { result.append(.keep, new + count - start) }
    }
    return result
  }
}
