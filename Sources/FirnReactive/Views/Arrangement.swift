import FirnEngine

/// What a query does with its matches before they are shown. Most queries, of which there may be very many, do nothing.
final class Arrangement {
  /// The elements of a collection; nil for a query on a table.
  let sequence: ElementSequence?
  let stages: [Stage]
  let order: RowOrder?
  /// Columns of the table whose change moves a row.
  let orderColumns: ColumnSet
  /// Whether what is behind links decides about the order.
  let orderFollowsLinks: Bool
  /// Everything that a query on a collection reads.
  let readFilter: KeyPathFilter
  /// How a query on a collection is found.
  var entry: CollectionEntry?

  /// What is done with the matches before they are put in their last order.
  enum Stage {
    case filter(CompiledPredicate)
    case distinct(DistinctRows)
    case window(WindowRows)
  }

  /// Nil for the matches in a table as they come.
  init?(_ query: ViewQuery, _ layout: GraphLayout) {
    if query.source == .table, query.sort.isEmpty, query.steps.isEmpty { return nil }
    sequence = query.source == .table ? nil : ElementSequence([])
    readFilter = query.source == .table ? .nothing : query.readFilter
    var sort = query.sort
    var stages: [Stage] = []
    for step in query.steps {
      switch step {
      case .filter(.constant(true)): break
      case .filter(let predicate):
        stages.append(.filter(CompiledPredicate(predicate, table: query.table, layout: layout)))
      case .sort(let keys): sort = keys + sort
      case .distinct(let paths):
        stages.append(
          .distinct(DistinctRows(paths, sort, table: query.table, schema: layout.schema, sequence: sequence)))
      case .window(let window):
        stages.append(
          .window(WindowRows(window, sort, table: query.table, schema: layout.schema, sequence: sequence)))
      }
    }
    self.stages = stages
    order = sort.isEmpty ? nil : RowOrder(sort, table: query.table, schema: layout.schema, sequence: sequence)
    orderFollowsLinks = sort.contains { !$0.path.links.isEmpty }
    orderColumns = ColumnSet(sort.map { $0.path.links.first ?? $0.path.column })
  }
}
