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
  private var followers: [(id: Int, number: UInt64)] = []
  private var nextID = 0

  var isWanted: Bool { !followers.isEmpty }

  mutating func add(from version: UInt64) -> Int {
    if followers.isEmpty { knownAfter = max(version, newest) }
    nextID += 1
    followers.append((nextID, version))
    return nextID
  }

  /// Moves a follower on, or removes it.
  mutating func move(_ id: Int, to version: UInt64?) {
    guard let index = followers.firstIndex(where: { $0.id == id }) else { return }
    if let version { followers[index].number = version } else { followers.remove(at: index) }
    var needed = UInt64.max
    for follower in followers { needed = min(needed, follower.number) }
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

  /// The change sets of the commits after `old` up to `new`.
  func changes(after old: UInt64, through new: UInt64) -> KeptChanges {
    if old == new { return .several([]) }
    guard old >= knownAfter, old < new, isWanted else { return .unknown }
    // Mostly a follower asks for what was committed last.
    if let last = entries.last, last.version == new, entries.count == 1 || entries[entries.count - 2].version <= old {
      return last.changes.map { .one($0) } ?? .unknown
    }
    var changes: [ChangeSet] = []
    for entry in entries where entry.version > old && entry.version <= new {
      guard let set = entry.changes else { return .unknown }
      changes.append(set)
    }
    return .several(changes)
  }

  private mutating func dropFirst() {
    let first = entries.removeFirst()
    rowCount -= first.changes?.touchedRowCount ?? 0
    knownAfter = first.version
  }
}

/// What is kept of the commits between two versions.
enum KeptChanges {
  /// Not all of it is known.
  case unknown
  case one(ChangeSet)
  case several([ChangeSet])
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

  /// The net effect of all commits after `old` up to `new`, with which everything up to `new` has been seen.
  package func takeChanges(from old: Version, to new: Version) -> ChangeSet {
    graph.changes(from: old, to: new, moving: id)
  }
}
