internal import FirnEngine
internal import FirnReactive

/// What is done with the sorted matches of a query, one step after the other in the order of the calls.
///
/// Conditions and sorts are steps only behind another step; before that they are the query itself.
enum ResultsStep {
  case rows(ViewQuery.Step)
  case filterValues(ElementPredicate)
  case sortValues(ascending: Bool, nilsLast: Bool)
  case distinctValues
}

extension ResultsCore {
  /// Puts the keys of all matches in the order of the query, and takes out what its steps do.
  func arrange(_ keys: inout [UInt64], in contents: GraphContents) {
    if !sort.isEmpty { self.sort(&keys, in: contents) }
    apply(steps[...], to: &keys, in: contents)
  }

  /// Does what some of the steps do.
  func apply(_ steps: ArraySlice<ResultsStep>, to keys: inout [UInt64], in contents: GraphContents) {
    if steps.isEmpty { return }
    let ranks = isOfValues ? self.ranks(in: contents) : nil
    for step in steps {
      switch step {
      case .rows(.filter(let predicate)):
        let compiled = CompiledPredicate(predicate, table: table.table, layout: instance.store.graph.layout)
        keys.removeAll { !compiled.matches(RowKey($0), in: contents) }
      case .rows(.sort(let sortKeys)):
        SortedKeys.sort(keys: &keys, by: sortKeys, table: table.table, contents: contents)
      case .rows(.window(let window)): keys = Array(keys[window.clamped(to: 0..<keys.count)])
      case .rows(.distinct(let paths)):
        DistinctKeys.removeRepeats(from: &keys, by: paths, table: table.table, contents: contents)
      case .filterValues(let predicate): keepValues(&keys, predicate, contents)
      case .sortValues(let ascending, let nilsLast): ranks?.sort(&keys, ascending: ascending, nullsLast: nilsLast)
      case .distinctValues: ranks?.removeRepeats(&keys)
      }
    }
  }

  /// The elements that differ in these properties: the first of each in the order so far, live.
  func distinct(_ paths: [ColumnPath]) -> ResultsCore { paths.isEmpty ? self : adding(.rows(.distinct(paths))) }

  /// The elements at these positions, live.
  func window(_ positions: Range<Int>) -> ResultsCore { adding(.rows(.window(positions))) }

  /// The positions that a window leaves, when it is the only step.
  var onlyWindow: Range<Int>? {
    guard steps.count == 1, case .rows(.window(let window)) = steps[0] else { return nil }
    return window
  }

  /// So many matches are enough to know the elements; nil when all are needed.
  var matchLimit: Int? {
    guard sort.isEmpty, case .table = source, case .rows(.window(let window)) = steps.first else { return nil }
    return window.upperBound
  }
}
