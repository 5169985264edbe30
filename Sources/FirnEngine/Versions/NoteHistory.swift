/// How much of the causes of commits is kept for somebody who lags behind.
package enum NoteLimits {
  package static var countMax: Int { 1_000 }
  package static var byteCountMax: Int { 1 << 20 }
}

/// The notes of recent commits, of those that have one.
///
/// Bounded: the newest ``countMax`` of them, and of these the newest that take about ``byteCountMax`` together.
struct NoteHistory {
  static var countMax: Int { NoteLimits.countMax }
  static var byteCountMax: Int { NoteLimits.byteCountMax }

  /// Ascending by version. Up to twice as many as there are to be, so that they seldom move.
  private var commits: [NotedCommit] = []
  private var byteCount = 0

  var isEmpty: Bool { commits.isEmpty }

  mutating func append(_ commit: NotedCommit) {
    commits.append(commit)
    byteCount += commit.note.byteCount
    if commits.count >= 2 * Self.countMax { removeFirst(commits.count - Self.countMax) }
    guard byteCount > Self.byteCountMax else { return }
    var count = 0
    var rest = byteCount
    while rest > Self.byteCountMax / 2, count < commits.count - 1 {
      rest -= commits[count].note.byteCount
      count += 1
    }
    removeFirst(count)
  }

  /// Forgets those up to a version.
  mutating func removeAll(through version: UInt64) {
    guard let first = commits.first, first.version <= version else { return }
    removeFirst(commits.firstIndex { $0.version > version } ?? commits.count)
  }

  mutating func removeAll(of versions: ClosedRange<UInt64>) {
    commits.removeAll { versions.contains($0.version) }
    byteCount = commits.reduce(0) { $0 + $1.note.byteCount }
  }

  /// The commits after `old` up to `new` that have a note. Costs nothing where there are none.
  func commits(after old: UInt64, through new: UInt64) -> [NotedCommit] {
    guard let last = commits.last, last.version > old else { return [] }
    return commits.suffix(Self.countMax).filter { $0.version > old && $0.version <= new }
  }

  private mutating func removeFirst(_ count: Int) {
    for commit in commits.prefix(count) { byteCount -= commit.note.byteCount }
    commits.removeFirst(count)
  }
}
