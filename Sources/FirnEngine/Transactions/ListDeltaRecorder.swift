/// Builds the delta of a list while a transaction changes it, one operation at a time.
///
/// An operation is composed into a short recent delta. When that has grown to a few dozen runs it becomes a level of
/// its own, and neighbouring levels of similar size are composed, as in a log-structured merge tree. A random operation
/// therefore costs O(log n) amortised after n operations; appending to the list is O(1).
package struct ListDeltaRecorder: Sendable {
  /// Consecutive deltas, oldest first, each more than twice as long as the next.
  private var levels: [ListDelta] = []
  /// What happened after the last level.
  private var recent: ListDelta

  private static let recentRunCountMax = 32

  package init(count: Int) { recent = ListDelta(count: count) }

  /// The number of elements the list has now.
  package var count: Int { recent.newCount }

  /// `count` elements were inserted in front of the one that was at `position`.
  package mutating func insert(at position: Int, count: Int = 1) {
    if count == 0 { return }
    if position == self.count {
      recent.append(.insert, count)
    } else {
      record(at: position, passing: 0, .insert, count)
    }
  }

  /// `count` elements were removed from `position` on.
  package mutating func remove(at position: Int, count: Int = 1) {
    record(at: position, passing: count, .drop, count)
  }

  /// `count` elements from `position` on were assigned.
  package mutating func touch(at position: Int, count: Int = 1) {
    record(at: position, passing: count, .touch, count)
  }

  package mutating func removeAll() {
    recent = ListDelta(replacing: levels.first?.oldCount ?? recent.oldCount, with: 0)
    levels = []
  }

  /// The delta of everything recorded so far. O(runs).
  package func delta() -> ListDelta {
    var result = recent
    for level in levels.reversed() { result = level.composed(with: result) }
    return result.simplified()
  }

  private mutating func record(at position: Int, passing: Int, _ kind: ListDelta.Kind, _ count: Int) {
    if position < 0 || count < 0 || position &+ passing > self.count {
      fatalError("Positions \(position)..<\(position + passing) are outside of a list of \(self.count) elements.")
    }
    if count == 0 { return }
    var operation = ListDelta()
    operation.append(.keep, position)
    operation.append(kind, count)
    operation.append(.keep, self.count &- position &- passing)
    recent = recent.composed(with: operation)
    if recent.runCount > Self.recentRunCountMax { settle() }
  }

  private mutating func settle() {
    levels.append(recent)
    recent = ListDelta(count: recent.newCount)
    while levels.count > 1, levels[levels.count &- 2].runCount <= levels[levels.count &- 1].runCount &* 2 {
      let last = levels.removeLast()
      levels[levels.count &- 1] = levels[levels.count &- 1].composed(with: last)
    }
  }
}
