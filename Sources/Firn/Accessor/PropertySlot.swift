/// Where a property's value lies, packed into the *slot word* that its wrapper holds. A *slot* alone is the position of
/// a row in its cluster.
///
///     bits  0-15  offset of the leaf pointer (or the bits of a Bool) in a cluster
///          16-31  offset of the null mask in a cluster; of a link or list, offset of the wrapper's value in the accessor
///          32-47  column
///             48  set: managed
///             49  set: interned string or data
///             50  set: written by the writer only: indexed, key, link, list
///             63  set: frozen
///
/// An unmanaged property has 0, or bit 63 and what its declaration says: bit 0 hash index, bit 1 primary key, bits 3 and 4
/// the delete rule, bit 5 ordered index, bit 6 unique index. Bit 63 and bit 2 stand in accessors, for an ignored property whose initial value was not evaluated.
@usableFromInline
package enum PropertySlot {
  @inlinable @inline(__always)
  package static func leafOffset(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & 0xffff) }

  @inlinable @inline(__always)
  package static func nullOffset(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot &>> 16 & 0xffff) }

  @inlinable @inline(__always)
  package static func cacheOffset(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot &>> 16 & 0xffff) }

  @inlinable @inline(__always)
  package static func column(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot &>> 32 & 0xffff) }

  /// Managed and not frozen.
  @inlinable @inline(__always)
  package static func isLive(_ slot: UInt64) -> Bool { Int64(bitPattern: slot) > 0 }

  @inlinable @inline(__always)
  package static func isManaged(_ slot: UInt64) -> Bool { slot & 1 &<< 48 != 0 }

  @inlinable @inline(__always)
  package static func isInterned(_ slot: UInt64) -> Bool { slot & 1 &<< 49 != 0 }

  @inlinable @inline(__always)
  package static func needsWriter(_ slot: UInt64) -> Bool { slot & 1 &<< 50 != 0 }

  @inlinable package static var declaredIndexed: UInt64 { 1 &<< 63 | 1 }
  @inlinable
  package static func declared(_ index: PropertyIndex) -> UInt64 {
    switch index {
    case .hash: declaredIndexed
    case .ordered: 1 &<< 63 | 1 &<< 5
    case .unique: 1 &<< 63 | 1 &<< 6
    }
  }

  /// The index that an unmanaged property declares.
  static func index(_ slot: UInt64) -> PropertyIndex? {
    slot & 1 != 0 ? .hash : slot & 1 << 5 != 0 ? .ordered : slot & 1 << 6 != 0 ? .unique : nil
  }

  @inlinable package static var declaredPrimaryKey: UInt64 { 1 &<< 63 | 2 }
  @inlinable package static func declared(_ deleteRule: UInt8) -> UInt64 { 1 &<< 63 | UInt64(deleteRule) &<< 3 }
  @inlinable package static var lostDefault: UInt64 { 1 &<< 63 | 4 }

  static func make(
    leafOffset: Int, second: Int, column: Int, isInterned: Bool, needsWriter: Bool, isFrozen: Bool
  ) -> UInt64 {
    UInt64(leafOffset) | UInt64(second) << 16 | UInt64(column) << 32 | 1 << 48 | (isInterned ? 1 << 49 : 0)
      | (needsWriter ? 1 << 50 : 0) | (isFrozen ? 1 << 63 : 0)
  }
}
