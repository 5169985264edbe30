internal import FirnEngine
internal import FirnReactive

/// Reading a query that is observed: its view knows the rows and their order already.
extension ResultsCore {
  /// The view of the query in the version that the realm shows, where the caller may use it; nil when nobody observes it
  /// there, and inside of a write transaction.
  func withMaintained<Result>(_ body: (QueryView, GraphContents) -> Result) -> Result? {
    guard let observers = instance.notifications, observers.hasViews, !instance.isFrozen, instance.isHomeForReading,
      instance.writer == nil, let version = instance.version, observers.folded?.number == version.number,
      let view = maintainedView(observers.stage, version)
    else { return nil }
    return version.withContents { body(view, $0) }
  }

  private func maintainedView(_ stage: ReactiveStage, _ version: Version) -> QueryView? {
    let home = homeEvaluation
    if let maintained = home.maintained, maintained.isMaintained { return maintained }
    home.maintained = isOfValues || showsNulls || isEvaluated(version) ? nil : stage.view(of: viewQuery)
    return home.maintained
  }

  /// The keys of a maintained query, if they are so few that taking them is cheaper than looking for them row by row.
  var fewMaintainedKeys: [UInt64]? {
    withMaintained { view, contents in
      4 * view.count(in: contents) < contents.rowCount(table.table) ? view.allKeys(in: contents) : nil
    } ?? nil
  }
}

extension QueryView {
  /// The keys of all rows in order.
  func allKeys(in contents: GraphContents) -> [UInt64] {
    var keys: [UInt64] = []
    keys.reserveCapacity(count(in: contents))
    forEachRow(in: contents) { keys.append($0.rawValue) }
    return keys
  }
}
