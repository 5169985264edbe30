internal import FirnEngine
internal import FirnReactive

extension Results {
  public var _observed: _Observed<RealmCollectionChange<Results>> {
    _Observed(instance: core.instance) { realm, names, block in
      let results = realm === core.instance ? self : Results(core: core.moved(to: realm))
      if let filter = results.core.queryFilter(names) {
        return ResultsObserver(results, results.core.viewQuery, filter, block)
      }
      return results.core.makeObserver(names) { block(RealmCollectionChange($0, results)) }
    }
  }
}

extension LinkingObjects {
  public var _observed: _Observed<RealmCollectionChange<LinkingObjects>> {
    guard let core = source.core else {
      fatalError("Change notifications are only supported on managed collections.")
    }
    return _Observed(instance: core.instance) { realm, names, block in
      let objects = realm === core.instance ? self : moved(core, to: realm)
      guard let core = objects.source.core, !core.isInvalidated else { return nil }
      return core.makeObserver(names) { block(RealmCollectionChange($0, objects)) }
    }
  }
}

extension ResultsCore {
  /// Makes an observer of the query in its realm. Traps for key paths that name no property.
  func makeObserver(_ names: [[String]]?, _ body: @escaping (CollectionChange?) -> Void) -> DataObserver {
    if isOfValues {
      if names?.isEmpty == false { fatalError("Key paths need a collection of objects: these results hold values.") }
      return valueObserver(body)
    }
    let filter = KeyPathFilter.make(names, tableIndex, instance, followsLinks: true)
    if let place = allBacklinks { return ViewBlockObserver(filter, BacklinkView(place), body) }
    return ViewBlockObserver(filter, viewQuery.makeView, body)
  }

  /// What an observer wants to hear of a query that is maintained as such; nil where there is a simpler way.
  fileprivate func queryFilter(_ names: [[String]]?) -> KeyPathFilter? {
    isOfValues || allBacklinks != nil
      ? nil : KeyPathFilter.make(names, tableIndex, instance, followsLinks: true)
  }

  /// The row that the collection belongs to; nil for the whole table.
  var owner: OwnerRow? {
    switch source {
    case .table: nil
    case .list(let owner, let row, _), .backlinks(let owner, let row, _): OwnerRow(owner.table, row)
    }
  }

  /// The query as a view maintains it.
  var viewQuery: ViewQuery {
    let source: ViewQuery.Source =
      switch self.source {
      case .table: .table
      case .list(let owner, let row, let column):
        .list(ListPlace(table: owner.table, row: row, column: column))
      case .backlinks(let owner, let row, let column):
        .backlinks(BacklinkPlace(origin: table.table, column: column, target: owner.table, row: row))
      }
    let steps = steps.compactMap { step -> ViewQuery.Step? in if case .rows(let step) = step { step } else { nil } }
    return ViewQuery(table: table.table, source: source, predicate: predicate, sort: sort, steps: steps)
  }

  /// The keys in their order in some version.
  func rows(in contents: GraphContents) -> [RowKey] {
    var evaluation = Evaluation()
    return evaluation.ordered(self, contents).map { RowKey($0) }
  }
}

extension ViewQuery {
  /// Makes the view for an observer, or takes the one that others have.
  fileprivate func makeView(_ observers: RealmObservers, _ version: Version) -> (view: QueryView, query: QueryView?) {
    let view = version.withContents { observers.stage.addView(self, in: $0) }
    return (view, view)
  }
}

/// Observes results. A type of its own: there may be very many, and blocks around blocks take memory. It knows the type of
/// the results, and calls the block itself: types that are looked for in each call would cost more than the rest of it.
private final class ResultsObserver<Collection: RealmCollection>: ViewObserver<QueryView> {
  private let results: Collection
  private let block: (RealmCollectionChange<Collection>) -> Void

  init(
    _ results: Collection, _ query: ViewQuery, _ filter: KeyPathFilter,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void
  ) {
    (self.results, self.block) = (results, block)
    super.init(filter, query.makeView)
  }

  override func tell(_ change: CollectionChange?) { block(RealmCollectionChange(change, results)) }

  override func call(_ span: CollectionChange) { block(RealmCollectionChange(span, results)) }
}
