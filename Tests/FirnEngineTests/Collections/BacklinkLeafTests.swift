import FirnEngine
import Testing

@Suite struct BacklinkLeafTests {
  private typealias Model = [[UInt64]]

  private func sources(_ leaf: UnsafeRawPointer?, _ slot: Int) -> [UInt64] {
    var sources: [UInt64] = []
    BacklinkLeaf.forEach(leaf, slot) { sources.append($0) }
    return sources
  }

  private func contents(_ leaf: UnsafeRawPointer?) -> Model { (0..<256).map { sources(leaf, $0) } }

  /// Random changes of all kinds against arrays; old leaves are compared at the end.
  @Test(
    arguments: [
      (1, 16, 1 << 20, 3), (2, 64, 1 << 20, 3), (3, 256, 1 << 20, 20), (4, 64, 1 << 34, 4), (5, 256, 50, 10),
      (6, 16, 1 << 33, 2),
    ] as [(seed: UInt64, capacity: Int, span: UInt64, hot: Int)])
  func behavesLikeArrays(seed: UInt64, capacity: Int, span: UInt64, hot: Int) {
    print("BacklinkLeaf seed \(seed)")
    var random = SeededGenerator(seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var leaf: Block?
    var model = Model(repeating: [], count: 256)
    var versions: [(leaf: Block?, model: Model)] = []
    for step in 0..<6_000 {
      if random.next() % 4 == 0 {
        store.version += 1
        if step % 40 == 0 { versions.append((leaf, model)) }
      }
      // Spans above 2^32 come late, so that both widths and the change between them are met.
      let span = step < 1_500 ? min(span, 1 << 30) : span
      let slot = Int(random.next() % UInt64(random.next() % 2 == 0 ? hot : capacity))
      let grows = (step / 1_000) % 2 == 0
      switch random.next() % 100 {
      case 0:
        if let old = leaf { leaf = BacklinkLeaf.clear(old, slot, store) }
        model[slot] = []
      case 1:
        let kept = (0..<capacity).filter { _ in random.next() % 8 > 0 }
        leaf = kept.map { UInt16($0) }.withUnsafeBufferPointer {
          BacklinkLeaf.rebuild(leaf, keeping: $0, capacity: capacity, store)
        }
        model = kept.map { model[$0] } + Model(repeating: [], count: 256 - kept.count)
      case 2, 3, 4:
        let count = Int(random.next() % 80)
        let links = (0..<count).map { index in
          Backlink(
            slot: UInt16(index % 3 == 0 ? slot : Int(random.next() & UInt64(capacity - 1))),
            source: random.next() % span)
        }.sorted { ($0.slot, $0.source) < ($1.slot, $1.source) }
        leaf = links.withUnsafeBufferPointer { BacklinkLeaf.addAll(leaf, sorted: $0, capacity: capacity, store) }
        for link in links { model[Int(link.slot)].append(link.source) }
        for slot in 0..<256 { model[slot].sort() }
      case 5:
        guard let existing = leaf else { continue }
        var links: [Backlink] = []
        for slot in 0..<capacity {
          for source in model[slot] where random.next() % 6 == 0 {
            links.append(Backlink(slot: UInt16(slot), source: source))
          }
        }
        leaf = links.withUnsafeBufferPointer { BacklinkLeaf.removeAll(existing, sorted: $0, store) }
        for link in links {
          let place = model[Int(link.slot)].firstIndex(of: link.source)!
          model[Int(link.slot)].remove(at: place)
        }
      case 6:
        guard let existing = leaf else { continue }
        let slots = (0..<capacity).filter { _ in random.next() % 8 == 0 }
        leaf = BacklinkLeaf.clearAll(existing, slots, store)
        for slot in slots { model[slot] = [] }
      case 7..<(grows ? 32 : 87):
        guard let source = model[slot].randomElement(using: &random) else { continue }
        leaf = BacklinkLeaf.remove(leaf!, slot, source, store)
        model[slot].remove(at: model[slot].firstIndex(of: source)!)
      default:
        let source = random.next() % span
        leaf = BacklinkLeaf.add(leaf, slot, source, capacity: capacity, store)
        model[slot].append(source)
        model[slot].sort()
      }
      BacklinkLeaf.checkInvariants(leaf)
      #expect(BacklinkLeaf.count(leaf, slot) == model[slot].count)
      #expect(sources(leaf, slot) == model[slot])
      #expect(Array(KeyIterator(BacklinkLeaf.sources(leaf, slot))) == model[slot])
      let source = random.next() % span
      #expect(BacklinkLeaf.contains(leaf, slot, source) == model[slot].contains(source))
      if let present = model[slot].first { #expect(BacklinkLeaf.contains(leaf, slot, present)) }
      if step % 20 == 0 { #expect(contents(leaf) == model) }
    }
    for version in versions { #expect(contents(version.leaf) == version.model) }
    store.version += 1
    BacklinkLeaf.retireAll(leaf, store)
    #expect(leakedBlockCount(store) == 0)
  }

  @Test func movesToASetAbove16AndBackBelow8() {
    let store = BlockStore()
    var leaf: Block?
    for source in 0..<16 as Range<UInt64> { leaf = BacklinkLeaf.add(leaf, 5, source, capacity: 16, store) }
    #expect(BacklinkLeaf.treeCount(leaf!) == 0)
    leaf = BacklinkLeaf.add(leaf, 5, 16, capacity: 16, store)
    #expect(BacklinkLeaf.treeCount(leaf!) == 1)
    for source in 8..<17 as Range<UInt64> { leaf = BacklinkLeaf.remove(leaf!, 5, source, store) }
    #expect(BacklinkLeaf.treeCount(leaf!) == 1)
    leaf = BacklinkLeaf.remove(leaf!, 5, 0, store)
    #expect(BacklinkLeaf.treeCount(leaf!) == 0)
    #expect(sources(leaf, 5) == Array(1..<8))
    for source in 1..<8 as Range<UInt64> { leaf = BacklinkLeaf.remove(leaf!, 5, source, store) }
    #expect(leaf == nil)
    #expect(store.allocatedBlockCount == 0)
  }

  @Test func growsWithTheCluster() {
    let store = BlockStore()
    var leaf = BacklinkLeaf.add(nil, 3, 10, capacity: 16, store)
    #expect(BacklinkLeaf.count(leaf, 200) == 0)
    #expect(!BacklinkLeaf.contains(leaf, 200, 10))
    for source in 0..<100 as Range<UInt64> { leaf = BacklinkLeaf.add(leaf, 15, source, capacity: 16, store) }
    leaf = BacklinkLeaf.add(leaf, 200, 11, capacity: 256, store)
    leaf = BacklinkLeaf.add(leaf, 1, 1 << 32, capacity: 256, store)
    BacklinkLeaf.checkInvariants(leaf)
    #expect(sources(leaf, 3) == [10])
    #expect(sources(leaf, 15) == Array(0..<100))
    #expect(sources(leaf, 200) == [11])
    #expect(sources(leaf, 1) == [1 << 32])
  }

  @Test func mergesTwoClusters() {
    let store = BlockStore()
    var first: Block?
    var second: Block?
    for slot in 0..<60 {
      first = BacklinkLeaf.add(first, slot, UInt64(slot), capacity: 64, store)
      second = BacklinkLeaf.add(second, slot, UInt64(slot) + 1 << 40, capacity: 64, store)
    }
    for source in 0..<70 as Range<UInt64> {
      first = BacklinkLeaf.add(first, 8, source, capacity: 64, store)
      first = BacklinkLeaf.add(first, 9, source, capacity: 64, store)
      second = BacklinkLeaf.add(second, 12, source, capacity: 64, store)
    }
    store.version += 1
    let keptFirst: [UInt16] = [1, 9, 30]
    let keptSecond: [UInt16] = [0, 12, 59]
    let merged = keptFirst.withUnsafeBufferPointer { kept in
      keptSecond.withUnsafeBufferPointer {
        BacklinkLeaf.merge(first, keeping: kept, second, keeping: $0, capacity: 16, store)
      }
    }
    BacklinkLeaf.checkInvariants(merged)
    #expect(sources(merged, 0) == [1])
    #expect(sources(merged, 1) == (Array(0..<70) + [9]).sorted())
    #expect(sources(merged, 2) == [30])
    #expect(sources(merged, 3) == [1 << 40])
    #expect(sources(merged, 4) == Array(0..<70) + [12 + 1 << 40])
    #expect(sources(merged, 5) == [59 + 1 << 40])
    // The old leaves are as they were.
    #expect(sources(first, 8).count == 71)
    #expect(sources(second, 12).count == 71)
    store.version += 1
    BacklinkLeaf.retireAll(merged, store)
    #expect(leakedBlockCount(store) == 0)
  }
}
