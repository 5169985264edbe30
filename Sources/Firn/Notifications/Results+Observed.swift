internal import FirnEngine
internal import FirnReactive

extension Results {
  public var _observed: _Observed<RealmCollectionChange<Results>> {
    _Observed(instance: core.instance) { realm, names, block in
      let results = realm === core.instance ? self : Results(core: core.moved(to: realm))
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
  func makeObserver(_ names: [[String]]?, _ body: @escaping (CollectionEvent) -> Void) -> DataObserver {
    if isOfValues {
      if names?.isEmpty == false { fatalError("Key paths need a collection of objects: these results hold values.") }
      return valueObserver(body)
    }
    let filter = KeyPathFilter.make(names, tableIndex, instance.store, followsLinks: true)
    switch source {
    case .table where steps.isEmpty:
      return ViewObserver(ViewQuery(table: table.table, predicate: predicate, sort: sort), filter, body)
    case .backlinks(let owner, let row, let column) where isPlain:
      return BacklinkObserver(
        BacklinkPlace(origin: table.table, column: column, target: owner.table, row: row), filter, body)
    case .table, .list, .backlinks: return RerunObserver(self, filter, body)
    }
  }

  /// The keys in their order in some version.
  func rows(in snapshot: Snapshot) -> [RowKey] {
    var evaluation = Evaluation()
    return evaluation.ordered(self, snapshot).map { RowKey($0) }
  }
}
