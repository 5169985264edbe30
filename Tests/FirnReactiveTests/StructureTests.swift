import FirnEngine
import Testing

@testable import FirnReactive

@Suite("Ordered structures against naive models")
struct StructureTests {
  @Test("counted tree", arguments: [0, 1, 100, 3000, 20_000])
  func countedTree(count: Int) {
    var random = SeededRandom.printed("countedTree")
    var model = (0..<count).map { UInt64($0 * 10) }
    let tree = CountedTree(model)
    for phase in 0..<4 {
      for _ in 0..<4000 {
        if model.isEmpty || random.chance(phase % 2 == 0 ? 70 : 15) {
          let element = UInt64(random.chance(30) ? 1_000_000 + model.count : random.below(count * 10 + 10))
          let position = firstIndex(in: model, notBefore: element)
          #expect(tree.rank { $0 < element } == position)
          tree.insert(element, at: position)
          model.insert(element, at: position)
        } else {
          let position = random.chance(50) ? min(3, model.count - 1) : random.below(model.count)
          #expect(tree.select(position) == model[position])
          tree.remove(at: position)
          model.remove(at: position)
        }
      }
      tree.checkInvariants { $0 == $1 }
      var content: [UInt64] = []
      tree.walk { content.append($0) }
      #expect(content == model)
      #expect(tree.count == model.count)
    }
    while tree.count > 0 { tree.remove(at: tree.count / 2) }
    tree.checkInvariants { $0 == $1 }
  }

  private func firstIndex(in model: [UInt64], notBefore element: UInt64) -> Int {
    var low = 0
    var high = model.count
    while low < high {
      let middle = (low + high) / 2
      if model[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @Test("memory of a tree of keys stays below 12 bytes per key")
  func treeMemory() {
    let tree = CountedTree((0..<100_000).map { UInt64($0) })
    #expect(tree.byteCount < 100_000 * 12 && tree.byteCount >= 100_000 * 8)
    let appended = CountedTree<UInt64>()
    for key in 0..<100_000 { appended.insert(UInt64(key), at: key) }
    #expect(appended.byteCount < 100_000 * 12)
    let descending = CountedTree<UInt64>()
    for key in 0..<100_000 { descending.insert(UInt64(100_000 - key), at: 0) }
    #expect(descending.byteCount < 100_000 * 24)
  }

  @Test("a tree of few elements has room for few")
  func smallTreeMemory() {
    #expect(CountedTree<UInt64>([7]).byteCount <= 48)
    let tree = CountedTree<UInt64>()
    for key in 0..<20 { tree.insert(UInt64(key), at: key) }
    #expect(tree.byteCount <= 16 + 32 * 8)
    tree.checkInvariants { $0 == $1 }
  }

  @Test("interval tree")
  func intervalTree() {
    var random = SeededRandom.printed("intervalTree")
    let tree = IntervalTree()
    var model: [Int32: (lower: Value?, upper: Value?, owner: Int32)] = [:]
    for step in 0..<3000 {
      if model.count < 5 || random.chance(55) {
        let bounds = (0..<2).map { _ in RandomGraph.value(.string, nil, 0, &random) }.sorted { $0.order(to: $1) < 0 }
        let lower = random.chance(10) ? nil : bounds[0]
        let upper = random.chance(10) ? nil : bounds[1]
        model[tree.add(lower: lower, upper: upper, owner: Int32(step))] = (lower, upper, Int32(step))
      } else {
        let handle = model.keys.sorted().randomElement(using: &random)!
        tree.remove(handle)
        model[handle] = nil
      }
      let value = RandomGraph.value(.string, nil, 0, &random)
      var found: [Int32] = []
      _ = tree.collect(containing: value, into: &found)
      let expected = model.values.filter { range in
        (range.lower.map { $0.order(to: value) <= 0 } ?? true) && (range.upper.map { value.order(to: $0) <= 0 } ?? true)
      }
      #expect(found.sorted() == expected.map(\.owner).sorted())
      if step % 100 == 0 { tree.checkInvariants() }
    }
  }

  @Test("longest increasing run")
  func increasingRun() {
    var random = SeededRandom.printed("increasingRun")
    for _ in 0..<500 {
      let values = Array(0..<random.below(9)).shuffled(using: &random)
      let kept = longestIncreasingRun(values)
      let run = values.indices.filter { kept[$0] }.map { values[$0] }
      #expect(run == run.sorted())
      var best = 0
      for mask in 0..<(1 << values.count) {
        let chosen = values.indices.filter { mask >> $0 & 1 == 1 }.map { values[$0] }
        if chosen == chosen.sorted() { best = max(best, chosen.count) }
      }
      #expect(run.count == best)
    }
  }

  @Test("sort codes follow the order of values", arguments: [ColumnType.int, .double, .string, .bool])
  func sortCodes(type: ColumnType) {
    var random = SeededRandom.printed("sortCodes")
    for _ in 0..<3000 {
      let values = (0..<2).map { _ in random.chance(10) ? Value.null : RandomGraph.value(type, nil, 0, &random) }
      let order = values[0].order(to: values[1])
      let codes = values.map { SortCode($0) }
      if order < 0 { #expect(codes[0] <= codes[1]) }
      if order > 0 { #expect(codes[0] >= codes[1]) }
      if codes[0] == codes[1], codes[0].isExact(for: type) { #expect(order == 0) }
      #expect(values[1].order(to: values[0]) == -order)
    }
  }

  @Test("decimals compare by numeric value")
  func decimals() {
    func decimal(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> Value {
      .decimal128(Bytes16(low: coefficient, high: UInt64(exponent + 6176) << 49 | (negative ? 1 << 63 : 0)))
    }
    let nan = Value.decimal128(Bytes16(low: 0, high: 0x7C00_0000_0000_0000))
    let infinity = Value.decimal128(Bytes16(low: 0, high: 0x7800_0000_0000_0000))
    let ascending = [
      .null, nan, decimal(5, 6000, negative: true), decimal(2, 0, negative: true), decimal(1, -6000), decimal(1, 0),
      decimal(11, -1), decimal(9, 3), decimal(1, 4), decimal(1, 6000), infinity,
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() { #expect(a.order(to: b).signum() == (i - j).signum()) }
    }
    #expect(decimal(10, -1).order(to: decimal(1, 0)) == 0)
    #expect(decimal(0, 50).order(to: decimal(0, -3, negative: true)) == 0)
    #expect(decimal(15, -1).order(to: .int(2)) < 0)
    #expect(Value.int(.max).order(to: .double(0x1p63)) < 0)
    #expect(Value.int(1).order(to: .double(1.5)) < 0)
  }
}
