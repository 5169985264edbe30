internal import FirnDurability
internal import FirnEngine

extension Migration {
  /// Calls a block with each object of a class, as it was and as it will be, in the order in which they were added.
  ///
  /// A class that only the file has gives old objects, one that only the program has gives new ones: those that the block has
  /// created so far. For a class that neither has nothing is called. Objects that the block creates are not visited otherwise,
  /// and neither are those that it has deleted. May be nested.
  ///
  /// - Complexity: O(objects), about a microsecond for each besides what the block does.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    checkIsRunning()
    guard let index = store.tables.firstIndex(where: { $0.name == typeName }) else { return }
    let table = store.tables[index]
    let id = TableID(index)
    let old = table.isInStore ? oldRealm.handle(index, isDynamic: true) : nil
    let new = table.isInApplication ? newRealm.handle(index, isDynamic: true) : nil
    let keys =
      old == nil ? newRealm.read { Self.keys(of: id, $0) } : store.before.withContents { Self.keys(of: id, $0) }
    for (position, key) in keys.enumerated() {
      if position & 4_095 == 0 { store.progress(position, keys.count) }
      var newObject: MigrationObject?
      if let new {
        if !newRealm.read({ $0.contains(key, in: id) }) { continue }
        newObject = unsafeDowncast(new.accessor(key), to: MigrationObject.self)
      }
      try block(old.map { unsafeDowncast($0.accessor(key), to: MigrationObject.self) }, newObject)
    }
    store.progress(keys.count, keys.count)
  }

  private static func keys(of table: TableID, _ contents: GraphContents) -> [RowKey] {
    var keys: [RowKey] = []
    keys.reserveCapacity(contents.rowCount(table))
    contents.forEachKey(in: table) { keys.append($0) }
    return keys
  }
}
