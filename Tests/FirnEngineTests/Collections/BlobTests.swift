import FirnEngine
import Testing

@Suite struct BlobTests {
  @Test func keepsBytesInlineUpToSeven() {
    let store = BlockStore()
    for count in [0, 1, 6, 7, 8, 9, 300, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 255) }
      let blob = bytes.withUnsafeBytes { Blob.make($0, store) }
      #expect(blob.isInline == (count <= 7))
      #expect(blob.count == count)
      #expect(blob.withBytes { Array($0) } == bytes)
      let again = bytes.withUnsafeBytes { Blob.make($0, store) }
      #expect(blob.hasBytes(of: again))
      #expect(!blob.hasBytes(of: (bytes + [0]).withUnsafeBytes { Blob.make($0, store) }))
      blob.retire(store)
      again.retire(store)
    }
    #expect(!Blob(word: 0).hasBytes(of: [].withUnsafeBytes { Blob.make($0, store) }))
    #expect(Blob(word: 0).withBytes { $0.count } == 0)
  }
}
