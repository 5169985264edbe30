import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Effects made by hand: what the bytes are, and what is refused.
@Suite struct EffectsRefusalTests {
  private static let person = TableID(0)
  private let merge: CatalogueMerge

  init() throws {
    merge = try Catalogue().merging(schema: [
      TableDescription(
        name: "Person",
        columns: [
          ColumnDescription(name: "name", type: .string, isPrimaryKey: true),
          ColumnDescription(name: "age", type: .int, isNullable: true),
          ColumnDescription(name: "friend", type: .link, target: Self.person),
          ColumnDescription(name: "friends", type: .link, collection: .list, target: Self.person),
        ])
    ])
  }

  /// Two persons, the second the friend of the first, who has it in the list too.
  private static let people: [UInt8] =
    [1, 1, 2, 2, 0, 0, 4]
    + [1, 3, 65, 100, 97, 3, 66, 101, 110]  // name
    + [2, 0b10, 72]  // age: 36, null
    + [3, 2, 0]  // friend
    + [4, 0, 1, 2, 0, 0]  // friends
    + [0, 0, 0]

  private func decode(_ bytes: [UInt8]) throws -> Effects {
    try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
  }

  private func makeGraph(_ frames: [UInt8]...) throws -> Graph {
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(3, 4), poisonsFreedBlocks: true)
    for bytes in frames {
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      do { try decode(bytes).apply(to: graph.begin()) } catch {
        graph.cancel()
        throw error
      }
      _ = try graph.commit()
    }
    graph.holdHead().contents.checkInvariants()
    return graph
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do {
      _ = try makeGraph(Self.people, bytes)
      return "applied"
    } catch {
      return "\(error)"
    }
  }

  @Test func theBytesAreThoseOfTheFormat() throws {
    let log = EffectsLog(map: merge.map)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(3, 4), log: log)
    graph.enterGateBlocking()
    var writer = graph.begin()
    var keys: [RowKey] = []
    for (name, age) in [("Ada", Value.int(36)), ("Ben", .null)] {
      keys.append(
        writer.insert(into: Self.person) { row in
          row.set(ColumnID(0), Value(name))
          row.set(ColumnID(1), age)
        })
    }
    writer.setLink(ColumnID(2), of: keys[0], in: Self.person, to: keys[1])
    writer.append(contentsOf: [.link(keys[1])], to: ColumnID(3), of: keys[0], in: Self.person)
    _ = try graph.commit()
    #expect(log.take().map(\.bytes) == [Self.people])

    writer = graph.begin()
    writer.append(contentsOf: [.link(keys[0])], to: ColumnID(3), of: keys[0], in: Self.person)
    writer.delete([keys[1]], from: Self.person)
    _ = try graph.commit()
    // Columns 3 and 4 of row 0: no friend; of the friends the one is dropped, one inserted.
    let expected: [UInt8] =
      [1, 1, 2, 0, 0, 1]
      + [2, 3, 4, 1, 0, 0, 1, 2, 6, 7, 1]
      + [1, 1, 1, 1, 3, 66, 101, 110]
    #expect(log.take().map(\.bytes) == [expected])
    graph.gate.leave()
  }

  /// The very last keys are given to nobody, and one of them would be too many for the index of the primary keys.
  @Test func keysBeyondTheLimitOfIndexesAreRefused() {
    let next: [UInt8] = [128, 128, 128, 128, 128, 32]
    let last: [UInt8] = [255, 255, 255, 255, 255, 31]
    let row: [UInt8] = [4, 1, 3, 65, 100, 98, 2, 1, 3, 0, 4, 0, 0]
    #expect(refusal([1, 1] + next + [1] + last + row + [0, 0, 0]).contains("A next key of"))
    let lower: [UInt8] = [254, 255, 255, 255, 255, 31]
    #expect(refusal([1, 1] + last + [1] + lower + row + [0, 0, 0]).contains("is not given out again"))
    let end: [UInt8] = [128, 128, 128, 128, 224, 31]
    let given: [UInt8] = [255, 255, 255, 255, 223, 31]
    #expect(refusal([1, 1] + end + [1] + given + row + [0, 0, 0]) == "applied")
  }

  @Test func whatIsRightIsApplied() throws {
    let graph = try makeGraph(Self.people)
    let contents = graph.holdHead().contents
    #expect(contents.value(ColumnID(0), of: RowKey(0), in: Self.person) == Value("Ada"))
    #expect(contents.value(ColumnID(1), of: RowKey(0), in: Self.person) == .int(36))
    #expect(contents.value(ColumnID(1), of: RowKey(1), in: Self.person) == .null)
    #expect(contents.value(ColumnID(2), of: RowKey(0), in: Self.person) == .link(RowKey(1)))
    #expect(contents.listValue(at: 0, of: ColumnID(3), of: RowKey(0), in: Self.person) == .link(RowKey(1)))
  }

  @Test func aPrimaryKeyMayMoveToANewRowWhenTheOldOneGoes() throws {
    let row = (0..<1).flatMap { _ in [1, 3, 65, 100, 97, 2, 1, 3, 0, 4, 0, 0] as [UInt8] }
    let graph = try makeGraph(Self.people, [1, 1, 3, 1, 2, 4] + row + [0, 1, 0, 1, 1, 3, 65, 100, 97])
    #expect(graph.holdHead().contents.find(primaryKey: Value("Ada"), in: Self.person)?.key == RowKey(2))
    // Without the deletion, and with a second row of the name.
    #expect(refusal([1, 1, 3, 1, 2, 4] + row + [0, 0, 0]).contains("has the primary key of another"))
    let two: [UInt8] = [1, 3, 65, 100, 97, 3, 65, 100, 97, 2, 3, 3, 0, 0, 4, 0, 0, 0, 0]
    #expect(
      refusal([1, 1, 4, 2, 2, 0, 4] + two + [0, 1, 0, 1, 1, 3, 65, 100, 97]).contains("has the primary key of another"))
  }

  @Test func whatDoesNotFitTheVersionIsRefused() {
    // Frames are: one table, number 1, next key, insertions, columns, groups, deletions, no primary keys.
    #expect(refusal([1, 1, 1, 0, 0, 0, 0, 0]).contains("the next key is 2, beyond 1"))
    #expect(refusal([1, 1, 2, 1, 1, 4, 1, 0, 2, 1, 3, 0, 4, 0, 0, 0, 0, 0]).contains("row 1 is inserted where"))
    #expect(refusal([1, 1, 9, 0, 0, 0, 1, 5, 0]).contains("row 5, which is deleted, is not there"))
    #expect(refusal([1, 1, 9, 0, 0, 1, 1, 2, 1, 5, 1, 0, 0]).contains("row 5, which is modified, is not there"))
    #expect(refusal([1, 1, 2, 0, 0, 1, 1, 3, 1, 0, 8, 0, 0]).contains("'friend' links to row 7"))
    #expect(refusal([1, 1, 2, 0, 0, 1, 1, 4, 1, 0, 0, 1, 8, 0, 0]).contains("'friends' links to row 7"))
    // A list of one element, told to keep two; to keep none.
    #expect(refusal([1, 1, 2, 0, 0, 1, 1, 4, 1, 0, 1, 1, 8, 0, 0]).contains("has 1 elements instead of 2"))
    #expect(refusal([1, 1, 2, 0, 0, 1, 1, 4, 1, 0, 1, 0, 0, 0]).contains("has 1 elements instead of 0"))
    // A row of a new table with a link to a row that is not inserted either.
    #expect(refusal([1, 1, 3, 1, 2, 4, 1, 1, 67, 2, 1, 3, 9, 4, 0, 0, 0, 0, 0]).contains("links to row 8"))
  }

  /// Columns that were added later may be missing, which have the greatest numbers, and no others.
  @Test func insertedRowsHaveAllColumnsBelowTheGreatest() {
    let cells: [[UInt8]] = [[1, 3, 65, 100, 98], [2, 1], [3, 0], [4, 0, 0]]
    for chosen in 0..<16 where chosen & 1 == 1 {
      let there = cells.indices.filter { chosen >> $0 & 1 == 1 }
      let bytes: [UInt8] = [1, 1, 3, 1, 2, UInt8(there.count)] + there.flatMap { cells[$0] } + [0, 0, 0]
      let missing = cells.indices.first { !there.contains($0) && $0 < there[there.count - 1] }
      let found = refusal(bytes)
      if let missing {
        #expect(found.contains("Column \(missing + 1) of 'Person' is missing"), "\(bytes): \(found)")
      } else {
        #expect(found == "applied", "\(bytes)")
      }
    }
  }

  @Test func whatCannotBeIsRefusedByTheDecoder() {
    let frames: [(String, [UInt8])] = [
      ("There is no table 7", [1, 7, 0, 0, 0, 0, 0, 0]),
      ("A key at or above the next", [1, 1, 1, 0, 0, 0, 1, 1, 0]),
      ("The primary key of 'Person' is missing", [1, 1, 3, 1, 2, 0, 0, 0, 0]),
      ("has no column 9", [1, 1, 3, 0, 0, 1, 1, 9, 1, 0, 0, 0, 0]),
      ("A column is named twice", [1, 1, 3, 0, 0, 1, 2, 2, 2, 1, 0, 0, 0]),
      ("A primary key was modified", [1, 1, 3, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]),
      ("A group without columns", [1, 1, 3, 0, 0, 1, 0, 1, 0, 0, 0]),
      ("A group without rows", [1, 1, 3, 0, 0, 1, 1, 2, 0, 0, 0, 0, 0]),
      ("A collection of form 2", [1, 1, 3, 0, 0, 1, 1, 4, 1, 0, 2, 0, 0]),
      ("A null among the links", [1, 1, 3, 0, 0, 1, 1, 4, 1, 0, 0, 1, 0, 0, 0]),
      ("A run of 0 elements", [1, 1, 3, 0, 0, 1, 1, 4, 1, 0, 1, 1, 1, 0, 0]),
      ("Bits behind the last of 1", [1, 1, 3, 0, 0, 1, 1, 2, 1, 0, 2, 0, 0]),
      ("A text is not UTF-8", [1, 1, 3, 1, 2, 4, 1, 1, 0xff, 2, 1, 3, 0, 4, 0, 0, 0, 0, 0]),
      ("A flag of 2", [1, 1, 3, 0, 0, 0, 0, 2]),
      ("1 bytes too many", [1, 1, 3, 0, 0, 0, 0, 0, 0]),
      ("A next key of", [1, 1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x40, 0, 0, 0, 0, 0]),
      ("is more than the", [1, 1, 3, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0]),
    ]
    for (message, bytes) in frames {
      let found = refusal(bytes)
      #expect(found.contains(message), "\(bytes): \(found)")
    }
  }
}
