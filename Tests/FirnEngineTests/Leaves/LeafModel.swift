import FirnEngine
import Testing

/// What the model test needs of a kind of leaf.
protocol LeafUnderTest {
  associatedtype Value: Equatable
  static func random(_ random: inout SeededGenerator, mode: Int, last: Value?) -> Value
  static func holds(_ leaf: Block, _ slot: Int, _ value: Value) -> Bool
  static func set(_ leaf: Block?, _ slot: Int, _ value: Value, slotCount: Int, store: BlockStore) -> Block
  static func rebuild(_ first: LeafSurvivors, _ second: LeafSurvivors, store: BlockStore) -> Block
  static func checkInvariants(_ leaf: Block, slotCount: Int)
  static func checkScans(_ leaf: Block, _ values: [Value?], _ random: inout SeededGenerator, _ context: String)
}

/// A leaf beside an array, through random transactions. Some are rolled back; all committed versions have to stay as they were.
/// nil stands for a skipped slot, whose value is unspecified.
struct LeafModel<Leaf: LeafUnderTest> {
  struct Version {
    var leaf: Block?
    var values: [Leaf.Value?]
  }

  let seed: UInt64
  let mode: Int
  let store = BlockStore()
  var random: SeededGenerator
  var now = Version(leaf: nil, values: [])
  var committed: [Version] = []
  var largest = 0

  init(seed: UInt64, mode: Int) {
    self.seed = seed
    self.mode = mode
    random = SeededGenerator(seed &* 1000 &+ UInt64(mode))
  }

  mutating func run(transactions: Int, allowsRollback: Bool = true) {
    for transaction in 0..<transactions {
      let before = now
      for _ in 0...random.below(12) { step() }
      if random.chance(1) {
        for _ in 0..<300 { step() }
      }
      check(now, transaction)
      if let leaf = now.leaf, random.chance(30) {
        Leaf.checkScans(leaf, now.values, &random, "seed \(seed), mode \(mode), transaction \(transaction)")
      }
      if allowsRollback && random.chance(20) {
        now = before
        if random.chance(50) { store.version += 1 }
      } else {
        committed.append(now)
        store.version += 1
      }
      if transaction % 64 == 63 {
        for version in committed { check(version, transaction) }
        committed.removeFirst(committed.count / 2)
      }
    }
    for version in committed { check(version, transactions) }
  }

  private mutating func step() {
    let count = now.values.count
    largest = max(largest, count)
    switch random.below(100) {
    case 0..<55 where count < 256:
      let slot = random.chance(2) ? min(count + random.below(5), 255) : count
      let value = newValue()
      now.leaf = Leaf.set(now.leaf, slot, value, slotCount: count, store: store)
      now.values += Array(repeating: nil, count: slot - count) + [value]
    case 98 where random.chance(30):
      rebuild()
    default:
      guard count > 0 else { return }
      let slot = random.below(count)
      // Now and then the value of another slot, as bytes of the leaf itself.
      let value = random.chance(10) ? now.values[random.below(count)] ?? newValue() : newValue()
      now.leaf = Leaf.set(now.leaf, slot, value, slotCount: count, store: store)
      now.values[slot] = value
    }
  }

  private mutating func newValue() -> Leaf.Value {
    Leaf.random(&random, mode: mode, last: now.values.last ?? nil)
  }

  private mutating func rebuild() {
    var second = Version(leaf: nil, values: [])
    let share = random.below(101)
    let kept = now.values.indices.filter { _ in random.chance(share) }
    if random.chance(50) {
      for slot in 0..<random.below(40) {
        let value = newValue()
        second.leaf = Leaf.set(second.leaf, slot, value, slotCount: slot, store: store)
        second.values.append(value)
      }
    }
    let secondKept = second.values.indices.filter { _ in random.chance(share) }.prefix(256 - kept.count)
    now.leaf = kept.map { UInt16($0) }.withUnsafeBufferPointer { survivors in
      secondKept.map { UInt16($0) }.withUnsafeBufferPointer {
        Leaf.rebuild(
          LeafSurvivors(now.leaf, slotCount: now.values.count, survivors),
          LeafSurvivors(second.leaf, slotCount: second.values.count, $0), store: store)
      }
    }
    now.values = kept.map { now.values[$0] } + secondKept.map { second.values[$0] }
  }

  private func check(_ version: Version, _ transaction: Int) {
    guard let leaf = version.leaf else { return }
    Leaf.checkInvariants(leaf, slotCount: version.values.count)
    for (slot, value) in version.values.enumerated() {
      guard let value else { continue }
      if !Leaf.holds(leaf, slot, value) {
        Issue.record("seed \(seed), mode \(mode), transaction \(transaction), slot \(slot): not \(value)")
        return
      }
    }
  }
}
