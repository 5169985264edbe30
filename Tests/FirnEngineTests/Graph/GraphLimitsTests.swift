import FirnEngine
import Testing

/// A commit of more than a graph can hold is refused, and the graph stays as it was. The limits are lowered here.
@Suite struct GraphLimitsTests {
  private static let table = TableID(0)
  private static let name = ColumnID(0)
  private static let list = ColumnID(1)
  private static let set = ColumnID(2)
  private static let map = ColumnID(3)
  private static let mixed = ColumnID(4)
  private static let links = ColumnID(5)
  private static let texts = ColumnID(6)

  private static var schema: [TableDescription] {
    [
      TableDescription(
        name: "A",
        columns: [
          ColumnDescription(name: "name", type: .string, isIndexed: true),
          ColumnDescription(name: "list", type: .int, collection: .list),
          ColumnDescription(name: "set", type: .int, collection: .set),
          ColumnDescription(name: "map", type: .int, collection: .map),
          ColumnDescription(name: "mixed", type: .mixed, isNullable: true),
          ColumnDescription(name: "links", type: .link, collection: .list, target: table),
          ColumnDescription(name: "texts", type: .string, collection: .list),
        ])
    ]
  }

  private let graph = Graph(schema: schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)

  /// Runs a transaction; nil if it was committed, else why not.
  private func refusal(replaying: Bool = false, _ body: (Writer) -> Void) throws -> String? {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    body(replaying ? graph.begin(replaying: graph.tip + 1) : graph.begin())
    do {
      _ = try graph.commit()
      return nil
    } catch let error as LimitExceeded {
      return error.description
    }
  }

  private func insert(_ count: Int) throws -> String? {
    try refusal { writer in for _ in 0..<count { writer.insert(into: Self.table) { _ in } } }
  }

  private var rowCount: Int { graph.holdHead().withContents { $0.rowCount(Self.table) } }

  @Test func rows() throws {
    graph.limits.rowCountMax = 300
    #expect(try insert(300) == nil)
    let head = graph.head
    #expect(try insert(1)?.contains("'A' has 300 objects, which is the most") == true)
    #expect(try insert(1_000) != nil)
    #expect(graph.head == head)
    #expect(rowCount == 300)
    // Others may take the place of those that go, however many keys were given out.
    for key in UInt64(0)..<10 {
      let refused = try refusal { writer in
        writer.delete([RowKey(key)], from: Self.table)
        writer.insert(into: Self.table) { _ in }
      }
      #expect(refused == nil)
    }
    #expect(rowCount == 300)
    graph.holdHead().withContents { $0.checkInvariants() }
  }

  @Test func keys() throws {
    graph.limits.rowCountMax = 10
    graph.limits.keyMax = 20
    let skipped = try refusal { writer in
      writer.skipKeys(of: Self.table, to: RowKey(19))
      writer.insert(into: Self.table) { _ in }
    }
    #expect(skipped == nil)
    #expect(try insert(1)?.contains("added 20 times") == true)
    #expect(rowCount == 1)
  }

  /// A commit that is replayed inserts before it deletes.
  @Test func replayingGoesBeyondForAWhile() throws {
    graph.limits.rowCountMax = 5
    graph.limits.elementCountMax = 5
    #expect(try insert(5) == nil)
    let replayed = try refusal(replaying: true) { writer in
      for _ in 0..<5 { writer.insert(into: Self.table) { _ in } }
      writer.delete((0..<5).map { RowKey($0) }, from: Self.table)
      writer.append(contentsOf: (0..<10).map { .int($0) }, to: Self.list, of: RowKey(5), in: Self.table)
      for _ in 0..<5 { writer.remove(at: 0, of: Self.list, of: RowKey(5), in: Self.table) }
    }
    #expect(replayed == nil)
    #expect(rowCount == 5)
    let beyond = try refusal(replaying: true) { writer in
      for _ in 0..<10 { writer.insert(into: Self.table) { _ in } }
    }
    #expect(beyond != nil)
    // The leniency ends with the transaction.
    #expect(try insert(1) != nil)
  }

  @Test func elementsOfAllCollections() throws {
    graph.limits.elementCountMax = 40
    #expect(try insert(2) == nil)
    let row = RowKey(0)
    let fills: [(ColumnID, (Writer, Int) -> Void)] = [
      (Self.list, { $0.insert(.int(Int64($1)), at: 0, of: Self.list, of: row, in: Self.table) }),
      (Self.set, { $0.insert(.int(Int64($1)), intoSet: Self.set, of: row, in: Self.table) }),
      (Self.map, { $0.set(.int(Int64($1)), forKey: Array("\($1)".utf8), ofMap: Self.map, of: row, in: Self.table) }),
      (Self.links, { writer, _ in writer.insert(.link(RowKey(1)), at: 0, of: Self.links, of: row, in: Self.table) }),
    ]
    for (column, fill) in fills {
      #expect(try refusal { writer in for index in 0..<40 { fill(writer, index) } } == nil)
      let refused = try refusal { writer in fill(writer, 40) }
      #expect(refused?.contains("'A.\(Self.schema[0].columns[column.index].name)' would have 41 elements") == true)
      #expect(graph.holdHead().withContents { $0.listCount(column, of: row, in: Self.table) } == 40)
      // A change that lets it shrink first is not refused.
      let shorter = try refusal { writer in
        writer.remove(at: 3, of: column, of: row, in: Self.table)
        fill(writer, 41)
      }
      #expect(shorter == nil)
    }
    var many = [Int64](0..<41)
    let refused = try refusal { writer in
      writer.insert(elements: &many, count: 41, at: 0, of: Self.list, of: RowKey(1), in: Self.table)
    }
    #expect(refused != nil)
    graph.holdHead().withContents { $0.checkInvariants() }
  }

  @Test(arguments: [1, 2, 90]) func linksToARow(each count: Int) throws {
    graph.limits.linkCountMax = 180
    #expect(try insert(3) == nil)
    func link(_ count: Int) throws -> String? {
      try refusal { writer in
        writer.append(
          contentsOf: (0..<count).map { _ in .link(RowKey(1)) }, to: Self.links, of: RowKey(0), in: Self.table)
      }
    }
    for _ in 0..<(180 / count) { #expect(try link(count) == nil) }
    #expect(try link(count)?.contains("would lead to one object") == true)
    #expect(graph.holdHead().withContents { $0.listCount(Self.links, of: RowKey(0), in: Self.table) } == 180)
    graph.holdHead().withContents { $0.checkInvariants() }
  }

  /// Values in columns, indexed ones, elements, keys of maps, and mixed ones.
  @Test func longValues() throws {
    graph.limits.valueByteCountMax = 3_000
    #expect(try insert(1) == nil)
    let row = RowKey(0)
    let writes: [(Writer, [UInt8]) -> Void] = [
      { $0.set(Self.name, of: row, in: Self.table, to: .string($1)) },
      { $0.insert(.string($1), at: 0, of: Self.texts, of: row, in: Self.table) },
      { $0.set(.int(1), forKey: $1, ofMap: Self.map, of: row, in: Self.table) },
      { $0.set(Self.mixed, of: row, in: Self.table, to: .data(Array($1.dropLast()))) },
      { writer, bytes in writer.insert(into: Self.table) { $0.set(Self.name, .string(bytes)) } },
    ]
    for write in writes {
      #expect(try refusal { write($0, [UInt8](repeating: 97, count: 3_000)) } == nil)
      let before = graph.head
      let refused = try refusal { write($0, [UInt8](repeating: 98, count: 3_001)) }
      #expect(refused?.contains("has 3001 bytes, and 3000 is the most") == true)
      #expect(graph.head == before)
    }
    graph.holdHead().withContents { $0.checkInvariants() }
  }

  @Test func theFirstReasonIsTold() throws {
    graph.limits.rowCountMax = 1
    graph.limits.valueByteCountMax = 10
    let refused = try refusal { writer in
      for _ in 0..<2 {
        writer.insert(into: Self.table) { $0.set(Self.name, .string([UInt8](repeating: 97, count: 2_100))) }
      }
    }
    #expect(refused?.contains("2100 bytes") == true)
  }
}
