/// The last values of a row that is gone, for those who still hold an accessor of it.
///
/// Memory in the shape of a cluster with one row in slot 0, so that it is read like any other. Links keep their target's
/// key (which may be gone too), collections are empty, interned values lie in a `BytesLeaf` of their own.
package enum RowCopy {
  /// Copies a row. Free it with `free`.
  package static func make(_ location: RowLocation, in snapshot: Snapshot, table: TableID) -> UnsafeMutableRawPointer {
    let layout = snapshot.layout.tables[table.index]
    let store = BlockWithoutStore.self
    let copy = store.allocate(byteCount: layout.clusterSize)
    (copy + 16).copyMemory(from: location.cluster + 16, byteCount: layout.clusterSize - 16)
    copy.storeBytes(of: location.key.rawValue, toByteOffset: 16, as: UInt64.self)
    Cluster.setSlotCount(copy, 1)
    Cluster.setLiveCount(copy, 1)
    Cluster.setLeaf(copy, at: 40, nil)
    Cluster.setDirtyRecord(copy, nil)
    Cluster.setBit(copy, Cluster.liveOffset, 0, true)
    for index in 0..<layout.backlinkCount { Cluster.setLeaf(copy, at: Int(layout.backlinks[index].offset), nil) }
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
        Cluster.setLeaf(copy, at: offset, store.bytes(snapshot.internedBytes(entry, in: Int(column.target))))
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

  package static func free(_ copy: UnsafeMutableRawPointer, layout: TableLayout) {
    for index in 0..<layout.columnCount where layout.columns[index].storage != .bits {
      Cluster.mutableLeaf(copy, at: Int(layout.columns[index].offset))?.deallocate()
    }
    copy.deallocate()
  }
}

/// Leaves of one slot in memory of their own.
private enum BlockWithoutStore {
  static func allocate(byteCount: Int) -> Block {
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    block.storeBytes(of: UInt32(byteCount), toByteOffset: 8, as: UInt32.self)
    return block
  }

  static func int(_ value: Int64) -> Block {
    let leaf = allocate(byteCount: 48)
    leaf.blockKind = IntLeaf.kind
    leaf.blockShift = 3
    leaf.storeBytes(of: value, toByteOffset: IntLeaf.valuesOffset, as: Int64.self)
    return leaf
  }

  static func fixed(_ value: UnsafeRawPointer, byteCount: Int) -> Block {
    let leaf = allocate(byteCount: 48)
    leaf.blockKind = FixedLeaf.kind
    leaf.blockShift = UInt8(byteCount)
    (leaf + 16).copyMemory(from: value, byteCount: byteCount)
    return leaf
  }

  /// A leaf of u32 ends whose only value lies in the arena, whatever its length.
  static func bytes(_ value: UnsafeRawBufferPointer) -> Block {
    let arena = BytesLeaf.endsOffset + 16
    let leaf = allocate(byteCount: arena + value.count + 64)
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
