import FirnEngine
import Testing

private enum Ints: LeafUnderTest {
  static func random(_ random: inout SeededGenerator, mode: Int, last: Int64?) -> Int64 {
    switch mode {
    case 0: return Int64(random.below(100))
    case 1: return Int64(random.below(400)) - 200
    case 2: return (last ?? 1_700_000_000_000) &+ Int64(random.below(10))
    case 3: return (last ?? -5_000_000_000) &- Int64(random.below(1000))
    case 4: return [.min, .max, 0, -1, 1, .min + 1, .max - 1, Int64(Int32.max)][random.below(8)]
    case 5: return Int64.max - Int64(random.below(300))
    case 6: return Int64.min + Int64(random.below(70_000))
    default:
      let bits = Int64(bitPattern: random.next())
      return bits >> Int64(random.below(64))
    }
  }

  static func holds(_ leaf: Block, _ slot: Int, _ value: Int64) -> Bool { IntLeaf.value(leaf, slot) == value }

  static func set(_ leaf: Block?, _ slot: Int, _ value: Int64, slotCount: Int, store: BlockStore) -> Block {
    IntLeaf.set(leaf, slot, value, slotCount: slotCount, store: store)
  }

  static func rebuild(_ first: LeafSurvivors, _ second: LeafSurvivors, store: BlockStore) -> Block {
    IntLeaf.rebuild(first, second, store: store)
  }

  static func checkInvariants(_ leaf: Block, slotCount: Int) { IntLeaf.checkInvariants(leaf, slotCount: slotCount) }

  static func checkScans(_ leaf: Block, _ values: [Int64?], _ random: inout SeededGenerator, _ context: String) {
    let count = random.below(values.count + 1)
    // A skipped slot holds what it holds.
    let values = (0..<count).map { values[$0] ?? IntLeaf.value(leaf, $0) }
    let bounds: [Int64] = [.min, .max, 0, (values.randomElement(using: &random) ?? 3), (values.max() ?? 0)]
    for _ in 0..<4 {
      let lo = bounds[random.below(5)]
      let hi = random.chance(20) ? lo : bounds[random.below(5)]
      let found = maskOf { IntLeaf.match(leaf, count: count, from: lo, through: hi, into: $0) }
      #expect(found == maskOf(values.map { lo <= $0 && $0 <= hi }), "\(context), \(lo)...\(hi)")
    }
    let mask = maskOf((0..<256).map { _ in random.chance(50) })
    let selected = values.indices.filter { isSet(mask, $0) }.map { values[$0] }
    #expect(IntLeaf.sum(leaf, count: count, mask: mask) == selected.reduce(0, &+), "\(context)")
    let extremes = IntLeaf.extremes(leaf, count: count, mask: mask)
    #expect(extremes?.least == selected.min() && extremes?.greatest == selected.max(), "\(context)")
  }
}

@Suite struct IntLeafTests {
  @Test(arguments: [UInt64(1), 2], 0...7)
  func model(seed: UInt64, mode: Int) {
    var model = LeafModel<Ints>(seed: seed, mode: mode)
    model.run(transactions: 400)
    #expect(model.largest > 60)
  }

  /// Consecutive keys must not cause a copy per value.
  @Test func widensRarely() {
    let store = BlockStore()
    var leaf: Block?
    var replacements = 0
    for slot in 0..<256 {
      let new = IntLeaf.append(leaf, slot, 1_000_000 + Int64(slot), store: store)
      if new != leaf { replacements += 1 }
      leaf = new
    }
    #expect(replacements <= 6)
    #expect(leaf!.blockShift <= 1)
  }

  @Test func deadValuesDoNotWidenTheFrame() {
    let store = BlockStore()
    var leaf: Block?
    for slot in 0..<16 { leaf = IntLeaf.append(leaf, slot, slot == 3 ? .max : Int64(slot), store: store) }
    #expect(leaf!.blockShift == 3)
    let survivors = (0..<16).filter { $0 != 3 }.map { UInt16($0) }
    leaf = survivors.withUnsafeBufferPointer {
      IntLeaf.rebuild(LeafSurvivors(leaf, slotCount: 16, $0), store: store)
    }
    #expect(leaf!.blockShift == 0)
    let live = maskOf((0..<15).map { $0 != 2 })
    leaf = IntLeaf.set(leaf!, 2, 255, slotCount: 15, store: store)
    leaf = IntLeaf.set(leaf!, 4, -1, slotCount: 15, liveMask: live, store: store)
    #expect(leaf!.blockShift == 0)
    #expect(IntLeaf.value(leaf!, 4) == -1 && IntLeaf.value(leaf!, 5) == 6)
  }

  /// A version that was discarded may still be held: what it appended in a shared leaf stays.
  @Test(arguments: [false, true]) func leavesWhatADiscardedVersionAppended(growsInSteps: Bool) {
    let store = BlockStore()
    var leaf: Block?
    for slot in 0..<5 { leaf = IntLeaf.append(leaf, slot, Int64(slot), store: store) }
    store.version += 1
    for slot in 5..<8 { leaf = IntLeaf.append(leaf, slot, Int64(slot), store: store) }
    let held = leaf!
    store.version += 1
    var new = leaf!
    for slot in growsInSteps ? Array(5..<10) : [7] {
      new = IntLeaf.set(new, slot, 70 + Int64(slot), slotCount: growsInSteps ? slot : 5, store: store)
    }
    #expect((0..<8).map { IntLeaf.value(held, $0) } == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect((0..<5).map { IntLeaf.value(new, $0) } == [0, 1, 2, 3, 4])
    #expect(IntLeaf.value(new, 7) == 77)
  }
}
