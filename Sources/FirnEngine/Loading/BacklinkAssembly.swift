/// Checks the links of a column and makes the backlinks that mirror them.
///
/// Links are sorted by cluster of their target with one counting pass, then by slot in the cache.
struct BacklinkAssembly {
  let origin: TableAssembly
  let column: Int
  let target: TableAssembly
  /// Which of the target's backlink columns mirrors the links.
  let backlink: Int
  /// The links of a mixed column that lead to the target.
  var mixed: [MixedLinks.Link] = []

  /// A link: where its target is among the target's clusters (ordinal and slot), and its source.
  private struct Link: BitwiseCopyable {
    let place: UInt64
    let source: UInt64
  }

  func build(_ store: BlockStore) throws {
    let most = linkCountMax
    let links = UnsafeMutableBufferPointer<Link>.allocate(capacity: most)
    defer { links.deallocate() }
    var clusterCounts = [Int](repeating: 0, count: target.clusters.count)
    let count = try gather(into: links, counting: &clusterCounts)
    if count == 0 { return }
    let packed = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    defer { packed.deallocate() }
    sort(UnsafeBufferPointer(rebasing: links[..<count]), clusterCounts, into: packed)
    attach(packed, clusterCounts, store)
  }

  private var linkCountMax: Int {
    let description = origin.layout.columns[column]
    if description.type == .mixed { return mixed.count }
    guard description.storage.isCollection else { return origin.rowCount }
    var count = 0
    forEachRow { cluster, slot in
      count += ListTree.count(description.elements(collectionRoot(cluster, slot)))
    }
    return count
  }

  private func forEachRow(_ body: (UnsafeRawPointer, Int) -> Void) {
    for cluster in origin.clusters {
      ClusterList.forEachSlot(cluster) { body(UnsafeRawPointer(cluster), $0) }
    }
  }

  private func collectionRoot(_ cluster: UnsafeRawPointer, _ slot: Int) -> UnsafeRawPointer? {
    let leaf = Cluster.leaf(cluster, at: Int(origin.layout.columns[column].offset))
    return FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self)
  }

  /// Writes all links in the order of their sources and returns how many there are.
  private func gather(
    into links: UnsafeMutableBufferPointer<Link>, counting clusterCounts: inout [Int]
  ) throws -> Int {
    guard let root = target.root else { fatalError("A table without root is linked to.") }
    var next = 0
    var missing: (source: UInt64, target: UInt64)?
    clusterCounts.withUnsafeMutableBufferPointer { counts in
      func add(_ link: UInt64, _ source: UInt64) {
        guard let cluster = Directory.cluster(root, of: link), let slot = Cluster.slot(cluster, of: link) else {
          if missing == nil { missing = (source, link) }
          return
        }
        let ordinal = TableAssembly.ordinal(cluster)
        counts[ordinal] &+= 1
        links[next] = Link(place: UInt64(ordinal) &<< 8 | UInt64(slot), source: source)
        next &+= 1
      }
      if origin.layout.columns[column].type == .mixed {
        for link in mixed { add(link.target, link.source) }
        return
      }
      for cluster in origin.clusters {
        ClusterList.forEachSlot(cluster) { slot in
          let source = Cluster.key(cluster, slot).rawValue
          origin.layout.forEachLink(column, cluster, slot) { add($0, source) }
        }
        if missing != nil { return }
      }
    }
    if let missing {
      let context = ColumnContext(layout: origin.layout, column: column)
      throw context.error(
        "links from row \(missing.source) to row \(missing.target) of '\(target.layout.name)', which is not there")
    }
    return next
  }

  /// Orders links by cluster, packed as source and slot.
  private func sort(
    _ links: UnsafeBufferPointer<Link>, _ counts: [Int], into packed: UnsafeMutablePointer<UInt64>
  ) {
    var heads: [Int] = []
    heads.reserveCapacity(counts.count)
    var sum = 0
    for count in counts {
      heads.append(sum)
      sum += count
    }
    heads.withUnsafeMutableBufferPointer { heads in
      var index = 0
      while index < links.count {
        let link = links[index]
        let ordinal = Int(truncatingIfNeeded: link.place &>> 8)
        packed[heads[ordinal]] = link.source &<< 8 | link.place & 255
        heads[ordinal] &+= 1
        index &+= 1
      }
    }
  }

  /// Sorts the links of each cluster by slot and makes its leaf.
  private func attach(_ packed: UnsafePointer<UInt64>, _ clusterCounts: [Int], _ store: BlockStore) {
    let backlink = target.layout.backlinkOffset(backlink)
    let most = clusterCounts.max() ?? 0
    let sources = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: most)
    defer { sources.deallocate() }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { slots in
      let counts = slots.baseAddress.unsafelyUnwrapped
      let heads = counts + 256
      var start = 0
      for (ordinal, cluster) in target.clusters.enumerated() {
        let count = clusterCounts[ordinal]
        if count == 0 { continue }
        let slotCount = Cluster.slotCount(cluster)
        counts.initialize(repeating: 0, count: 256)
        for index in start..<(start + count) { counts[Int(packed[index] & 255)] &+= 1 }
        var sum = 0
        for slot in 0..<slotCount {
          heads[slot] = sum
          sum &+= counts[slot]
        }
        for index in start..<(start + count) {
          let slot = Int(packed[index] & 255)
          sources[heads[slot]] = packed[index] &>> 8
          heads[slot] &+= 1
        }
        start += count
        let leaf = BacklinkLeaf.build(
          counts: counts, slotCount: slotCount, sources: UnsafeBufferPointer(rebasing: sources[..<count]),
          capacity: LeafCapacity.slots(for: slotCount), store)
        Cluster.setLeaf(cluster, at: backlink, leaf)
      }
    }
  }
}
