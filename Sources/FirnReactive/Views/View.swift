package import FirnEngine

/// Something that can be observed: knows what concerns it, and what happened to it between two versions.
///
/// | view | shows | state |
/// |---|---|---|
/// | `QueryView` | a query on a table, a collection or backlinks | its rows; equal queries share one |
/// | `CollectionView` | the elements of a list or set | none |
/// | `MapView` | a map by its keys | none |
/// | `BacklinkView` | the rows that link to one | none |
/// | `ObjectView` | the properties of one row | none |
/// | `GroupView` | groups of a query's rows | their keys and what they come to; equal ones share one |
/// | `ValueView` | values of a collection in the order of a query | their positions |
package protocol View: AnyObject {
  associatedtype Change: Span

  /// The row that it belongs to, with which it ends; nil for what stays.
  var owner: OwnerRow? { get }

  /// What has to be touched to concern a subscriber with a filter.
  func places(_ filter: KeyPathFilter) -> [ViewPlace]

  /// What happened in a step that touched one of the places; nil when nothing did that counts.
  func change(_ step: Step, _ filter: KeyPathFilter) -> Change?
}

/// What happened to a view in a span of versions.
package protocol Span {
  /// Adds what happened afterwards.
  mutating func merge(_ later: Self)

  /// Whether nothing is left to tell.
  var isEmpty: Bool { get }
}

extension View {
  package var owner: OwnerRow? { nil }
}

/// The row of the object that a collection belongs to.
package struct OwnerRow {
  let table: TableID
  let row: RowKey

  package init(_ table: TableID, _ row: RowKey) { (self.table, self.row) = (table, row) }

  /// What has to be touched to end what belongs to it.
  package var place: ViewPlace { .row(table, row) }

  package func isDeleted(_ step: Step) -> Bool { step.isDeleted(row, in: table.index) }
}

/// What happened to something that may end with the object it belongs to, which some hear even if it was empty.
package protocol CollectionSpan: Span {
  /// Nothing, to something that is empty.
  init()
}

extension MapKeyChanges: CollectionSpan {}

/// What happened to something with positions, merged as operations: what came and went leaves no trace.
///
/// By reference, since all observers of a query get the same.
package indirect enum CollectionChange: CollectionSpan {
  /// What happened in a single step, with the number of elements before and after.
  case step(PositionChanges, from: Int, to: Int)
  case composed(ListDelta)

  package init() { self = .composed(ListDelta(count: 0)) }

  package mutating func merge(_ later: CollectionChange) {
    var delta = delta
    delta.compose(with: later.delta)
    self = .composed(delta)
  }

  package var isEmpty: Bool {
    switch self {
    case .step(let positions, _, _): positions.isEmpty
    case .composed(let delta): delta.isEmpty
    }
  }

  /// The change as runs.
  var delta: ListDelta {
    switch self {
    case .step(let positions, let oldCount, let newCount): ListDelta(positions, from: oldCount, to: newCount)
    case .composed(let delta): delta
    }
  }

  package var positions: PositionChanges {
    switch self {
    case .step(let positions, _, _): return positions
    case .composed(let delta):
      let positions = delta.positions()
      return PositionChanges(
        deletions: positions.deletions, insertions: positions.insertions, modifications: positions.modifications)
    }
  }
}

extension ListDelta {
  /// The same change as runs.
  init(_ positions: PositionChanges, from oldCount: Int, to newCount: Int) {
    self.init(count: 0)
    var deletions = positions.deletions[...]
    var insertions = positions.insertions[...]
    var modifications = positions.modifications[...]
    while self.oldCount < oldCount || self.newCount < newCount {
      if deletions.first == self.oldCount {
        deletions.removeFirst()
        append(.drop, 1)
      } else if insertions.first == self.newCount {
        insertions.removeFirst()
        append(.insert, 1)
      } else if modifications.first == self.oldCount {
        modifications.removeFirst()
        append(.touch, 1)
      } else {
        let old = min(deletions.first ?? oldCount, modifications.first ?? oldCount) - self.oldCount
        let new = (insertions.first ?? newCount) - self.newCount
        append(.keep, min(old, new))
      }
    }
  }
}
