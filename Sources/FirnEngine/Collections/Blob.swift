/// A string or binary value in eight bytes: up to 7 bytes inline, more in a block of their own.
///
/// The low byte of the word tells: its lowest bit is set for an inline value, whose length is in the bits above and whose
/// bytes follow; block addresses are multiples of 16. The word 0 is no value at all, as in null elements of a list.
///
/// A block has its length as u32 at offset 16 and its bytes from 24 on, like the values that a `BytesLeaf` keeps outside
/// its arena. Blobs never change; whoever holds the word owns the block and gives it up with `retire`.
@frozen @usableFromInline
package struct Blob: Equatable {
  @usableFromInline package let word: UInt64

  @inlinable @inline(__always)
  package init(word: UInt64) { self.word = word }

  @inlinable @inline(__always)
  package static var kind: UInt8 { 4 }
  @inlinable @inline(__always)
  package static var inlineMax: Int { 7 }
  @inlinable @inline(__always)
  package static var bytesOffset: Int { 24 }

  @inlinable @inline(__always)
  package var isInline: Bool { word & 1 != 0 }

  /// The block of a value that is not inline.
  @inlinable @inline(__always)
  package var block: Block? { isInline ? nil : Block(bitPattern: UInt(word)) }

  @inlinable
  package var count: Int {
    if isInline { return Int((word & 0xff) &>> 1) }
    guard let block else { return 0 }
    return Int(block.load(fromByteOffset: 16, as: UInt32.self))
  }

  /// Stores a value. One that is too long becomes empty, and the commit is refused.
  package static func make(_ bytes: UnsafeRawBufferPointer, _ store: BlockStore) -> Blob {
    if bytes.count <= inlineMax { return Blob(word: inlineWord(bytes)) }
    let bytes = store.fitting(bytes)
    if bytes.isEmpty { return Blob(word: inlineWord(bytes)) }
    let block = store.allocate(byteCount: bytesOffset + bytes.count)
    block.blockKind = kind
    block.storeBytes(of: UInt32(bytes.count), toByteOffset: 16, as: UInt32.self)
    (block + bytesOffset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return Blob(word: UInt64(UInt(bitPattern: block)))
  }

  /// Calls `body` with the word of a value that is kept for the time of the call only, to be compared with others.
  package static func withTemporary<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (UInt64) -> Result) -> Result {
    if bytes.count <= inlineMax { return body(inlineWord(bytes)) }
    // No value that is kept is as long as this, so that the rest tells nothing.
    let bytes = bytes.count <= Int(UInt32.max) ? bytes : UnsafeRawBufferPointer(rebasing: bytes[..<Int(UInt32.max)])
    return withUnsafeTemporaryAllocation(byteCount: bytesOffset + bytes.count, alignment: 16) { block in
      let address = block.baseAddress.unsafelyUnwrapped
      address.storeBytes(of: UInt32(bytes.count), toByteOffset: 16, as: UInt32.self)
      (address + bytesOffset).copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
      return body(UInt64(UInt(bitPattern: address)))
    }
  }

  /// The word of a value of at most ``inlineMax`` bytes.
  static func inlineWord(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var word = UInt64(bytes.count) << 1 | 1
    for (index, byte) in bytes.enumerated() { word |= UInt64(byte) << UInt64(8 * (index + 1)) }
    return word
  }

  /// The bytes of the value; they are valid only inside `body`.
  @inlinable @inline(__always)
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let block {
      return body(UnsafeRawBufferPointer(start: block + Blob.bytesOffset, count: count))
    }
    return withUnsafeBytes(of: word.littleEndian) { word in
      body(UnsafeRawBufferPointer(rebasing: word[1..<(1 &+ count)]))
    }
  }

  /// Whether both hold the same bytes.
  @inlinable
  package func hasBytes(of other: Blob) -> Bool {
    if word == other.word { return true }
    if isInline || other.isInline || word == 0 || other.word == 0 { return false }
    return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
  }

  /// Gives the value's block up, if it has one.
  package func retire(_ store: BlockStore) {
    if let block { store.retire(block) }
  }
}
