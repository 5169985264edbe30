import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Stores of every format version are opened, migrated and saved again.
@Suite struct GoldenMigrationTests {
  /// All cells by table, row and column.
  private func cells(_ contents: GraphContents) -> [String: [RowKey: [String: [Value]]]] {
    var tables: [String: [RowKey: [String: [Value]]]] = [:]
    for table in contents.layout.tables where table.isVisible {
      let id = TableID(table.index)
      var rows: [RowKey: [String: [Value]]] = [:]
      contents.forEachKey(in: id) { key in
        rows[key] = [:]
        for (index, column) in table.descriptions.enumerated() {
          rows[key]?[column.storedName] = cell(contents, ColumnID(index), column, key, id)
        }
      }
      tables[table.name] = rows
    }
    return tables
  }

  /// The tables with a new column, and with one that became optional, so that all rows are written anew.
  private func changed(_ schema: [TableDescription]) -> [TableDescription] {
    schema.map { table in
      guard table.content == .objects else { return table }
      var table = table
      let required = table.columns.firstIndex { column in
        !column.isNullable && !column.isPrimaryKey && column.type != .link && column.collection == nil
      }
      if let required { table.columns[required].isNullable = true }
      table.columns.append(ColumnDescription(name: "new column", type: .int))
      return table
    }
  }

  @Test(arguments: StoreGoldenTests.stores) func storesOfFormat1AreMigrated(_ golden: StoreGoldenTests.Golden) throws {
    let disk = try StoreGoldenTests.disk(golden)
    let reading = try StoreGoldenTests.open(golden.schema, disk) {
      $0.isReadOnly = true
      $0.key = golden.key.key
      $0.schemaVersion = golden.schemaVersion
    }
    var expected = cells(reading.graph.holdHead().contents)
    let names = Set(golden.schema.filter { $0.content == .objects }.map(\.name))
    for table in expected.keys where names.contains(table) {
      for row in expected[table, default: [:]].keys { expected[table]?[row]?["new column"] = [.int(7)] }
    }
    let schema = changed(golden.schema)
    for round in 0..<3 {
      let store = try StoreGoldenTests.open(schema, disk) {
        $0.key = golden.key.key
        $0.schemaVersion = golden.schemaVersion + 1
        $0.migration.defaultValue = { table, column in
          schema[table].columns[column].name == "new column" ? .value(.int(7)) : .empty
        }
      }
      #expect(store.opening.migratedFrom == (round == 0 ? golden.schemaVersion : nil))
      let found = cells(store.graph.holdHead().contents)
      // Columns that the application lacks are dropped by the raised version.
      for (table, rows) in found {
        for (row, columns) in rows {
          for (name, values) in columns { #expect(values == expected[table]?[row]?[name], "\(table).\(name)") }
        }
        #expect(rows.keys.sorted() == expected[table]?.keys.sorted() ?? [], "\(table)")
      }
      if round == 1 { _ = try store.checkpoint() }
      try store.close()
    }
    _ = try DurableStore.verify(StoreGoldenTests.path, disk, options: options(golden))
  }

  private func options(_ golden: StoreGoldenTests.Golden) -> DurableStore.Options {
    var options = DurableStore.Options()
    options.key = golden.key.key
    return options
  }
}

/// What a new base could not be opened with is refused before it is written.
@Suite struct MigrationKeyTests {
  @Test(arguments: [[0.0, -0.0], [Double.nan, -Double.nan], [7, 7]])
  func keysAreComparedAsIndexesDo(_ times: [Double]) throws {
    let disk = SimulatedDisk(seed: 1)
    func open(_ version: UInt64, isPrimaryKey: Bool) throws -> DurableStore {
      var options = DurableStore.Options()
      options.schemaVersion = version
      options.preparesSegments = false
      let column = ColumnDescription(name: "time", type: .date, isPrimaryKey: isPrimaryKey)
      return try DurableStore.open(
        "/s.firn", schema: [TableDescription(name: "T", columns: [column])], options: options, seed: HashSeed(1, 2),
        fileSystem: disk)
    }
    let store = try open(0, isPrimaryKey: false)
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    for time in times + [1, 2] { writer.insert(into: TableID(0)) { $0.setDouble(ColumnID(0), time) } }
    _ = try store.graph.commit()
    store.graph.gate.leave()
    try store.close()
    let error = #expect(throws: StoreError.self) { try open(1, isPrimaryKey: true) }
    #expect(error?.message.contains("duplicate values") == true)
    let again = try open(0, isPrimaryKey: false)
    #expect(again.graph.holdHead().contents.rowCount(TableID(0)) == 4)
    try again.close()
  }
}
