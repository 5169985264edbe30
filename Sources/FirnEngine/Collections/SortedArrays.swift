/// Arrays in ascending order.
extension Array {
  /// The first index whose element does not precede, in an array where those that do come first. O(log n).
  @inlinable
  package func partitionIndex(_ precedes: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if precedes(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

extension Array where Element: Comparable {
  /// Whether an element is there. O(log n).
  @inlinable
  package func containsSorted(_ element: Element) -> Bool {
    let index = partitionIndex { $0 < element }
    return index < count && self[index] == element
  }
}

extension Array where Element: Equatable {
  /// Keeps one of equal neighbours. O(n).
  @inlinable
  package mutating func removeRepeats() {
    var kept = 0
    for index in indices {
      let element = self[index]
      if kept > 0, self[kept - 1] == element { continue }
      self[kept] = element
      kept += 1
    }
    removeLast(count - kept)
  }
}
