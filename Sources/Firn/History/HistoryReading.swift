internal import FirnDurability
internal import FirnEngine
internal import Foundation

/// Makes entries of commits. What is not recorded of an object may be found in the version that all of them lead to.
struct HistoryReading {
  let version: Version
  private let layout: GraphLayout

  init(_ version: Version) {
    self.version = version
    layout = version.graph.layout
  }

  func entry(_ commit: HistoryCommit) -> RealmStore.HistoryEntry {
    var classes: [RealmStore.ClassHistory] = []
    if let effects = commit.effects {
      for table in effects.touchedTables where !layout.isNested(table) {
        classes.append(changes(effects.rows(of: table), table))
      }
    }
    let cause =
      commit.note.isEmpty ? nil : Realm.Cause(NotedCommit(version: commit.version, note: commit.note))
    return RealmStore.HistoryEntry(version: commit.version, cause: cause, classes: classes)
  }

  private func changes(_ rows: [RowHistory], _ table: TableID) -> RealmStore.ClassHistory {
    var insertions: [RealmStore.ObjectHistory] = []
    var modifications: [RealmStore.ObjectHistory] = []
    var deletions: [RealmStore.ObjectHistory] = []
    let names = layout.tables[table.index].descriptions.map(\.name)
    for row in rows {
      let identity = RealmStore.HistoryIdentity(
        className: layout.tables[table.index].name, row: row.key.rawValue,
        primaryKey: row.primaryKey.map { value($0, nil, table) } ?? primaryKey(row.key, table))
      let properties = row.cells.map { cell in
        RealmStore.PropertyHistory(
          name: names[cell.column.index], oldValue: cell.old.map { value($0, cell.column, table) },
          newValue: cell.new.map { value($0, cell.column, table) })
      }
      let object = RealmStore.ObjectHistory(identity: identity, properties: properties)
      switch row.kind {
      case .inserted: insertions.append(object)
      case .modified: modifications.append(object)
      case .deleted: deletions.append(object)
      }
    }
    return RealmStore.ClassHistory(
      name: layout.tables[table.index].name, insertions: insertions, modifications: modifications,
      deletions: deletions)
  }

  /// The primary key of a row that is still there.
  private func primaryKey(_ key: RowKey, _ table: TableID) -> RealmStore.HistoryValue? {
    guard let column = layout.tables[table.index].primaryKey else { return nil }
    let stored = version.withContents { contents in
      contents.contains(key, in: table) ? contents.value(ColumnID(column), of: key, in: table) : nil
    }
    return stored.map { value($0, nil, table) }
  }

  func value(_ stored: Value, _ column: ColumnID?, _ table: TableID) -> RealmStore.HistoryValue {
    switch stored {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .data(let bytes): .data(Data(bytes))
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .objectID(let bytes): .objectId(ObjectId(bytes))
    case .decimal128(let bits): .decimal128(Decimal128(bits))
    case .uuid(let bytes): .uuid(UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self)))
    case .list, .map: .collection
    case .link(let key):
      column.map { object(key, TableID(Int(layout.tables[table.index].columns[$0.index].target))) } ?? .null
    case .object(let number, let key): layout.table(number: number).map { object(key, $0) } ?? .null
    }
  }

  private func object(_ key: RowKey, _ table: TableID) -> RealmStore.HistoryValue {
    .object(
      RealmStore.HistoryIdentity(
        className: layout.tables[table.index].name, row: key.rawValue, primaryKey: primaryKey(key, table)))
  }
}
