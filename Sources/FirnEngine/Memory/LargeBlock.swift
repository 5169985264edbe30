/// What precedes a block that is too large for a span. Large blocks come from malloc and are linked, newest first, so
/// that those of the running transaction are a prefix of the list.
struct LargeBlock {
  var next, previous: UnsafeMutablePointer<LargeBlock>?

  static var byteCount: Int { 16 }
}

extension UnsafeMutablePointer<LargeBlock> {
  var block: Block { UnsafeMutableRawPointer(self) + LargeBlock.byteCount }

  init(of block: Block) {
    self = (block - LargeBlock.byteCount).assumingMemoryBound(to: LargeBlock.self)
  }
}
