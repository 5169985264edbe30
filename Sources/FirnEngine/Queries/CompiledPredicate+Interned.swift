extension CompiledPredicate {
  /// Decides the tests of interned columns below a condition for every distinct value.
  func resolve(
    _ place: Int, _ contents: GraphContents, into resolutions: inout [NumberSet],
    _ scratch: UnsafeMutablePointer<UInt64>
  ) {
    let condition = conditions + place
    if condition.pointee.kind == .column {
      let resolution = condition.pointee.test.resolution
      if resolution >= 0 { resolutions[resolution] = resolve(&condition.pointee.test, contents, scratch) }
      return
    }
    var child = condition.pointee.firstChild
    while child >= 0 {
      resolve(child, contents, into: &resolutions, scratch)
      child = conditions[child].nextSibling
    }
  }

  private func resolve(
    _ test: UnsafeMutablePointer<ColumnTest>, _ contents: GraphContents, _ scratch: UnsafeMutablePointer<UInt64>
  ) -> NumberSet {
    let values = TableID(Int(test.pointee.route.column.target))
    switch test.pointee.kind {
    case .nothing: return .none
    case .bytes where test.pointee.relation == .equals:
      guard let location = contents.find(BytesKey(test.pointee.bytes), in: values) else { return .none }
      return .one(Int64(location.key.rawValue) + 1)
    case .byteSet:
      var entries: [Int64] = []
      let constants = byteSets[test.pointee.constant]
      for index in 0..<constants.count {
        if let location = contents.find(BytesKey(constants[index]), in: values) {
          entries.append(Int64(location.key.rawValue) + 1)
        }
      }
      return NumberSet(sorted: entries.sorted())
    default:
      // Behind links, rows of a small table may lead into a big one.
      if !test.pointee.route.isDirect, contents.rowCount(values) > contents.rowCount(table) { return .open }
      var entries: [Int64] = []
      var clusters = ClusterCursor(contents.tableRoot(values))
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
      return NumberSet(sorted: entries)
    }
  }
}
