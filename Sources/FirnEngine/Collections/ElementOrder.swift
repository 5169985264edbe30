internal import Glibc

/// The order of stored elements in sets: total, and equal exactly where a set sees one element.
///
/// Null comes first. NaN is below all numbers and equal to itself, the zeros are equal; strings, data, object ids and UUIDs
/// go by their bytes, decimals by their value, links by the key of their row; mixed values go by kind, all numbers by their
/// value. It is the order of `Value.order(to:)` among
/// the values of one column. Files hold sets in this order, so it is part of their format.
package enum ElementOrder {
  /// Negative, zero or positive as the element at `left` comes before, with or after the one at `right`; neither is null.
  package static func order(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ type: ColumnType) -> Int {
    switch type {
    case .bool: scalars(left, right, as: UInt8.self)
    case .int: scalars(left, right, as: Int64.self)
    case .link: scalars(left, right, as: UInt64.self)
    case .float: numbers(left, right, as: Float.self)
    case .double, .date: numbers(left, right, as: Double.self)
    case .string, .data: blobs(left, right)
    case .objectID: bytes(left, right, 12)
    case .uuid: bytes(left, right, 16)
    case .decimal128: decimals(left, right)
    case .mixed: Value(element: left, type: .mixed).order(to: Value(element: right, type: .mixed))
    }
  }

  @inline(__always)
  static func scalars<Scalar: Comparable & BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, as type: Scalar.Type
  ) -> Int {
    let left = left.loadUnaligned(as: type)
    let right = right.loadUnaligned(as: type)
    return left < right ? -1 : (left == right ? 0 : 1)
  }

  @inline(__always)
  static func numbers<Number: BinaryFloatingPoint & BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, as type: Number.Type
  ) -> Int {
    let left = left.loadUnaligned(as: type)
    let right = right.loadUnaligned(as: type)
    if left < right { return -1 }
    if left > right { return 1 }
    if left == right { return 0 }
    return left.isNaN ? (right.isNaN ? 0 : -1) : 1
  }

  @inline(__always)
  static func bytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int {
    Int(memcmp(left, right, count))
  }

  @inline(__always)
  static func blobs(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int {
    Blob(word: left.loadUnaligned(as: UInt64.self)).withBytes { left in
      Blob(word: right.loadUnaligned(as: UInt64.self)).withBytes { bytes(left, $0) }
    }
  }

  /// Byte strings, a prefix before what goes on.
  @inline(__always)
  static func bytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0 {
      let order = memcmp(left.baseAddress.unsafelyUnwrapped, right.baseAddress.unsafelyUnwrapped, common)
      if order != 0 { return Int(order) }
    }
    return left.count &- right.count
  }

  static func decimals(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int {
    Value.decimal128(left.loadUnaligned(as: Bytes16.self))
      .order(to: .decimal128(right.loadUnaligned(as: Bytes16.self)))
  }
}
