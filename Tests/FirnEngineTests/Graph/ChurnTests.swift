import FirnEngine
import Glibc
import TestSupport
import Testing

/// Rows that come and go for a long time must not leave more memory behind than the living ones need.
///
/// Short by default; FIRN_CHURN_FULL in the environment gives every pattern 50 million insertions with 100,000 rows.
@Suite struct ChurnTests {
  enum Pattern: CaseIterable {
    /// The oldest rows go.
    case oldest
    /// Rows go at random.
    case random
    /// One row of 256 in a row stays for long.
    case survivors
  }

  @Test(arguments: Pattern.allCases)
  func staysSmall(pattern: Pattern) throws {
    let isFull = getenv("FIRN_CHURN_FULL") != nil
    var churn = Churn(liveCount: isFull ? 100_000 : 8_000)
    let insertCount = isFull ? 50_000_000 : pattern == .survivors ? 200_000 : 60_000
    let start = clock()
    var worst = 0.0
    for quarter in 1...4 {
      while churn.insertedCount < insertCount / 4 * quarter { try churn.turn(pattern) }
      let byteCount = churn.graph.allocatedByteCount
      // A graph of a few hundred rows has nodes and pages that are hardly filled.
      let allowance = isFull ? 0 : 32_768
      let ratio = Double(byteCount - allowance) / Double(try churn.freshByteCount())
      worst = max(worst, ratio)
      if isFull {
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        print("\(pattern): \(byteCount) bytes, \(ratio) times the fresh ones, \(seconds) s")
      }
    }
    churn.graph.holdHead().contents.checkInvariants()
    #expect(worst < 1.5, "\(pattern)")
    #expect(churn.graph.holdHead().contents.rowCount(Churn.table) == churn.live.count)
  }

  /// Clusters that are merged, and then emptied, give all their blocks back.
  @Test func mergedClustersLeaveNothingBehind() throws {
    let table = TableID(0)
    let graph = Graph(
      schema: [TableDescription(name: "Row", columns: [ColumnDescription(name: "number", type: .int)])],
      seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    func write(_ body: (Writer) -> Void) throws {
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      body(graph.begin())
      _ = try graph.commit()
    }
    var counts: [Int] = []
    for _ in 0..<10 {
      var keys: [RowKey] = []
      try write { writer in keys = (0..<512).map { _ in writer.insert(into: table) { _ in } } }
      try write { $0.delete(keys.filter { $0.rawValue % 4 != 0 }, from: table) }
      try write { $0.delete(keys.filter { $0.rawValue % 4 == 0 }, from: table) }
      counts.append(graph.allocatedBlockCount)
    }
    graph.checkInvariants()
    #expect(Set(counts).count == 1, "blocks after each round: \(counts)")
  }
}

/// A table of persons that is churned in transactions of a few thousand rows.
private struct Churn {
  static let table = TableID(0)

  static let schema = [
    TableDescription(
      name: "Person",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "name", type: .string),
        ColumnDescription(name: "age", type: .int),
        ColumnDescription(name: "score", type: .double),
        ColumnDescription(name: "city", type: .string, isIndexed: true),
        ColumnDescription(name: "created", type: .date),
        ColumnDescription(name: "active", type: .bool),
        ColumnDescription(name: "best", type: .link, target: table),
      ])
  ]

  let graph = Graph(schema: schema, seed: HashSeed(1, 2))
  let liveCount: Int
  /// Living rows with the number they were made from; oldest first except in the random pattern.
  var live: [(key: RowKey, number: Int)] = []
  var first = 0
  var insertedCount = 0
  var random = SeededGenerator(7)

  init(liveCount: Int) { self.liveCount = liveCount }

  /// One transaction of insertions and deletions.
  mutating func turn(_ pattern: ChurnTests.Pattern) throws {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let batch = max(liveCount / 20, 256)
    var fresh: [(key: RowKey, number: Int)] = []
    for _ in 0..<batch {
      let best = live.isEmpty ? nil : live[random.below(live.count)].key
      fresh.append((Self.insert(writer, insertedCount, best: best), insertedCount))
      insertedCount += 1
    }
    var gone: [RowKey] = []
    switch pattern {
    case .oldest:
      live += fresh
      let surplus = max(0, live.count - liveCount)
      gone = live.prefix(surplus).map(\.key)
      live.removeFirst(surplus)
    case .random:
      live += fresh
      while live.count > liveCount {
        let index = random.below(live.count)
        gone.append(live[index].key)
        live.swapAt(index, live.count - 1)
        live.removeLast()
      }
    case .survivors:
      live += fresh.filter { $0.number % 256 == 77 }
      gone = fresh.filter { $0.number % 256 != 77 }.map(\.key)
      let surplus = max(0, live.count - liveCount)
      gone += live.prefix(surplus).map(\.key)
      live.removeFirst(surplus)
    }
    // In half of the patterns the rows go in a transaction of their own, after they were published.
    if pattern != .random {
      _ = try graph.commit()
      graph.begin().delete(gone, from: Self.table)
    } else {
      writer.delete(gone, from: Self.table)
    }
    _ = try graph.commit()
  }

  static func insert(_ writer: Writer, _ number: Int, best: RowKey?) -> RowKey {
    let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    let name = Array("person \(number)".utf8) + Array(repeating: 65, count: Int(mixed >> 61))
    let city = Array("city \((mixed >> 20) % 1000)".utf8)
    return writer.insert(into: table) { row in
      row.setInt(ColumnID(0), Int64(number))
      name.withUnsafeBytes { row.setBytes(ColumnID(1), $0) }
      row.setInt(ColumnID(2), Int64(mixed >> 32) % 100)
      row.setDouble(ColumnID(3), Double(mixed >> 40))
      city.withUnsafeBytes { row.setBytes(ColumnID(4), $0) }
      row.setDouble(ColumnID(5), Double(number))
      row.setBool(ColumnID(6), mixed & 1 != 0)
      row.setLink(ColumnID(7), best)
    }
  }

  /// What a graph needs that never had other rows than the living ones.
  func freshByteCount() throws -> Int {
    let fresh = Graph(schema: Self.schema, seed: HashSeed(1, 2))
    let contents = graph.holdHead().contents
    let living = live.sorted { $0.key < $1.key }
    fresh.enterGateBlocking()
    let writer = fresh.begin()
    var keys: [RowKey: RowKey] = [:]
    for (key, number) in living { keys[key] = Self.insert(writer, number, best: nil) }
    for (key, _) in living {
      if case .link(let best) = contents.value(ColumnID(7), of: key, in: Self.table) {
        writer.setLink(ColumnID(7), of: keys[key]!, in: Self.table, to: keys[best]!)
      }
    }
    _ = try fresh.commit()
    fresh.gate.leave()
    return fresh.allocatedByteCount
  }
}
