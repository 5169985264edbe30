internal import FirnEngine

extension List {
  /// The query on this list that selects everything; traps for an unmanaged list.
  public var _query: _CollectionQuery { _CollectionQuery(_elementQuery()) }

  public var _unmanagedElements: [Element]? { _context == nil ? _elements : nil }
}

extension CollectionBase {
  /// Traps for what only collections can do that a realm manages.
  final func _trapForUnmanaged() -> Never {
    fatalError(
      "This method may only be called on \(Self._kindName) instances retrieved from a Realm. This \(type(of: self)) is "
        + "unmanaged: add the object that has it to a realm before.")
  }

  /// The query that selects everything in the collection; traps for an unmanaged one.
  final func _elementQuery() -> ResultsCore {
    guard let instance = _instance, let table = _table else { _trapForUnmanaged() }
    return ResultsCore(
      instance: instance, table: _target ?? table,
      source: .list(owner: table, row: RowKey(_key), column: _column))
  }
}
