/// The first 64 bits of a tuple of values, as a number that has the order of the tuples.
///
/// Tuples whose codes differ are in the order of the codes. The values are written one after the other, from the most
/// significant byte on, until there is no room:
///
/// | type | bytes of a value | null | null link |
/// |---|---|---|---|
/// | bool | 01 false, 02 true | 00 | FF |
/// | int, link | -16 ... 95 as 40 ... AF; else how many bytes follow, B1 ... B8 or 3F ... 38, and those | 00 | FF |
/// | float, double, date | the bits in an order-preserving form, all eight bytes | 0, NaN 1 | FFFFFFFFFFFFFFFF |
/// | string, data | each byte plus 3, then 02; what would be above FA ends the code with FB | 00 | FF |
/// | object id, UUID | 01 and the bytes | 00 | FF |
/// | decimal | 01 NaN, else sign and decimal exponent in four bytes | 00 | FF |
/// | mixed | the rank of the kind plus 1, of strings the bytes as above | 00 | FF |
///
/// No value's bytes begin those of another, so what follows a value that is written wholly decides between tuples that
/// agree in it.
struct OrderedCode {
  /// The bytes written so far, left-aligned.
  private(set) var bits: UInt64 = 0
  private var room = 64
  /// How many values have been written wholly: where these agree in two codes, the values are equal.
  private(set) var exactCount = 0
  private var isClosed = false

  /// The greatest code that begins with what was written.
  var last: UInt64 { room == 0 ? bits : bits | UInt64.max &>> UInt64(64 &- room) }

  @inline(__always)
  mutating func append(_ value: OrderedValue, _ type: ColumnType) {
    if isClosed { return }
    switch type {
    case .bool: append(numbered: value) { $0.append(byte: UInt8(1 &+ value.number)) }
    case .int, .link: append(numbered: value) { $0.append(int: value.int) }
    case .float, .double, .date: append(real: value)
    case .string, .data: append(numbered: value) { $0.append(text: value.bytes) }
    case .objectID, .uuid: append(numbered: value) { $0.append(fixed: value.bytes) }
    case .decimal128: append(numbered: value) { $0.append(decimal: value.bytes.loadUnaligned(as: Bytes16.self)) }
    case .mixed: append(numbered: value) { $0.append(mixed: value.bytes) }
    }
    if !isClosed { exactCount &+= 1 }
  }

  // MARK: Types

  /// Null and null links are one byte.
  @inline(__always)
  private mutating func append(numbered value: OrderedValue, _ write: (inout OrderedCode) -> Void) {
    switch value.rank {
    case .null: append(byte: 0)
    case .missing: append(byte: 0xFF)
    case .notANumber, .value: write(&self)
    }
  }

  @inline(__always)
  private mutating func append(real value: OrderedValue) {
    switch value.rank {
    case .null: append(0, byteCount: 8)
    case .notANumber: append(1, byteCount: 8)
    case .value: append(value.number, byteCount: 8)
    case .missing: append(.max, byteCount: 8)
    }
  }

  private mutating func append(int: Int64) {
    if int >= -16, int < 96 { return append(byte: UInt8(truncatingIfNeeded: int &+ 0x50)) }
    if int >= 0 {
      let rest = UInt64(int) &- 96
      let byteCount = Self.byteCount(rest)
      append(byte: UInt8(0xB0 &+ byteCount))
      append(rest, byteCount: byteCount)
    } else {
      // Below -16: the further, the more bytes, and the smaller each.
      let rest = UInt64(bitPattern: -17 &- int)
      let byteCount = Self.byteCount(rest)
      append(byte: UInt8(0x40 &- byteCount))
      append(~rest, byteCount: byteCount)
    }
  }

  private static func byteCount(_ number: UInt64) -> Int { max(1, (71 &- number.leadingZeroBitCount) &>> 3) }

  private mutating func append(text: UnsafeRawBufferPointer) {
    for byte in text {
      if byte > 0xF7 {
        append(byte: 0xFB)
        isClosed = true
      } else {
        append(byte: byte &+ 3)
      }
      if isClosed { return }
    }
    append(byte: 2)
  }

  private mutating func append(fixed bytes: UnsafeRawBufferPointer) {
    append(byte: 1)
    for byte in bytes where !isClosed { append(byte: byte) }
  }

  /// The place of the first digit decides between numbers of one sign unless it is the same.
  private mutating func append(decimal bits: Bytes16) {
    let decimal = DecimalFloat(bits)
    if decimal.isNaN { return append(byte: 1) }
    if decimal.isZero { return append(byte: 3) }
    append(byte: decimal.isNegative ? 2 : 4)
    let top = decimal.kind == .infinite ? 1 << 20 : decimal.exponent + DecimalPowers.digitCount(decimal.coefficient)
    let place = UInt64(top + 1 << 14)
    append(decimal.isNegative ? ~place : place, byteCount: 3)
    isClosed = true
  }

  private mutating func append(mixed bytes: UnsafeRawBufferPointer) {
    let value = MixedBytes.value(bytes)
    append(byte: UInt8(1 + value.kindRank))
    if case .string = value { return append(text: UnsafeRawBufferPointer(rebasing: bytes[1...])) }
    isClosed = true
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func append(byte: UInt8) { append(UInt64(byte), byteCount: 1) }

  /// Writes the low bytes of a number, most significant first; closes the code when they do not fit.
  @inline(__always)
  private mutating func append(_ number: UInt64, byteCount: Int) {
    if isClosed { return }
    let width = 8 &* byteCount
    let kept = width == 64 ? number : number & ((1 &<< UInt64(width)) &- 1)
    if width <= room {
      room &-= width
      bits |= kept &<< UInt64(room)
      return
    }
    if room > 0 { bits |= kept &>> UInt64(width &- room) }
    room = 0
    isClosed = true
  }
}
