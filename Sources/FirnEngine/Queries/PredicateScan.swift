/// A predicate at work on the contents of one version: turns clusters into masks of matching rows.
///
/// Conditions on interned columns are decided once per distinct value, when the scan is made; then only value ids are
/// compared. Used by one thread, while the contents are valid.
package final class PredicateScan {
  package let predicate: CompiledPredicate
  package let contents: GraphContents
  package private(set) var work = QueryWork()
  let resolutions: [NumberSet]
  let scratch: UnsafeMutablePointer<UInt64>

  package init(_ predicate: CompiledPredicate, _ contents: GraphContents) {
    self.predicate = predicate
    self.contents = contents
    scratch = .allocate(capacity: 8)
    scratch.initialize(repeating: 0, count: 8)
    var resolutions: [NumberSet] = []
    if predicate.resolutionCount > 0 {
      resolutions = Array(repeating: .open, count: predicate.resolutionCount)
      predicate.resolve(0, contents, into: &resolutions, scratch)
    }
    self.resolutions = resolutions
  }

  deinit { scratch.deallocate() }

  /// The living rows of a cluster that match.
  package func evaluate(_ cluster: UnsafeRawPointer, into mask: UnsafeMutablePointer<UInt64>) {
    let result = evaluate(cluster)
    mask[0] = result[0]
    mask[1] = result[1]
    mask[2] = result[2]
    mask[3] = result[3]
  }

  /// The living rows of a cluster that match.
  @inline(__always)
  package func evaluate(_ cluster: UnsafeRawPointer) -> SIMD4<UInt64> {
    work.scannedClusters &+= 1
    let live = UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self)
    return evaluate(predicate.conditions, cluster, live)
  }

  /// The rows among `candidates` for which a condition holds.
  private func evaluate(
    _ condition: UnsafeMutablePointer<Condition>, _ cluster: UnsafeRawPointer, _ candidates: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    switch condition.pointee.kind {
    case .constant: return condition.pointee.holds ? candidates : .zero
    case .column:
      if condition.pointee.test.route.linkCount != 0 { return testRows(condition, cluster, candidates) }
      return evaluate(&condition.pointee.test, condition, cluster, candidates)
    case .all:
      var left = candidates
      var child = condition.pointee.firstChild
      while child >= 0 {
        left = evaluate(predicate.conditions + child, cluster, left)
        if left == .zero { return left }
        child = predicate.conditions[child].nextSibling
      }
      return left
    case .any:
      var open = candidates
      var child = condition.pointee.firstChild
      while child >= 0 {
        open &= ~evaluate(predicate.conditions + child, cluster, open)
        if open == .zero { break }
        child = predicate.conditions[child].nextSibling
      }
      return candidates & ~open
    case .not:
      return candidates & ~evaluate(predicate.conditions + condition.pointee.firstChild, cluster, candidates)
    case .columns, .check: return testRows(condition, cluster, candidates)
    }
  }

  /// Tests the candidates one by one.
  private func testRows(
    _ condition: UnsafeMutablePointer<Condition>, _ cluster: UnsafeRawPointer, _ candidates: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    let resolution = condition.pointee.kind == .column ? condition.pointee.test.resolution : -1
    if resolution >= 0 {
      let set = resolutions[resolution]
      if case .open = set {} else { return followRows(&condition.pointee.test, set, cluster, candidates) }
    }
    let place = condition - predicate.conditions
    return filter(candidates) { predicate.test(place, cluster, $0, contents) }
  }

  /// Follows the links of the candidates and looks value ids up in a set.
  private func followRows(
    _ test: UnsafeMutablePointer<ColumnTest>, _ set: NumberSet, _ cluster: UnsafeRawPointer,
    _ candidates: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    let route = test.pointee.route
    let isNegated = test.pointee.isNegated
    let matchesNull = test.pointee.matchesNull
    return filter(candidates) { slot in
      guard let row = route.follow(cluster, slot, contents) else { return matchesNull }
      let entry = IntLeaf.value(Cluster.leaf(row.cluster, at: Int(route.column.offset)), row.slot)
      return entry == 0 ? matchesNull : set.contains(entry) != isNegated
    }
  }

  @inline(__always)
  private func filter(_ candidates: SIMD4<UInt64>, _ holds: (Int) -> Bool) -> SIMD4<UInt64> {
    var result = SIMD4<UInt64>.zero
    for word in 0..<4 {
      var bits = candidates[word]
      work.testedRows &+= bits.nonzeroBitCount
      var hits: UInt64 = 0
      while bits != 0 {
        let bit = bits.trailingZeroBitCount
        bits &= bits &- 1
        if holds(word &* 64 &+ bit) { hits |= 1 &<< UInt64(bit) }
      }
      result[word] = hits
    }
    return result
  }

  /// Tests a column of the cluster's own rows.
  @inline(__always)
  private func evaluate(
    _ test: UnsafeMutablePointer<ColumnTest>, _ condition: UnsafeMutablePointer<Condition>,
    _ cluster: UnsafeRawPointer, _ candidates: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    let column = test.pointee.route.column
    let count = Cluster.slotCount(cluster)
    var hits: SIMD4<UInt64>
    var nulls = SIMD4<UInt64>.zero
    if column.nullOffset != 0 {
      nulls = UnsafeRawPointer(Cluster.mask(cluster, at: Int(column.nullOffset))).loadUnaligned(
        as: SIMD4<UInt64>.self)
    }
    if test.pointee.kind == .bool {
      hits = UnsafeRawPointer(Cluster.mask(cluster, at: Int(column.offset))).loadUnaligned(as: SIMD4<UInt64>.self)
    } else if test.pointee.kind == .nothing, column.storage == .bits {
      hits = .zero
    } else {
      let leaf = Cluster.leaf(cluster, at: Int(column.offset))
      let numbered = column.storage == .link || column.storage == .interned
      if column.storage == .interned, test.pointee.kind != .nothing {
        hits = match(resolutions[test.pointee.resolution], leaf, count, candidates)
      } else if test.pointee.kind == .intSet {
        hits = match(predicate.numberSets[test.pointee.constant], leaf, count, candidates)
      } else if let whole = test.pointee.match(leaf, count, scratch) {
        hits = whole
      } else {
        return filter(candidates) { predicate.test(test, cluster, $0, contents) }
      }
      if numbered, test.pointee.isNegated != test.pointee.matchesNull {
        IntLeaf.match(leaf, count: count, from: 0, through: 0, into: scratch)
        nulls = scratch.mask
      }
    }
    if test.pointee.isNegated { hits = ~hits }
    if column.isNullable { hits = test.pointee.matchesNull ? hits | nulls : hits & ~nulls }
    return hits & candidates
  }

  private func match(
    _ set: NumberSet, _ leaf: UnsafeRawPointer, _ count: Int, _ candidates: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    switch set {
    case .none: return .zero
    case .one(let entry):
      IntLeaf.match(leaf, count: count, from: entry, through: entry, into: scratch)
      return scratch.mask
    case .open, .bits, .sorted: return filter(candidates) { set.contains(IntLeaf.value(leaf, $0)) }
    }
  }
}

extension UnsafeMutablePointer<UInt64> {
  /// Four words as one mask.
  @inline(__always)
  var mask: SIMD4<UInt64> { UnsafeRawPointer(self).loadUnaligned(as: SIMD4<UInt64>.self) }
}

extension ColumnTest {
  /// The slots of a leaf whose values pass, before negation; nil when values have to be looked at one by one.
  @inline(__always)
  func match(
    _ leaf: UnsafeRawPointer, _ count: Int, _ scratch: UnsafeMutablePointer<UInt64>
  ) -> SIMD4<UInt64>? {
    switch kind {
    case .nothing: return .zero
    case .intRange: IntLeaf.match(leaf, count: count, from: low, through: high, into: scratch)
    case .double: FixedLeaf.match(leaf, count: count, operation, double, into: scratch)
    case .float: FixedLeaf.match(leaf, count: count, operation, float, into: scratch)
    case .fixedBytes:
      guard let start = bytes.baseAddress else { return .zero }
      FixedLeaf.matchBytes(leaf, count: count, equalTo: start, into: scratch)
    case .bytes: BytesLeaf.match(leaf, count: count, relation, bytes, into: scratch)
    case .bool, .intSet, .byteOrder, .byteSet, .text, .order: return nil
    }
    return scratch.mask
  }
}
