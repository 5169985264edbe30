/// What a column of many rows comes to.
package enum Aggregate: Sendable {
  case min, max, sum, average
}

/// The rows that an aggregate looks at.
package enum Selection {
  case all
  case matching(CompiledPredicate)
  /// Rows by key; a key that appears twice counts twice, one whose row is gone does not count.
  case keys([UInt64])
}

extension GraphContents {
  /// An aggregate over a column; nulls and NaNs are passed over.
  ///
  /// Sums of ints wrap around in 64 bits, those of floats are Doubles, those of decimals are rounded at each step; an
  /// average is a Double, of decimals a decimal. `.null` is the minimum,
  /// maximum or average of nothing. Nil when the column's type has no such aggregate.
  ///
  /// - Complexity: vectorised for `.all` and for scanned predicates, else a look-up per row. O(log n) for a minimum or
  ///   maximum that an ordered index has at an end.
  package func aggregate(
    _ aggregate: Aggregate, of column: ColumnID, in table: TableID, over selection: Selection = .all
  ) -> Value? {
    let description = layout.tables[table.index].columns[column.index]
    if description.storage.isCollection { return nil }
    let isExtreme = aggregate == .min || aggregate == .max
    switch description.type {
    case .int, .float, .double, .decimal128: break
    case .date: if !isExtreme { return nil }
    case .mixed: return aggregateMixed(aggregate, of: column, in: table, over: selection)
    case .bool, .string, .data, .objectID, .uuid, .link: return nil
    }
    if isExtreme, let value = indexedExtreme(aggregate, of: column, in: table, selection) { return value }
    var state = AggregateState(aggregate, description)
    switch selection {
    case .all:
      var clusters = ClusterCursor(tableRoot(table))
      while let cluster = clusters.next() {
        state.add(cluster, UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self))
      }
    case .matching(let predicate):
      if predicate.table != table { fatalError("An aggregate over the matches of another table's predicate.") }
      if predicate.usesIndex(in: self) {
        addRows(predicate.keys(in: self), of: table, to: &state)
      } else {
        let scan = PredicateScan(predicate, self)
        var clusters = ClusterCursor(tableRoot(table))
        while let cluster = clusters.next() {
          let mask = scan.evaluate(cluster)
          if mask != .zero { state.add(cluster, mask) }
        }
      }
    case .keys(let keys): addRows(keys, of: table, to: &state)
    }
    return state.result
  }

  private func addRows(_ keys: [UInt64], of table: TableID, to state: inout AggregateState) {
    var rows = RowFinder(tableRoot(table))
    for key in keys {
      if let location = rows.locate(key) { state.add(location) }
    }
  }
}

/// Locates rows one after the other; quick when neighbours in the sequence lie in the same cluster.
struct RowFinder {
  private let table: UnsafeRawPointer
  private var cluster: UnsafeRawPointer?
  private var index = UInt64.max

  init(_ table: UnsafeRawPointer) { self.table = table }

  @inline(__always)
  mutating func locate(_ key: UInt64) -> RowLocation? {
    if key &>> 8 != index {
      index = key &>> 8
      cluster = Directory.cluster(table, of: key)
    }
    guard let cluster, let slot = Cluster.slot(cluster, of: key) else { return nil }
    return RowLocation(cluster: cluster, slot: slot)
  }
}

/// Takes in clusters and rows, and tells what they come to.
private struct AggregateState {
  let aggregate: Aggregate
  let column: ColumnLayout
  private let offset: Int
  private var count = 0
  private var wrappingSum: Int64 = 0
  private var exactSum: Int128 = 0
  private var realSum = 0.0
  private var least = Int64.max
  private var greatest = Int64.min
  private var leastReal = Double.infinity
  private var greatestReal = -Double.infinity
  private var decimalSum = DecimalFloat.zero
  private var leastDecimal = DecimalFloat.infinity(isNegative: false)
  private var greatestDecimal = DecimalFloat.infinity(isNegative: true)

  init(_ aggregate: Aggregate, _ column: ColumnLayout) {
    self.aggregate = aggregate
    self.column = column
    offset = Int(column.offset)
  }

  var result: Value? {
    switch (aggregate, column.type) {
    case (.sum, .int): .int(wrappingSum)
    case (.sum, .decimal128): .decimal128(decimalSum.bits)
    case (.sum, _): .double(realSum)
    case (_, _) where count == 0: .null
    case (.average, .int): .double(Double(exactSum) / Double(count))
    case (.average, .decimal128): .decimal128((decimalSum / DecimalFloat(Int64(count))).bits)
    case (.average, _): .double(realSum / Double(count))
    case (.min, .int): .int(least)
    case (.max, .int): .int(greatest)
    case (.min, .float): .float(Float(leastReal))
    case (.max, .float): .float(Float(greatestReal))
    case (.min, .date): .date(leastReal)
    case (.max, .date): .date(greatestReal)
    case (.min, .decimal128): .decimal128(leastDecimal.bits)
    case (.max, .decimal128): .decimal128(greatestDecimal.bits)
    case (.min, _): .double(leastReal)
    case (.max, _): .double(greatestReal)
    }
  }

  // MARK: Whole clusters

  mutating func add(_ cluster: UnsafeRawPointer, _ selected: SIMD4<UInt64>) {
    var selected = selected
    if column.nullOffset != 0 {
      selected &= ~UnsafeRawPointer(Cluster.mask(cluster, at: Int(column.nullOffset))).loadUnaligned(
        as: SIMD4<UInt64>.self)
    }
    let leaf = Cluster.leaf(cluster, at: offset)
    let slotCount = Cluster.slotCount(cluster)
    withUnsafeMutableBytes(of: &selected) { words in
      let mask = words.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
      switch column.type {
      case .int: addInts(leaf, slotCount, mask)
      case .float: addFloats(leaf, slotCount, mask)
      case .decimal128: forEach(mask) { addDecimal(leaf, $0) }
      default: addDoubles(leaf, slotCount, mask)
      }
    }
  }

  private mutating func addInts(_ leaf: UnsafeRawPointer, _ slotCount: Int, _ mask: UnsafeMutablePointer<UInt64>) {
    switch aggregate {
    case .sum: wrappingSum &+= IntLeaf.sum(leaf, count: slotCount, mask: mask)
    case .average:
      count &+= SlotMask.count(mask)
      if leaf.blockShift < 3 {
        // Offsets from the base cannot overflow; the base comes in exactly.
        let base = IntLeaf.base(leaf)
        let selectedCount = Int64(SlotMask.count(mask))
        let stored = IntLeaf.sum(leaf, count: slotCount, mask: mask) &- base &* selectedCount
        exactSum += Int128(stored) + Int128(base) * Int128(selectedCount)
      } else {
        forEach(mask) { exactSum += Int128(IntLeaf.value(leaf, $0)) }
      }
    case .min, .max:
      guard let extremes = IntLeaf.extremes(leaf, count: slotCount, mask: mask) else { return }
      count &+= 1
      least = Swift.min(least, extremes.least)
      greatest = Swift.max(greatest, extremes.greatest)
    }
  }

  private mutating func addDoubles(
    _ leaf: UnsafeRawPointer, _ slotCount: Int, _ mask: UnsafeMutablePointer<UInt64>
  ) {
    switch aggregate {
    case .sum, .average:
      var sum = FixedLeaf.sumDoubles(leaf, count: slotCount, mask: mask)
      if sum.isNaN {
        dropNaNs(mask) { FixedLeaf.match(leaf, count: slotCount, .greaterOrEqual, -Double.infinity, into: $0) }
        sum = FixedLeaf.sumDoubles(leaf, count: slotCount, mask: mask)
      }
      realSum += sum
      count &+= SlotMask.count(mask)
    case .min, .max:
      if let extremes = FixedLeaf.extremeDoubles(leaf, count: slotCount, mask: mask) {
        add(extremes.least, extremes.greatest)
      }
    }
  }

  private mutating func addFloats(
    _ leaf: UnsafeRawPointer, _ slotCount: Int, _ mask: UnsafeMutablePointer<UInt64>
  ) {
    switch aggregate {
    case .sum, .average:
      var sum = FixedLeaf.sumFloats(leaf, count: slotCount, mask: mask)
      if sum.isNaN {
        dropNaNs(mask) { FixedLeaf.match(leaf, count: slotCount, .greaterOrEqual, -Float.infinity, into: $0) }
        sum = FixedLeaf.sumFloats(leaf, count: slotCount, mask: mask)
      }
      realSum += sum
      count &+= SlotMask.count(mask)
    case .min, .max:
      if let extremes = FixedLeaf.extremeFloats(leaf, count: slotCount, mask: mask) {
        add(Double(extremes.least), Double(extremes.greatest))
      }
    }
  }

  /// Without a NaN a sum of at most 256 numbers is NaN only when infinities cancel out.
  private func dropNaNs(_ mask: UnsafeMutablePointer<UInt64>, _ match: (UnsafeMutablePointer<UInt64>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { numbers in
      match(numbers.baseAddress.unsafelyUnwrapped)
      for word in 0..<4 { mask[word] &= numbers[word] }
    }
  }

  private mutating func add(_ least: Double, _ greatest: Double) {
    count &+= 1
    leastReal = Swift.min(leastReal, least)
    greatestReal = Swift.max(greatestReal, greatest)
  }

  private mutating func addDecimal(_ leaf: UnsafeRawPointer, _ slot: Int) {
    let value = DecimalFloat(FixedLeaf.load(leaf, slot, as: Bytes16.self))
    if value.isNaN { return }
    count &+= 1
    switch aggregate {
    case .sum, .average: decimalSum = decimalSum + value
    case .min: if value.order(to: leastDecimal) <= 0 { leastDecimal = value }
    case .max: if value.order(to: greatestDecimal) >= 0 { greatestDecimal = value }
    }
  }

  private func forEach(_ mask: UnsafeMutablePointer<UInt64>, _ body: (Int) -> Void) {
    for word in 0..<4 {
      var bits = mask[word]
      while bits != 0 {
        body(word &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  // MARK: Single rows

  mutating func add(_ row: RowLocation) {
    if column.nullOffset != 0, Cluster.bit(row.cluster, Int(column.nullOffset), row.slot) { return }
    let leaf = Cluster.leaf(row.cluster, at: offset)
    if column.type == .int {
      let value = IntLeaf.value(leaf, row.slot)
      count &+= 1
      wrappingSum &+= value
      if aggregate == .average { exactSum += Int128(value) }
      least = Swift.min(least, value)
      greatest = Swift.max(greatest, value)
      return
    }
    if column.type == .decimal128 { return addDecimal(leaf, row.slot) }
    let value =
      column.type == .float
      ? Double(FixedLeaf.load(leaf, row.slot, as: Float.self)) : FixedLeaf.load(leaf, row.slot, as: Double.self)
    if value.isNaN { return }
    realSum += value
    add(value, value)
  }
}
