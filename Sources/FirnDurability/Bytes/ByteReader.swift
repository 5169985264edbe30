/// Reads bytes from the front to the back and throws rather than read beyond the end.
///
/// Does not own the bytes; they stay where they are while the reader and what it returned are used. Nothing that the bytes
/// say makes it trap, loop for longer than they are, or allocate. A reader that has thrown may be used on; where it stands
/// then is not said.
package struct ByteReader {
  private let base: UnsafeRawPointer?
  private let end: Int
  /// How many bytes were read.
  package private(set) var offset = 0

  package init(_ bytes: UnsafeRawBufferPointer) {
    base = bytes.baseAddress
    end = bytes.count
  }

  /// How many bytes are left.
  package var remaining: Int { end &- offset }

  package var isAtEnd: Bool { offset == end }

  /// An error that points to where the reader stands.
  package func error(_ message: String) -> DecodingError { DecodingError(message, offset: offset) }

  /// Throws unless everything was read.
  package func expectEnd() throws(DecodingError) {
    if offset != end { throw error("\(remaining) bytes too many") }
  }

  // MARK: Numbers

  @inline(__always)
  package mutating func readByte() throws(DecodingError) -> UInt8 {
    guard offset < end else { throw tooShort(1) }
    let value = base.unsafelyUnwrapped.load(fromByteOffset: offset, as: UInt8.self)
    offset &+= 1
    return value
  }

  /// Reads a number of fixed width.
  @inline(__always)
  package mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(DecodingError) -> Number {
    guard MemoryLayout<Number>.size <= end &- offset else { throw tooShort(MemoryLayout<Number>.size) }
    let value = base.unsafelyUnwrapped.loadUnaligned(fromByteOffset: offset, as: type)
    offset &+= MemoryLayout<Number>.size
    return Number(littleEndian: value)
  }

  /// Reads an unsigned LEB128 number of at most ten bytes and 64 bits. Longer forms than needed are accepted.
  @inline(__always)
  package mutating func readVarint() throws(DecodingError) -> UInt64 {
    if offset < end {
      let first = base.unsafelyUnwrapped.load(fromByteOffset: offset, as: UInt8.self)
      if first < 0x80 {
        offset &+= 1
        return UInt64(first)
      }
    }
    return try readLongVarint()
  }

  @inline(never)
  private mutating func readLongVarint() throws(DecodingError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < end else { throw DecodingError("The bytes end inside a number", offset: start) }
      let byte = base.unsafelyUnwrapped.load(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if shift == 63, byte > 1 { throw DecodingError("A number has more than 64 bits", offset: start) }
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }

  /// Reads the zigzag form of a signed number.
  @inline(__always)
  package mutating func readSignedVarint() throws(DecodingError) -> Int64 {
    let value = try readVarint()
    return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads how many things follow, each of which takes at least `byteCountMin` bytes, so that nobody makes room for more
  /// than can be there.
  @inline(__always)
  package mutating func readCount(byteCountMin: Int = 1, max: Int = .max) throws(DecodingError) -> Int {
    let start = offset
    let value = try readVarint()
    guard value <= UInt64(truncatingIfNeeded: max) else {
      throw DecodingError("A count of \(value) is more than \(max)", offset: start)
    }
    let (byteCount, overflows) = Int(truncatingIfNeeded: value).multipliedReportingOverflow(by: byteCountMin)
    guard !overflows, byteCount <= end &- offset else {
      throw DecodingError("A count of \(value) is more than the \(end &- offset) bytes after it hold", offset: start)
    }
    return Int(truncatingIfNeeded: value)
  }

  // MARK: Bytes

  /// Reads bytes without copying them.
  @inline(__always)
  package mutating func readBytes(_ count: Int) throws(DecodingError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= end &- offset else { throw tooShort(count) }
    let bytes = UnsafeRawBufferPointer(start: base.map { $0 + offset }, count: count)
    offset &+= count
    return bytes
  }

  /// Reads a count and as many bytes of UTF-8.
  package mutating func readString(byteCountMax: Int = .max) throws(DecodingError) -> String {
    let start = offset
    let bytes = try readBytes(readCount(max: byteCountMax))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DecodingError("A text is not UTF-8", offset: start)
    }
    return text
  }

  @inline(never)
  private func tooShort(_ count: Int) -> DecodingError {
    error("\(count) bytes are needed where \(remaining) are left,")
  }
}
