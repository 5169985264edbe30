package import FirnEngine

extension Step {
  /// Which rows have to be told of in a version to a subscriber that has seen an earlier one.
  ///
  /// What the earlier version looked like is not asked: a row of which nothing was written that the query reads belongs
  /// to it now if it did then. So rows are named that never belonged, of which something was written that decides.
  ///
  /// - Parameters:
  ///   - query: One that tells rows by key.
  ///   - changes: What commits in between touched.
  ///   - filter: Which modifications count for the subscriber.
  ///   - contents: The later version.
  /// - Returns: The rows that are there: those that belong to the query, and the others. Nil when that cannot be known:
  ///   the query reads backlinks, and these may have become fewer.
  package static func keyedRows(
    of query: ViewQuery, touchedBy changes: ChangeSet, counting filter: KeyPathFilter, in contents: GraphContents
  ) -> (present: Set<RowKey>, others: Set<RowKey>)? {
    let membership = KeyPathFilter(paths: query.predicate.reads)
    for path in membership.paths + filter.paths where path.losesBacklinks(in: changes) { return nil }
    let step = Step(changes, old: contents, new: contents, number: 0)
    let condition = RowCondition(query, contents.layout)
    let own = changes.tables[query.table.index]
    var (present, others): (Set<RowKey>, Set<RowKey>) = ([], [])
    func sort(_ row: RowKey, mayHaveLeft: Bool) {
      if condition.matches(row, in: contents) {
        present.insert(row)
      } else if mayHaveLeft {
        others.insert(row)
      }
    }
    let deciding = step.rowsBehind(membership, in: query.table.index, following: .max) ?? []
    for row in deciding { sort(row, mayHaveLeft: true) }
    for row in step.rowsBehind(filter, in: query.table.index, following: .max) ?? [] { sort(row, mayHaveLeft: false) }
    for row in own.modified {
      let decides = membership.includes(row.columns)
      if decides || filter.includes(row.columns) { sort(row.key, mayHaveLeft: decides) }
    }
    for row in own.inserted {
      sort(row, mayHaveLeft: false)
      others.remove(row)
    }
    return (present, others)
  }
}

extension [PathStep] {
  /// Whether backlinks on the path may have become fewer.
  fileprivate func losesBacklinks(in changes: ChangeSet) -> Bool {
    contains { step in
      guard case .backlinks(let origin, let column) = step else { return false }
      let changes = changes.tables[origin.index]
      return !changes.deleted.isEmpty || !changes.inserted.isEmpty
        || changes.modified.contains { $0.columns.contains(column) }
    }
  }
}
