internal import FirnEngine
internal import FirnReactive

/// Observing a ``List`` or ``MutableSet``.
extension _PersistableCollection where Self: RealmCollection {
  public var _observed: _Observed<RealmCollectionChange<Self>> {
    _Observed(instance: observableInstance()) { [self] realm, names, block in
      guard let observed = observed(in: realm, names) else { return nil }
      let collection = realm === _instance ? self : _inRealm(realm)
      return ViewBlockObserver(observed.filter, CollectionView(observed.place)) {
        block(RealmCollectionChange($0, collection._renewed()))
      }
    }
  }
}

extension CollectionBase {
  /// The realm to observe; traps for an unmanaged collection.
  final func observableInstance() -> RealmInstance {
    guard let instance = _instance else {
      fatalError("Change notifications are only supported on managed collections.")
    }
    return instance
  }

  /// What an observer of the collection has to know; nil when the collection does not exist in the realm's version.
  ///
  /// Traps for key paths of a collection of values, and for those that name no property.
  final func observed(
    in realm: RealmInstance, _ names: [[String]]?
  ) -> (place: ListPlace, filter: KeyPathFilter)? {
    guard let table = _table else { return nil }
    let layout = realm.store.graph.layout
    let place = ListPlace(table: table.table, row: RowKey(_key), column: _column)
    let target = place.target(layout)
    if target == nil, names?.isEmpty == false {
      fatalError(
        "Key paths need a collection of objects: '\(table.model.properties[_column.index].name)' holds values.")
    }
    guard let version = realm.version, version.withContents({ $0.contains(place.row, in: place.table) }) else {
      return nil
    }
    let filter = KeyPathFilter.make(
      names, target ?? place.table.index, realm, followsLinks: target != nil)
    return (place, filter)
  }
}
