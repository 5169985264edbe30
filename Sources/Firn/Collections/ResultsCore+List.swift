internal import FirnEngine

extension ResultsCore {
  /// The rows that a query on a list selects, in list order or sorted. A row that is in the list twice is selected twice.
  ///
  /// Nil for queries on tables. - Complexity: O(n) with n elements in the list, and O(m log m) to sort m of them.
  func listKeys(in snapshot: Snapshot) -> [UInt64]? {
    guard case .list(let owner, let row, let column) = source else { return nil }
    let root = snapshot.listRoot(owner.layout.columns[column.index], of: row, in: owner.table)
    var keys: [UInt64] = []
    let shape = owner.layout.listShape(column.index)
    if predicate == .constant(true) {
      keys.reserveCapacity(ListTree.count(root))
      ListTree.forEach(root, as: UInt64.self, shape) { keys.append($0) }
    } else {
      let compiled = CompiledPredicate(predicate, table: table.table, layout: snapshot.layout)
      ListTree.forEach(root, as: UInt64.self, shape) { key in
        if compiled.matches(RowKey(key), in: snapshot) { keys.append(key) }
      }
    }
    SortedKeys.sort(keys: &keys, by: sort, table: table.table, snapshot: snapshot)
    return keys
  }
}

extension List {
  /// The query on this list that selects everything; traps for an unmanaged list and for one of values.
  public var _query: _CollectionQuery {
    guard let instance = _instance, let table = _table, let target = _target else {
      fatalError("This method may only be called on List instances of objects retrieved from a Realm.")
    }
    return _CollectionQuery(
      ResultsCore(instance: instance, table: target, source: .list(owner: table, row: RowKey(_key), column: _column)))
  }
}
