/// The last values of a row that is gone, for those who still hold an accessor of it.
///
/// Memory in the shape of a cluster with one row in slot 0, so that it is read like any other; its leaves lie behind it in
/// the same memory. Links keep their target's key (which may be gone too), collections are empty, interned values lie in a
/// `BytesLeaf` of their own.
package enum RowCopy {
  /// Copies a row. Free it with `free`.
  package static func make(_ location: RowLocation, in contents: GraphContents, table: TableID)
    -> UnsafeMutableRawPointer
  {
    let layout = contents.layout.tables[table.index]
    var store = LeavesOfCopy(byteCount: byteCount(location, in: contents, layout), clusterSize: layout.clusterSize)
    let copy = store.memory
    (copy + 16).copyMemory(from: location.cluster + 16, byteCount: layout.clusterSize - 16)
    copy.storeBytes(of: location.key.rawValue, toByteOffset: 16, as: UInt64.self)
    Cluster.setSlotCount(copy, 1)
    Cluster.setLiveCount(copy, 1)
    Cluster.setLeaf(copy, at: 40, nil)
    Cluster.setDirtyRecord(copy, nil)
    Cluster.setBit(copy, Cluster.liveOffset, 0, true)
    for index in 0..<layout.backlinkCount { Cluster.setLeaf(copy, at: layout.backlinkOffset(index), nil) }
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      let offset = Int(column.offset)
      if column.nullOffset != 0 {
        Cluster.setBit(
          copy, Int(column.nullOffset), 0, Cluster.bit(location.cluster, Int(column.nullOffset), location.slot))
      }
      switch column.storage {
      case .bits:
        Cluster.setBit(copy, offset, 0, Cluster.bit(location.cluster, offset, location.slot))
      case .int, .link:
        let value = IntLeaf.value(Cluster.leaf(location.cluster, at: offset), location.slot)
        Cluster.setLeaf(copy, at: offset, store.int(value))
      case .interned:
        let entry = IntLeaf.value(Cluster.leaf(location.cluster, at: offset), location.slot)
        guard entry != 0 else {
          Cluster.setLeaf(copy, at: offset, nil)
          continue
        }
        Cluster.setLeaf(copy, at: offset, store.bytes(contents.internedBytes(entry, in: Int(column.target))))
      case .bytes:
        Cluster.setLeaf(
          copy, at: offset, store.bytes(BytesLeaf.bytes(Cluster.leaf(location.cluster, at: offset), location.slot)))
      case .fixed:
        let source = Cluster.leaf(location.cluster, at: offset) + 16 + location.slot * Int(column.elementSize)
        Cluster.setLeaf(copy, at: offset, store.fixed(source, byteCount: Int(column.elementSize)))
      case .list, .set, .map:
        var nothing: UInt64 = 0
        Cluster.setLeaf(copy, at: offset, store.fixed(&nothing, byteCount: 8))
      }
    }
    return copy
  }

  /// The bytes of an interned column of a copy; nil for null.
  package static func internedBytes(_ copy: UnsafeRawPointer, _ offset: Int) -> UnsafeRawBufferPointer? {
    Cluster.optionalLeaf(copy, at: offset).map { BytesLeaf.bytes($0, 0) }
  }

  /// Whether a cluster is the copy of a row. Only true clusters have a kind.
  package static func isCopy(_ cluster: UnsafeRawPointer) -> Bool { cluster.blockKind == 0 }

  package static func free(_ copy: UnsafeMutableRawPointer) { copy.deallocate() }

  /// What a copy takes, leaves included.
  private static func byteCount(_ location: RowLocation, in contents: GraphContents, _ layout: TableLayout) -> Int {
    var byteCount = LeavesOfCopy.rounded(layout.clusterSize)
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      let leaf = Cluster.optionalLeaf(location.cluster, at: Int(column.offset))
      switch column.storage {
      case .bits: continue
      case .int, .link: byteCount += LeavesOfCopy.intByteCount
      case .interned:
        guard let leaf else { continue }
        let entry = IntLeaf.value(leaf, location.slot)
        if entry == 0 { continue }
        byteCount += LeavesOfCopy.bytesByteCount(contents.internedBytes(entry, in: Int(column.target)).count)
      case .bytes:
        guard let leaf else { continue }
        byteCount += LeavesOfCopy.bytesByteCount(BytesLeaf.bytes(leaf, location.slot).count)
      case .fixed: byteCount += LeavesOfCopy.fixedByteCount
      case .list, .set, .map: byteCount += LeavesOfCopy.fixedByteCount
      }
    }
    return byteCount
  }
}

/// Leaves of one slot, one behind the other in the memory of a copy.
private struct LeavesOfCopy {
  let memory: UnsafeMutableRawPointer
  private var next: Int

  /// All zero, with the header of the cluster.
  init(byteCount: Int, clusterSize: Int) {
    memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    memory.storeBytes(of: UInt32(clusterSize), toByteOffset: 8, as: UInt32.self)
    next = Self.rounded(clusterSize)
  }

  static func rounded(_ byteCount: Int) -> Int { (byteCount + 15) & ~15 }

  static var intByteCount: Int { IntLeaf.valuesOffset + 16 }
  static var fixedByteCount: Int { 32 }

  /// Nothing reads behind a value.
  static func bytesByteCount(_ count: Int) -> Int { rounded(BytesLeaf.endsOffset + 16 + count) }

  private mutating func take(_ byteCount: Int) -> Block {
    let leaf = memory + next
    next += byteCount
    leaf.storeBytes(of: UInt32(byteCount), toByteOffset: 8, as: UInt32.self)
    return leaf
  }

  mutating func int(_ value: Int64) -> Block {
    let leaf = take(Self.intByteCount)
    leaf.blockKind = IntLeaf.kind
    leaf.blockShift = 3
    leaf.storeBytes(of: value, toByteOffset: IntLeaf.valuesOffset, as: Int64.self)
    return leaf
  }

  mutating func fixed(_ value: UnsafeRawPointer, byteCount: Int) -> Block {
    let leaf = take(Self.fixedByteCount)
    leaf.blockKind = FixedLeaf.kind
    leaf.blockShift = UInt8(byteCount)
    (leaf + 16).copyMemory(from: value, byteCount: byteCount)
    return leaf
  }

  /// A leaf of u32 ends whose only value lies in the arena, whatever its length.
  mutating func bytes(_ value: UnsafeRawBufferPointer) -> Block {
    let arena = BytesLeaf.endsOffset + 16
    let leaf = take(Self.bytesByteCount(value.count))
    leaf.blockKind = BytesLeaf.kind
    leaf.blockShift = 2
    leaf.storeBytes(of: 1, toByteOffset: 16, as: UInt16.self)
    leaf.storeBytes(of: UInt32(value.count), toByteOffset: 20, as: UInt32.self)
    leaf.storeBytes(of: UInt32(arena), toByteOffset: 24, as: UInt32.self)
    leaf.storeBytes(of: UInt32(value.count), toByteOffset: BytesLeaf.endsOffset, as: UInt32.self)
    if let start = value.baseAddress { (leaf + arena).copyMemory(from: start, byteCount: value.count) }
    return leaf
  }
}
