/// A raw block of the engine's own memory: every node and leaf of the graph is one.
///
///     ┌──────────────┬──────────────┬──────┬───────┬─────────┬──────────┐
///     │ birth: u64   │ size: u32    │ kind │ shift │ written │ payload →│
///     └──────────────┴──────────────┴──────┴───────┴─────────┴──────────┘
///     0              8              12     13      14        16
///
/// - `birth` is the version that created the block. A transaction writes in place only into blocks of its own version,
///   with one exception: it may append to a leaf beyond what any published version shows.
/// - `size` is the usable size in bytes, header included; the allocator finds the size class from it.
/// - `kind`, `shift` and `written` belong to the node type. `written` counts the slots of a leaf that were ever written;
///   only the writer looks at it.
@usableFromInline
package typealias Block = UnsafeMutableRawPointer

extension UnsafeRawPointer {
  /// The version that created this block.
  @inlinable @inline(__always)
  package var blockBirth: UInt64 { load(as: UInt64.self) }

  /// The usable bytes of this block, header included.
  @inlinable @inline(__always)
  package var blockSize: Int { Int(load(fromByteOffset: 8, as: UInt32.self)) }

  @inlinable @inline(__always)
  package var blockKind: UInt8 { load(fromByteOffset: 12, as: UInt8.self) }

  @inlinable @inline(__always)
  package var blockShift: UInt8 { load(fromByteOffset: 13, as: UInt8.self) }

  @inlinable @inline(__always)
  package var blockWritten: Int { Int(load(fromByteOffset: 14, as: UInt16.self)) }
}

extension UnsafeMutableRawPointer {
  /// The version that created this block.
  @inlinable @inline(__always)
  package var blockBirth: UInt64 { load(as: UInt64.self) }

  /// The usable bytes of this block, header included.
  @inlinable @inline(__always)
  package var blockSize: Int { Int(load(fromByteOffset: 8, as: UInt32.self)) }

  @inlinable @inline(__always)
  package var blockKind: UInt8 {
    get { load(fromByteOffset: 12, as: UInt8.self) }
    nonmutating set { storeBytes(of: newValue, toByteOffset: 12, as: UInt8.self) }
  }

  @inlinable @inline(__always)
  package var blockShift: UInt8 {
    get { load(fromByteOffset: 13, as: UInt8.self) }
    nonmutating set { storeBytes(of: newValue, toByteOffset: 13, as: UInt8.self) }
  }

  @inlinable @inline(__always)
  package var blockWritten: Int {
    get { Int(load(fromByteOffset: 14, as: UInt16.self)) }
    nonmutating set { storeBytes(of: UInt16(truncatingIfNeeded: newValue), toByteOffset: 14, as: UInt16.self) }
  }
}

/// The size of a block's header in bytes.
@inlinable @inline(__always)
package var blockHeaderSize: Int { 16 }
