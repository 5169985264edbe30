import TestSupport
import Testing

@testable import FirnEngine

/// Where codes lie in trees of every height, from the root and from parts that earlier searches left, against counting.
@Suite struct PlacePartsTests {
  /// `FIRN_HISTORIES` by hand.
  private static let rounds = environmentNumber("FIRN_HISTORIES") ?? 6

  /// A tree and its entries in their order.
  private struct Model {
    let store = BlockStore()
    var root: UnsafeMutableRawPointer?
    var entries: [OrderedEntry]

    /// - Parameter spread: How many different codes there are, each a thousand from the next.
    init(count: Int, spread: Int, _ random: inout SeededRandom) {
      store.beginTransaction(version: 1)
      entries = (0..<count).map { row in
        OrderedEntry(code: 1000 + UInt64(random.below(spread)) * 1000, row: UInt64(row))
      }
      entries.sort { $0.precedes($1) }
      let built = entries
      root = OrderedTree.build(count: count, store) { built[$0] }
    }

    /// Rows leave and come, so that nodes are filled unevenly.
    mutating func change(_ times: Int, spread: Int, _ random: inout SeededRandom) {
      var nextRow = UInt64(entries.count)
      for _ in 0..<times {
        let isInserted = entries.isEmpty || random.chance(40)
        if isInserted {
          let entry = OrderedEntry(code: 1000 + UInt64(random.below(spread)) * 1000, row: nextRow)
          nextRow += 1
          root = OrderedTree.insert(entry, into: root, store) { $0.precedes(entry) }
          entries.insert(entry, at: place { $0.precedes(entry) })
        } else {
          let position = random.below(entries.count)
          let entry = entries.remove(at: position)
          let isFound = OrderedTree.remove(
            entry.row, from: &root, store, precedes: { $0.precedes(entry) }, reaches: { !entry.precedes($0) })
          #expect(isFound)
        }
      }
    }

    /// How many entries `precedes` holds for, a beginning of them.
    func place(_ precedes: (OrderedEntry) -> Bool) -> Int {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(entries[middle]) { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func positions(_ codes: ClosedRange<UInt64>) -> Range<Int> {
      place { $0.code < codes.lowerBound }..<place { $0.code <= codes.upperBound }
    }
  }

  private func codes(_ bounds: ClosedRange<UInt64>, _ random: inout SeededRandom) -> ClosedRange<UInt64> {
    // Ends on, just before and just behind codes that there are, or anywhere.
    func code() -> UInt64 {
      let code = UInt64.random(in: bounds, using: &random)
      let near = (code / 1000 * 1000) + [0, 1, 999, code % 1000][random.below(4)]
      return min(bounds.upperBound, max(bounds.lowerBound, near))
    }
    let (one, other) = (code(), random.chance(30) ? bounds.upperBound : code())
    if random.chance(20) { return one...one }
    return min(one, other)...max(one, other)
  }

  /// The heights change at 67 and 4,288 rows in trees that were built, and at 274,432.
  @Test(arguments: 0..<rounds) func positionsAreThoseOfAScan(round: Int) {
    var random = SeededRandom.printed("parts \(round)")
    let count = [0, 1, 67, 68, 4_288, 4_289, 9_000, 20_000, 300_000][
      round < Self.rounds - 1 ? random.below(8) : (Self.rounds > 6 ? 8 : 7)]
    let spread = [1, 3, 60, 5_000, 1_000_000][random.below(5)]
    var model = Model(count: count, spread: spread, &random)
    defer { OrderedTree.retireAll(model.root, model.store) }
    for _ in 0..<3 {
      check(model, spread, &random)
      model.change(400, spread: spread, &random)
      ListTree.checkInvariants(model.root, OrderedTree.shape)
    }
  }

  private func check(_ model: Model, _ spread: Int, _ random: inout SeededRandom) {
    guard let root = model.root else { return }
    let all = 0...UInt64(spread + 2) * 1000
    for _ in 0..<100 {
      var part = OrderedTree.Part(node: UnsafeRawPointer(root), start: 0)
      var bounds = all
      // Each search begins in the part that the one before left, as cells lie in cells.
      for depth in 0..<8 {
        let wanted = codes(bounds, &random)
        let expected = model.positions(wanted)
        let found = OrderedTree.positions(of: wanted, in: &part)
        if expected.isEmpty {
          #expect(found.isEmpty, "\(depth): \(wanted)")
          break
        }
        #expect(found == expected, "\(depth): \(wanted) of \(model.entries.count)")
        if found != expected { return }
        holds(part, expected, model)
        bounds = wanted
      }
    }
  }

  /// A part has all positions, says where it begins, and is the lowest node that has them.
  private func holds(_ part: OrderedTree.Part, _ positions: Range<Int>, _ model: Model) {
    let end = part.start + OrderedTree.count(part.node)
    #expect(part.start <= positions.lowerBound && positions.upperBound <= end)
    #expect(OrderedTree.firstEntry(part.node) == model.entries[part.start])
    guard Branch.isBranch(part.node) else { return }
    var start = part.start
    for index in 0..<Branch.count(part.node) {
      let count = OrderedTree.count(UnsafeRawPointer(Branch.children(part.node)[index]))
      // Where equals begin with a child the search looks into the one before, too.
      #expect(
        !(start < positions.lowerBound && positions.upperBound <= start + count),
        "child \(index) would do")
      start += count
    }
  }

  /// Rows in cells that lie in the region are found without looking at each.
  @Test func cellsInTheRegionAreComplete() throws {
    let table = TableID(0)
    let place = PlacePath(type: ColumnID(0), coordinates: ColumnID(1))
    let columns = [
      ColumnDescription(name: "type", type: .string),
      ColumnDescription(name: "coordinates", type: .double, collection: .list),
    ]
    let graph = Graph(
      schema: [TableDescription(name: "Place", columns: columns, indexes: [IndexDescription(name: "p", place: place)])],
      seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    let writer = graph.begin()
    for number in 0..<2_000 {
      let key = writer.insert(into: table) { $0.set(ColumnID(0), Value("Point")) }
      let coordinates = [Value.double(Double(number % 50) / 5), .double(Double(number / 50) / 4)]
      writer.append(contentsOf: coordinates, to: ColumnID(1), of: key, in: table)
    }
    let contents = try graph.commit().version.contents
    graph.gate.leave()
    let cap = SphereCap(center: SpherePoint(latitude: 5, longitude: 5), radius: 0.07)
    let compiled = CompiledPredicate(.within(place, .cap(cap)), table: table, layout: graph.layout)
    let access = try #require(compiled.accesses.first?.ordered.first)
    let candidates = access.candidates(in: contents)
    let (inside, all) = (candidates.filter(\.isComplete), compiled.keys(in: contents))
    #expect(all.count > 500)
    #expect(inside.reduce(0) { $0 + $1.positions.count } > all.count / 2)
    #expect(inside.allSatisfy { Set(contents.keys(in: $0.positions, of: access.index)).isSubset(of: all) })
  }
}
