internal import FirnDurability
internal import FirnEngine

/// Which rows commits of the past touched, on the whole.
struct TouchedHistory {
  /// The rows by table: inserted, modified with the columns that were written, and deleted. What happened in collections is
  /// not told, but that it did.
  private(set) var changes: ChangeSet
  /// The primary keys of the deleted rows of tables that have such.
  private(set) var deletedPrimaryKeys: [TableID: [RowKey: Value]] = [:]
  /// Who made the commits, and why, as far as they say so.
  private(set) var causes: [Realm.Cause] = []
  /// Whether classes or properties changed, and with them perhaps objects of which nothing was written.
  private(set) var changesSchema = false
  /// The version that the commits lead to.
  let version: Version
  private var consecutive = ConsecutiveChanges()

  init(_ version: Version) {
    changes = ChangeSet(tableCount: version.graph.layout.visibleCount)
    self.version = version
  }

  mutating func add(_ commit: HistoryCommit) {
    if !commit.note.isEmpty { causes.append(Realm.Cause(NotedCommit(version: commit.version, note: commit.note))) }
    guard let effects = commit.effects else {
      changesSchema = true
      return
    }
    consecutive.append(effects.rowChanges())
    effects.forEachDeletedPrimaryKey { deletedPrimaryKeys[$0, default: [:]][$1] = $2 }
  }

  /// All commits were added.
  mutating func finish() {
    if let all = consecutive.merged() { changes = all }
    for (table, keys) in deletedPrimaryKeys {
      let deleted = Set(changes.tables[table.index].deleted)
      deletedPrimaryKeys[table] = keys.filter { deleted.contains($0.key) }
    }
    version.withContents { changes.addOwners(in: $0) }
  }
}

extension Store {
  /// What the commits after a version touched, up to a version that readers see.
  ///
  /// Reads the journal, or what is kept in memory, on the threads that do so for all.
  ///
  /// - Returns: Nil when not all of them are known: history does not reach back, or there never was a commit of that number.
  /// - Throws: ``Realm/Error`` when files are damaged or cannot be read; `CancellationError`.
  /// - Complexity: O(b + n log n) for b bytes of effects that touch n rows, each counted once per commit.
  func touchedRows(after number: UInt64, through version: Version) async throws -> TouchedHistory? {
    if number > version.number { return nil }
    let gathering = TouchedGathering(version)
    var reached = number
    do {
      while reached < version.number {
        try Task.checkCancellation()
        let last = try await readingPast { [reached] in
          let page = try self.historyPage(after: reached, through: version.number)
          for commit in page { gathering.touched.add(commit) }
          return page.last?.version
        }
        guard let last else { break }
        reached = last
      }
      return try await readingPast {
        gathering.touched.finish()
        return gathering.touched
      }
    } catch let error as Realm.Error where error.code == .historyUnavailable {
      return nil
    }
  }
}

/// Gathers the rows that the commits read so far have touched.
///
/// State    guarded by
/// touched  whoever reads: one piece of reading runs at a time, and nobody else has the object
private final class TouchedGathering: @unchecked Sendable {
  var touched: TouchedHistory

  init(_ version: Version) { touched = TouchedHistory(version) }
}
