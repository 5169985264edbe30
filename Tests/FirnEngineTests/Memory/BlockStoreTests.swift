import Glibc
import Testing

@testable import FirnEngine

extension BlockStore {
  /// Bytes of the spans in use and of the large blocks: what fragmentation is measured by.
  var usedSpanByteCount: Int { spanCount * BlockSpan.byteCount + largeByteCount }
}

@Suite struct BlockStoreTests {
  /// Random allocations, copies, retirements, commits and roll-backs against a list of what every block must hold.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func randomOperationsKeepContents(seed: UInt64) {
    var random = BlockTestRandom(seed)
    let store = BlockStore(poisonsFreedBlocks: seed % 2 == 0)
    /// Living blocks and the number that fills them.
    var model: [Block: UInt64] = [:]
    var counter: UInt64 = 0
    var version: UInt64 = 1
    for _ in 0..<120 {
      version += 1
      store.beginTransaction(version: version)
      let before = model
      var retired: Set<Block> = []
      let sizes = random.sizes()
      for _ in 0..<random.below(300) {
        let candidate = model.isEmpty ? nil : model.randomElement(using: &random)
        switch random.below(5) {
        case 0, 1:
          counter += 1
          let block = store.allocate(byteCount: Int.random(in: sizes, using: &random))
          #expect(UInt(bitPattern: block) % 16 == 0 && block.blockKind == 0 && block.blockWritten == 0)
          fill(block, counter)
          #expect(model.updateValue(counter, forKey: block) == nil, "seed \(seed): block handed out twice")
        case 2:
          guard let (block, number) = candidate, !retired.contains(block) else { continue }
          block.blockKind = 7
          block.blockWritten = 300
          if !store.owns(block) { retired.insert(block) } else { model[block] = nil }
          let copy = store.replace(
            block, usedByteCount: block.blockSize, capacity: block.blockSize + random.below(100))
          #expect(copy.blockKind == 7 && copy.blockWritten == 300 && copy.blockBirth == version)
          fill(copy, number)
          #expect(model.updateValue(number, forKey: copy) == nil, "seed \(seed): copy overlaps")
        default:
          guard let (block, _) = candidate, !retired.contains(block) else { continue }
          if store.owns(block) { model[block] = nil } else { retired.insert(block) }
          store.retire(block)
        }
      }
      #expect(Set(store.made) == Set(model.keys.filter { $0.blockBirth == version }), "seed \(seed)")
      #expect(Set(store.retired) == retired, "seed \(seed)")
      if random.below(3) == 0 {
        store.rollback()
        model = before
      } else {
        let given = store.endTransaction()
        #expect(given.count == retired.count && store.retired.isEmpty)
        for block in given { model[block] = nil }
        store.free(contentsOf: given)
      }
      for (block, number) in model where !isFilled(block, number) {
        Issue.record("seed \(seed), version \(version): contents changed")
      }
      #expect(Set(store.blocks(bornAfter: 0)) == Set(model.keys), "seed \(seed)")
      #expect(store.allocatedBlockCount == model.count)
      #expect(store.allocatedByteCount == model.keys.reduce(0) { $0 + $1.blockSize })
      store.checkInvariants()
    }
    store.free(contentsOf: Array(model.keys))
    store.checkInvariants()
    #expect(store.allocatedBlockCount == 0 && store.allocatedByteCount == 0 && store.usedSpanByteCount == 0)
    #expect(store.mappedByteCount <= 4 << 20)
  }

  @Test func memoryReturns() {
    let store = BlockStore()
    var blocks: [Block] = []
    for size in [48, 2064, 9000, 40_000] {
      for _ in 0..<(32 << 20) / size { blocks.append(store.allocate(byteCount: size)) }
    }
    #expect(store.mappedByteCount >= 128 << 20)
    var random = BlockTestRandom(5)
    blocks.shuffle(using: &random)
    store.free(contentsOf: blocks)
    #expect(store.mappedByteCount == 4 << 20)
    #expect(store.usedSpanByteCount == 0)
    store.checkInvariants()
  }

  @Test func memoryOfUnusedSpansReturnsWhenMoreThanHalfIsFree() {
    let store = BlockStore()
    let blocks = (0..<20_000).map { _ in store.allocate(byteCount: 4096) }
    let peak = store.mappedByteCount
    #expect(peak >= 80 << 20)
    store.returnFreeMemory()
    #expect(store.mappedByteCount == peak)
    // One block in every span of every region but the first keeps the regions, one span in eight stays in use.
    let kept = stride(from: 0, to: blocks.count, by: 128).map { blocks[$0] }
    for block in kept { memset(block + 16, 7, 4080) }
    let keptSet = Set(kept)
    store.free(contentsOf: blocks.filter { !keptSet.contains($0) })
    #expect(store.mappedByteCount >= peak - 8 << 20)
    store.returnFreeMemory()
    store.checkInvariants()
    #expect(store.mappedByteCount < peak / 4)
    #expect(store.mappedByteCount >= store.usedSpanByteCount)
    for block in kept {
      #expect(UnsafeRawBufferPointer(start: block + 16, count: 4080).allSatisfy { $0 == 7 })
    }
    // With less than half free nothing is given back, and what was is used again.
    let more = (0..<12_000).map { _ in store.allocate(byteCount: 4096) }
    for block in more { memset(block + 16, 9, 4080) }
    store.checkInvariants()
    let mapped = store.mappedByteCount
    store.returnFreeMemory()
    #expect(store.mappedByteCount == mapped)
    #expect(mapped >= store.usedSpanByteCount)
    store.free(contentsOf: kept + more)
    store.returnFreeMemory()
    store.checkInvariants()
    #expect(store.mappedByteCount <= 4 << 20)
  }

  /// The region that is kept because it is the first one without blocks gives back its memory, too.
  @Test func memoryOfTheSpareRegionReturns() {
    let store = BlockStore()
    let blocks = (0..<8_000).map { _ in store.allocate(byteCount: 4_096) }
    // The first third lies in regions of which nothing stays, the rest in such of which little does.
    let kept = stride(from: 3_000, to: blocks.count, by: 128).map { blocks[$0] }
    let keptSet = Set(kept)
    store.free(contentsOf: blocks.filter { !keptSet.contains($0) })
    store.returnFreeMemory()
    store.checkInvariants()
    #expect(store.mappedByteCount <= store.usedSpanByteCount + 1 << 20)
    // Memory that was given back is as good as new.
    let more = (0..<6_000).map { _ in store.allocate(byteCount: 4_096) }
    for (number, block) in more.enumerated() { fill(block, UInt64(number)) }
    for (number, block) in more.enumerated() { #expect(isFilled(block, UInt64(number))) }
    store.checkInvariants()
    store.free(contentsOf: kept + more)
    store.checkInvariants()
    #expect(store.mappedByteCount <= 4 << 20)
  }

  /// A roll-back must not take memory for a block of the transaction that the transaction itself freed and that now is
  /// the inside of a larger block.
  @Test func rollbackAfterReuseInTheSameTransaction() {
    let store = BlockStore(poisonsFreedBlocks: true)
    let kept = store.allocate(byteCount: 64)
    _ = store.endTransaction()
    store.beginTransaction(version: 2)
    for round in 0..<3 {
      var blocks: [Block] = []
      for _ in 0..<5000 { blocks.append(store.allocate(byteCount: 32 << round)) }
      for block in blocks { store.retire(block) }
    }
    let large = store.allocate(byteCount: 100_000)
    store.retire(large)
    for _ in 0..<1000 {
      let block = store.allocate(byteCount: 4096)
      for offset in stride(from: 16, to: 4096, by: 8) { block.storeBytes(of: 2, toByteOffset: offset, as: UInt64.self) }
    }
    _ = store.replace(kept, usedByteCount: 64, capacity: 64)
    store.rollback()
    #expect(store.allocatedBlockCount == 1 && store.retired.isEmpty && store.blocks(bornAfter: 0) == [kept])
    store.checkInvariants()
  }

  @Test func freedBlocksArePoisoned() {
    let store = BlockStore(poisonsFreedBlocks: true)
    let other = store.allocate(byteCount: 64)
    let block = store.allocate(byteCount: 64)
    fill(block, 9)
    store.free(block)
    #expect(block.blockBirth == 0)
    #expect(block.load(fromByteOffset: 32, as: UInt64.self) == 0xDBDB_DBDB_DBDB_DBDB)
    store.free(other)
  }

  private func fill(_ block: Block, _ number: UInt64) {
    var offset = 16
    while offset < block.blockSize {
      block.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
  }

  private func isFilled(_ block: Block, _ number: UInt64) -> Bool {
    var offset = 16
    while offset < block.blockSize {
      if block.load(fromByteOffset: offset, as: UInt64.self) != number { return false }
      offset += 8
    }
    return true
  }
}
