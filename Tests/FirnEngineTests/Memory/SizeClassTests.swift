import FirnEngine
import Testing

@Suite struct SizeClassTests {
  @Test func everySizeGetsABlockThatHoldsItAndWastesLittle() {
    let store = BlockStore()
    for byteCount in 16...20_000 {
      let block = store.allocate(byteCount: byteCount)
      let size = block.blockSize
      #expect(size >= byteCount && size % 16 == 0)
      #expect(size <= max(32, byteCount + 16 + byteCount / 4), "\(byteCount) bytes got \(size)")
      // The same size asked for again gets the same block: classes do not overlap.
      store.free(block)
      let again = store.allocate(byteCount: size)
      #expect(again.blockSize == size)
      store.free(again)
    }
    store.checkInvariants()
    #expect(store.allocatedByteCount == 0)
  }
}
