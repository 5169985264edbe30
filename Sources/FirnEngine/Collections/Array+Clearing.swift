extension Array {
  /// Removes all elements and keeps the memory for the next ones. For arrays that mostly hold a few: of these it costs a
  /// tenth of `removeAll(keepingCapacity:)`, which goes through the general replacement of ranges.
  @inlinable @inline(__always)
  package mutating func removeAllInPlace() {
    if count > 16 { return removeAll(keepingCapacity: true) }
    while !isEmpty { removeLast() }
  }

  /// The same, but gives the memory back if there were more than `limit` elements.
  @inlinable @inline(__always)
  package mutating func removeAllInPlace(keepingAtMost limit: Int) {
    if count > limit { self = [] } else { removeAllInPlace() }
  }
}
