extension CompiledPredicate {
  /// The living rows of one cluster of the table that match.
  ///
  /// For more than one cluster make a ``PredicateScan``, which prepares once.
  package func evaluate(
    _ cluster: UnsafeRawPointer, in contents: GraphContents, into mask: UnsafeMutablePointer<UInt64>
  ) {
    PredicateScan(self, contents).evaluate(cluster, into: mask)
  }

  /// How many rows match.
  ///
  /// - Complexity: O(1) when an index alone answers, else one pass over the columns concerned.
  package func count(in contents: GraphContents, work: UnsafeMutablePointer<QueryWork>? = nil) -> Int {
    if let constant = constantResult { return constant ? contents.rowCount(table) : 0 }
    if let found = candidates(in: contents, limit: 0, work) {
      if found.hasExactCount { return found.count }
      return count(of: found, in: contents, work) ?? keys(by: found, in: contents, from: 0, work).count
    }
    let scan = PredicateScan(self, contents)
    var count = 0
    var clusters = ClusterCursor(contents.tableRoot(table))
    while let cluster = clusters.next() {
      let mask = scan.evaluate(cluster)
      count &+= mask.count
    }
    work?.pointee.add(scan.work)
    return count
  }

  /// The keys of the matching rows at or above `from`, ascending; the first `limit` of them.
  package func keys(
    in contents: GraphContents, from: RowKey = RowKey(0), limit: Int = .max,
    work: UnsafeMutablePointer<QueryWork>? = nil
  ) -> [UInt64] {
    if limit <= 0 || constantResult == false { return [] }
    if constantResult == nil, let found = candidates(in: contents, limit: limit, work) {
      let keys = keys(by: found, in: contents, from: from.rawValue, work)
      return keys.count > limit ? Array(keys.prefix(limit)) : keys
    }
    // Masks first, so that the array is allocated once.
    let scan = PredicateScan(self, contents)
    var found: [(cluster: UnsafeRawPointer, mask: SIMD4<UInt64>)] = []
    found.reserveCapacity(min(limit, contents.rowCount(table) / 256 + 2))
    var total = 0
    var clusters = ClusterCursor(contents.tableRoot(table), from: from.rawValue)
    while total < limit, let cluster = clusters.next() {
      var mask = scan.evaluate(cluster)
      if mask == .zero { continue }
      if from.rawValue != 0 { mask = mask.dropping(below: from.rawValue, cluster) }
      total &+= mask.count
      found.append((cluster, mask))
    }
    work?.pointee.add(scan.work)
    return Array(unsafeUninitializedCapacity: total) { buffer, count in
      count = min(total, limit)
      guard var target = buffer.baseAddress else { return }
      for (cluster, mask) in found { target = mask.writeKeys(of: cluster, to: target) }
    }
  }

  /// Calls `body` with the matching rows in key order.
  package func forEachMatch(in contents: GraphContents, from: RowKey = RowKey(0), _ body: (RowKey) -> Void) {
    forEachMatch(
      in: contents, from: from,
      while: {
        body($0)
        return true
      })
  }

  /// Calls `body` with the matching rows at or above `from` in key order until it returns false.
  package func forEachMatch(in contents: GraphContents, from: RowKey = RowKey(0), while body: (RowKey) -> Bool) {
    forEachMatch(in: contents, from: from, limit: .max, while: body)
  }

  private func forEachMatch(in contents: GraphContents, from: RowKey, limit: Int, while body: (RowKey) -> Bool) {
    if constantResult == false { return }
    if constantResult == nil, let found = candidates(in: contents, limit: limit) {
      for key in keys(by: found, in: contents, from: from.rawValue, nil) where !body(RowKey(key)) { return }
      return
    }
    let scan = PredicateScan(self, contents)
    var clusters = ClusterCursor(contents.tableRoot(table), from: from.rawValue)
    while let cluster = clusters.next() {
      let mask = scan.evaluate(cluster)
      for word in 0..<4 {
        var bits = mask[word]
        while bits != 0 {
          let key = Cluster.key(cluster, word &* 64 &+ bits.trailingZeroBitCount)
          bits &= bits &- 1
          if key.rawValue >= from.rawValue, !body(key) { return }
        }
      }
    }
  }

  /// The matching row with the smallest key at or above `from`.
  package func firstMatch(in contents: GraphContents, from: RowKey = RowKey(0)) -> RowKey? {
    if constantResult == nil, let access = accesses.first, access.isComplete, access.ordered.isEmpty,
      access.probes.count == 1, !access.isPrimaryKey
    {
      guard let postings = access.probes[0].postings(contents) else { return nil }
      return postings.first(from: from.rawValue)
    }
    var first: RowKey?
    forEachMatch(in: contents, from: from, limit: 1) {
      first = $0
      return false
    }
    return first
  }

  // MARK: Index access

  /// Whether the matching rows are found by index rather than by a scan.
  package func usesIndex(in contents: GraphContents) -> Bool {
    constantResult == nil && candidates(in: contents) != nil
  }

  /// The rows that the best way in leads to, or nil when scanning is cheaper.
  ///
  /// - Parameter limit: How many matches are wanted; 0 for their number alone.
  func candidates(
    in contents: GraphContents, limit: Int = .max, _ work: UnsafeMutablePointer<QueryWork>? = nil
  ) -> IndexCandidates? {
    let rowCount = contents.rowCount(table)
    var best: IndexCandidates?
    for access in accesses {
      guard let found = IndexCandidates(access, contents, table, rowCount: rowCount) else { continue }
      work?.pointee.lookups += access.lookupCount
      // The postings of one value are their rows in order, and a count needs no rows.
      if access.isPrimaryKey || (access.isComplete && access.ordered.isEmpty) { return found }
      if limit == 0, found.hasExactCount { return found }
      if best.map({ found.count < $0.count }) ?? true { best = found }
      // Nothing can be much better.
      if found.count <= 16 { break }
    }
    // A scan tests places one by one as well.
    if let best, best.access.ordered.contains(where: { $0.index.place != nil }) { return best }
    let singleRowMax = QueryWork.singleRowMax(beside: rowCount)
    // A scan ends when it has found enough.
    let most = limit == 0 || limit > 1024 ? singleRowMax : min(singleRowMax, limit * 1024)
    return best.flatMap { $0.count > most ? nil : $0 }
  }

  private func count(
    of found: IndexCandidates, in contents: GraphContents, _ work: UnsafeMutablePointer<QueryWork>?
  ) -> Int? {
    var testedRows = 0
    var rejectedRows = 0
    let count = found.count(in: contents) { key in
      testedRows &+= 1
      if matches(RowKey(key), in: contents) { return true }
      rejectedRows &+= 1
      return false
    }
    work?.pointee.foundRows += (count ?? 0) + rejectedRows
    work?.pointee.testedRows += testedRows
    return count
  }

  private func keys(
    by found: IndexCandidates, in contents: GraphContents, from: UInt64, _ work: UnsafeMutablePointer<QueryWork>?
  ) -> [UInt64] {
    var testedRows = 0
    var rejectedRows = 0
    var keys = found.keys(in: contents, table) { key in
      if key < from { return true }
      testedRows &+= 1
      if matches(RowKey(key), in: contents) { return true }
      rejectedRows &+= 1
      return false
    }
    work?.pointee.foundRows += keys.count + rejectedRows
    work?.pointee.testedRows += testedRows
    if from > 0 { keys.removeAll { $0 < from } }
    return keys
  }
}

extension Postings {
  /// The smallest key at or above `from`.
  func first(from: UInt64) -> RowKey? {
    var cursor = BacklinkLeaf.sources(leaf, slot)
    while let chunk = cursor.nextChunk() {
      let skipped = from == 0 ? 0 : chunk.upperBound(from - 1)
      if skipped < chunk.count { return RowKey(chunk[skipped]) }
    }
    return nil
  }
}

extension QueryWork {
  package mutating func add(_ other: QueryWork) {
    scannedClusters += other.scannedClusters
    testedRows += other.testedRows
    lookups += other.lookups
    foundRows += other.foundRows
    climbedLinks += other.climbedLinks
  }
}

extension SIMD4<UInt64> {
  @inline(__always)
  var count: Int {
    self[0].nonzeroBitCount &+ self[1].nonzeroBitCount &+ self[2].nonzeroBitCount &+ self[3].nonzeroBitCount
  }

  /// Without the slots of keys below `key`.
  func dropping(below key: UInt64, _ cluster: UnsafeRawPointer) -> SIMD4<UInt64> {
    var result = self
    for word in 0..<4 {
      var bits = self[word]
      while bits != 0 {
        let slot = word * 64 + bits.trailingZeroBitCount
        if Cluster.key(cluster, slot).rawValue >= key { return result }
        bits &= bits &- 1
        result[word] = bits
      }
    }
    return result
  }

  /// Writes the keys of the slots in the mask, ascending; returns where to go on.
  @inline(__always)
  func writeKeys(of cluster: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<UInt64>
  {
    var target = target
    let base = Cluster.base(cluster)
    let offsets = Cluster.offsets(cluster)
    for word in 0..<4 {
      var bits = self[word]
      while bits != 0 {
        let slot = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        target.pointee = base &+ (offsets.map { UInt64($0[slot]) } ?? UInt64(truncatingIfNeeded: slot))
        target += 1
      }
    }
    return target
  }
}
