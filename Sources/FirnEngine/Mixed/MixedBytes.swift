/// Mixed values as bytes: a ``MixedTag``, then what it says. Null has no bytes; it is a null of the column.
///
/// A value has one form only, so equal bytes mean that kind and payload are equal. Tables are called by their number, which
/// is the same in memory and in files.
package enum MixedBytes {
  /// Calls `body` with the bytes of a value that is not null.
  package static func withBytes<Result>(of value: Value, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var bytes: [UInt8] = []
    switch value {
    case .null: fatalError("Null has no bytes.")
    case .bool(let value): bytes = [MixedTag.bool.rawValue, value ? 1 : 0]
    case .int(let value):
      bytes = [MixedTag.int.rawValue]
      append(value, to: &bytes)
    case .float(let value): bytes = fixed(.float, value.bitPattern)
    case .double(let value): bytes = fixed(.double, value.bitPattern)
    case .date(let value): bytes = fixed(.date, value.bitPattern)
    case .decimal128(let value): bytes = fixed(.decimal128, value)
    case .uuid(let value): bytes = fixed(.uuid, value)
    case .objectID(let value): bytes = fixed(.objectID, value)
    case .string(let text):
      bytes.reserveCapacity(text.count + 1)
      bytes.append(MixedTag.string.rawValue)
      bytes.append(contentsOf: text)
    case .data(let data):
      bytes.reserveCapacity(data.count + 1)
      bytes.append(MixedTag.data.rawValue)
      bytes.append(contentsOf: data)
    case .object(let table, let key):
      bytes = fixed(.object, table)
      append(key, to: &bytes)
    case .list(let key):
      bytes = [MixedTag.list.rawValue]
      append(key, to: &bytes)
    case .map(let key):
      bytes = [MixedTag.map.rawValue]
      append(key, to: &bytes)
    case .link: fatalError("A link without its table is no mixed value.")
    }
    return bytes.withUnsafeBytes(body)
  }

  /// The value of bytes in the right form.
  package static func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    guard let first = bytes.first, let tag = MixedTag(rawValue: first) else { return .null }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[1...])
    switch tag {
    case .bool: return .bool(payload[0] != 0)
    case .int: return .int(int(payload))
    case .float: return .float(payload.loadUnaligned(as: Float.self))
    case .double: return .double(payload.loadUnaligned(as: Double.self))
    case .date: return .date(payload.loadUnaligned(as: Double.self))
    case .decimal128: return .decimal128(payload.loadUnaligned(as: Bytes16.self))
    case .uuid: return .uuid(payload.loadUnaligned(as: Bytes16.self))
    case .objectID: return .objectID(payload.loadUnaligned(as: Bytes12.self))
    case .string: return .string(Array(payload))
    case .data: return .data(Array(payload))
    case .object:
      return .object(
        payload.loadUnaligned(as: UInt32.self), key(UnsafeRawBufferPointer(rebasing: payload[4...])))
    case .list: return .list(key(payload))
    case .map: return .map(key(payload))
    }
  }

  /// The row that a value leads to: an object, or the row that holds a nested collection. Nil for all others.
  @inline(__always)
  package static func reference(_ bytes: UnsafeRawBufferPointer) -> MixedReference? {
    guard let tag = bytes.first, tag >= MixedTag.object.rawValue else { return nil }
    return switch value(bytes) {
    case .object(let table, let key): MixedReference(target: .table(table), key: key)
    case .list(let key): MixedReference(target: .lists, key: key)
    case .map(let key): MixedReference(target: .maps, key: key)
    default: nil
    }
  }

  /// Whether bytes are in the right form. Whether the row that they lead to is there is another question.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, let tag = MixedTag(rawValue: first) else { return false }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[1...])
    return switch tag {
    case .bool: payload.count == 1 && payload[0] < 2
    case .int: isInt(payload)
    case .float: payload.count == 4
    case .double, .date: payload.count == 8
    case .objectID: payload.count == 12
    case .decimal128, .uuid: payload.count == 16
    case .string: UTF8Check.isValid(payload)
    case .data: true
    case .object: payload.count > 4 && isKey(UnsafeRawBufferPointer(rebasing: payload[4...]))
    case .list, .map: isKey(payload)
    }
  }

  // MARK: Parts

  private static func fixed<Payload: BitwiseCopyable>(_ tag: MixedTag, _ payload: Payload) -> [UInt8] {
    [tag.rawValue] + withUnsafeBytes(of: payload) { Array($0) }
  }

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = value
    while true {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      let byte = Int64(Int8(truncatingIfNeeded: rest))
      if rest == byte { return }
      rest >>= 8
    }
  }

  private static func append(_ key: RowKey, to bytes: inout [UInt8]) {
    var rest = key.rawValue
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    } while rest != 0
  }

  private static func int(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var value: Int64 = 0
    for (index, byte) in bytes.enumerated() { value |= Int64(byte) << Int64(8 * index) }
    let unused = Int64(64 - 8 * bytes.count)
    return (value << unused) >> unused
  }

  private static func key(_ bytes: UnsafeRawBufferPointer) -> RowKey {
    var value: UInt64 = 0
    for (index, byte) in bytes.enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    return RowKey(value)
  }

  private static func isInt(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count == 0 || bytes.count > 8 { return false }
    if bytes.count == 1 { return true }
    // A last byte that only repeats the sign is one too many.
    let last = bytes[bytes.count - 1]
    let isNegative = bytes[bytes.count - 2] & 0x80 != 0
    return last != (isNegative ? 0xff : 0)
  }

  private static func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count == 0 || bytes.count > 5 { return false }
    return bytes.count == 1 || bytes[bytes.count - 1] != 0
  }
}

/// The row that a mixed value leads to.
package struct MixedReference: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    /// The table with a number.
    case table(UInt32)
    /// The table of nested lists, or of nested maps.
    case lists, maps
  }

  package var target: Target
  package var key: RowKey
}
