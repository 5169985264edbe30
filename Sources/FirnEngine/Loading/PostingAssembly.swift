/// Makes the value table of an indexed column: its distinct values, how they are found, and the rows that have each.
struct PostingAssembly {
  let layout: GraphLayout
  let origin: TableAssembly
  let column: Int
  let values: TableAssembly
  let dictionary: ColumnDictionary

  private var description: ColumnLayout { origin.layout.columns[column] }

  func build(_ store: BlockStore) throws {
    // Values by row, counted from 1; 0 for null.
    let ids: [UInt32]
    let valueCount: Int
    var numbering = ValueNumbering(column: description, seed: layout.seed)
    if description.storage == .interned {
      ids = internedIDs()
      valueCount = dictionary.count
    } else if description.type == .float {
      // Floats are never indexed, whatever the schema says.
      return values.setClusters([], nextKey: 0, store: store)
    } else {
      ids = numbering.number(origin)
      valueCount = numbering.count
    }
    let (counts, sources) = sort(ids, valueCount)
    defer { sources.deallocate() }
    let keys = counts.indices.filter { counts[$0] > 0 }.map { UInt64($0) }
    let clusters = makeClusters(keys, nextKey: UInt64(valueCount), numbering, store)
    values.setClusters(clusters, nextKey: UInt64(valueCount), store: store)
    attach(counts, sources, store)
    try PrimaryKeyAssembly(layout: layout, table: values, column: 0).build(store)
  }

  private func internedIDs() -> [UInt32] {
    var list = ClusterList()
    for cluster in origin.clusters { list.append(UnsafeRawPointer(cluster)) }
    return list.ints(at: Int(description.offset)).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// How many rows have each value, and those rows, value by value, ascending in each.
  private func sort(
    _ ids: [UInt32], _ valueCount: Int
  ) -> (counts: [UInt32], sources: UnsafeMutableBufferPointer<UInt64>) {
    var counts = [UInt32](repeating: 0, count: valueCount)
    var heads = [Int](repeating: 0, count: valueCount)
    for id in ids where id > 0 { counts[Int(id) - 1] &+= 1 }
    var sum = 0
    for value in counts.indices {
      heads[value] = sum
      sum += Int(counts[value])
    }
    let sources = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: sum)
    var row = 0
    for cluster in origin.clusters {
      ClusterList.forEachSlot(cluster) { slot in
        let id = Int(ids[row])
        row &+= 1
        if id == 0 { return }
        sources[heads[id &- 1]] = Cluster.key(cluster, slot).rawValue
        heads[id &- 1] &+= 1
      }
    }
    return (counts, sources)
  }

  private func makeClusters(
    _ keys: [UInt64], nextKey: UInt64, _ numbering: ValueNumbering, _ store: BlockStore
  ) -> [Block] {
    if keys.isEmpty { return [] }
    return keys.withUnsafeBufferPointer { keys in
      let start = keys.baseAddress.unsafelyUnwrapped
      var planner = ClusterPlanner(layout: values.layout, keys: start, store: store, tail: nextKey >> 8)
      planner.plan(0..<keys.count)
      let filler = ColumnFiller(plans: planner.plans, keys: start, store: store)
      let stored = values.layout.columns[0]
      let offset = Int(stored.offset)
      switch stored.storage {
      case .bits:
        numbering.bits.withUnsafeBufferPointer { filler.fillBits($0.baseAddress.unsafelyUnwrapped, at: offset) }
      case .int:
        numbering.ints.withUnsafeBufferPointer { filler.fillInts($0.baseAddress.unsafelyUnwrapped, at: offset) }
      case .fixed:
        let width = Int(stored.elementSize)
        numbering.fixed.withUnsafeBytes {
          filler.fillFixed($0.baseAddress.unsafelyUnwrapped, width: width, at: offset)
        }
      case .bytes:
        fillDictionary(keys, filler, offset)
      case .interned, .link, .list, .set, .map:
        fatalError("A value table holds plain values.")
      }
      return planner.plans.map(\.cluster)
    }
  }

  /// The values of the dictionary that some row uses.
  private func fillDictionary(_ keys: UnsafeBufferPointer<UInt64>, _ filler: ColumnFiller, _ offset: Int) {
    let (all, starts) = dictionary.located
    var used = all
    if keys.count != all.lengths.count {
      used = ByteStrings()
      for key in keys {
        let start = starts[Int(key)]
        used.lengths.append(all.lengths[Int(key)])
        used.bytes.append(contentsOf: all.bytes[start..<(start + Int(all.lengths[Int(key)]))])
      }
    }
    used.lengths.withUnsafeBufferPointer { lengths in
      used.bytes.withUnsafeBytes { bytes in
        let first = lengths.baseAddress.unsafelyUnwrapped
        filler.fillBytes(first, bytes.baseAddress ?? UnsafeRawPointer(first), at: offset)
      }
    }
  }

  private func attach(_ counts: [UInt32], _ sources: UnsafeMutableBufferPointer<UInt64>, _ store: BlockStore) {
    let backlink = values.layout.backlinkOffset(0)
    var start = 0
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { slots in
      for cluster in values.clusters {
        slots.initialize(repeating: 0)
        var count = 0
        ClusterList.forEachSlot(cluster) { slot in
          slots[slot] = Int(counts[Int(Cluster.key(cluster, slot).rawValue)])
          count += slots[slot]
        }
        let slotCount = Cluster.slotCount(cluster)
        let leaf = BacklinkLeaf.build(
          counts: slots.baseAddress.unsafelyUnwrapped, slotCount: slotCount,
          sources: UnsafeBufferPointer(rebasing: sources[start..<(start + count)]),
          capacity: LeafCapacity.slots(for: slotCount), store)
        Cluster.setLeaf(cluster, at: backlink, leaf)
        start += count
      }
    }
  }
}
