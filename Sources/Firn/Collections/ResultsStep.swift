internal import FirnEngine

/// What is done with the sorted matches of a query, one step after the other in the order of the calls.
///
/// Conditions and sorts are steps only behind another step; before that they are the query itself.
enum ResultsStep {
  case filter(Predicate)
  case sort([SortKey])
  /// Keeps the first of the rows that are equal in all of these.
  case distinct([ColumnPath])
  /// Of values instead of rows.
  case sortValues(ascending: Bool, nilsLast: Bool)
  case distinctValues
}

extension ResultsStep {
  /// Calls `body` with every column path that the step reads.
  func forEachPath(_ body: (ColumnPath) -> Void) {
    switch self {
    case .filter(let predicate): predicate.forEachPath(body)
    case .sort(let keys): for key in keys { body(key.path) }
    case .distinct(let paths): for path in paths { body(path) }
    case .sortValues, .distinctValues: break
    }
  }
}

extension ResultsCore {
  /// Puts the keys of all matches in the order of the query, and takes out what its steps do.
  func arrange(_ keys: inout [UInt64], in snapshot: Snapshot) {
    if !sort.isEmpty { self.sort(&keys, in: snapshot) }
    if steps.isEmpty { return }
    let ranks = isOfValues ? self.ranks(in: snapshot) : nil
    for step in steps {
      switch step {
      case .filter(let predicate):
        let compiled = CompiledPredicate(predicate, table: table.table, layout: instance.store.graph.layout)
        keys.removeAll { !compiled.matches(RowKey($0), in: snapshot) }
      case .sort(let sortKeys):
        SortedKeys.sort(keys: &keys, by: sortKeys, table: table.table, snapshot: snapshot)
      case .distinct(let paths):
        DistinctKeys.removeRepeats(from: &keys, by: paths, table: table.table, snapshot: snapshot)
      case .sortValues(let ascending, let nilsLast): ranks?.sort(&keys, ascending: ascending, nullsLast: nilsLast)
      case .distinctValues: ranks?.removeRepeats(&keys)
      }
    }
  }

  /// The elements that differ in these properties: the first of each in the order so far, live.
  func distinct(_ paths: [ColumnPath]) -> ResultsCore { paths.isEmpty ? self : adding(.distinct(paths)) }

  func explainSteps() -> String {
    steps.map { step in
      switch step {
      case .filter: ", then filter"
      case .sort(let keys): ", then sorted by " + explain(keys)
      case .distinct(let paths): ", then distinct by " + paths.map { name(of: $0) }.joined(separator: ", ")
      case .sortValues(let ascending, let nilsLast): ", then sorted" + direction(ascending, nilsLast)
      case .distinctValues: ", then distinct"
      }
    }.joined()
  }

  func explain(_ keys: [SortKey]) -> String {
    keys.map { name(of: $0.path) + direction($0.ascending, $0.nullsLast) }.joined(separator: ", ")
  }

  private func direction(_ ascending: Bool, _ nilsLast: Bool) -> String {
    (ascending ? "" : " descending") + (nilsLast ? ", nil last" : "")
  }
}
