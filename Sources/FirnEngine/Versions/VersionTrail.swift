/// Versions that are held one by one for somebody who wants to see each commit, oldest first.
///
/// Bounded by the memory that they may keep: when the blocks that died since the oldest take more, all but the newest are
/// let go, and the follower learns that there is a gap.
struct VersionTrail {
  private struct Entry {
    let version: UInt64
    let retiredByteCount: Int
  }

  /// Ascending. Each is pinned once for the trail.
  private var entries: [Entry] = []
  private let byteCountMax: Int
  private var hasGap = false
  /// Bytes of blocks that commits replaced since the trail began. Never falls.
  private var retiredByteCount = 0

  init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Adds a version that was pinned for the trail. Returns those that are to be let go.
  mutating func append(_ version: UInt64, retiring byteCount: Int) -> [UInt64] {
    retiredByteCount += byteCount
    let dropped = retiredByteCount - (entries.first?.retiredByteCount ?? retiredByteCount) > byteCountMax ? entries : []
    if !dropped.isEmpty {
      entries = []
      hasGap = true
    }
    entries.append(Entry(version: version, retiredByteCount: retiredByteCount))
    return dropped.map(\.version)
  }

  /// Takes the versions up to the head, whose pins go over to the caller.
  mutating func take(through head: UInt64) -> (versions: [(number: UInt64, retiredByteCount: Int)], hasGap: Bool) {
    let count = entries.partitionIndex { $0.version <= head }
    defer {
      entries.removeFirst(count)
      if count > 0 { hasGap = false }
    }
    return (entries[..<count].map { ($0.version, $0.retiredByteCount) }, count > 0 && hasGap)
  }

  /// Forgets versions that never became visible. Returns those that are to be let go.
  mutating func discard(_ versions: ClosedRange<UInt64>) -> [UInt64] {
    let discarded = entries.filter { versions.contains($0.version) }.map(\.version)
    entries.removeAll { versions.contains($0.version) }
    return discarded
  }

  /// All that are held.
  var versions: [UInt64] { entries.map(\.version) }
}

/// Holds each version from now on until it is taken. Ends with its last reference; a graph has one at a time.
package final class VersionFollower: Sendable {
  private let graph: Graph

  init(graph: Graph) { self.graph = graph }

  deinit { graph.endTrail() }

  /// A version that became visible.
  package struct Followed: Sendable {
    package let version: Version
    /// Bytes of blocks that commits replaced up to it, since following began: the difference between two versions is at
    /// least what holding the older one costs while the newer one is shown.
    package let retiredByteCount: Int
  }

  /// The versions that became visible since the last call, oldest first, and whether some before them had to be let go.
  package func take() -> (versions: [Followed], hasGap: Bool) { graph.takeTrail() }
}
