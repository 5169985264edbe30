internal import Glibc

/// The value of a column in a slot, as indexes see it: hashed and compared like the `ColumnKey` of its type.
struct StoredValue {
  let cluster: UnsafeRawPointer
  let slot: Int

  func isNull(_ column: ColumnLayout) -> Bool {
    column.nullOffset != 0 && Cluster.bit(cluster, Int(column.nullOffset), slot)
  }

  /// The hash of a value that is not null.
  @inline(__always)
  func hash(_ column: ColumnLayout, seed: HashSeed) -> UInt64 {
    let offset = Int(column.offset)
    switch column.type {
    case .bool: return BoolKey(Cluster.bit(cluster, offset, slot)).hash(seed: seed)
    case .int, .link: return IntKey(IntLeaf.value(leaf(column), slot)).hash(seed: seed)
    case .float: return DoubleKey(Double(FixedLeaf.load(leaf(column), slot, as: Float.self))).hash(seed: seed)
    case .double, .date: return DoubleKey(FixedLeaf.load(leaf(column), slot, as: Double.self)).hash(seed: seed)
    case .string, .data, .mixed: return BytesKey(BytesLeaf.bytes(leaf(column), slot)).hash(seed: seed)
    case .objectID: return Bytes12Key(FixedLeaf.load(leaf(column), slot, as: Bytes12.self)).hash(seed: seed)
    case .uuid, .decimal128:
      return Bytes16Key(FixedLeaf.load(leaf(column), slot, as: Bytes16.self)).hash(seed: seed)
    }
  }

  /// Whether both are null or equal.
  func equals(_ other: StoredValue, _ column: ColumnLayout) -> Bool {
    if isNull(column) || other.isNull(column) { return isNull(column) && other.isNull(column) }
    switch column.type {
    case .bool:
      return BoolKey(Cluster.bit(cluster, Int(column.offset), slot)).matches(other.cluster, other.slot, column)
    case .int, .link: return IntKey(IntLeaf.value(leaf(column), slot)).matches(other.cluster, other.slot, column)
    case .float:
      return FixedLeaf.load(leaf(column), slot, as: Float.self)
        == FixedLeaf.load(other.leaf(column), other.slot, as: Float.self)
    case .double, .date:
      return DoubleKey(FixedLeaf.load(leaf(column), slot, as: Double.self)).matches(other.cluster, other.slot, column)
    case .string, .data, .mixed:
      return BytesKey(BytesLeaf.bytes(leaf(column), slot)).matches(other.cluster, other.slot, column)
    case .objectID:
      return Bytes12Key(FixedLeaf.load(leaf(column), slot, as: Bytes12.self)).matches(other.cluster, other.slot, column)
    case .uuid, .decimal128:
      return Bytes16Key(FixedLeaf.load(leaf(column), slot, as: Bytes16.self)).matches(other.cluster, other.slot, column)
    }
  }

  @inline(__always)
  private func leaf(_ column: ColumnLayout) -> UnsafeRawPointer { Cluster.leaf(cluster, at: Int(column.offset)) }
}
