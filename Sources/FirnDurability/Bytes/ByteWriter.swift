internal import Glibc

/// Bytes in the making: a buffer that is only appended to and grows by doubling.
///
/// Everything is little-endian. Appending costs a check and a store; memory is kept when the writer is emptied, so one that
/// is used again allocates nothing. Running out of memory traps, as anywhere in Swift.
///
/// Sendable because it is the only owner of its memory.
package struct ByteWriter: ~Copyable, @unchecked Sendable {
  // State                  guarded by
  // base, capacity, count  exclusive access, since the value cannot be copied
  private var base: UnsafeMutableRawPointer?
  package private(set) var capacity: Int
  /// The number of bytes written.
  package private(set) var count: Int

  package init(capacity: Int = 0) {
    base = capacity > 0 ? malloc(capacity) : nil
    if capacity > 0, base == nil { fatalError("There is no memory for a buffer of \(capacity) bytes.") }
    self.capacity = max(0, capacity)
    count = 0
  }

  deinit { free(base) }

  package var isEmpty: Bool { count == 0 }

  /// What was written; valid until the writer is changed.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A copy of what was written.
  package func array() -> [UInt8] { withBytes { Array($0) } }

  // MARK: Room

  /// Makes room for `byteCount` more bytes and tells where they go. The caller fills them and calls ``advance(by:)``;
  /// nothing is written otherwise.
  @inline(__always)
  package mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if capacity &- count <= byteCount { grow(byteCount) }
    return base.unsafelyUnwrapped + count
  }

  /// Counts bytes that were written where ``reserve(_:)`` said; not more than were reserved.
  @inline(__always)
  package mutating func advance(by byteCount: Int) { count &+= byteCount }

  @inline(never)
  private mutating func grow(_ byteCount: Int) {
    if byteCount < 0 || byteCount > Int.max / 4 { fatalError("A buffer cannot take \(byteCount) more bytes.") }
    let capacity = max(count + byteCount + 1, self.capacity * 2, 256)
    guard let moved = realloc(base, capacity) else { fatalError("There is no memory for \(capacity) bytes.") }
    base = moved
    self.capacity = capacity
  }

  /// Forgets everything from `count` on, which is not more than was written.
  package mutating func truncate(to count: Int) {
    if count < 0 || count > self.count { fatalError("A buffer of \(self.count) bytes cannot be cut to \(count).") }
    self.count = count
  }

  /// Forgets everything. Memory beyond `keptCapacityMax` is given back.
  package mutating func removeAll(keptCapacityMax: Int = .max) {
    count = 0
    if capacity > keptCapacityMax {
      free(base)
      base = nil
      capacity = 0
    }
  }

  // MARK: Appending

  @inline(__always)
  package mutating func append(_ value: UInt8) {
    reserve(1).storeBytes(of: value, as: UInt8.self)
    count &+= 1
  }

  /// Appends a number of fixed width.
  @inline(__always)
  package mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ value: Number) {
    reserve(MemoryLayout<Number>.size).storeBytes(of: value.littleEndian, as: Number.self)
    count &+= MemoryLayout<Number>.size
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func appendZeros(_ byteCount: Int) {
    if byteCount == 0 { return }
    reserve(byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    count &+= byteCount
  }

  /// Appends an unsigned LEB128 number: seven bits to a byte, lowest first, at most ten bytes.
  @inline(__always)
  package mutating func appendVarint(_ value: UInt64) {
    let target = reserve(ByteWriter.varintByteCountMax)
    if value < 0x80 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      count &+= 1
      return
    }
    count &+= ByteWriter.storeLongVarint(value, at: target)
  }

  @inline(__always)
  package mutating func appendVarint(_ value: Int) { appendVarint(UInt64(truncatingIfNeeded: value)) }

  /// Appends a signed number as the varint of its zigzag form, in which small negative numbers are small.
  @inline(__always)
  package mutating func appendSignedVarint(_ value: Int64) {
    appendVarint(UInt64(bitPattern: value &<< 1 ^ value &>> 63))
  }

  /// Appends a count and as many bytes.
  @inline(__always)
  package mutating func appendCounted(_ bytes: UnsafeRawBufferPointer) {
    appendVarint(bytes.count)
    append(bytes)
  }

  package mutating func appendCounted(_ text: String) {
    var text = text
    text.withUTF8 { appendCounted(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Changing

  /// What was written, to be changed in place.
  package mutating func withMutableBytes<Result: ~Copyable>(
    _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    body(UnsafeMutableRawBufferPointer(start: base, count: count))
  }

  /// Overwrites a number of fixed width, which lies wholly in what was written.
  package mutating func overwrite<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, with value: Number) {
    if offset < 0 || offset > count - MemoryLayout<Number>.size {
      fatalError("A buffer of \(count) bytes has no number at \(offset).")
    }
    base.unsafelyUnwrapped.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Number.self)
  }

  package static var varintByteCountMax: Int { 10 }

  @inline(never)
  private static func storeLongVarint(_ value: UInt64, at target: UnsafeMutableRawPointer) -> Int {
    var rest = value
    var length = 0
    while rest >= 0x80 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: length, as: UInt8.self)
      rest &>>= 7
      length &+= 1
    }
    target.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: length, as: UInt8.self)
    return length &+ 1
  }
}
