internal import FirnEngine

/// Reads checked cells one after the other, in order. Nothing is checked again.
struct CellCursor {
  /// Where the next value begins; for bools where their bits begin.
  private(set) var position: UnsafeRawPointer
  private let nulls: UnsafeRawPointer?
  private var index = 0
  private var bitIndex = 0
  let format: CellFormat

  init(_ position: UnsafeRawPointer, _ format: CellFormat, count: Int) {
    self.format = format
    nulls = format.hasNulls ? position : nil
    self.position = format.hasNulls ? position + (count &+ 7) &>> 3 : position
  }

  init(_ column: CellColumn, in bytes: UnsafeRawBufferPointer) {
    self.init(bytes.baseAddress.unsafelyUnwrapped + column.offset, column.format, count: column.count)
  }

  /// What follows the last cell, once all were read.
  var end: UnsafeRawPointer { position + (bitIndex &+ 7) &>> 3 }

  /// Passes to the next cell and tells whether it is null. If not, its value is read next.
  @inline(__always)
  mutating func nextIsNull() -> Bool {
    guard let nulls else { return false }
    let isNull = Self.bit(nulls, index)
    index &+= 1
    return isNull
  }

  mutating func bool() -> Bool {
    let bit = Self.bit(position, bitIndex)
    bitIndex &+= 1
    return bit
  }

  mutating func int() -> Int64 {
    let value = varint()
    return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A link's target; nil for null.
  mutating func link() -> RowKey? {
    let value = varint()
    return value == 0 ? nil : RowKey(value &- 1)
  }

  mutating func fixed<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    let value = position.loadUnaligned(as: type)
    position += MemoryLayout<Value>.size
    return value
  }

  mutating func bytes() -> UnsafeRawBufferPointer {
    let count = Int(truncatingIfNeeded: varint())
    let bytes = UnsafeRawBufferPointer(start: position, count: count)
    position += count
    return bytes
  }

  // MARK: Collections

  /// Whether the next collection is what happened to it instead of the whole.
  mutating func isDelta() -> Bool { fixed(UInt8.self) == 1 }

  mutating func count() -> Int { Int(truncatingIfNeeded: varint()) }

  mutating func run() -> (kind: ListDelta.Kind, count: Int) {
    let run = varint()
    let kind: ListDelta.Kind =
      switch run & 3 {
      case 0: .keep
      case 1: .touch
      case 2: .drop
      default: .insert
      }
    return (kind, Int(truncatingIfNeeded: run &>> 2))
  }

  /// Passes the keys of a map, if it is one, and returns a cursor that reads them with `bytes()`.
  @discardableResult
  mutating func passKeys(_ count: Int) -> CellCursor {
    let keys = self
    if format.collection == .map { for _ in 0..<count { _ = bytes() } }
    return keys
  }

  /// The elements that follow. Give what they end at to ``passElements(_:)``.
  func elements(count: Int) -> CellCursor { CellCursor(position, format.element, count: count) }

  mutating func passElements(_ elements: CellCursor) { position = elements.end }

  @inline(__always)
  mutating func varint() -> UInt64 {
    var byte = fixed(UInt8.self)
    var value = UInt64(byte & 0x7f)
    var shift: UInt64 = 7
    while byte >= 0x80 {
      byte = fixed(UInt8.self)
      value |= UInt64(byte & 0x7f) &<< shift
      shift &+= 7
    }
    return value
  }

  @inline(__always)
  private static func bit(_ bits: UnsafeRawPointer, _ index: Int) -> Bool {
    bits.load(fromByteOffset: index &>> 3, as: UInt8.self) &>> UInt8(truncatingIfNeeded: index & 7) & 1 != 0
  }
}
