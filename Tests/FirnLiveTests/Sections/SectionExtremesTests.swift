import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnReactive

/// Keys of every kind, sections that all change at once, blocks that break their contract, observers that write.
@Suite struct SectionExtremesTests {
  private func ids<Key>(_ sections: SectionedResults<Key, SectionPlayer>) -> [[Int]] { sections.map { $0.map(\.id) } }

  /// Of 31 elements some labels are the same before and after all get new ones.
  @Test func aSectionKnowsItsFirstElementWhenLabelsChange() {
    let tree = SectionTree([Value](repeating: .int(0), count: 31))
    func move(deletions: [Int], insertions: [Int]) {
      _ = tree.move(
        deletions: deletions, insertions: insertions.map { KeyedPosition($0, .int(0)) }, modifications: [])
      #expect(tree.sections[0].first == tree.sequence.element(at: 0).label)
    }
    move(deletions: [30], insertions: [])
    for _ in 0..<60 {
      move(deletions: [], insertions: [1])
      move(deletions: [0], insertions: [])
    }
    tree.checkInvariants()
  }

  /// Sections that lie mixed keep their places when elements close together in their midst get new labels.
  @Test func sectionsAgreeWithTheModelWhereLabelsChange() {
    var random = SeededRandom.printed("sectionsAgreeWithTheModelWhereLabelsChange")
    var keys = (0..<400).map { _ in random.below(3) }
    let tree = SectionTree(keys.map { Value.int(Int64($0)) })
    for step in 0..<600 {
      // Elements that keep coming to one place soon find no room there.
      let place = 150 + random.below(5)
      let (key, gone) = (random.below(4), random.below(keys.count))
      keys.remove(at: gone)
      keys.insert(key, at: place)
      _ = tree.move(
        deletions: [gone], insertions: [KeyedPosition(place, .int(Int64(key)))], modifications: [])
      if step % 10 > 0 { continue }
      tree.checkInvariants()
      var positions: [[Int]] = []
      for (position, key) in keys.enumerated() where keys.firstIndex(of: key) == position {
        positions.append(keys.indices.filter { keys[$0] == key })
      }
      let found = (0..<tree.count).map { section in
        (0..<tree.count(at: section)).map { tree.position(section: section, item: $0) }
      }
      #expect(found == positions, "step \(step)")
    }
  }

  /// The look-ups for each element do not grow with the number of elements, whatever all of them do.
  @Test(arguments: [1_000, 10_000]) func stepsThatTouchEverythingStayProportional(count: Int) {
    let all = Array(0..<count)
    func change(_ from: (Int) -> Int, _ to: (Int) -> Int, moved: Bool) -> SectionChange {
      let tree = SectionTree(all.map { Value.int(Int64(from($0))) })
      let before = tree.lookupCount
      let keyed = all.map { KeyedPosition($0, .int(Int64(to($0)))) }
      let change = tree.move(
        deletions: moved ? all : [], insertions: moved ? keyed : [], modifications: moved ? [] : keyed)
      #expect(tree.lookupCount - before <= 10 * count)
      tree.checkInvariants()
      return change
    }
    // Each in a section of its own, in reverse.
    let reversed = SectionsSpan(change({ $0 }, { count - 1 - $0 }, moved: true)) { _ in true }.paths
    #expect(reversed.insertions.count >= count - 1)
    // One section stays, with another element.
    #expect(reversed.deletions.count == 1)
    // All from one section into another.
    let emptied = SectionsSpan(change({ _ in 0 }, { _ in 1 }, moved: false)) { _ in true }.paths
    #expect(emptied.deletedSections == [0])
    #expect(emptied.insertedSections == [0])
    #expect(emptied.insertions.count == count)
    // One section falls apart into as many as there are elements, and the other way round.
    #expect(SectionsSpan(change({ _ in 0 }, { $0 }, moved: false)) { _ in true }.paths.insertions.count >= count - 1)
    #expect(
      SectionsSpan(change({ $0 }, { _ in 0 }, moved: false)) { _ in true }.paths.deletedSections.count == count - 1)
  }

  @Test func stepsOfNothingAreNothing() {
    let tree = SectionTree([])
    let none = tree.move(deletions: [], insertions: [], modifications: [])
    #expect(SectionsSpan(none) { _ in true }.isEmpty)
    let one = tree.move(deletions: [], insertions: [KeyedPosition(0, .null)], modifications: [])
    #expect(SectionsSpan(one) { _ in true }.paths.insertedSections == [0])
    let gone = tree.move(deletions: [0], insertions: [], modifications: [])
    #expect(SectionsSpan(gone) { _ in true }.paths.deletedSections == [0])
    #expect(tree.count == 0)
  }

  /// Keys that are equal share a section, also when they are stored differently.
  @Test func keysOfEveryKindAreEqualByTheRulesOfSorting() {
    let zero = DecimalFloat.zero.bits
    func double(_ value: Double) -> SectionKey { SectionKey(.double(value)) }
    let equal: [(SectionKey, SectionKey)] = [
      (double(-0.0), double(0)), (double(.nan), double(-.nan)), (SectionKey(.int(0)), double(-0.0)),
      (SectionKey(.decimal128(zero)), SectionKey(.int(0))), (SectionKey(.float(.infinity)), double(.infinity)),
      (SectionKey(.date(-0.0)), SectionKey(.date(0))), (SectionKey(.date(.nan)), SectionKey(.date(-.nan))),
      (SectionKey(.decimal128(DecimalFloat.nan.bits)), double(.nan)),
    ]
    for (lhs, rhs) in equal {
      #expect(lhs == rhs)
      #expect(lhs.hashValue == rhs.hashValue)
    }
    #expect(SectionKey(.null) != double(.nan))
    #expect(SectionKey(.bool(false)) != SectionKey(.int(0)))
    #expect(SectionKey(.string([65])) != SectionKey(.data([65])))
  }

  @Test func objectsAndCollectionsInMixedValuesAreNoReasonToTrap() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b", "c", "d", "e"])
      let players = realm.objects(SectionPlayer.self)
      let watcher = SectionWatcher<SectionedResults<AnyRealmValue, SectionPlayer>>()
      let sections = players.sectioned(by: \.mixed)
      let token = sections.observe { watcher.take($0) }
      realm.refresh()
      try realm.write {
        players[0].mixed = .object(players[1])
        players[1].mixed = .object(players[1])
        players[2].mixed = .int(1)
      }
      realm.refresh()
      #expect(ids(sections) == ids(players.sectioned(by: \.mixed)))
      #expect(ids(sections) == [[3, 4], [2], [0, 1]])
      #expect(sections.allKeys.count == 3)
      try realm.write { realm.delete(players[1]) }
      realm.refresh()
      #expect(ids(sections) == ids(players.sectioned(by: \.mixed)))
      withExtendedLifetime(token) {}
    }
  }

  @Test func nilsAndSeveralDescriptorsFollowTheSort() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["b", "", "a", "", "ba"])
      let players = realm.objects(SectionPlayer.self)
      let descriptors = [
        SortDescriptor(keyPath: "group", nilsLast: true), SortDescriptor(keyPath: "number", ascending: false), "name",
      ]
      let sections = players.sectioned(by: \.group, sortDescriptors: descriptors)
      let token = sections.observe { _ in }
      #expect(sections.allKeys == ["a", "b", nil])
      #expect(ids(sections) == [[2], [4, 0], [3, 1]])
      realm.refresh()
      #expect(ids(sections) == [[2], [4, 0], [3, 1]])
      try realm.write { players[4].group = nil }
      realm.refresh()
      #expect(ids(sections) == [[2], [0], [4, 3, 1]])
      withExtendedLifetime(token) {}
    }
  }

  /// What is told fits what is shown, though the keys are random.
  @Test func aBlockThatBreaksItsContractBreaksNothingElse() throws {
    try onOwnThread {
      let realm = try Sectioned.realm((0..<40).map { "n\($0)" })
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(sortDescriptors: ["id"]) { _ in Int.random(in: 0..<7) }
      var shown: [Int]?
      var mistakes = 0
      let token = sections.observe { change in
        switch change {
        case .initial(let sections): shown = sections.map(\.count)
        case .update(let sections, let deletions, let insertions, _, let inserted, let deleted):
          var counts = shown ?? []
          for path in deletions { counts[path.section] -= 1 }
          for index in deleted.reversed() { counts.remove(at: index) }
          for index in inserted { counts.insert(0, at: index) }
          for path in insertions { counts[path.section] += 1 }
          shown = sections.map(\.count)
          if counts != shown { mistakes += 1 }
        }
      }
      realm.refresh()
      for round in 0..<30 {
        try realm.write {
          for _ in 0..<round { players[Int.random(in: 0..<players.count)].number += 1 }
          if round % 3 == 0 { realm.delete(players[0]) }
        }
        realm.refresh()
        sections.core.live?.tree.checkInvariants()
      }
      #expect(mistakes == 0)
      #expect(shown?.reduce(0, +) == 30)
      withExtendedLifetime(token) {}
    }
  }

  @Test func observersMayWriteRefreshAndRegisterOthers() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(by: \.group)
      let (first, late) = (
        SectionWatcher<SectionedResults<String?, SectionPlayer>>(),
        SectionWatcher<ResultsSection<String?, SectionPlayer>>()
      )
      var tokens: [NotificationToken] = []
      tokens.append(
        sections.observe { change in
          first.take(change)
          realm.refresh()
          guard first.changes.count == 1 else { return }
          if tokens.count == 2 { tokens.append(sections[0].observe { late.take($0) }) }
          try? realm.write { players[1].group = "z" }
        })
      let other = SectionWatcher<SectionedResults<String?, SectionPlayer>>()
      tokens.append(sections.observe { other.take($0) })
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "ab", group: "a")) }
      for _ in 0..<4 { realm.refresh() }
      let expected = [
        ToldChange(insertions: [[0, 1]]), ToldChange(deletions: [[0, 0]], insertions: [[2, 0]], inserted: [2]),
      ]
      #expect(first.changes == expected)
      #expect(other.changes == expected)
      #expect(late.initialCalls == 1)
      tokens[0].invalidate()
      try realm.write { realm.delete(players[0]) }
      realm.refresh()
      #expect(first.changes.count == 2)
      #expect(other.changes.last == ToldChange(deleted: [1]))
    }
  }

  @Test func aSectionThatComesAndGoesOftenLeavesNothing() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["b"])
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(by: \.group)
      let kept = sections[0]
      let watcher = SectionWatcher<ResultsSection<String?, SectionPlayer>>()
      let tokens = [sections.observe { _ in }, kept.observe { watcher.take($0) }]
      realm.refresh()
      for round in 0..<200 {
        try realm.write { players[0].group = "x\(round)" }
        realm.refresh()
        #expect(kept.isInvalidated)
        try realm.write { players[0].group = "b" }
        realm.refresh()
        #expect(kept.map(\.id) == [0])
      }
      #expect(watcher.changes.count == 400)
      #expect(sections.core.live?.tree.sections.count ?? 0 <= 2)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func frozenSectionsAreReadElsewhereWhileTheWorldChanges() throws {
    try onOwnThread {
      let realm = try Sectioned.realm((0..<50).map { "n\($0)" })
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(by: \.number)
      let token = sections.observe { _ in }
      realm.refresh()
      let frozen = sections.freeze()
      let before = ids(frozen)
      for _ in 0..<20 { try realm.write { for player in players { player.number = 50 - player.number } } }
      realm.refresh()
      try realm.write { realm.deleteAll() }
      realm.refresh()
      #expect(sections.isEmpty)
      #expect(ids(frozen) == before)
      realm.invalidate()
      #expect(sections.isEmpty)
      #expect(ids(frozen) == before)
      try realm.write { realm.add(SectionPlayer(1, "a")) }
      realm.refresh()
      #expect(ids(sections) == [[1]])
      withExtendedLifetime(token) {}
    }
  }
}
