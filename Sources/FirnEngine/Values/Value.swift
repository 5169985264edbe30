/// One value of a column, where a value has to travel by itself: constants of predicates, defaults, keys, tests.
///
/// Loops over rows never use it; they read the leaves.
package enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  /// UTF-8 bytes. Strings are equal when their bytes are.
  case string([UInt8])
  case data([UInt8])
  /// Seconds since the reference date (1 January 2001, 00:00 UTC).
  case date(Double)
  case objectID(Bytes12)
  case uuid(Bytes16)
  /// The IEEE 754-2008 binary integer decimal encoding, low word first.
  case decimal128(Bytes16)
  case link(RowKey)
  /// A link in a mixed column, with the number of its table.
  case object(UInt32, RowKey)
  /// A list or map inside a mixed value: the row of `GraphLayout.nestedLists` or `nestedMaps` that holds it.
  case list(RowKey)
  case map(RowKey)

  package init(_ string: String) { self = .string(Array(string.utf8)) }

  /// Bytes at once, not one after the other.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value), .date(let value): hasher.combine(value)
    case .string(let bytes), .data(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .objectID(let value): hasher.combine(value)
    case .uuid(let value), .decimal128(let value): hasher.combine(value)
    case .link(let key), .list(let key), .map(let key): hasher.combine(key)
    case .object(let table, let key):
      hasher.combine(table)
      hasher.combine(key)
    }
  }
}

/// Twelve bytes, as stored for an object id.
@usableFromInline
package struct Bytes12: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var word0: UInt32, word1: UInt32, word2: UInt32

  @inlinable
  package init(_ word0: UInt32, _ word1: UInt32, _ word2: UInt32) {
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
  }
}

/// Sixteen bytes, as stored for a UUID or a decimal.
@usableFromInline
package struct Bytes16: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var low: UInt64, high: UInt64

  @inlinable
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}

extension Value: CustomStringConvertible {
  /// The value as messages show it.
  package var description: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .data(let bytes): "\(bytes.count) bytes"
    case .date(let seconds): "\(seconds) s"
    case .objectID(let value): "\(value)"
    case .uuid(let value), .decimal128(let value): "\(value)"
    case .link(let key): "row \(key.rawValue)"
    case .object(let table, let key): "row \(key.rawValue) of table \(table)"
    case .list(let key): "list \(key.rawValue)"
    case .map(let key): "map \(key.rawValue)"
    }
  }
}
