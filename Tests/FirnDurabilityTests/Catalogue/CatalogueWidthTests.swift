import FirnDurability
import FirnEngine
import Testing

/// Tables that a graph cannot have are refused with a sentence, in memory and in files, before a graph is made of them.
@Suite struct CatalogueWidthTests {
  private func tables(_ count: Int, columnsEach: Int, _ column: (Int) -> ColumnDescription) -> [TableDescription] {
    (0..<count).map { table in TableDescription(name: "T\(table)", columns: (0..<columnsEach).map(column)) }
  }

  private func refusal(_ schema: [TableDescription]) -> String? {
    let isAllowedInMemory = (try? Catalogue.checkWidth(schema)) != nil
    do {
      _ = try Catalogue().merging(schema: schema)
      #expect(isAllowedInMemory)
      return nil
    } catch {
      #expect(!isAllowedInMemory)
      return (error as? StoreError)?.message
    }
  }

  /// Inserts a row into each table, which traps where the engine has no room for the columns.
  private func use(_ schema: [TableDescription]) throws {
    let graph = Graph(schema: schema, seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for table in schema.indices { writer.insert(into: TableID(table)) { _ in } }
    _ = try graph.commit()
    graph.holdHead().withContents { $0.checkInvariants() }
  }

  @Test func columnsOfAClass() throws {
    func schema(_ count: Int) -> [TableDescription] {
      tables(1, columnsEach: count) { ColumnDescription(name: "c\($0)", type: .int, isNullable: true) }
    }
    #expect(refusal(schema(0)) == nil)
    #expect(refusal(schema(256)) == nil)
    try use(schema(256))
    #expect(refusal(schema(257)) == "Class 'T0' has 257 columns, more than 256. Split it into several classes.")
  }

  /// Each class knows of all columns of mixed values.
  @Test func mixedColumnsOfAllClasses() throws {
    func schema(_ count: Int) -> [TableDescription] {
      tables(count, columnsEach: 200) { ColumnDescription(name: "m\($0)", type: .mixed, isNullable: true) }
        + [.nestedLists, .nestedMaps]
    }
    let most = try #require((1..<60).last { refusal(schema($0)) == nil })
    #expect(most > 20)
    try use(schema(most))
    #expect(refusal(schema(most + 1))?.contains("mixed values lead to it. Split it") == true)
  }

  @Test func linksToAClass() throws {
    func schema(_ count: Int) -> [TableDescription] {
      tables(count, columnsEach: 250) {
        ColumnDescription(name: "l\($0)", type: .link, isNullable: true, target: TableID(0))
      }
    }
    let most = try #require((1..<60).last { refusal(schema($0)) == nil })
    #expect(most > 20)
    try use(schema(most))
    #expect(refusal(schema(most + 1))?.contains("'T0' has too many columns") == true)
  }

  /// Classes alone take nothing of each other.
  @Test func manyClasses() throws {
    let schema = tables(5_000, columnsEach: 1) { ColumnDescription(name: "c\($0)", type: .int) }
    #expect(refusal(schema) == nil)
    try use(schema)
  }
}
