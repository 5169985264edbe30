/// A string or data value too big for an arena, in a block of its own that all versions of its leaf share.
///
///     ┌────────────────┬─────────────┬────────┬─────────┐
///     │ header, kind 4 │ length: u32 │ unused │ bytes → │
///     └────────────────┴─────────────┴────────┴─────────┘
///     0                16            20       24
@usableFromInline
package enum ExternalValue {
  @inlinable @inline(__always)
  package static var kind: UInt8 { 4 }

  /// The longest value that is kept in an arena.
  @inlinable @inline(__always)
  package static var arenaByteCountMax: Int { 2048 }

  @inlinable
  package static func bytes(_ block: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: block + 24, count: Int(block.load(fromByteOffset: 16, as: UInt32.self)))
  }

  /// - Parameter bytes: As many as ``BlockStore/fitting(_:)`` lets pass.
  package static func make(_ bytes: UnsafeRawBufferPointer, store: BlockStore) -> Block {
    let block = store.allocate(byteCount: 24 &+ bytes.count)
    block.blockKind = kind
    block.storeBytes(of: UInt32(bytes.count), toByteOffset: 16, as: UInt32.self)
    block.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
    (block + 24).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return block
  }
}
