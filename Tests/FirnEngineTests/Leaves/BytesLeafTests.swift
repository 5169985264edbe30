import FirnEngine
import Glibc
import Testing

private enum Bytes: LeafUnderTest {
  static func random(_ random: inout SeededGenerator, mode: Int, last: [UInt8]?) -> [UInt8] {
    let count: Int
    switch mode {
    case 0: count = random.below(25)
    case 1: count = random.below(3)
    case 2: count = random.below(600)
    case 3: count = random.chance(10) ? 2045 + random.below(8) : random.below(30)
    default: count = random.chance(80) ? random.below(16) : random.below(5000)
    }
    let letters = [1, 2, 256][random.below(3)]
    return (0..<count).map { _ in UInt8(random.below(letters)) }
  }

  static func read(_ leaf: Block, _ slot: Int) -> [UInt8] { BytesLeaf.withBytes(leaf, slot) { Array($0) } }

  static func holds(_ leaf: Block, _ slot: Int, _ value: [UInt8]) -> Bool {
    BytesLeaf.withBytes(leaf, slot) { $0.count == value.count && memcmp($0.baseAddress!, value, value.count) == 0 }
  }

  static func set(_ leaf: Block?, _ slot: Int, _ value: [UInt8], slotCount: Int, store: BlockStore) -> Block {
    // If the leaf has such a value already, the source lies inside the leaf.
    if let leaf, let twin = (0..<min(slotCount, 3)).first(where: { holds(leaf, $0, value) }) {
      return BytesLeaf.set(leaf, slot, BytesLeaf.bytes(leaf, twin), slotCount: slotCount, store: store)
    }
    return value.withUnsafeBytes { BytesLeaf.set(leaf, slot, $0, slotCount: slotCount, store: store) }
  }

  static func rebuild(_ first: LeafSurvivors, _ second: LeafSurvivors, store: BlockStore) -> Block {
    BytesLeaf.rebuild(first, second, store: store)
  }

  static func checkInvariants(_ leaf: Block, slotCount: Int) { BytesLeaf.checkInvariants(leaf, slotCount: slotCount) }

  static func checkScans(_ leaf: Block, _ values: [[UInt8]?], _ random: inout SeededGenerator, _ context: String) {
    let count = random.below(values.count + 1)
    let values = (0..<count).map { values[$0] ?? [] }
    let whole = values.randomElement(using: &random) ?? [1]
    let needle = [whole, Array(whole.prefix(4)), Array(whole.suffix(4)), Array(whole.dropFirst().prefix(9))][
      random.below(4)]
    let relations: [(BytesLeaf.Relation, ([UInt8]) -> Bool)] = [
      (.equals, { $0 == needle }),
      (.contains, { contains($0, needle) }),
      (.hasPrefix, { $0.starts(with: needle) }),
      (.hasSuffix, { $0.suffix(needle.count) == needle[...] }),
    ]
    for (relation, matches) in relations {
      let found = needle.withUnsafeBytes { needle in
        maskOf { BytesLeaf.match(leaf, count: count, relation, needle, into: $0) }
      }
      #expect(found == maskOf(values.map(matches)), "\(context), \(relation), \(needle.count) bytes")
    }
  }
}

@Suite struct BytesLeafTests {
  @Test(arguments: [UInt64(1), 2], 0...4)
  func model(seed: UInt64, mode: Int) {
    var model = LeafModel<Bytes>(seed: seed, mode: mode)
    model.run(transactions: 250)
    #expect(model.largest > 60)
  }

  @Test func strings() {
    let store = BlockStore()
    var leaf: Block?
    var strings = ["", "a", "\0", "ab\0", "é", "雪", "🦊🦊🦊", "🦊🦊🦊abc", "exactly15bytes!", "exactly16bytes!!"]
    for count in 0...40 {
      strings.append(String(repeating: "x", count: count))
      strings.append("é" + String(repeating: "y", count: count))
    }
    strings.append(String(repeating: "long ", count: 1000))
    for (slot, string) in strings.enumerated() { leaf = BytesLeaf.append(leaf, slot, string, store: store) }
    for (slot, string) in strings.enumerated() {
      let read = BytesLeaf.string(leaf!, slot)
      #expect(read == string && Array(read.utf8) == Array(string.utf8) && read.hashValue == string.hashValue)
    }
    #expect(SmallString.agrees)
    #expect(
      maskOf { BytesLeaf.match(leaf!, count: strings.count, .hasPrefix, "é", into: $0) }
        == maskOf(
          strings.map { $0.hasPrefix("é") }))
  }

  /// The arena on both sides of what 16-bit ends can say.
  @Test func sixtyFourKilobytes() {
    for last in [0, 1, 2, 3, 254, 255, 256, 2047, 2048, 2049] {
      let store = BlockStore()
      var leaf: Block?
      var values: [[UInt8]] = []
      for slot in 0..<33 {
        // 32 values of 2040 bytes are 65280: 255 bytes are left.
        values.append(Array(repeating: UInt8(slot), count: slot < 32 ? 2040 : last))
        leaf = values[slot].withUnsafeBytes { BytesLeaf.append(leaf, slot, $0, store: store) }
        store.version += 1
      }
      #expect(leaf!.blockShift == (last <= 255 ? 1 : 2))
      BytesLeaf.checkInvariants(leaf!, slotCount: 33)
      for slot in 0..<33 { #expect(Array(BytesLeaf.bytes(leaf!, slot)) == values[slot]) }
      let survivors: [UInt16] = [0, 31]
      leaf = survivors.withUnsafeBufferPointer {
        BytesLeaf.rebuild(LeafSurvivors(leaf, slotCount: 33, $0), store: store)
      }
      #expect(leaf!.blockShift == 1)
      #expect(Array(BytesLeaf.bytes(leaf!, 1)) == values[31])
    }
  }

  /// In the transaction that shortens them, and whatever it wrote before.
  @Test func shortenedValuesGiveTheirRoomBack() {
    let store = BlockStore()
    var leaf: Block?
    for slot in 0..<256 {
      leaf = Bytes.set(leaf, slot, Array(repeating: 1, count: 200), slotCount: slot, store: store)
    }
    #expect(leaf!.blockSize > 50_000)
    var copyCount = 0
    for slot in 0..<256 {
      let before = leaf
      leaf = Bytes.set(leaf, slot, [UInt8(slot)], slotCount: 256, store: store)
      if leaf != before { copyCount += 1 }
    }
    BytesLeaf.checkInvariants(leaf!, slotCount: 256)
    for slot in 0..<256 { #expect(Bytes.read(leaf!, slot) == [UInt8(slot)]) }
    #expect(leaf!.blockSize < 4_000)
    #expect(copyCount <= 4)
    #expect(store.allocatedBlockCount == 1)
  }

  /// Nothing leaks and nothing is retired twice: what was made and not freed is either retired or part of the leaf.
  @Test(arguments: [UInt64(1), 2, 3])
  func retirement(seed: UInt64) {
    var model = LeafModel<Bytes>(seed: seed, mode: 4)
    model.run(transactions: 100, allowsRollback: false)
    let count = model.now.values.count
    let externals = (0..<count).filter { BytesLeaf.external(model.now.leaf!, $0) != nil }.count
    let retired = model.store.retired
    #expect(Set(retired).count == retired.count)
    #expect(model.store.allocatedBlockCount == retired.count + 1 + externals)
    BytesLeaf.retireAll(model.now.leaf!, slotCount: count, store: model.store)
    #expect(model.store.allocatedBlockCount == model.store.retired.count)
  }
}
