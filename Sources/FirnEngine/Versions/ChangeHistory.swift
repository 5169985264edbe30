/// The change sets of recent commits, kept as long as a follower has not seen them and they are not too many.
///
/// Bounded: beyond ``rowLimit`` rows the oldest go, and followers that lag that far compare versions instead.
struct ChangeHistory {
  private struct Entry {
    let version: UInt64
    /// Nil for a version whose change from the one before is not known, as after a reversal.
    let changes: ChangeSet?
  }

  static let rowLimit = 100_000

  private var entries: [Entry] = []
  private var rowCount = 0
  /// Changes are known for versions above this one.
  private var knownAfter: UInt64 = 0
  private var newest: UInt64 = 0
  private var followers: [Int: UInt64] = [:]
  private var nextID = 0

  var isWanted: Bool { !followers.isEmpty }

  mutating func add(from version: UInt64) -> Int {
    if followers.isEmpty { knownAfter = max(version, newest) }
    nextID += 1
    followers[nextID] = version
    return nextID
  }

  /// Moves a follower on, or removes it.
  mutating func move(_ id: Int, to version: UInt64?) {
    followers[id] = version
    let needed = followers.values.min() ?? .max
    while let first = entries.first, first.version <= needed { dropFirst() }
  }

  mutating func append(_ changes: ChangeSet?, version: UInt64) {
    newest = version
    guard isWanted else { return }
    entries.append(Entry(version: version, changes: changes))
    rowCount += changes?.touchedRowCount ?? 0
    while rowCount > Self.rowLimit, entries.count > 1 { dropFirst() }
  }

  mutating func discard(_ versions: ClosedRange<UInt64>) {
    entries.removeAll { versions.contains($0.version) }
    rowCount = entries.reduce(0) { $0 + ($1.changes?.touchedRowCount ?? 0) }
  }

  /// The change sets of the commits after `old` up to `new`, or nil when they are not all known.
  func changes(after old: UInt64, through new: UInt64) -> [ChangeSet]? {
    if old == new { return [] }
    guard old >= knownAfter, old < new, isWanted else { return nil }
    var changes: [ChangeSet] = []
    for entry in entries where entry.version > old && entry.version <= new {
      guard let set = entry.changes else { return nil }
      changes.append(set)
    }
    return changes
  }

  private mutating func dropFirst() {
    let first = entries.removeFirst()
    rowCount -= first.changes?.touchedRowCount ?? 0
    knownAfter = first.version
  }
}

/// Keeps the changes of commits for somebody who reads them with ``Graph/changes(from:to:)``.
///
/// Ends with its last reference.
package final class ChangeFollower: Sendable {
  private let graph: Graph
  private let id: Int

  init(graph: Graph, id: Int) {
    self.graph = graph
    self.id = id
  }

  deinit { graph.moveFollower(id, to: nil) }

  /// Everything up to `number` has been seen.
  package func advance(to number: UInt64) { graph.moveFollower(id, to: number) }
}
