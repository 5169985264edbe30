import FirnEngine
import TestSupport
import Testing

/// What does not make a graph is refused with the names of table and column.
@Suite struct LoadErrorTests {
  private static let schema = [
    TableDescription(
      name: "Dog",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "name", type: .string, isNullable: true),
        ColumnDescription(name: "tag", type: .string, isIndexed: true),
        ColumnDescription(name: "size", type: .double),
        ColumnDescription(name: "friend", type: .link, target: TableID(0)),
        ColumnDescription(name: "others", type: .link, collection: .list, target: TableID(0)),
        ColumnDescription(name: "notes", type: .string, isNullable: true, collection: .list),
        ColumnDescription(name: "good", type: .bool),
      ])
  ]

  /// Three good dogs.
  struct Rows {
    var keys: [UInt64] = [1, 3, 4]
    var dictionary = ByteStrings(lengths: [1, 2], bytes: Array("xyz".utf8))
    var nextKey: UInt64? = 5
    var columns: [ColumnChunk?] = [
      ColumnChunk(rowCount: 3, values: .ints([7, 8, 9])),
      ColumnChunk(rowCount: 3, nulls: [2], values: .bytes(ByteStrings(lengths: [1, 0, 2], bytes: Array("abc".utf8)))),
      ColumnChunk(rowCount: 3, values: .dictionary([1, 2, 1])),
      ColumnChunk(rowCount: 3, values: .fixed(width: 8, Array(repeating: 1, count: 24))),
      ColumnChunk(rowCount: 3, values: .ints([0, 2, 5])),
      ColumnChunk(
        rowCount: 3, values: .lists(counts: [0, 2, 1], elements: ColumnChunk(rowCount: 3, values: .ints([2, 2, 4])))),
      ColumnChunk(
        rowCount: 3,
        values: .lists(
          counts: [1, 0, 1],
          elements: ColumnChunk(
            rowCount: 2, nulls: [1], values: .bytes(ByteStrings(lengths: [0, 1], bytes: Array("n".utf8)))))),
      ColumnChunk(rowCount: 3, values: .bits([5])),
    ]
  }

  private func load(_ rows: Rows) throws -> Graph {
    let loader = GraphLoader(schema: Self.schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    try loader.setDictionary(rows.dictionary, of: ColumnID(2), in: TableID(0))
    if let nextKey = rows.nextKey { loader.setNextKey(nextKey, of: TableID(0)) }
    try loader.addGroup(TableID(0), keys: rows.keys, columns: rows.columns)
    try loader.finish(version: 1)
    return Graph(loaded: loader)
  }

  private func expectRefused(_ part: String, _ change: (inout Rows) -> Void) {
    var rows = Rows()
    change(&rows)
    do {
      _ = try load(rows)
      Issue.record("loaded, but \(part)")
    } catch let error as LoadError {
      #expect(error.message.contains("Dog"), "\(error.message)")
      #expect(error.message.contains(part), "\(error.message)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func goodRowsAreLoaded() throws {
    let graph = try load(Rows())
    graph.checkInvariants()
    graph.holdHead().contents.checkInvariants()
    #expect(graph.holdHead().contents.rowCount(TableID(0)) == 3)
  }

  @Test func badKeysAreRefused() {
    expectRefused("do not ascend") { $0.keys = [1, 4, 4] }
    expectRefused("do not ascend") { $0.keys = [4, 3, 1] }
    expectRefused("still to be given out") { $0.nextKey = 4 }
    expectRefused("beyond 2^40") { $0.nextKey = 1 << 40 + 1 }
    expectRefused("beyond the limit") { $0.keys = [1, 3, 1 << 40 - 1] }
    expectRefused("beyond the limit") { $0.keys = [1, 3, .max] }
  }

  @Test func badSizesAreRefused() {
    expectRefused("8 columns, but 7") { $0.columns.removeLast() }
    for column in 0..<8 {
      expectRefused("") { $0.columns[column]!.rowCount = 4 }
      expectRefused("") { $0.columns[column]!.rowCount = -1 }
      expectRefused("") { $0.keys.append(9) }
    }
    expectRefused("Dog.id' has 2 values for 3") { $0.columns[0]!.values = .ints([1, 2]) }
    expectRefused("Dog.name' has 4 values") { $0.columns[1]!.values = .bytes(ByteStrings(lengths: [0, 0, 0, 0])) }
    expectRefused("Dog.name' has 0 bytes") { $0.columns[1]!.values = .bytes(ByteStrings(lengths: [0, 1, 0])) }
    expectRefused("Dog.name' has a value of") { $0.columns[1]!.values = .bytes(ByteStrings(lengths: [0, .max, 0])) }
    expectRefused("Dog.size' has values of 4 bytes") {
      $0.columns[3]!.values = .fixed(width: 4, Array(repeating: 0, count: 12))
    }
    expectRefused("Dog.size' has 23 bytes") { $0.columns[3]!.values = .fixed(width: 8, Array(repeating: 0, count: 23)) }
    expectRefused("Dog.good' has bits") { $0.columns[7]!.values = .bits([]) }
    expectRefused("Dog.name' has bits") { $0.columns[1]!.nulls = [2, 0] }
    expectRefused("Dog.others' has 3 elements, its collections 9") {
      $0.columns[5]!.values = .lists(
        counts: [0, 8, 1], elements: ColumnChunk(rowCount: 3, values: .ints([2, 2, 4])))
    }
    expectRefused("Dog.others' has 2 values for 3") {
      $0.columns[5]!.values = .lists(counts: [0, 2, 1], elements: ColumnChunk(rowCount: 3, values: .ints([2, 2])))
    }
    expectRefused("Dog.others' has 2 values for 3") {
      $0.columns[5]!.values = .lists(counts: [2, 1], elements: ColumnChunk(rowCount: 3, values: .ints([2, 2, 4])))
    }
  }

  @Test func valuesOfOtherTypesAreRefused() {
    let values: [ColumnValues] = [
      .bits([0]), .ints([1, 2, 3]), .fixed(width: 8, Array(repeating: 0, count: 24)),
      .bytes(ByteStrings(lengths: [0, 0, 0])), .dictionary([1, 1, 1]),
      .lists(
        counts: [0, 0, 0],
        elements: ColumnChunk(
          rowCount: 0, values: .lists(counts: [], elements: ColumnChunk(rowCount: 0, values: .bits([]))))),
    ]
    let fitting: [Set<Int>] = [[1], [3, 4], [3, 4], [2], [1], [], [], [0]]
    for column in 0..<8 {
      for (index, values) in values.enumerated() where !fitting[column].contains(index) {
        expectRefused("") { $0.columns[column]!.values = values }
      }
    }
  }

  @Test func nullsAreRefusedWhereNoneMayBe() {
    for column in [0, 2, 3, 4, 5, 6, 7] { expectRefused("null") { $0.columns[column]!.nulls = [4] } }
    expectRefused("Dog.tag' is not nullable") { $0.columns[2]!.values = .dictionary([1, 0, 2]) }
    expectRefused("Dog.others' has null among links") {
      $0.columns[5]!.values = .lists(counts: [0, 2, 1], elements: ColumnChunk(rowCount: 3, values: .ints([2, 0, 4])))
    }
    expectRefused("Dog.id' is the primary key") { $0.columns[0] = nil }
  }

  @Test func badValuesAreRefused() {
    expectRefused("Dog.tag' names value 3 of a dictionary of 2") { $0.columns[2]!.values = .dictionary([1, 3, 1]) }
    expectRefused("Dog.name' names value 1 of a dictionary of 0") {
      $0.columns[1] = ColumnChunk(rowCount: 3, values: .dictionary([0, 1, 0]))
    }
    expectRefused("Dog.name' has a string that is not UTF-8") {
      $0.columns[1]!.values = .bytes(ByteStrings(lengths: [1, 0, 2], bytes: [0x61, 0xc3, 0x28]))
    }
    expectRefused("Dog.name' has a string that is not UTF-8") {
      $0.columns[1]!.values = .bytes(ByteStrings(lengths: [1, 0, 1], bytes: Array("é".utf8)))
    }
    expectRefused("Dog.tag' has a string that is not UTF-8") { $0.dictionary.bytes[1] = 0xff }
    expectRefused("The dictionary of 'Dog.tag' has its value 1 twice") {
      $0.dictionary = ByteStrings(lengths: [1, 1], bytes: Array("xx".utf8))
    }
    expectRefused("Rows 1 and 4") { $0.columns[0]!.values = .ints([7, 8, 7]) }
  }

  @Test func linksToNowhereAreRefused() {
    expectRefused("Dog.friend' links from row 3 to row 2") { $0.columns[4]!.values = .ints([0, 3, 5]) }
    expectRefused("Dog.friend' links from row 4 to row 5") { $0.columns[4]!.values = .ints([0, 0, 6]) }
    expectRefused("Dog.friend' links to row") { $0.columns[4]!.values = .ints([0, -1, 0]) }
    expectRefused("Dog.friend' links to row") { $0.columns[4]!.values = .ints([0, .max, 0]) }
    expectRefused("Dog.friend' links from row 1") { $0.columns[4]!.values = .ints([1 << 30, 0, 0]) }
    expectRefused("Dog.others' links from row 4 to row 900") {
      $0.columns[5]!.values = .lists(counts: [0, 0, 1], elements: ColumnChunk(rowCount: 1, values: .ints([901])))
    }
  }

  @Test func overlappingGroupsAreRefused() throws {
    let loader = GraphLoader(schema: Self.schema, seed: HashSeed(1, 2))
    var rows = Rows()
    rows.columns[2]!.values = .bytes(ByteStrings(lengths: [0, 0, 0]))
    try loader.addGroup(TableID(0), keys: [1, 3, 4], columns: rows.columns)
    rows.columns[0]!.values = .ints([1, 2, 3])
    try loader.addGroup(TableID(0), keys: [2, 5, 6], columns: rows.columns)
    #expect(throws: LoadError.self) { try loader.finish(version: 1) }
  }

  /// Many equal primary keys are found at once, not by comparing all with all.
  @Test func equalPrimaryKeysAreFoundQuickly() throws {
    let schema = [TableDescription(name: "T", columns: [ColumnDescription(name: "id", type: .int, isPrimaryKey: true)])]
    let loader = GraphLoader(schema: schema, seed: HashSeed(1, 2))
    let count = 300_000
    let chunk = ColumnChunk(rowCount: count, values: .ints(Array(repeating: 3, count: count)))
    try loader.addGroup(TableID(0), keys: (0..<UInt64(count)).map { $0 }, columns: [chunk])
    #expect(throws: LoadError.self) { try loader.finish(version: 1) }
  }

  /// After an error nothing more comes of a loader.
  @Test func failedLoadersStayFailed() throws {
    let loader = GraphLoader(schema: Self.schema, seed: HashSeed(1, 2))
    #expect(throws: LoadError.self) { try loader.addGroup(TableID(0), keys: [2, 1], columns: Rows().columns) }
    #expect(throws: LoadError.self) { try loader.finish(version: 1) }
  }
}
