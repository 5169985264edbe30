/// Makes one list of clusters of what the groups of a table have left.
///
/// Groups may end anywhere, so the clusters of neighbouring groups may claim the same directory entries; and the cluster to
/// which rows will be appended must be dense, which is not known while groups are added without a next key. Those
/// clusters are made again from their rows, all others stay.
struct ClusterJoiner {
  let layout: TableLayout
  let store: BlockStore

  /// Clusters that claim a range of directory entries.
  private struct Claim {
    var entries: Range<UInt64>
    var clusters: [Block]

    mutating func join(_ later: Claim) {
      let end = max(entries.upperBound, later.entries.upperBound)
      entries = min(entries.lowerBound, later.entries.lowerBound)..<end
      clusters += later.clusters
    }
  }

  func join(_ parts: [TablePart], nextKey: UInt64) -> [Block] {
    // Claims are nested or disjoint, because spans are aligned: a stack of disjoint ones is enough.
    var claims: [Claim] = []
    for part in parts {
      for cluster in part.clusters {
        let first = Cluster.base(cluster) >> 8
        let claim = Claim(entries: first..<(first + UInt64(Cluster.span(cluster))), clusters: [cluster])
        claims.append(claim)
        while claims.count > 1,
          claims[claims.count - 2].entries.upperBound > claims[claims.count - 1].entries.lowerBound
        {
          let later = claims.removeLast()
          claims[claims.count - 1].join(later)
        }
      }
    }
    let tail = nextKey >> 8
    var result: [Block] = []
    result.reserveCapacity(claims.count)
    for claim in claims {
      let isSparseTail = claim.entries.upperBound > tail && Cluster.offsets(claim.clusters[0]) != nil
      if claim.clusters.count > 1 || isSparseTail {
        result.append(contentsOf: rebuild(claim, tail: tail))
      } else {
        result.append(claim.clusters[0])
      }
    }
    return result
  }

  private func rebuild(_ claim: Claim, tail: UInt64) -> [Block] {
    var list = ClusterList()
    for cluster in claim.clusters { list.append(UnsafeRawPointer(cluster)) }
    let keys = list.keys
    let plans = keys.withUnsafeBufferPointer { keys in
      let start = keys.baseAddress.unsafelyUnwrapped
      var planner = ClusterPlanner(layout: layout, keys: start, store: store, tail: tail)
      planner.split(0..<keys.count, entry: claim.entries.lowerBound, span: claim.entries.count)
      let filler = ColumnFiller(plans: planner.plans, keys: start, store: store)
      for index in 0..<layout.columnCount { copy(layout.columns[index], of: list, filler) }
      return planner.plans
    }
    for cluster in claim.clusters { free(cluster) }
    return plans.map(\.cluster)
  }

  /// Takes a column over as it is stored; the trees of collections move.
  private func copy(_ column: ColumnLayout, of list: ClusterList, _ filler: ColumnFiller) {
    let offset = Int(column.offset)
    switch column.storage {
    case .bits:
      list.bits(at: offset).withUnsafeBufferPointer { filler.fillBits($0.baseAddress.unsafelyUnwrapped, at: offset) }
    case .int, .link, .interned:
      list.ints(at: offset).withUnsafeBufferPointer { filler.fillInts($0.baseAddress.unsafelyUnwrapped, at: offset) }
    case .fixed, .list, .set, .map:
      let width = Int(column.elementSize)
      list.fixed(at: offset, width: width).withUnsafeBytes {
        filler.fillFixed($0.baseAddress.unsafelyUnwrapped, width: width, at: offset)
      }
    case .bytes:
      let values = list.bytes(at: offset, nulls: nil)
      values.lengths.withUnsafeBufferPointer { lengths in
        values.bytes.withUnsafeBytes { bytes in
          let start = bytes.baseAddress ?? UnsafeRawPointer(lengths.baseAddress.unsafelyUnwrapped)
          filler.fillBytes(lengths.baseAddress.unsafelyUnwrapped, start, at: offset)
        }
      }
    }
    if column.nullOffset != 0 {
      list.bits(at: Int(column.nullOffset)).withUnsafeBufferPointer {
        filler.fillBits($0.baseAddress.unsafelyUnwrapped, at: Int(column.nullOffset))
      }
    }
  }

  private func free(_ cluster: Block) {
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      guard column.storage != .bits, let leaf = Cluster.mutableLeaf(cluster, at: Int(column.offset)) else { continue }
      if column.storage == .bytes {
        BytesLeaf.retireAll(leaf, slotCount: Cluster.slotCount(cluster), store: store)
      } else {
        store.retire(leaf)
      }
    }
    if let offsets = Cluster.mutableLeaf(cluster, at: 40) { store.retire(offsets) }
    store.retire(cluster)
  }
}
