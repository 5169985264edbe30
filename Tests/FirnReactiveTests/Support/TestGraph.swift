import FirnEngine

/// A graph to write to in tests: keeps the current version and collects changes since the last commit.
final class TestGraph {
  let schema: [TableDescription]
  private(set) var snapshot: Snapshot
  private var nextKeys: [UInt64]
  private var pending: ChangeSet

  init(schema: [TableDescription]) {
    self.schema = schema
    snapshot = Snapshot(schema: schema)
    nextKeys = schema.map { _ in 0 }
    pending = ChangeSet(tableCount: schema.count)
  }

  func keys(_ table: Int) -> [RowKey] { snapshot.tables[table].keys.map { RowKey($0) } }

  @discardableResult
  func insert(_ table: Int, _ values: [Value]) -> RowKey {
    let key = nextKeys[table]
    nextKeys[table] += 1
    snapshot.tables[table].keys.append(key)
    snapshot.tables[table].rows[key] = values
    merge(table) { $0.inserted = [RowKey(key)] }
    return RowKey(key)
  }

  func set(_ table: Int, _ key: RowKey, _ column: Int, _ value: Value) {
    snapshot.tables[table].rows[key.rawValue]![column] = value
    merge(table) { $0.modified = [ModifiedRow(key: key, columns: ColumnSet([ColumnID(column)]))] }
  }

  /// Links to the row become null.
  func delete(_ table: Int, _ key: RowKey) {
    for (origin, description) in schema.enumerated() {
      for (column, link) in description.columns.enumerated() where link.target == TableID(table) {
        for other in keys(origin) where snapshot.tables[origin].rows[other.rawValue]![column] == .link(key) {
          set(origin, other, column, .null)
        }
      }
    }
    snapshot.tables[table].rows[key.rawValue] = nil
    snapshot.tables[table].keys.removeAll { $0 == key.rawValue }
    merge(table) { $0.deleted = [key] }
  }

  /// Everything since the last commit.
  func commit() -> ChangeSet {
    defer { pending = ChangeSet(tableCount: schema.count) }
    return pending
  }

  private func merge(_ table: Int, _ fill: (inout TableChanges) -> Void) {
    var changes = TableChanges()
    fill(&changes)
    pending.tables[table].merge(changes)
  }
}
