package import FirnEngine

/// The tables and columns of a store with the numbers that its files call them by.
///
/// Numbers are never used again, so that a file means the same after classes and properties came, went and were renamed.
/// The format is that of section 1 of the format page.
package struct Catalogue: Sendable, Hashable {
  /// The version that the application gives its model.
  package var schemaVersion: UInt64 = 0
  package private(set) var nextTableID: UInt32 = 1
  package fileprivate(set) var tables: [Table] = []
  /// The positions of the tables, by number; the first one if several have one number.
  private var positions: [UInt32: Int] = [:]

  package struct Table: Sendable, Hashable {
    package let id: UInt32
    package var name: String
    package var nextColumnID: UInt32
    package var columns: [Column]
    /// Columns that are no longer part of the table. Files that were written before may hold cells of theirs; a base that
    /// is written later does not.
    package var dropped: [Column] = []
  }

  package struct Column: Sendable, Hashable {
    package let id: UInt32
    package var name: String
    package var type: ColumnType
    package var isNullable: Bool
    package var collection: CollectionKind?
    package var isIndexed: Bool
    package var isPrimaryKey: Bool
    /// Whether the targets of links are embedded: theirs alone.
    package var ownsTargets = false
    /// Whether the program that last opened the store for writing had the table, and not the column.
    package var isLeftBehind = false
    /// The table that links lead to.
    package var targetTableID: UInt32?
    /// What rows have that were written before the column was there, and what a program gives to new rows that does not
    /// know the column; nil for null, or else zero, false or empty.
    package var defaultValue: Value?
  }

  /// A store without tables.
  package init() {}

  init(schemaVersion: UInt64, nextTableID: UInt32, tables: [Table]) {
    self.schemaVersion = schemaVersion
    self.nextTableID = nextTableID
    self.tables = tables
    positions = Self.positions(of: tables)
  }

  private static func positions(of tables: [Table]) -> [UInt32: Int] {
    Dictionary(tables.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// The position of a table in ``tables``.
  func index(of id: UInt32) -> Int? { positions[id] }

  /// Adds a table without columns and returns its position.
  mutating func addTable(_ name: String) throws -> Int {
    tables.append(
      Table(id: try Self.take(&nextTableID, "tables"), name: try Self.checked(name), nextColumnID: 1, columns: []))
    positions[tables[tables.count - 1].id] = tables.count - 1
    return tables.count - 1
  }

  /// Adds a column with a number of its own to a table.
  ///
  /// - Parameter ids: The numbers of the application's tables.
  mutating func addColumn(
    _ description: ColumnDescription, to table: Int, ids: [UInt32], defaultValue: Value?
  ) throws {
    let id = try Self.take(&tables[table].nextColumnID, "columns of '\(tables[table].name)'")
    tables[table].columns.append(
      Column(
        id: id, name: try Self.checked(description.storedName), type: description.type,
        isNullable: description.isNullable, collection: description.collection, isIndexed: description.isIndexed,
        isPrimaryKey: description.isPrimaryKey, ownsTargets: description.linkKind == .embedded,
        targetTableID: description.target.map { ids[$0.index] }, defaultValue: defaultValue))
  }

  /// Takes a column out of a table.
  mutating func drop(_ id: UInt32, from table: Int) {
    guard let index = tables[table].columns.firstIndex(where: { $0.id == id }) else { return }
    var column = tables[table].columns.remove(at: index)
    column.isLeftBehind = false
    tables[table].dropped.append(column)
  }

  /// Takes tables out, but for those to which links of others lead that stay.
  mutating func removeTables(_ ids: [UInt32]) {
    var linkCounts: [UInt32: Int] = [:]
    for table in tables {
      for target in table.linkedTables { linkCounts[target, default: 0] += 1 }
    }
    let candidates = Set(ids)
    var pending = candidates.filter { linkCounts[$0] == nil }
    var gone: Set<UInt32> = []
    while let id = pending.popFirst() {
      gone.insert(id)
      guard let position = positions[id] else { continue }
      for target in tables[position].linkedTables {
        linkCounts[target, default: 0] -= 1
        if linkCounts[target] == 0, candidates.contains(target) { pending.insert(target) }
      }
    }
    tables.removeAll { gone.contains($0.id) }
    positions = Self.positions(of: tables)
  }

  /// Changes a column.
  mutating func update(_ id: UInt32, of table: Int, _ change: (inout Column) throws -> Void) rethrows {
    guard let index = tables[table].columns.firstIndex(where: { $0.id == id }) else { return }
    try change(&tables[table].columns[index])
  }

  /// The catalogue with columns that are gone in their tables once more, which may give two columns one name.
  func adding(_ gone: [Rewriting.GoneColumn]) -> Catalogue {
    var catalogue = self
    for column in gone {
      if let table = index(of: column.table) { catalogue.tables[table].columns.append(column.column) }
    }
    return catalogue
  }

  /// The catalogue as a file needs it that holds no cells of dropped columns.
  var withoutDropped: Catalogue {
    var catalogue = self
    for index in tables.indices { catalogue.tables[index].dropped = [] }
    return catalogue
  }

  /// What is written can be read again.
  static func checked(_ name: String) throws -> String {
    if name.utf8.count <= nameByteCountMax { return name }
    throw StoreError(
      .fail,
      "The name '\(name.prefix(40))…' of a class or property has \(name.utf8.count) bytes, and at most "
        + "\(nameByteCountMax) can be stored. Give it a shorter one.")
  }

  private static func take(_ next: inout UInt32, _ what: String) throws -> UInt32 {
    if next == .max { throw StoreError(.invalidDatabase, "The store has used up its numbers for \(what).") }
    next += 1
    return next - 1
  }
}

extension Catalogue.Table {
  /// The other tables that links lead to, once for each column.
  fileprivate var linkedTables: [UInt32] { columns.compactMap(\.targetTableID).filter { $0 != id } }
}
