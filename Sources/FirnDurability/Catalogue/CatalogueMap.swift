package import FirnEngine

/// How the numbers of a catalogue and the tables and columns of a graph correspond. Immutable.
package final class CatalogueMap: Sendable {
  package struct Table: Sendable {
    package let id: UInt32
    package let columnIDs: [UInt32]
    package let description: TableDescription
    package let primaryKey: Int?
    /// The columns of the graph by number.
    let columns: [UInt32: Int]
  }

  /// In the order of the graph's tables.
  package let tables: [Table]
  private let indexes: [UInt32: Int]
  /// The numbers of tables and their columns once more, for loops that count no references. Lives as long as the map.
  nonisolated(unsafe) let numbers: UnsafeMutablePointer<(table: UInt32, columns: UnsafePointer<UInt32>)>

  fileprivate init(tables: [Table]) {
    self.tables = tables
    numbers = .allocate(capacity: max(1, tables.count))
    for (index, table) in tables.enumerated() {
      let columns = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, table.columnIDs.count))
      for (column, id) in table.columnIDs.enumerated() { (columns + column).initialize(to: id) }
      (numbers + index).initialize(to: (table.id, UnsafePointer(columns)))
    }
    indexes = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.id, $0) })
  }

  deinit {
    for index in tables.indices { numbers[index].columns.deallocate() }
    numbers.deallocate()
  }

  package func table(_ id: UInt32) -> TableID? { indexes[id].map { TableID($0) } }

  package func column(_ id: UInt32, in table: TableID) -> ColumnID? {
    tables[table.index].columns[id].map { ColumnID($0) }
  }

  package func id(of table: TableID) -> UInt32 { tables[table.index].id }

  package func id(of column: ColumnID, in table: TableID) -> UInt32 { tables[table.index].columnIDs[column.index] }
}

extension CatalogueMerge {
  /// - Parameters:
  ///   - places: Where the tables of the graph are in the catalogue.
  ///   - schema: The first of them, which give the order of their columns.
  init(catalogue: Catalogue, places: [Int], schema: [TableDescription]) {
    let indexes = Dictionary(
      uniqueKeysWithValues: places.enumerated().map { (catalogue.tables[$1].id, TableID($0)) })
    var tables: [CatalogueMap.Table] = []
    for (index, place) in places.enumerated() {
      let table = catalogue.tables[place]
      var columns = table.columns
      // What the application calls its columns.
      var names: [String: String] = [:]
      if index < schema.count {
        let byName = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
        for column in schema[index].columns { names[column.storedName] = column.name }
        // Columns that only the store has come behind the application's.
        columns =
          schema[index].columns.compactMap { byName[$0.storedName] } + columns.filter { names[$0.name] == nil }
      }
      // Delete rules are up to the application.
      var rules: [String: LinkKind] = [:]
      if index < schema.count { for column in schema[index].columns { rules[column.storedName] = column.linkKind } }
      let description = TableDescription(
        name: table.name,
        columns: columns.map { column in
          ColumnDescription(
            name: names[column.name] ?? column.name, type: column.type, isNullable: column.isNullable,
            collection: column.collection,
            isIndexed: column.isIndexed, isPrimaryKey: column.isPrimaryKey,
            target: column.targetTableID.flatMap { indexes[$0] },
            linkKind: column.ownsTargets ? .embedded : rules[column.name] ?? .nullify, storedName: column.name)
        }, number: table.id, content: table.content)
      tables.append(
        CatalogueMap.Table(
          id: table.id, columnIDs: columns.map(\.id), description: description,
          primaryKey: columns.firstIndex { $0.isPrimaryKey },
          columns: Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.id, $0) })))
    }
    self.init(catalogue: catalogue, graphSchema: tables.map(\.description), map: CatalogueMap(tables: tables))
  }
}
