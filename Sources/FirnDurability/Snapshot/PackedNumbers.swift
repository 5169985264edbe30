/// Numbers as differences from the smallest, each in as few bits as the largest difference takes.
///
///     base svarint, width u8, bits, 8 zero bytes
///
/// The zero bytes let a number be taken out of one unaligned load of 8 bytes; hence widths above 56 are made 64.
enum PackedNumbers {
  /// The bits for numbers from 0 through `span`.
  static func width(of span: UInt64) -> Int {
    let width = 64 - span.leadingZeroBitCount
    return width > 56 ? 64 : width
  }

  static func byteCount(_ count: Int, width: Int) -> Int { (count &* width &+ 7) / 8 &+ 8 }

  /// Appends the numbers with their head; they lie in `lowest ... highest`.
  @inline(__always)
  static func append(
    _ count: Int, lowest: Int64, highest: Int64, to writer: inout ByteWriter, _ value: (Int) -> Int64
  ) {
    let width = width(of: UInt64(bitPattern: highest &- lowest))
    writer.appendSignedVarint(lowest)
    writer.append(UInt8(width))
    appendBits(count, width: width, to: &writer) { UInt64(bitPattern: value($0) &- lowest) }
  }

  /// Appends the bits of numbers of at most `width` bits, and the zero bytes.
  @inline(__always)
  static func appendBits(_ count: Int, width: Int, to writer: inout ByteWriter, _ value: (Int) -> UInt64) {
    let byteCount = byteCount(count, width: width)
    let target = writer.reserve(byteCount)
    var position = 0
    if width > 0 {
      var word: UInt64 = 0
      var filled = 0
      var index = 0
      while index < count {
        let number = value(index)
        word |= number &<< UInt64(filled)
        filled &+= width
        if filled >= 64 {
          target.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
          position &+= 8
          filled &-= 64
          word = filled == 0 ? 0 : number &>> UInt64(width &- filled)
        }
        index &+= 1
      }
      target.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    while position < byteCount {
      target.storeBytes(of: 0, toByteOffset: position, as: UInt8.self)
      position &+= 1
    }
    writer.advance(by: byteCount)
  }
}

/// The bits of packed numbers, checked to be there.
struct PackedBits {
  let count: Int
  let width: Int
  private let bits: UnsafeRawPointer

  /// Reads the width and the bits. `count` is at most 2^32, so nothing overflows.
  init(from reader: inout ByteReader, count: Int) throws(DecodingError) {
    let width = Int(try reader.readByte())
    guard width <= 56 || width == 64 else { throw reader.error("Packed numbers of \(width) bits") }
    let bytes = try reader.readBytes(PackedNumbers.byteCount(count, width: width))
    // There are 8 bytes at least.
    let base = bytes.baseAddress.unsafelyUnwrapped
    guard base.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) == 0 else {
      throw reader.error("Packed numbers are not followed by zeros")
    }
    self.count = count
    self.width = width
    bits = base
  }

  @inline(__always)
  func unpack(_ body: (_ index: Int, _ bits: UInt64) -> Void) {
    var index = 0
    if width == 64 {
      while index < count {
        body(index, bits.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
        index &+= 1
      }
      return
    }
    let mask = UInt64(1) &<< UInt64(width) &- 1
    var position = 0
    while index < count {
      let word = bits.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self)
      body(index, word &>> UInt64(position & 7) & mask)
      position &+= width
      index &+= 1
    }
  }
}
