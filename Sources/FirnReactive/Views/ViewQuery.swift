package import FirnEngine

/// What a view shows: the rows of one table that satisfy a predicate, in an order.
///
/// Equal queries share one view. Rows that no sort key tells apart follow in the order of their keys.
package struct ViewQuery: Hashable, Sendable {
  package var table: TableID
  package var predicate: Predicate
  package var sort: [SortKey]

  package init(table: TableID, predicate: Predicate = .constant(true), sort: [SortKey] = []) {
    self.table = table
    self.predicate = predicate
    self.sort = sort
  }
}
