/// Fills one column of planned clusters from values that lie row by row in memory.
struct ColumnFiller {
  let plans: [ClusterPlan]
  let keys: UnsafePointer<UInt64>
  let store: BlockStore

  func fillInts(_ values: UnsafePointer<Int64>, at offset: Int) {
    for plan in plans {
      let first = values + plan.firstRow
      let leaf: Block
      if plan.isContiguous {
        leaf = IntLeaf.build(first, count: plan.slotCount, capacity: plan.capacity, store: store)
      } else {
        leaf = withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { slots in
          // Free slots get a value that needs no other frame.
          slots.initialize(repeating: first.pointee)
          forEachSlot(plan) { row, slot in slots[slot] = first[row] }
          return IntLeaf.build(
            slots.baseAddress.unsafelyUnwrapped, count: plan.slotCount, capacity: plan.capacity, store: store)
        }
      }
      Cluster.setLeaf(plan.cluster, at: offset, leaf)
    }
  }

  func fillFixed(_ values: UnsafeRawPointer, width: Int, at offset: Int) {
    for plan in plans {
      let first = values + plan.firstRow &* width
      let leaf: Block
      if plan.isContiguous {
        leaf = FixedLeaf.build(
          first, count: plan.slotCount, valueSize: width, capacity: plan.capacity, store: store)
      } else {
        leaf = withUnsafeTemporaryAllocation(byteCount: 256 &* width, alignment: 16) { slots in
          slots.initializeMemory(as: UInt8.self, repeating: 0)
          let start = slots.baseAddress.unsafelyUnwrapped
          forEachSlot(plan) { row, slot in
            (start + slot &* width).copyMemory(from: first + row &* width, byteCount: width)
          }
          return FixedLeaf.build(
            start, count: plan.slotCount, valueSize: width, capacity: plan.capacity, store: store)
        }
      }
      Cluster.setLeaf(plan.cluster, at: offset, leaf)
    }
  }

  /// - Parameter bytes: The bytes of the plans' rows, from the first one on.
  func fillBytes(_ lengths: UnsafePointer<UInt32>, _ bytes: UnsafeRawPointer, at offset: Int) {
    var bytes = bytes
    for plan in plans {
      let first = lengths + plan.firstRow
      let leaf: Block
      if plan.isContiguous {
        leaf = BytesLeaf.build(
          lengths: first, bytes: &bytes, count: plan.slotCount, capacity: plan.capacity, store: store)
      } else {
        leaf = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { slots in
          // Free slots are empty, so the bytes still lie one after the other.
          slots.initialize(repeating: 0)
          forEachSlot(plan) { row, slot in slots[slot] = first[row] }
          return BytesLeaf.build(
            lengths: slots.baseAddress.unsafelyUnwrapped, bytes: &bytes, count: plan.slotCount,
            capacity: plan.capacity, store: store)
        }
      }
      Cluster.setLeaf(plan.cluster, at: offset, leaf)
    }
  }

  /// Fills a mask in the clusters from one bit per row.
  func fillBits(_ bits: UnsafePointer<UInt64>, at offset: Int) {
    for plan in plans {
      let mask = (plan.cluster + offset).assumingMemoryBound(to: UInt64.self)
      if plan.isContiguous {
        var start = 0
        while start < plan.slotCount {
          let row = plan.firstRow &+ start
          let length = min(64, plan.slotCount &- start)
          var word = bits[row &>> 6] &>> UInt64(row & 63)
          if row & 63 &+ length > 64 { word |= bits[row &>> 6 &+ 1] &<< UInt64(64 &- row & 63) }
          mask[start &>> 6] = word & (UInt64.max &>> UInt64(64 &- length))
          start &+= 64
        }
      } else {
        forEachSlot(plan) { row, slot in
          let row = plan.firstRow &+ row
          if bits[row &>> 6] &>> UInt64(row & 63) & 1 != 0 { mask[slot &>> 6] |= 1 &<< UInt64(slot & 63) }
        }
      }
    }
  }

  /// Calls `body` with the rows of a plan, counted from its first, and their slots.
  @inline(__always)
  private func forEachSlot(_ plan: ClusterPlan, _ body: (_ row: Int, _ slot: Int) -> Void) {
    var row = 0
    while row < plan.rowCount {
      body(row, Int(truncatingIfNeeded: keys[plan.firstRow &+ row] & 255))
      row &+= 1
    }
  }
}
