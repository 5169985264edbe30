import FirnEngine
import Testing

private struct TwelveBytes: BitwiseCopyable, Equatable {
  var a: UInt32
  var b: UInt32
  var c: UInt32
}

/// The model for one type of value; scans are tested beside it.
private enum Fixed<T: BitwiseCopyable & Equatable>: LeafUnderTest {
  static func zero() -> T {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) {
      $0.initializeMemory(as: UInt8.self, repeating: 0)
      return $0.load(as: T.self)
    }
  }

  static func random(_ random: inout SeededGenerator, mode: Int, last: T?) -> T {
    var words = (random.next() & 0x3fef_ffff_3fef_ffff, random.next())
    return withUnsafeBytes(of: &words) { $0.load(as: T.self) }
  }

  static func holds(_ leaf: Block, _ slot: Int, _ value: T) -> Bool {
    FixedLeaf.load(leaf, slot, as: T.self) == value
  }

  static func set(_ leaf: Block?, _ slot: Int, _ value: T, slotCount: Int, store: BlockStore) -> Block {
    if slot % 2 == 0 { return FixedLeaf.set(leaf, slot, value, slotCount: slotCount, store: store) }
    return withUnsafeBytes(of: value) {
      FixedLeaf.set(
        leaf, slot, bytes: $0.baseAddress!, valueSize: MemoryLayout<T>.size, slotCount: slotCount, store: store)
    }
  }

  static func rebuild(_ first: LeafSurvivors, _ second: LeafSurvivors, store: BlockStore) -> Block {
    FixedLeaf.rebuild(first, second, valueSize: MemoryLayout<T>.size, store: store)
  }

  static func checkInvariants(_ leaf: Block, slotCount: Int) { FixedLeaf.checkInvariants(leaf, slotCount: slotCount) }

  static func checkScans(_ leaf: Block, _ values: [T?], _ random: inout SeededGenerator, _ context: String) {
    let count = random.below(values.count + 1)
    let values = (0..<count).map { values[$0] ?? zero() }
    let needle = values.randomElement(using: &random) ?? zero()
    let found = withUnsafeBytes(of: needle) { needle in
      maskOf { FixedLeaf.matchBytes(leaf, count: count, equalTo: needle.baseAddress!, into: $0) }
    }
    #expect(found == maskOf(values.map { $0 == needle }), "\(context)")
  }
}

@Suite struct FixedLeafTests {
  @Test(arguments: [UInt64(1), 2])
  func model(seed: UInt64) {
    func run<T: BitwiseCopyable & Equatable>(_: T.Type) {
      var model = LeafModel<Fixed<T>>(seed: seed, mode: MemoryLayout<T>.size)
      model.run(transactions: 300)
      #expect(model.largest > 60)
    }
    run(Float.self)
    run(Double.self)
    run(UInt64.self)
    run(TwelveBytes.self)
    run(UInt128.self)
  }

  @Test func scans() {
    var random = SeededGenerator(3)
    let store = BlockStore()
    var (doubles, floats): (Block?, Block?)
    let values = (0..<256).map { _ in random.chance(5) ? Double.nan : Double(random.below(40)) }
    for (slot, value) in values.enumerated() {
      doubles = FixedLeaf.append(doubles, slot, value, store: store)
      floats = FixedLeaf.append(floats, slot, Float(value), store: store)
    }
    let comparisons: [(FixedLeaf.Comparison, (Double, Double) -> Bool)] = [
      (.greater, (>)), (.greaterOrEqual, (>=)), (.less, (<)), (.lessOrEqual, (<=)), (.equal, (==)),
    ]
    for count in [0, 1, 63, 64, 65, 200, 256] {
      for (comparison, relation) in comparisons {
        let expected = maskOf(values.prefix(count).map { relation($0, 20) })
        #expect(maskOf { FixedLeaf.match(doubles!, count: count, comparison, 20.0, into: $0) } == expected)
        #expect(maskOf { FixedLeaf.match(floats!, count: count, comparison, Float(20), into: $0) } == expected)
      }
      let numbers = maskOf(values.map { !$0.isNaN })
      let selected = values.prefix(count).filter { !$0.isNaN }
      #expect(FixedLeaf.sumDoubles(doubles!, count: count, mask: numbers) == selected.reduce(0, +))
      #expect(FixedLeaf.sumFloats(floats!, count: count, mask: numbers) == selected.reduce(0, +))
      #expect(FixedLeaf.extremeDoubles(doubles!, count: count, mask: numbers)?.least == selected.min())
      #expect(
        FixedLeaf.extremeFloats(floats!, count: count, mask: numbers)?.greatest == selected.max().map { Float($0) })
    }
  }

  /// Values that differ in a single byte, whichever it is, are different.
  @Test(arguments: [4, 8, 12, 16]) func everyByteIsCompared(size: Int) {
    let store = BlockStore()
    let base = (0..<size).map { UInt8(100 + $0) }
    var leaf: Block?
    for slot in 0...size {
      var bytes = base
      if slot > 0 { bytes[slot - 1] ^= 0x10 }
      leaf = bytes.withUnsafeBytes {
        FixedLeaf.set(leaf, slot, bytes: $0.baseAddress!, valueSize: size, slotCount: slot, store: store)
      }
    }
    let found = base.withUnsafeBytes { base in
      maskOf { FixedLeaf.matchBytes(leaf!, count: size + 1, equalTo: base.baseAddress!, into: $0) }
    }
    #expect(found == maskOf([true]))
  }
}
