package import FirnEngine

/// The tables and columns of a store with the numbers that its files call them by.
///
/// Numbers are never used again, so that a file means the same after classes and properties came, went and were renamed.
/// The format is that of section 1 of the format page.
package struct Catalogue: Sendable, Hashable {
  /// The version that the application gives its model.
  package var schemaVersion: UInt64 = 0
  package private(set) var nextTableID: UInt32 = 1
  package private(set) var tables: [Table] = []

  package struct Table: Sendable, Hashable {
    package let id: UInt32
    package var name: String
    package var nextColumnID: UInt32
    package var columns: [Column]
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
    /// The table that links lead to.
    package var targetTableID: UInt32?
  }

  /// A store without tables.
  package init() {}

  init(schemaVersion: UInt64, nextTableID: UInt32, tables: [Table]) {
    self.schemaVersion = schemaVersion
    self.nextTableID = nextTableID
    self.tables = tables
  }

  /// The position of a table in ``tables``.
  ///
  /// - Complexity: O(tables).
  func index(of id: UInt32) -> Int? { tables.firstIndex { $0.id == id } }

  /// Adds a table without columns and returns its position.
  mutating func addTable(_ name: String) throws -> Int {
    tables.append(
      Table(id: try Self.take(&nextTableID, "tables"), name: try Self.checked(name), nextColumnID: 1, columns: []))
    return tables.count - 1
  }

  mutating func setColumns(_ columns: [ColumnDescription], of table: Int, ids: [UInt32]) throws {
    tables[table].columns = try columns.map { description in
      let id = try Self.take(&tables[table].nextColumnID, "columns of '\(tables[table].name)'")
      return Column(
        id: id, name: try Self.checked(description.storedName), type: description.type,
        isNullable: description.isNullable,
        collection: description.collection, isIndexed: description.isIndexed, isPrimaryKey: description.isPrimaryKey,
        ownsTargets: description.linkKind == .embedded, targetTableID: description.target.map { ids[$0.index] })
    }
  }

  mutating func setIndexed(_ isIndexed: Bool, table: Int, column: Int) {
    tables[table].columns[column].isIndexed = isIndexed
  }

  /// What is written can be read again.
  private static func checked(_ name: String) throws -> String {
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
