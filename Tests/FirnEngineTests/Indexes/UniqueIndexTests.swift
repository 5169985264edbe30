import FirnEngine
import TestSupport
import Testing

@Suite struct UniqueIndexTests {
  static let person = TableID(0)
  static let email = ColumnID(0)
  static let first = ColumnID(1)
  static let last = ColumnID(2)
  static let home = ColumnID(3)
  static let street = ColumnID(0)

  static func schema(isUnique: Bool = true) -> [TableDescription] {
    [
      TableDescription(
        name: "Person",
        columns: [
          ColumnDescription(name: "email", type: .string, isNullable: true),
          ColumnDescription(name: "first", type: .string),
          ColumnDescription(name: "last", type: .int, isNullable: true),
          ColumnDescription(name: "home", type: .link, target: TableID(1)),
        ],
        indexes: isUnique
          ? [
            IndexDescription(name: "email", paths: [ColumnPath(email)], isUnique: true),
            IndexDescription(name: "first, last", paths: [ColumnPath(first), ColumnPath(last)], isUnique: true),
            IndexDescription(name: "home.street", paths: [ColumnPath(links: [home], street)], isUnique: true),
          ] : []),
      TableDescription(name: "Home", columns: [ColumnDescription(name: "street", type: .string, isNullable: true)]),
    ]
  }

  private let graph = Graph(schema: schema(), seed: HashSeed(1, 2), poisonsFreedBlocks: true)

  private func write<Result>(_ body: (Writer) -> Result) throws -> Result {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let result = body(graph.begin())
    _ = try graph.commit()
    graph.holdHead().contents.checkInvariants()
    return result
  }

  @discardableResult
  private func insert(_ writer: Writer, _ email: String?, _ first: String, _ last: Int?) -> RowKey {
    writer.insert(into: Self.person) { inserter in
      inserter.set(Self.email, email.map { Value($0) } ?? .null)
      inserter.set(Self.first, Value(first))
      inserter.set(Self.last, last.map { .int(Int64($0)) } ?? .null)
    }
  }

  private func violation(_ body: (Writer) -> Void) -> UniqueViolation? {
    let before = graph.holdHead()
    let error = #expect(throws: UniqueViolation.self) { try write(body) }
    #expect(graph.head == before.number)
    graph.holdHead().contents.checkInvariants()
    return error
  }

  /// A value that another row has is refused, in one transaction or two, and nothing of the transaction stays.
  @Test func equalValuesAreRefused() throws {
    let ann = try write { insert($0, "ann@a", "Ann", 1) }
    let again = violation { writer in
      insert(writer, "bob@a", "Bob", 1)
      insert(writer, "ann@a", "Ann", 2)
    }
    #expect(again?.indexName == "email" && again?.tableName == "Person")
    #expect(again?.rows == [ann, RowKey(2)])
    #expect(graph.holdHead().contents.rowCount(Self.person) == 1)
    #expect(violation { insert($0, "x", "Ann", 1) }?.indexName == "first, last")
    #expect(
      violation { writer in
        insert(writer, "y", "Y", 1)
        insert(writer, "y", "Z", 1)
      }?.indexName == "email")
    let bob = try write { insert($0, "bob@a", "Bob", 1) }
    #expect(violation { $0.set(Self.first, of: bob, in: Self.person, to: Value("Ann")) }?.rows == [ann, bob])
    // After it was looked at inside of the transaction.
    #expect(
      violation { writer in
        writer.set(Self.email, of: bob, in: Self.person, to: Value("ann@a"))
        _ = writer.indexedContents
      }?.rows == [ann, bob])
    try write { writer in
      writer.set(Self.email, of: bob, in: Self.person, to: Value("ann@a"))
      _ = writer.indexedContents
      writer.set(Self.email, of: ann, in: Self.person, to: Value("other"))
    }
  }

  /// What counts is the state at the commit: values may be swapped, and taken over from rows that go.
  @Test func valuesMayBeSwapped() throws {
    let (ann, bob) = try write { (insert($0, "a", "Ann", 1), insert($0, "b", "Bob", 1)) }
    try write { writer in
      writer.set(Self.email, of: ann, in: Self.person, to: Value("b"))
      writer.set(Self.email, of: bob, in: Self.person, to: Value("a"))
    }
    try write { writer in
      insert(writer, "b", "Ann", 1)
      writer.delete([ann], from: Self.person)
    }
    #expect(violation { insert($0, "b", "C", 1) } != nil)
  }

  /// Rows with a null among the values agree with none; nor do those behind a null link.
  @Test func nullsAgreeWithNothing() throws {
    try write { writer in
      for _ in 0..<5 { insert(writer, nil, "Ann", nil) }
    }
    try write { writer in
      let homes = (0..<2).map { _ in writer.insert(into: TableID(1)) { _ in } }
      for home in homes {
        for number in 0..<2 {
          let person = insert(writer, nil, "P\(home.rawValue)\(number)", nil)
          writer.set(Self.home, of: person, in: Self.person, to: .link(home))
        }
      }
    }
    // Both homes get a street: the rows that lead to each agree.
    #expect(
      violation { $0.set(Self.street, of: RowKey(0), in: TableID(1), to: Value("Main")) }?.indexName == "home.street")
  }

  /// Many rows at once, of which two agree.
  @Test(arguments: [50, 2_000])
  func bulkInsertionsAreChecked(count: Int) throws {
    try write { writer in for index in 0..<count { insert(writer, "\(index)", "\(index)", index) } }
    let found = violation { writer in
      for index in 0..<(3 * count) { insert(writer, "new \(index == 2 * count ? 7 : index)", "n\(index)", index) }
    }
    #expect(found?.indexName == "email")
    #expect(found?.rows.map { $0.rawValue } == [UInt64(count + 7), UInt64(3 * count)])
    try write { writer in for index in 0..<count { insert(writer, "new \(index)", "n\(index)", index) } }
  }

  /// Replayed transactions may break an index as long as others mend it.
  @Test func replayingIsCheckedAtItsEnd() throws {
    var (mended, broken) = (0, 0)
    for isMended in [true, false] {
      let graph = Graph(schema: Self.schema(), seed: HashSeed(1, 2), poisonsFreedBlocks: true)
      graph.enterGateBlocking()
      var writer = graph.begin(replaying: 10)
      let one = insert(writer, "a", "A", 1)
      for index in 0..<500 { insert(writer, "\(index)", "\(index)", index) }
      insert(writer, "a", "B", 1)
      _ = try graph.commit(as: 12)
      writer = graph.begin(replaying: 13)
      if isMended { writer.set(Self.email, of: one, in: Self.person, to: .null) }
      for index in 500..<1_000 { insert(writer, "\(index)", "\(index)", index) }
      _ = try graph.commit()
      graph.gate.leave()
      do {
        try graph.finishReplaying()
        mended += 1
        graph.holdHead().contents.checkInvariants()
        graph.enterGateBlocking()
        insert(graph.begin(), "0", "C", 1)
        #expect(throws: UniqueViolation.self) { try graph.commit() }
        graph.gate.leave()
        graph.checkInvariants()
      } catch let violation as UniqueViolation {
        broken += 1
        #expect(violation.rows == [one, RowKey(501)])
      }
    }
    #expect(mended == 1 && broken == 1)
  }

  /// Data that an index was not there for.
  @Test func existingRowsAreChecked() throws {
    let plain = Graph(schema: Self.schema(isUnique: false), seed: HashSeed(1, 2))
    plain.enterGateBlocking()
    let writer = plain.begin()
    for index in 0..<100 { insert(writer, index % 90 == 5 ? "same" : "\(index)", "x", index) }
    _ = try plain.commit()
    plain.gate.leave()
    let exported = ExportedGraph(plain)
    let loaded = try exported.load(schema: Self.schema())
    let error = #expect(throws: UniqueViolation.self) { try loaded.finishReplaying() }
    #expect(error?.rows == [RowKey(5), RowKey(95)])
    let description = Self.schema()[0].indexes[0]
    #expect(plain.holdHead().contents.uniqueViolation(of: description, in: Self.person)?.rows == error?.rows)
    #expect(plain.holdHead().contents.uniqueViolation(of: Self.schema()[0].indexes[1], in: Self.person) == nil)
  }
}
