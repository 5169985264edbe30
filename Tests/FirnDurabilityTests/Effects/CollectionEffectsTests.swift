import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Effects on sets and maps, made by hand: what the bytes are, and what is refused.
@Suite struct CollectionEffectsTests {
  private static let group = TableID(0)
  private static let row = RowKey(0)
  private let merge: CatalogueMerge

  init() throws {
    merge = try Catalogue().merging(schema: [
      TableDescription(
        name: "Group",
        columns: [
          ColumnDescription(name: "tags", type: .string, collection: .set),
          ColumnDescription(name: "ranks", type: .int, isNullable: true, collection: .map),
          ColumnDescription(name: "kin", type: .link, collection: .map, target: Self.group),
        ])
    ])
  }

  /// A row with the tags a and b, rank 5 for a and none for b, and itself for kin.
  private static let whole: [UInt8] =
    [1, 1, 1, 1, 0, 3]
    + [1, 0, 2, 1, 97, 1, 98]  // tags
    + [2, 0, 2, 1, 97, 1, 98, 0b10, 10]  // ranks: keys, null bits, values
    + [3, 0, 1, 1, 97, 1]  // kin
    + [0, 0, 0]

  /// What happens to one column of the row.
  private static func change(_ column: UInt8, _ cell: [UInt8]) -> [UInt8] {
    [1, 1, 1, 0, 0, 1, 1, column, 1, 0] + cell + [0, 0]
  }

  private func apply(_ frames: [UInt8]...) throws -> Graph {
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(3, 4), poisonsFreedBlocks: true)
    for bytes in frames {
      let effects = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      do { try effects.apply(to: graph.begin()) } catch {
        graph.cancel()
        throw error
      }
      _ = try graph.commit()
    }
    graph.holdHead().contents.checkInvariants()
    return graph
  }

  private func refusal(_ column: UInt8, _ cell: [UInt8]) -> String {
    do {
      _ = try apply(Self.whole, Self.change(column, cell))
      return "applied"
    } catch {
      return "\(error)"
    }
  }

  @Test func theBytesAreThoseOfTheFormat() throws {
    let log = EffectsLog(map: merge.map)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(3, 4), log: log)
    func commit(_ body: (Writer) -> Void) throws -> [UInt8] {
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      body(graph.begin())
      _ = try graph.commit()
      return try #require(log.take().first).bytes
    }
    let inserted = try commit { writer in
      _ = writer.insert(into: Self.group) { _ in }
      for tag in ["b", "a"] { writer.insert(Value(tag), intoSet: ColumnID(0), of: Self.row, in: Self.group) }
      writer.set(.null, forKey: [98], ofMap: ColumnID(1), of: Self.row, in: Self.group)
      writer.set(.int(5), forKey: [97], ofMap: ColumnID(1), of: Self.row, in: Self.group)
      writer.set(.link(Self.row), forKey: [97], ofMap: ColumnID(2), of: Self.row, in: Self.group)
    }
    #expect(inserted == Self.whole)
    let set = try commit { writer in
      writer.remove(Value("a"), fromSet: ColumnID(0), of: Self.row, in: Self.group)
      writer.insert(Value("c"), intoSet: ColumnID(0), of: Self.row, in: Self.group)
    }
    #expect(set == Self.change(1, [1, 3, 6, 4, 7, 1, 99]))
    let map = try commit { writer in
      writer.set(.int(6), forKey: [97], ofMap: ColumnID(1), of: Self.row, in: Self.group)
      writer.set(.int(7), forKey: [99], ofMap: ColumnID(1), of: Self.row, in: Self.group)
    }
    #expect(map == Self.change(2, [1, 3, 5, 4, 7, 1, 99, 0, 12, 14]))
    let link = try commit { $0.set(.null, forKey: [97], ofMap: ColumnID(2), of: Self.row, in: Self.group) }
    #expect(link == Self.change(3, [1, 1, 5, 0]))
  }

  @Test func whatIsRightIsApplied() throws {
    let graph = try apply(
      Self.whole, Self.change(1, [1, 3, 4, 7, 4, 2, 97, 97]), Self.change(2, [1, 2, 6, 4]),
      Self.change(3, [0, 2, 1, 97, 1, 98, 0, 1]))
    let contents = graph.holdHead().contents
    func cell(_ column: Int) -> [Value] {
      FirnDurabilityTests.cell(
        contents, ColumnID(column), merge.graphSchema[0].columns[column], Self.row, Self.group)
    }
    #expect(cell(0) == [Value("a"), Value("aa"), Value("b")])
    #expect(cell(1) == [Value("b"), .null])
    #expect(cell(2) == [Value("a"), .null, Value("b"), .link(Self.row)])
  }

  @Test func whatDoesNotFitIsRefused() {
    let refused: [(String, UInt8, [UInt8])] = [
      ("the elements of a set of row 0 do not ascend", 1, [1, 3, 4, 7, 4, 1, 99]),
      ("the elements of a set of row 0 do not ascend", 1, [1, 3, 4, 7, 4, 1, 97]),
      ("the elements of a set of row 0 do not ascend", 1, [1, 2, 7, 8, 1, 98]),
      ("the elements of a set of row 0 do not ascend", 1, [0, 2, 1, 98, 1, 97]),
      ("a collection of row 0 has 2 elements instead of 1", 1, [1, 1, 4]),
      ("Touched elements of a set", 1, [1, 2, 5, 4, 1, 97]),
      ("A collection of form 2", 1, [2, 0]),
      ("A text is not UTF-8", 1, [0, 1, 1, 0xff]),
      ("the keys of a map of row 0 do not ascend", 2, [1, 2, 8, 7, 1, 98, 0, 2]),
      ("the keys of a map of row 0 do not ascend", 2, [1, 2, 7, 8, 1, 99, 0, 2]),
      ("the keys of a map of row 0 do not ascend", 2, [0, 2, 1, 98, 1, 97, 0, 2, 4]),
      ("a collection of row 0 has 2 elements instead of 3", 2, [1, 1, 12]),
      ("A text is not UTF-8", 2, [0, 1, 1, 0xff, 0, 2]),
      ("'kin' links to row 7", 3, [0, 1, 1, 97, 8]),
      ("'kin' links to row 7", 3, [1, 1, 5, 8]),
    ]
    for (message, column, cell) in refused {
      let found = refusal(column, cell)
      #expect(found.contains(message), "\(cell): \(found)")
    }
  }
}
