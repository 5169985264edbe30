/// Which cells of one cluster the running transaction wrote: a 256-bit mask per column, twice.
///
/// The first masks serve the fast path of setters: a set bit says that nothing but the store itself is left to do. They
/// are cleared when a query looks at the table inside the transaction, so that the next write is noticed again. The
/// second masks only grow; the change set is made from them.
@usableFromInline
package enum DirtyRecord {
  @inlinable @inline(__always)
  package static func isMarked(_ record: UnsafeRawPointer, column: Int, slot: Int) -> Bool {
    record.load(fromByteOffset: column &* 32 &+ (slot &>> 6) &* 8, as: UInt64.self) &>> UInt64(slot & 63) & 1 != 0
  }

  static func make(columnCount: Int) -> UnsafeMutableRawPointer {
    let record = UnsafeMutableRawPointer.allocate(byteCount: columnCount * 64, alignment: 32)
    record.initializeMemory(as: UInt8.self, repeating: 0, count: columnCount * 64)
    return record
  }

  @inline(__always)
  static func mark(_ record: UnsafeMutableRawPointer, column: Int, slot: Int, columnCount: Int) {
    let words = record.assumingMemoryBound(to: UInt64.self) + (column &* 4 &+ slot &>> 6)
    let bit: UInt64 = 1 &<< UInt64(slot & 63)
    words.pointee |= bit
    (words + columnCount &* 4).pointee |= bit
  }

  static func clearFastMasks(_ record: UnsafeMutableRawPointer, columnCount: Int) {
    record.initializeMemory(as: UInt8.self, repeating: 0, count: columnCount * 32)
  }

  /// The accumulated mask of a column.
  static func mask(_ record: UnsafeRawPointer, column: Int, columnCount: Int) -> UnsafePointer<UInt64> {
    record.assumingMemoryBound(to: UInt64.self) + (columnCount + column) * 4
  }
}
