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
    /// What rows have in a column that files do not give.
    let defaults: [Value?]
    /// Columns that the graph does not have, but older files.
    let dropped: [UInt32: CellFormat]
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

  /// Whether the graph lacks a column that older files may have.
  func dropped(_ id: UInt32, of table: TableID) -> CellFormat? { tables[table.index].dropped[id] }

  package func table(_ id: UInt32) -> TableID? { indexes[id].map { TableID($0) } }

  package func column(_ id: UInt32, in table: TableID) -> ColumnID? {
    tables[table.index].columns[id].map { ColumnID($0) }
  }

  package func id(of table: TableID) -> UInt32 { tables[table.index].id }

  package func id(of column: ColumnID, in table: TableID) -> UInt32 { tables[table.index].columnIDs[column.index] }
}

/// A graph in which the rows of a store are brought from its old tables to those of an application.
struct MigratingShape {
  let old: Catalogue
  let rewriting: Rewriting
}

extension CatalogueMerge {
  /// - Parameters:
  ///   - places: Where the tables of the graph are in the catalogue.
  ///   - schema: The first of them, which give the order of their columns.
  ///   - migrating: If given, the graph has the columns that are gone too, behind the others, and neither primary keys nor
  ///     indexes; links to classes that become embedded, or stop to be, own nothing.
  init(catalogue: Catalogue, places: [Int], schema: [TableDescription], migrating: MigratingShape? = nil) {
    let indexes = Dictionary(
      uniqueKeysWithValues: places.enumerated().map { (catalogue.tables[$1].id, TableID($0)) })
    let owned = catalogue.ownedTables
    let stayOwned = migrating.map { migrating in
      // Also those to which only columns lead that are gone: their rows go with them.
      let before = migrating.old.ownedTables.subtracting(migrating.rewriting.becameTopLevel)
      return before.union(owned.filter { migrating.old.index(of: $0) == nil })
    }
    let goneColumns = Dictionary(grouping: migrating?.rewriting.gone ?? []) { $0.table }
    var tables: [CatalogueMap.Table] = []
    for (index, place) in places.enumerated() {
      let table = catalogue.tables[place]
      let gone = goneColumns[table.id, default: []].map(\.column)
      let goneIDs = Set(gone.map(\.id))
      var columns = table.columns
      // What the application calls its columns, and its delete rules, which are not stored.
      var own: [String: ColumnDescription] = [:]
      if index < schema.count {
        let byName = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
        for column in schema[index].columns { own[column.storedName] = column }
        // Columns that only the store has come behind the application's.
        columns = schema[index].columns.compactMap { byName[$0.storedName] } + columns.filter { own[$0.name] == nil }
      }
      let knownCount = columns.count
      columns += gone
      let descriptions = columns.enumerated().map { position, column in
        let known = position < knownCount ? own[column.name] : nil
        let isOwning = column.targetTableID.map { (stayOwned ?? owned).contains($0) } ?? false
        let kind = known.map(\.linkKind) ?? .nullify
        return ColumnDescription(
          name: known?.name ?? column.name, type: column.type, isNullable: column.isNullable,
          collection: column.collection, isIndexed: column.isIndexed && migrating == nil,
          isPrimaryKey: column.isPrimaryKey && migrating == nil,
          target: column.targetTableID.flatMap { indexes[$0] },
          linkKind: isOwning ? .embedded : kind == .embedded ? .nullify : kind, storedName: column.name,
          insertDefault: known == nil ? column.defaultValue : nil)
      }
      let keys = migrating.flatMap { migrating in
        migrating.old.index(of: table.id).map { migrating.old.tables[$0].columns }
      }
      let primaryKey = (keys ?? columns).first { $0.isPrimaryKey }?.id
      tables.append(
        CatalogueMap.Table(
          id: table.id, columnIDs: columns.map(\.id),
          description: TableDescription(
            name: table.name, columns: descriptions, number: table.id, content: table.content,
            indexes: migrating == nil && index < schema.count ? schema[index].indexes : []),
          primaryKey: columns.firstIndex { $0.id == primaryKey },
          columns: Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.id, $0) }),
          defaults: columns.map(\.defaultValue),
          dropped: Dictionary(
            uniqueKeysWithValues: table.dropped.filter { !goneIDs.contains($0.id) }.map { ($0.id, CellFormat($0)) })))
    }
    self.init(catalogue: catalogue, graphSchema: tables.map(\.description), map: CatalogueMap(tables: tables))
  }
}

extension Catalogue {
  /// The tables whose rows are embedded.
  var ownedTables: Set<UInt32> {
    Set(tables.flatMap { $0.columns.compactMap { $0.ownsTargets ? $0.targetTableID : nil } })
  }
}

extension CellFormat {
  fileprivate init(_ column: Catalogue.Column) {
    self.init(
      ColumnDescription(
        name: column.name, type: column.type, isNullable: column.isNullable, collection: column.collection))
  }
}
