import TestSupport
import Testing

@testable import FirnEngine

/// What is kept of commits for those who follow them, in any order of appending, moving and discarding.
struct ChangeHistoryTests {
  @Test func whoLagsDoesNotMakeCommitsDearer() {
    var history = ChangeHistory()
    _ = history.add(.changesAndNotes, from: 0)
    let count = 3 * ChangeHistory.rowLimit
    for version in 1...count { history.append(Self.changes(version), CommitNote(), version: UInt64(version)) }
    #expect(history.movedCount <= 2 * count)
    let oldest = UInt64(count - ChangeHistory.rowLimit)
    guard case .several(let kept) = history.changes(after: oldest, through: UInt64(count)) else {
      Issue.record("the newest are not kept")
      return
    }
    #expect(kept.count == ChangeHistory.rowLimit)
    guard case .unknown = history.changes(after: oldest - 1, through: UInt64(count)) else {
      Issue.record("more is kept than may be")
      return
    }
  }

  @Test func whoCatchesUpMovesEachEntryAtMostOnce() {
    var history = ChangeHistory()
    let follower = history.add(.changesAndNotes, from: 0)
    let count = 50_000
    for version in 1...count { history.append(Self.changes(version), CommitNote(), version: UInt64(version)) }
    for version in stride(from: 0, through: count, by: 7) { history.move(follower, to: UInt64(version)) }
    #expect(history.movedCount <= 2 * count)
    history.move(follower, to: UInt64(count))
    #expect(history.entryCount == 0)
  }

  @Test func whoBeginsBehindIsNotToldThatNothingHappened() {
    var history = ChangeHistory()
    for version in 1...2 { history.append(Self.changes(version), CommitNote(), version: UInt64(version)) }
    _ = history.add(.changesAndNotes, from: 1)
    guard case .unknown = history.changes(after: 1, through: 2) else {
      Issue.record("A commit is missing.")
      return
    }
  }

  @Test func whoReadsNotesKeepsNoChanges() {
    var history = ChangeHistory()
    _ = history.add(.notes, from: 0)
    let follower = history.add(.changesAndNotes, from: 0)
    history.append(Self.changes(1), CommitNote(), version: 1)
    history.move(follower, to: 1)
    #expect(history.entryCount == 0)
  }

  @Test func historiesKeepWhatFollowersHaveNotSeen() {
    var seeds = SeededRandom.printed("Change histories")
    for _ in 0..<200 {
      var random = SeededRandom(seeds.next())
      var history = ChangeHistory()
      var followers: [Int: UInt64] = [:]
      var newest: UInt64 = 0
      var unknown: Set<UInt64> = []
      var log: [String] = []
      for _ in 0..<300 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where followers.count < 4:
          followers[history.add(.changesAndNotes, from: newest)] = newest
          log.append("add at \(newest)")
        case 1...2:
          let ids = followers.keys.sorted()
          guard let id = ids.randomElement(using: &random), let old = followers[id] else { continue }
          let version = UInt64.random(in: old...newest, using: &random)
          let kept = Self.told(history.changes(after: old, through: version))
          let noted = history.noted(after: old, through: version)
          let taken = history.take(id, after: old, through: version)
          followers[id] = version
          log.append("take up to \(version)")
          #expect(Self.told(taken.kept) == kept, "\(id): \(log.suffix(20))")
          #expect(taken.noted == noted, "\(id): \(log.suffix(20))")
        case 3 where Int.random(in: 0..<8, using: &random) == 0:
          guard let id = followers.keys.min() else { continue }
          history.move(id, to: nil)
          followers[id] = nil
          log.append("remove")
        case 4 where newest > 3 && Int.random(in: 0..<6, using: &random) == 0:
          // What was lost is followed by a version of which nothing is known.
          let seen = followers.values.max() ?? newest
          guard seen < newest else { continue }
          history.discard(seen + 1...newest)
          newest += 1
          history.append(nil, CommitNote(), version: newest)
          unknown.insert(newest)
          log.append("lose after \(seen)")
        default:
          newest += 1
          let author = Int.random(in: 0..<4, using: &random) == 0 ? "author \(newest)" : nil
          history.append(Self.changes(Int(newest)), CommitNote(author: author), version: newest)
          log.append("commit \(newest) by \(author ?? "nobody")")
        }
        for (id, old) in followers {
          let expected = (old + 1..<newest + 1)
          switch history.changes(after: old, through: newest) {
          case .unknown: #expect(expected.contains { unknown.contains($0) }, "\(id): \(log.suffix(20))")
          case .one(let one): #expect(Self.versions([one]).last == newest, "\(id): \(log.suffix(20))")
          case .several(let sets):
            let versions = Self.versions(sets)
            #expect(versions == versions.sorted() && Set(versions).isSubset(of: expected), "\(id): \(log.suffix(20))")
            if unknown.isEmpty { #expect(versions == Array(expected), "\(id): \(log.suffix(20))") }
          }
        }
        if followers.isEmpty { #expect(!history.isWanted) }
      }
    }
  }

  /// One row, whose key says which version wrote it.
  private static func changes(_ version: Int) -> ChangeSet {
    var changes = ChangeSet(tableCount: 1)
    changes.tables[0].inserted = [RowKey(UInt64(version))]
    return changes
  }

  /// Which versions are told of; nil when it is not known.
  private static func told(_ kept: KeptChanges) -> [UInt64]? {
    switch kept {
    case .unknown: nil
    case .one(let changes): versions([changes])
    case .several(let sets): versions(sets)
    }
  }

  private static func versions(_ sets: [ChangeSet]) -> [UInt64] {
    sets.flatMap { $0.tables[0].inserted.map(\.rawValue) }
  }
}
