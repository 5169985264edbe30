/// The change sets of recent commits, kept as long as a follower has not seen them and they are not too many; and their
/// notes.
///
/// Bounded: beyond ``rowLimit`` rows the oldest change sets go, and followers that lag that far compare versions instead.
/// ``NoteHistory`` bounds the notes.
struct ChangeHistory {
  /// What a follower is told.
  enum Wish { case changesAndNotes, notes }

  private struct Follower {
    let id: Int
    let wish: Wish
    var number: UInt64
  }

  private struct Entry {
    let version: UInt64
    /// Nil for a version whose change from the one before is not known, as after a reversal.
    var changes: ChangeSet?
    let rowCount: Int
  }

  static let rowLimit = 100_000

  /// Those before ``first`` are gone, and have no changes any more: entries seldom move.
  private var entries: [Entry] = []
  private var first = 0
  /// Entries that were moved in memory, for tests that count work.
  private(set) var movedCount = 0
  private var rowCount = 0
  /// Changes are known for versions above this one.
  private var knownAfter: UInt64 = 0
  private var newest: UInt64 = 0
  private var followers: [Follower] = []
  /// How many of them want change sets.
  private var changeFollowerCount = 0
  private var nextID = 0
  private var notes = NoteHistory()

  /// How many change sets are kept.
  var entryCount: Int { entries.count - first }

  /// Whether change sets are.
  var isWanted: Bool { changeFollowerCount > 0 }

  mutating func add(_ wish: Wish, from version: UInt64) -> Int {
    if wish == .changesAndNotes {
      if changeFollowerCount == 0 { knownAfter = max(version, newest) }
      changeFollowerCount += 1
    }
    nextID += 1
    followers.append(Follower(id: nextID, wish: wish, number: version))
    return nextID
  }

  /// Moves a follower on, or removes it.
  mutating func move(_ id: Int, to version: UInt64?) {
    guard let index = followers.firstIndex(where: { $0.id == id }) else { return }
    if let version {
      followers[index].number = version
    } else if followers.remove(at: index).wish == .changesAndNotes {
      changeFollowerCount -= 1
    }
    var neededChanges = UInt64.max
    var neededNotes = UInt64.max
    for follower in followers {
      neededNotes = min(neededNotes, follower.number)
      if follower.wish == .changesAndNotes { neededChanges = min(neededChanges, follower.number) }
    }
    while first < entries.count, entries[first].version <= neededChanges { dropFirst() }
    notes.removeAll(through: neededNotes)
  }

  /// What is kept of the commits after `old` up to `new`, for a follower that has seen everything up to `new` with it.
  mutating func take(_ id: Int, after old: UInt64, through new: UInt64) -> (kept: KeptChanges, noted: [NotedCommit]) {
    // Mostly there is one follower and one commit, which has no note.
    if followers.count == 1, followers[0].id == id, entryCount == 1, notes.isEmpty, old >= knownAfter, old < new,
      entries[first].version == new
    {
      let changes = entries[first].changes
      followers[0].number = new
      dropFirst()
      return (changes.map { .one($0) } ?? .unknown, [])
    }
    let result = (changes(after: old, through: new), noted(after: old, through: new))
    move(id, to: new)
    return result
  }

  mutating func append(_ changes: ChangeSet?, _ note: CommitNote, version: UInt64) {
    newest = version
    if !note.isEmpty, !followers.isEmpty { notes.append(NotedCommit(version: version, note: note)) }
    guard isWanted else { return }
    let entry = Entry(version: version, changes: changes, rowCount: changes?.touchedRowCount ?? 0)
    entries.append(entry)
    rowCount += entry.rowCount
    while rowCount > Self.rowLimit, entryCount > 1 { dropFirst() }
  }

  mutating func discard(_ versions: ClosedRange<UInt64>) {
    entries.removeFirst(first)
    first = 0
    entries.removeAll { versions.contains($0.version) }
    rowCount = entries.reduce(0) { $0 + $1.rowCount }
    notes.removeAll(of: versions)
  }

  /// The commits after `old` up to `new` that have a note, as far as their notes are kept.
  func noted(after old: UInt64, through new: UInt64) -> [NotedCommit] { notes.commits(after: old, through: new) }

  /// The change sets of the commits after `old` up to `new`.
  func changes(after old: UInt64, through new: UInt64) -> KeptChanges {
    if old == new { return .several([]) }
    guard old >= knownAfter, old < new, isWanted else { return .unknown }
    // Mostly a follower asks for what was committed last.
    let last = entries.count - 1
    if last >= first, entries[last].version == new, last == first || entries[last - 1].version <= old {
      return entries[last].changes.map { .one($0) } ?? .unknown
    }
    var changes: [ChangeSet] = []
    for entry in entries[first...] where entry.version > old && entry.version <= new {
      guard let set = entry.changes else { return .unknown }
      changes.append(set)
    }
    return .several(changes)
  }

  private mutating func dropFirst() {
    knownAfter = entries[first].version
    rowCount -= entries[first].rowCount
    entries[first].changes = nil
    first += 1
    if first == entries.count {
      entries.removeAllInPlace(keepingAtMost: 64)
    } else if 2 * first >= entries.count, first >= 64 {
      movedCount &+= entries.count - first
      entries.removeFirst(first)
    } else {
      return
    }
    first = 0
  }
}

/// What is kept of the commits between two versions.
enum KeptChanges {
  /// Not all of it is known.
  case unknown
  case one(ChangeSet)
  case several([ChangeSet])
}
