/// The ids, as stored in an interned column, of the values that pass a test.
enum InternedSet {
  /// Not worked out: values are tested row by row.
  case open
  case none
  case one(Int64)
  /// A bit per id from the first on.
  case bits(first: Int64, [UInt64])
  case sorted([Int64])

  init(sorted entries: [Int64]) {
    guard let first = entries.first, let last = entries.last else {
      self = .none
      return
    }
    if entries.count == 1 {
      self = .one(first)
    } else if last - first < 64 * Int64(entries.count) + 65536 {
      var bits = [UInt64](repeating: 0, count: Int((last - first) / 64 + 1))
      for entry in entries { bits[Int((entry - first) / 64)] |= 1 << UInt64((entry - first) & 63) }
      self = .bits(first: first, bits)
    } else {
      self = .sorted(entries)
    }
  }

  @inline(__always)
  func contains(_ entry: Int64) -> Bool {
    switch self {
    case .open, .none: return false
    case .one(let only): return entry == only
    case .bits(let first, let bits):
      let index = entry &- first
      if index < 0 || index &>> 6 >= bits.count { return false }
      return bits.withUnsafeBufferPointer { $0[Int(index &>> 6)] } &>> UInt64(index & 63) & 1 != 0
    case .sorted(let entries):
      return entries.withUnsafeBufferPointer { entries in
        var low = 0
        var high = entries.count
        while low < high {
          let middle = (low &+ high) / 2
          if entries[middle] < entry { low = middle &+ 1 } else { high = middle }
        }
        return low < entries.count && entries[low] == entry
      }
    }
  }
}

extension CompiledPredicate {
  /// Decides the tests of interned columns below a condition for every distinct value.
  func resolve(
    _ place: Int, _ snapshot: Snapshot, into resolutions: inout [InternedSet],
    _ scratch: UnsafeMutablePointer<UInt64>
  ) {
    let condition = conditions + place
    if condition.pointee.kind == .column {
      let resolution = condition.pointee.test.resolution
      if resolution >= 0 { resolutions[resolution] = resolve(&condition.pointee.test, snapshot, scratch) }
      return
    }
    var child = condition.pointee.firstChild
    while child >= 0 {
      resolve(child, snapshot, into: &resolutions, scratch)
      child = conditions[child].nextSibling
    }
  }

  private func resolve(
    _ test: UnsafeMutablePointer<ColumnTest>, _ snapshot: Snapshot, _ scratch: UnsafeMutablePointer<UInt64>
  ) -> InternedSet {
    let values = TableID(Int(test.pointee.route.column.target))
    switch test.pointee.kind {
    case .nothing: return .none
    case .bytes where test.pointee.relation == .equals:
      guard let location = snapshot.find(BytesKey(test.pointee.bytes), in: values) else { return .none }
      return .one(Int64(location.key.rawValue) + 1)
    case .byteSet:
      var entries: [Int64] = []
      for constant in byteLists[test.pointee.constant] {
        constant.withUnsafeBytes { bytes in
          if let location = snapshot.find(BytesKey(bytes), in: values) {
            entries.append(Int64(location.key.rawValue) + 1)
          }
        }
      }
      return InternedSet(sorted: entries.sorted())
    default:
      // Behind links, rows of a small table may lead into a big one.
      if !test.pointee.route.isDirect, snapshot.rowCount(values) > snapshot.rowCount(table) { return .open }
      var entries: [Int64] = []
      var clusters = ClusterCursor(snapshot.tableRoot(values))
      while let cluster = clusters.next() {
        let leaf = Cluster.leaf(cluster, at: Cluster.columnsOffset)
        let whole = test.pointee.match(leaf, Cluster.slotCount(cluster), scratch)
        let live = Cluster.live(cluster)
        for word in 0..<4 {
          var bits = live[word] & (whole?[word] ?? .max)
          while bits != 0 {
            let slot = word * 64 + bits.trailingZeroBitCount
            bits &= bits &- 1
            if whole != nil || self.test(test, bytes: BytesLeaf.bytes(leaf, slot)) {
              entries.append(Int64(Cluster.key(cluster, slot).rawValue) + 1)
            }
          }
        }
      }
      return InternedSet(sorted: entries)
    }
  }
}
