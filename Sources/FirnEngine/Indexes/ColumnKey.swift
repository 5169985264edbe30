public import Glibc

/// A value to look up in a hash index, in the form its column stores it.
///
/// Concrete types, so that hashing and comparing specialise.
@usableFromInline
package protocol ColumnKey {
  func hash(seed: HashSeed) -> UInt64
  /// Whether the row in `slot` has this value.
  func matches(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool
}

/// A key that is not null.
@usableFromInline
package protocol PresentKey: ColumnKey {
  /// Whether the cell, which is not null, has this value.
  func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool
}

extension PresentKey {
  @inlinable
  package func matches(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    if column.nullOffset != 0, Cluster.bit(cluster, Int(column.nullOffset), slot) { return false }
    return isStored(cluster, slot, column)
  }
}

@usableFromInline
package struct IntKey: PresentKey {
  @usableFromInline package let value: Int64

  @inlinable
  package init(_ value: Int64) { self.value = value }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 { seed.hash(value) }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    IntLeaf.value(Cluster.leaf(cluster, at: Int(column.offset)), slot) == value
  }
}

@usableFromInline
package struct BytesKey: PresentKey {
  @usableFromInline package let bytes: UnsafeRawBufferPointer

  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return seed.hash(0) }
    return seed.hash(bytes: start, count: bytes.count)
  }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    let stored = BytesLeaf.bytes(Cluster.leaf(cluster, at: Int(column.offset)), slot)
    guard stored.count == bytes.count else { return false }
    guard bytes.count > 0, let left = stored.baseAddress, let right = bytes.baseAddress else { return true }
    return memcmp(left, right, bytes.count) == 0
  }
}

@usableFromInline
package struct BoolKey: PresentKey {
  @usableFromInline package let value: Bool

  @inlinable
  package init(_ value: Bool) { self.value = value }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 { seed.hash(value ? 1 : 0) }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    Cluster.bit(cluster, Int(column.offset), slot) == value
  }
}

/// A date, by the bits of its seconds.
@usableFromInline
package struct DoubleKey: PresentKey {
  @usableFromInline package let value: Double

  /// Both zeros are one value, and so are all NaNs.
  @inlinable
  package init(_ value: Double) { self.value = value == 0 ? 0 : value.isNaN ? .nan : value }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 { seed.hash(Int64(bitPattern: value.bitPattern)) }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    let stored = FixedLeaf.load(Cluster.leaf(cluster, at: Int(column.offset)), slot, as: Double.self)
    return stored == value || (stored.isNaN && value.isNaN)
  }
}

@usableFromInline
package struct Bytes12Key: PresentKey {
  @usableFromInline package let value: Bytes12

  @inlinable
  package init(_ value: Bytes12) { self.value = value }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 {
    withUnsafeBytes(of: value) { seed.hash12($0.baseAddress.unsafelyUnwrapped) }
  }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    FixedLeaf.load(Cluster.leaf(cluster, at: Int(column.offset)), slot, as: Bytes12.self) == value
  }
}

@usableFromInline
package struct Bytes16Key: PresentKey {
  @usableFromInline package let value: Bytes16

  @inlinable
  package init(_ value: Bytes16) { self.value = value }

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 {
    withUnsafeBytes(of: value) { seed.hash16($0.baseAddress.unsafelyUnwrapped) }
  }

  @inlinable
  package func isStored(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    FixedLeaf.load(Cluster.leaf(cluster, at: Int(column.offset)), slot, as: Bytes16.self) == value
  }
}

/// The null of an optional primary key.
@usableFromInline
package struct NullKey: ColumnKey {
  @inlinable
  package init() {}

  @inlinable
  package func hash(seed: HashSeed) -> UInt64 { seed.hash(Int64.min &+ 0x5EED) }

  @inlinable
  package func matches(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> Bool {
    column.nullOffset != 0 && Cluster.bit(cluster, Int(column.nullOffset), slot)
  }
}

extension Value {
  /// Calls `body` with the value as a key of its column type.
  package func withColumnKey<Result>(_ body: (any ColumnKey) -> Result) -> Result {
    switch self {
    case .null: body(NullKey())
    case .bool(let value): body(BoolKey(value))
    case .int(let value): body(IntKey(value))
    case .double(let value), .date(let value): body(DoubleKey(value))
    case .float(let value): body(DoubleKey(Double(value)))
    case .string(let bytes), .data(let bytes): bytes.withUnsafeBytes { body(BytesKey($0)) }
    case .objectID(let value): body(Bytes12Key(value))
    case .uuid(let value), .decimal128(let value): body(Bytes16Key(value))
    case .link(let key): body(IntKey(Int64(key.rawValue)))
    case .object, .list, .map: fatalError("Values of mixed columns are not looked up.")
    }
  }
}
