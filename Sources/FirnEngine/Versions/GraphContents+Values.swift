extension GraphContents {
  /// The value of a column, `.null` also when the row does not exist. Collections have no value of their own.
  package func value(_ column: ColumnID, of key: RowKey, in table: TableID) -> Value {
    guard let location = locate(key, in: table) else { return .null }
    return withLayout(of: table) { value(column.index, at: location, in: $0) }
  }

  /// The value at the end of a path, or of its rest from one of its tables on; `.null` when a link on the way is.
  package func value(at path: ColumnPath, skipping level: Int = 0, of key: RowKey, in table: TableID) -> Value {
    var key = key
    var table = table
    for link in path.links.dropFirst(level) {
      guard let location = locate(key, in: table) else { return .null }
      let column = layout.tables[table.index].columns[link.index]
      let target = IntLeaf.value(Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot)
      if target == 0 { return .null }
      key = RowKey(UInt64(target - 1))
      table = TableID(Int(column.target))
    }
    return value(path.column, of: key, in: table)
  }

  package func value(_ column: Int, at location: RowLocation, in layout: TableLayout) -> Value {
    let column = layout.columns[column]
    let cluster = location.cluster
    let slot = location.slot
    let offset = Int(column.offset)
    if column.nullOffset != 0, Cluster.bit(cluster, Int(column.nullOffset), slot) { return .null }
    switch column.storage {
    case .bits:
      return .bool(Cluster.bit(cluster, offset, slot))
    case .int:
      return .int(IntLeaf.value(Cluster.leaf(cluster, at: offset), slot))
    case .link:
      let target = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      return target == 0 ? .null : .link(RowKey(UInt64(target - 1)))
    case .interned:
      let entry = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      if entry == 0 { return .null }
      return value(ColumnID(0), of: RowKey(UInt64(entry - 1)), in: TableID(Int(column.target)))
    case .fixed:
      return Value(fixed: Cluster.leaf(cluster, at: offset), slot: slot, type: column.type)
    case .bytes:
      let stored = BytesLeaf.bytes(Cluster.leaf(cluster, at: offset), slot)
      if column.type == .mixed { return MixedBytes.value(stored) }
      let bytes = Array(stored)
      return column.type == .string ? .string(bytes) : .data(bytes)
    case .list, .set, .map:
      return .null
    }
  }

  /// The bytes of an interned value. Valid as long as the contents.
  @inlinable
  package func internedBytes(_ entry: Int64, in valueTable: Int) -> UnsafeRawBufferPointer {
    guard let location = Directory.locate(VersionRoot.table(root, valueTable), UInt64(truncatingIfNeeded: entry &- 1))
    else { fatalError("An indexed column refers to a value that its index does not hold.") }
    return BytesLeaf.bytes(Cluster.leaf(location.cluster, at: Cluster.columnsOffset), location.slot)
  }

  /// The root of the collection that a row holds, a `ListTree` for lists and sets, a `MapTree` for maps; nil when it is
  /// empty or the row does not exist.
  @inlinable
  package func listRoot(_ column: ColumnLayout, of key: RowKey, in table: TableID) -> UnsafeRawPointer? {
    guard let location = locate(key, in: table) else { return nil }
    return FixedLeaf.load(
      Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot, as: UnsafeRawPointer?.self)
  }
}

extension Value {
  /// Reads a value from a fixed leaf.
  init(fixed leaf: UnsafeRawPointer, slot: Int, type: ColumnType) {
    switch type {
    case .float: self = .float(FixedLeaf.load(leaf, slot, as: Float.self))
    case .double: self = .double(FixedLeaf.load(leaf, slot, as: Double.self))
    case .date: self = .date(FixedLeaf.load(leaf, slot, as: Double.self))
    case .objectID: self = .objectID(FixedLeaf.load(leaf, slot, as: Bytes12.self))
    case .uuid: self = .uuid(FixedLeaf.load(leaf, slot, as: Bytes16.self))
    case .decimal128: self = .decimal128(FixedLeaf.load(leaf, slot, as: Bytes16.self))
    case .bool, .int, .string, .data, .link, .mixed: fatalError("Values of type \(type) do not lie in fixed leaves.")
    }
  }
}

extension GraphContents {
  /// The text of an interned value.
  package static func internedString(_ entry: Int64, root: UnsafeRawPointer, valueTable: Int) -> String {
    guard let location = Directory.locate(VersionRoot.table(root, valueTable), UInt64(truncatingIfNeeded: entry &- 1))
    else { fatalError("An indexed column refers to a value that its index does not hold.") }
    return BytesLeaf.string(Cluster.leaf(location.cluster, at: Cluster.columnsOffset), location.slot)
  }
}
