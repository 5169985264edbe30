/// The first 64 bits of a value in sort order.
///
/// For values a and b of one column, a before b implies code(a) <= code(b). So different codes decide a comparison
/// and equal ones decide it when the code is exact.
@usableFromInline
package struct SortCode: Hashable, Sendable, Comparable {
  @usableFromInline package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  package static func < (lhs: SortCode, rhs: SortCode) -> Bool { lhs.rawValue < rhs.rawValue }

  /// After the code of every value.
  package static let last = SortCode(rawValue: .max)

  package init(_ value: Value) {
    switch value {
    case .null: rawValue = 0
    case .bool(let bool): rawValue = bool ? 2 : 1
    case .int(let int): rawValue = UInt64(bitPattern: int) ^ 1 << 63
    case .float(let float): rawValue = Self.code(Double(float))
    case .double(let double), .date(let double): rawValue = Self.code(double)
    case .string(let bytes), .data(let bytes): rawValue = Self.code(bytes)
    case .objectID(let id): rawValue = UInt64(UInt32(bigEndian: id.word0)) << 32 | UInt64(UInt32(bigEndian: id.word1))
    case .uuid(let id): rawValue = UInt64(bigEndian: id.low)
    case .decimal128: rawValue = 1
    case .link(let key): rawValue = key.rawValue
    case .object, .list, .map: rawValue = UInt64(value.kindRank)
    }
  }

  /// The code of a value in a mixed column: its kind alone.
  package init(mixed value: Value) { rawValue = UInt64(value.kindRank) }

  /// Whether two values of a column of this type with this code are equal.
  @inlinable
  package func isExact(for type: ColumnType) -> Bool {
    switch type {
    case .bool, .float, .double, .date: true
    case .int: rawValue != 0 && rawValue != .max
    case .string, .data: rawValue & 0xFF <= 8
    case .objectID, .uuid, .decimal128, .link, .mixed: false
    }
  }

  /// NaN is 1; no number has a code below the one of negative infinity, 2^52 - 1.
  private static func code(_ double: Double) -> UInt64 {
    if double.isNaN { return 1 }
    let bits = double == 0 ? 0 : double.bitPattern
    return bits >> 63 != 0 ? ~bits : bits | 1 << 63
  }

  /// Seven bytes, then one more than the length, at most 9. Equal codes with a length below 8 mean equal bytes.
  private static func code(_ bytes: [UInt8]) -> UInt64 {
    var code: UInt64 = 0
    let count = min(bytes.count, 7)
    var index = 0
    while index < count {
      code |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
      index &+= 1
    }
    return code | UInt64(min(bytes.count, 8) + 1)
  }
}
