import Testing

@testable import FirnEngine

@Suite struct BlockStoreAdoptingTests {
  /// A store that took over others owns their blocks like its own.
  @Test(arguments: [UInt64(1), 2, 3])
  func adoptedBlocksAreLikeOthers(seed: UInt64) {
    print("Adopting seed \(seed)")
    var random = BlockTestRandom(seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var blocks = blocks(of: store, &random)
    for _ in 0..<3 {
      let other = BlockStore(poisonsFreedBlocks: true)
      blocks += self.blocks(of: other, &random)
      store.adopt(other)
      other.checkInvariants()
      #expect(other.allocatedBlockCount == 0 && other.mappedByteCount == 0)
      store.checkInvariants()
      #expect(store.allocatedBlockCount == blocks.count)
      #expect(store.allocatedByteCount == blocks.reduce(0) { $0 + $1.blockSize })
      blocks += self.blocks(of: store, &random)
      store.checkInvariants()
    }
    #expect(Set(store.blocks(bornAfter: 0)) == Set(blocks))
    blocks.shuffle(using: &random)
    store.free(contentsOf: blocks)
    store.checkInvariants()
    #expect(store.allocatedBlockCount == 0 && store.usedSpanByteCount == 0)
    #expect(store.mappedByteCount <= 4 << 20)
  }

  @Test func emptyStoresAreAdopted() {
    let store = BlockStore()
    store.adopt(BlockStore())
    store.checkInvariants()
    let other = BlockStore()
    other.free(other.allocate(byteCount: 64))
    store.adopt(other)
    store.checkInvariants()
    #expect(store.mappedByteCount == 0)
  }

  /// Blocks of all sizes, of which some were freed again.
  private func blocks(of store: BlockStore, _ random: inout BlockTestRandom) -> [Block] {
    var blocks: [Block] = []
    for _ in 0..<3000 {
      let size = Int.random(in: 0..<40, using: &random) == 0 ? 20_000 : Int.random(in: 32...5000, using: &random)
      blocks.append(store.allocate(byteCount: size))
    }
    blocks.shuffle(using: &random)
    let gone = Int.random(in: 0..<2, using: &random) == 0 ? 10 : 2500
    store.free(contentsOf: Array(blocks.prefix(gone)))
    return Array(blocks.dropFirst(gone))
  }
}
