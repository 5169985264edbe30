internal import FirnEngine
internal import FirnReactive

/// What a ``Results`` refers to: a query on a table, or on a list.
///
/// Queries are values; what is cached of their evaluation belongs to the home thread.
final class ResultsCore {
  enum Source {
    case table
    /// The list `column` of `row` in `owner`; the elements are rows of `table`.
    case list(owner: TableHandle, row: RowKey, column: ColumnID)
  }

  let instance: RealmInstance
  /// The table of the elements.
  let table: TableHandle
  let source: Source
  let predicate: Predicate
  let sort: [SortKey]

  init(
    instance: RealmInstance, table: TableHandle, source: Source = .table, predicate: Predicate = .constant(true),
    sort: [SortKey] = []
  ) {
    self.instance = instance
    self.table = table
    self.source = source
    self.predicate = predicate
    self.sort = sort
  }

  /// The query as a maintained view sees it; nil for queries on lists.
  var viewQuery: ViewQuery? {
    guard case .table = source else { return nil }
    return ViewQuery(table: table.table, predicate: predicate, sort: sort)
  }

  var count: Int { instance.read { $0.rowCount(table.table) } }
}
