import FirnEngine
import TestSupport
import Testing

/// A row with a set and a map in a graph of its own.
struct CollectionOwner {
  static let table = TableID(0)
  static let set = ColumnID(0)
  static let map = ColumnID(1)

  let graph: Graph
  let row: RowKey

  init(_ type: ColumnType, isNullable: Bool = false) throws {
    let target: TableID? = type == .link ? TableID(1) : nil
    graph = Graph(
      schema: [
        TableDescription(
          name: "Owner",
          columns: [
            ColumnDescription(name: "set", type: type, isNullable: isNullable, collection: .set, target: target),
            ColumnDescription(name: "map", type: type, isNullable: isNullable, collection: .map, target: target),
          ]), TableDescription(name: "Target", columns: []),
      ],
      seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    graph.enterGateBlocking()
    row = graph.begin().insert(into: Self.table) { _ in }
    _ = try graph.commit()
    graph.gate.leave()
  }

  func write<Result>(_ body: (Writer) -> Result) throws -> Result {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let result = body(graph.begin())
    _ = try graph.commit()
    return result
  }

  func elements(_ contents: GraphContents, _ column: ColumnID = Self.set) -> [Value] {
    (0..<contents.listCount(column, of: row, in: Self.table)).map {
      contents.listValue(at: $0, of: column, of: row, in: Self.table)
    }
  }

  func names(_ contents: GraphContents) -> [String] {
    (0..<contents.listCount(Self.map, of: row, in: Self.table)).map {
      String(decoding: contents.mapKey(at: $0, of: Self.map, of: row, in: Self.table), as: UTF8.self)
    }
  }

  @discardableResult
  func insert(_ value: Value, _ writer: Writer) -> Bool {
    writer.insert(value, intoSet: Self.set, of: row, in: Self.table)
  }

  @discardableResult
  func set(_ value: Value, _ name: String, _ writer: Writer) -> Bool {
    writer.set(value, forKey: Array(name.utf8), ofMap: Self.map, of: row, in: Self.table)
  }

  @discardableResult
  func remove(_ name: String, _ writer: Writer) -> Bool {
    Array(name.utf8).withUnsafeBytes { writer.removeValue(forKey: $0, ofMap: Self.map, of: row, in: Self.table) }
  }
}

@Suite struct SetTreeTests {
  /// Random insertions and removals of many elements against Swift's set; held versions are compared at the end.
  @Test(arguments: [ColumnType.int, .string])
  func behavesLikeASet(type: ColumnType) throws {
    let seed: UInt64 = 7
    print("SetTree seed \(seed)")
    var random = SeededGenerator(seed)
    let owner = try CollectionOwner(type)
    var model: Set<Int> = []
    var held: [(Version, Set<Int>)] = []
    func value(_ number: Int) -> Value { type == .int ? .int(Int64(number)) : Value("a common beginning \(number)") }
    for step in 0..<12 {
      held.append((owner.graph.holdHead(), model))
      let grows = step % 4 != 3
      try owner.write { writer in
        for _ in 0..<3_000 {
          let number = random.below(12_000)
          if random.chance(grows ? 85 : 20) {
            let isNew = owner.insert(value(number), writer)
            #expect(isNew == model.insert(number).inserted)
          } else {
            let isGone = writer.remove(
              value(number), fromSet: CollectionOwner.set, of: owner.row, in: CollectionOwner.table)
            #expect(isGone == (model.remove(number) != nil))
          }
        }
      }
    }
    held.append((owner.graph.holdHead(), model))
    for (version, model) in held {
      version.contents.checkInvariants()
      let expected = model.map(value).sorted { $0.order(to: $1) < 0 }
      #expect(owner.elements(version.contents) == expected)
    }
    for number in 0..<12_000 {
      let isThere = owner.graph.holdHead().contents.setContains(
        value(number), CollectionOwner.set, of: owner.row, in: CollectionOwner.table)
      #expect(isThere == model.contains(number))
    }
    try owner.write { $0.removeAll(of: CollectionOwner.set, of: owner.row, in: CollectionOwner.table) }
    held = []
    owner.graph.checkInvariants()
  }

  /// A set of many elements is built from unsorted ones at once, and what it has not is added to it.
  @Test func manyElementsGoInAtOnce() throws {
    let owner = try CollectionOwner(.int, isNullable: true)
    let numbers = (0..<50_000).map { Int64(($0 &* 7_919) % 30_011) }
    func insert(_ numbers: [Int64], nullAt place: Int?) throws {
      let nulls = numbers.indices.map { $0 == place }
      try owner.write { writer in
        numbers.withUnsafeBytes { bytes in
          nulls.withUnsafeBufferPointer { nulls in
            writer.insert(
              elements: bytes.baseAddress!, nulls: nulls.baseAddress, count: numbers.count,
              intoSet: CollectionOwner.set, of: owner.row, in: CollectionOwner.table)
          }
        }
      }
    }
    try insert(numbers, nullAt: 77)
    var expected = Set(numbers.enumerated().filter { $0.offset != 77 }.map(\.element))
    #expect(owner.elements(owner.graph.holdHead().contents) == [.null] + expected.sorted().map { .int($0) })
    try insert([5, 40_000, 40_000, -1], nullAt: 0)
    expected.formUnion([40_000, -1])
    #expect(owner.elements(owner.graph.holdHead().contents) == [.null] + expected.sorted().map { .int($0) })
    owner.graph.holdHead().contents.checkInvariants()
  }

  /// What is one element, and in which order elements stand.
  @Test func elementsHaveATotalOrder() throws {
    func decimal(_ coefficient: UInt64, exponent: Int, isNegative: Bool = false) -> Value {
      .decimal128(Bytes16(low: coefficient, high: UInt64(exponent + 6176) << 49 | (isNegative ? 1 << 63 : 0)))
    }
    let texts = ["", "A", "B", "a", "a\u{0}", "ab", "abcdefg", "abcdefgh", "abcdefghi", "ß", "日本"]
    let samples: [(ColumnType, [Value])] = [
      (.bool, [.bool(false), .bool(true)]),
      (.int, [.int(.min), .int(-1), .int(0), .int(.max)]),
      (.float, [.float(.nan), .float(-.infinity), .float(-1), .float(0), .float(1), .float(.infinity)]),
      (.double, [.double(.nan), .double(-.infinity), .double(-0.5), .double(0), .double(1e-300), .double(.infinity)]),
      (.date, [.date(.nan), .date(-1), .date(0), .date(0.25)]),
      (.string, texts.map { Value($0) }),
      (.data, [.data([]), .data([0]), .data([0, 0]), .data([127]), .data([128]), .data([255])]),
      (.objectID, [.objectID(Bytes12(1, 0, 0)), .objectID(Bytes12(1, 0, 1)), .objectID(Bytes12(2, 0, 0))]),
      (.uuid, [.uuid(Bytes16(low: 1, high: 0)), .uuid(Bytes16(low: 1, high: 1)), .uuid(Bytes16(low: 2, high: 0))]),
      (
        .decimal128,
        [
          decimal(5, exponent: 0, isNegative: true), decimal(0, exponent: 0), decimal(15, exponent: -1),
          decimal(2, exponent: 0), decimal(1, exponent: 3),
        ]
      ),
    ]
    for (type, ascending) in samples {
      let owner = try CollectionOwner(type, isNullable: true)
      try owner.write { writer in
        for value in ascending.reversed() { #expect(owner.insert(value, writer)) }
        #expect(owner.insert(.null, writer))
        for value in ascending { #expect(!owner.insert(value, writer), "\(type): \(value) twice") }
        #expect(!owner.insert(.null, writer))
      }
      let found = owner.elements(owner.graph.holdHead().contents)
      #expect(found.count == ascending.count + 1)
      #expect(zip(found, [.null] + ascending).allSatisfy { $0.isSame(as: $1) }, "\(type): \(found)")
    }
    // The zeros are one element, and so are decimals of one value; the one that came first stays.
    let doubles = try CollectionOwner(.double)
    let decimals = try CollectionOwner(.decimal128)
    try doubles.write { #expect(doubles.insert(.double(-0.0), $0) && !doubles.insert(.double(0), $0)) }
    #expect(doubles.elements(doubles.graph.holdHead().contents)[0].isSame(as: .double(-0.0)))
    try decimals.write { writer in
      #expect(decimals.insert(decimal(20, exponent: -1), writer))
      #expect(!decimals.insert(decimal(2, exponent: 0), writer))
    }
  }

  /// A row that goes leaves the sets in which it was; a set in which nothing changed was not written.
  @Test func linksAreNullified() throws {
    let owner = try CollectionOwner(.link)
    let target = TableID(1)
    let keys = try owner.write { writer in
      let keys = (0..<300).map { _ in writer.insert(into: target) { _ in } }
      for key in keys { owner.insert(.link(key), writer) }
      for (index, key) in keys.enumerated() { owner.set(.link(key), "key \(index % 150)", writer) }
      return keys
    }
    try owner.write { writer in
      #expect(!owner.insert(.link(keys[7]), writer))
      #expect(!writer.hasChanges)
    }
    let before = owner.graph.holdHead()
    // Of the map, the later half is left.
    try owner.write { $0.delete(keys.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), from: target) }
    let after = owner.graph.holdHead()
    after.contents.checkInvariants()
    #expect(owner.elements(after.contents) == keys.enumerated().filter { $0.offset % 2 == 1 }.map { .link($0.element) })
    let values = owner.elements(after.contents, CollectionOwner.map)
    #expect(values.count == 150 && values.filter { $0 == .null }.count == 75)
    #expect(owner.elements(before.contents).count == 300)
    let changes = ChangeSet(from: before.contents, to: after.contents).tables[0].lists
    let set = ListID(row: owner.row, column: CollectionOwner.set)
    #expect(changes[set]?.positions().deletions == Array(stride(from: 0, to: 300, by: 2)))
    let map = ListID(row: owner.row, column: CollectionOwner.map)
    #expect(changes[map]?.positions().modifications.count == 75)
    try owner.write { $0.delete([owner.row], from: CollectionOwner.table) }
    owner.graph.holdHead().contents.checkInvariants()
    owner.graph.checkInvariants()
  }

  /// One more element costs a few nodes, however many there are.
  @Test func insertingCopiesAFewNodes() throws {
    let owner = try CollectionOwner(.int)
    try owner.write { writer in for number in 0..<200_000 { owner.insert(.int(Int64(number * 2)), writer) } }
    let held = owner.graph.holdHead()
    let before = owner.graph.allocatedBlockCount
    try owner.write { #expect(owner.insert(.int(77_777), $0)) }
    #expect(owner.graph.allocatedBlockCount - before < 16)
    #expect(held.contents.listCount(CollectionOwner.set, of: owner.row, in: CollectionOwner.table) == 200_000)
  }
}
