/// Which cells of one cluster the running transaction wrote: a 256-bit mask per column, twice.
///
///     0 logs        not 0 when the writer lists every row that is written
///     64 columns …  for each column 32 bytes of fast mask, 32 bytes of accumulated mask
///
/// The fast masks serve setters: a set bit says that nothing but the store itself is left to do. They are cleared when a
/// query looks at the table inside the transaction, so that the next write is noticed again. The accumulated masks only
/// grow; the change set is made from them.
@usableFromInline
package enum DirtyRecord {
  @inlinable @inline(__always) package static var headerByteCount: Int { 64 }

  @inlinable @inline(__always)
  package static func isMarked(_ record: UnsafeRawPointer, column: Int, slot: Int) -> Bool {
    let word = headerByteCount &+ column &* 64 &+ (slot &>> 6) &* 8
    return record.load(fromByteOffset: word, as: UInt64.self) &>> UInt64(slot & 63) & 1 != 0
  }

  /// Whether somebody has to be told of each row that is marked.
  @inlinable @inline(__always)
  package static func logs(_ record: UnsafeRawPointer) -> Bool { record.load(as: UInt64.self) != 0 }

  static func setLogs(_ record: UnsafeMutableRawPointer) { record.storeBytes(of: 1, as: UInt64.self) }

  static func make(columnCount: Int, logs: Bool) -> UnsafeMutableRawPointer {
    let byteCount = headerByteCount + columnCount * 64
    let record = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    record.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    if logs { setLogs(record) }
    return record
  }

  @inlinable @inline(__always)
  package static func mark(_ record: UnsafeMutableRawPointer, column: Int, slot: Int) {
    let words = (record + headerByteCount).assumingMemoryBound(to: UInt64.self) + (column &* 8 &+ slot &>> 6)
    let bit: UInt64 = 1 &<< UInt64(slot & 63)
    words.pointee |= bit
    (words + 4).pointee |= bit
  }

  static func clearFastMasks(_ record: UnsafeMutableRawPointer, columnCount: Int) {
    for column in 0..<columnCount {
      (record + headerByteCount + column * 64).initializeMemory(as: UInt8.self, repeating: 0, count: 32)
    }
  }

  /// The accumulated mask of a column.
  static func mask(_ record: UnsafeRawPointer, column: Int) -> UnsafePointer<UInt64> {
    (record + headerByteCount).assumingMemoryBound(to: UInt64.self) + column * 8 + 4
  }
}
