extension CompiledPredicate {
  /// Whether a row of the table matches; false when it does not exist.
  package func matches(_ key: RowKey, in contents: GraphContents) -> Bool {
    guard let location = contents.locate(key, in: table) else { return false }
    return test(0, location.cluster, location.slot, contents)
  }

  /// Tests a living row against the condition at `place`.
  func test(_ place: Int, _ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> Bool {
    let condition = conditions + place
    switch condition.pointee.kind {
    case .constant: return condition.pointee.holds
    case .all:
      var child = condition.pointee.firstChild
      while child >= 0 {
        if !test(child, cluster, slot, contents) { return false }
        child = conditions[child].nextSibling
      }
      return true
    case .any:
      var child = condition.pointee.firstChild
      while child >= 0 {
        if test(child, cluster, slot, contents) { return true }
        child = conditions[child].nextSibling
      }
      return false
    case .not: return !test(condition.pointee.firstChild, cluster, slot, contents)
    case .column: return test(column: condition, cluster, slot, contents)
    case .check: return checks[condition.pointee.check].holds(cluster, slot, contents)
    case .columns:
      let left = condition.pointee.test.route
      guard let right = condition.pointee.right else { return false }
      return compare(
        left, left.follow(cluster, slot, contents), condition.pointee.test.comparison, right,
        right.follow(cluster, slot, contents), contents)
    }
  }

  @inline(__always)
  private func test(
    column condition: UnsafeMutablePointer<Condition>, _ cluster: UnsafeRawPointer, _ slot: Int,
    _ contents: GraphContents
  ) -> Bool {
    if condition.pointee.test.route.linkCount == 0 {
      return test(&condition.pointee.test, cluster, slot, contents)
    }
    guard let location = condition.pointee.test.route.follow(cluster, slot, contents) else {
      return condition.pointee.test.matchesNull
    }
    return test(&condition.pointee.test, location.cluster, location.slot, contents)
  }

  /// Tests the value of the row that the column lies in.
  @inline(__always)
  func test(
    _ test: UnsafeMutablePointer<ColumnTest>, _ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents
  ) -> Bool {
    let column = test.pointee.route.column
    if column.nullOffset != 0, Cluster.bit(cluster, Int(column.nullOffset), slot) { return test.pointee.matchesNull }
    let offset = Int(column.offset)
    let hit: Bool
    switch column.storage {
    case .bits:
      hit = test.pointee.kind == .bool && Cluster.bit(cluster, offset, slot)
    case .int:
      hit = self.test(test, number: IntLeaf.value(Cluster.leaf(cluster, at: offset), slot))
    case .link:
      let target = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      if target == 0 { return test.pointee.matchesNull }
      hit = self.test(test, number: target)
    case .interned:
      let entry = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      if entry == 0 { return test.pointee.matchesNull }
      hit = self.test(test, bytes: contents.internedBytes(entry, in: Int(column.target)))
    case .bytes:
      let bytes = BytesLeaf.bytes(Cluster.leaf(cluster, at: offset), slot)
      hit = column.type == .mixed ? self.test(test, mixed: bytes, contents) : self.test(test, bytes: bytes)
    case .fixed: hit = self.test(test, fixed: Cluster.leaf(cluster, at: offset), slot)
    case .list, .set, .map: return false
    }
    return hit != test.pointee.isNegated
  }

  @inline(__always)
  func test(_ test: UnsafeMutablePointer<ColumnTest>, number: Int64) -> Bool {
    switch test.pointee.kind {
    case .intRange: return number >= test.pointee.low && number <= test.pointee.high
    case .intSet: return numberSets[test.pointee.constant].contains(number)
    default: return false
    }
  }

  func test(_ test: UnsafeMutablePointer<ColumnTest>, bytes: UnsafeRawBufferPointer) -> Bool {
    let needle = test.pointee.bytes
    switch test.pointee.kind {
    case .bytes:
      switch test.pointee.relation {
      case .equals: return bytes.count == needle.count && compareBytes(bytes, needle) == 0
      case .hasPrefix:
        return bytes.count >= needle.count && compareBytes(.init(rebasing: bytes[..<needle.count]), needle) == 0
      case .hasSuffix:
        let start = bytes.count - needle.count
        return start >= 0 && compareBytes(.init(rebasing: bytes[start...]), needle) == 0
      case .contains: return find(needle, in: bytes)
      }
    case .byteOrder: return test.pointee.comparison.holds(compareBytes(bytes, needle))
    case .byteSet: return byteSets[test.pointee.constant].contains(bytes)
    case .text: return patterns[test.pointee.constant].matches(bytes)
    default: return false
    }
  }

  private func test(
    _ test: UnsafeMutablePointer<ColumnTest>, mixed bytes: UnsafeRawBufferPointer, _ contents: GraphContents
  ) -> Bool {
    if test.pointee.kind != .order { return false }
    let value = MixedBytes.value(bytes)
    let constant = constants[test.pointee.constant]
    if value.isUnordered || value.kindRank != constant.kindRank { return false }
    return test.pointee.comparison.holds(value.order(to: constant))
  }

  @inline(__always)
  private func test(
    _ test: UnsafeMutablePointer<ColumnTest>, fixed leaf: UnsafeRawPointer, _ slot: Int
  ) -> Bool {
    switch test.pointee.kind {
    case .double:
      return test.pointee.operation.holds(FixedLeaf.load(leaf, slot, as: Double.self), test.pointee.double)
    case .float:
      return test.pointee.operation.holds(FixedLeaf.load(leaf, slot, as: Float.self), test.pointee.float)
    case .fixedBytes:
      let count = test.pointee.bytes.count
      return compareBytes(.init(start: FixedLeaf.address(leaf, slot), count: count), test.pointee.bytes) == 0
    case .order:
      let value = Value(fixed: leaf, slot: slot, type: test.pointee.route.column.type)
      if value.isUnordered { return false }
      return test.pointee.comparison.holds(value.order(to: constants[test.pointee.constant]))
    default: return false
    }
  }

  // MARK: Column against column

  private func compare(
    _ left: ResolvedPath, _ leftRow: RowLocation?, _ comparison: Comparison, _ right: ResolvedPath,
    _ rightRow: RowLocation?,
    _ contents: GraphContents
  ) -> Bool {
    if let leftRow, let rightRow, left.column.type == right.column.type, left.column.nullOffset == 0,
      right.column.nullOffset == 0
    {
      let a = Cluster.leaf(leftRow.cluster, at: Int(left.column.offset))
      let b = Cluster.leaf(rightRow.cluster, at: Int(right.column.offset))
      switch (left.column.storage, right.column.storage) {
      case (.int, .int):
        let (x, y) = (IntLeaf.value(a, leftRow.slot), IntLeaf.value(b, rightRow.slot))
        return comparison.holds(x < y ? -1 : (x == y ? 0 : 1))
      case (.bytes, .bytes):
        return comparison.holds(compareBytes(BytesLeaf.bytes(a, leftRow.slot), BytesLeaf.bytes(b, rightRow.slot)))
      default: break
      }
    }
    let a = value(left, leftRow, contents)
    let b = value(right, rightRow, contents)
    if a == .null || b == .null {
      return a == b ? comparison.holdsForNulls : comparison == .notEqual
    }
    if a.isUnordered || b.isUnordered || !b.isComparable(to: left.column.type) { return comparison == .notEqual }
    if left.column.type == .mixed || right.column.type == .mixed, a.kindRank != b.kindRank {
      return comparison == .notEqual
    }
    // Links have no order.
    if left.column.type == .link, comparison != .equal, comparison != .notEqual { return false }
    return comparison.holds(a.numeric(for: right.column.type).order(to: b.numeric(for: left.column.type)))
  }

  private func value(_ route: ResolvedPath, _ row: RowLocation?, _ contents: GraphContents) -> Value {
    guard let row else { return .null }
    return contents.value(route.columnIndex, at: row, in: layout.tables[route.table])
  }
}
