import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnReactive

/// What a commit costs observers of sections, counted.
@Suite struct SectionWorkTests {
  @Test func blocksRunOncePerTouchedElement() throws {
    try onOwnThread {
      let realm = try Sectioned.realm((0..<300).map { "n\($0)" })
      let players = realm.objects(SectionPlayer.self)
      let calls = CallCount()
      let sections = players.sectioned(sortDescriptors: ["name"]) {
        calls.add()
        return $0.number % 7
      }
      let watchers = (0..<5).map { _ in SectionWatcher<SectionedResults<Int, SectionPlayer>>() }
      // All observers of the same sections share the keys.
      let tokens = watchers.map { watcher in sections.observe { watcher.take($0) } }
      let sectionTokens = (0..<3).map { sections[$0].observe { _ in } }
      realm.refresh()
      calls.reset()
      try realm.write {
        players[3].number = 100
        players[4].name = "a"
        realm.delete(players[5])
        realm.add(SectionPlayer(900, "x"))
      }
      realm.refresh()
      // Those that are there: written, moved, added.
      #expect(calls.value == 3)
      #expect(watchers.allSatisfy { $0.changes.count == 1 })
      calls.reset()
      for section in sections { for player in section { _ = player.id } }
      #expect(calls.value == 0)
      try realm.write {}
      realm.refresh()
      #expect(calls.value == 0)
      withExtendedLifetime((tokens, sectionTokens)) {}
    }
  }

  /// Look-ups in trees for one step of three elements, whatever the number of elements and sections.
  @Test(arguments: [1_000, 10_000, 1_000_000], [1, 10, 1_000])
  func aStepLooksUpWhatItTouchedOnly(count: Int, sectionCount: Int) {
    let contiguous = SectionTree((0..<count).lazy.map { Value.int(Int64($0 * sectionCount / count)) })
    let scattered = SectionTree((0..<count).lazy.map { Value.int(Int64($0 % sectionCount)) })
    for tree in [contiguous, scattered] {
      let before = tree.lookupCount
      let change = tree.move(
        deletions: [count / 2], insertions: [KeyedPosition(0, .int(-1))],
        modifications: [KeyedPosition(count / 3, .int(-2))])
      #expect(change.rows.count >= 3)
      #expect(tree.lookupCount - before < 40)
    }
  }

  /// A thousand observed sections of others cost nothing.
  @Test(arguments: [1_000, 10_000]) func sectionsThatAreNotTouchedCostNothing(observed: Int) throws {
    try onOwnThread {
      let realm = try Sectioned.realm((0..<20).map { "n\($0)" })
      let players = realm.objects(SectionPlayer.self)
      let tokens = (0..<observed).map { index in
        players.where { $0.number == index + 1_000_000 }.sectioned(by: \.group).observe { _ in }
      }
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      observers.stage.counters.reset()
      let visits = observers.visitCount
      try realm.write { players[3].number = 5 }
      realm.refresh()
      #expect(observers.visitCount == visits)
      #expect(observers.stage.counters.candidates == 0)
      #expect(observers.stage.counters.treeNodesVisited < 100)
      try realm.write { players[3].number = 1_000_001 }
      realm.refresh()
      #expect(observers.visitCount == visits + 1)
      withExtendedLifetime(tokens) {}
    }
  }

  /// The observer of a large table, and what it reads in its call.
  @Test func readingObservedSectionsEvaluatesNothing() throws {
    try onOwnThread {
      let realm = try Sectioned.realm()
      try realm.write { for id in 0..<20_000 { realm.add(SectionPlayer(id, "n\(id)", number: id / 10)) } }
      let sections = realm.objects(SectionPlayer.self).sectioned(by: \.number)
      var seen: [Int] = []
      let token = sections.observe { change in
        guard case .update(let sections, _, let insertions, _, _, _) = change else { return }
        seen = insertions.map { sections[$0].id }
      }
      realm.refresh()
      let live = try #require(sections.core.live)
      let before = live.tree.lookupCount
      let work = sections.core.results.work
      try realm.write { realm.add(SectionPlayer(50_000, "x", number: 700)) }
      realm.refresh()
      #expect(seen == [50_000])
      #expect(sections[700].count == 11)
      #expect(live.tree.lookupCount - before < 40)
      #expect(sections.core.results.work.testedRows == work.testedRows)
      withExtendedLifetime(token) {}
    }
  }

  /// Where sections are maintained, a block gets elements of the version that they move to.
  @Test func blocksOfObservedSectionsGetFrozenElements() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b"])
      let seen = Counter()
      let sections = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["id"]) { player in
        if player.isFrozen { seen.add() }
        return player.number % 2
      }
      let token = sections.observe { _ in }
      realm.refresh()
      let before = seen.count
      try realm.write { realm.objects(SectionPlayer.self)[0].number = 3 }
      realm.refresh()
      #expect(seen.count == before + 1)
      withExtendedLifetime(token) {}
    }
  }

  /// Two elements come so close that just enough room is left between them, until more come than there is room for.
  @Test func moreComeAtOnePlaceThanThereIsRoomFor() {
    // 2^41 numbers lie between the labels of two elements. From 2^16 on they get others after each step.
    let (count, place) = (1 << 21 - 1, 1000)
    var keys = (0..<count).map { $0 % 2 }
    let tree = SectionTree(keys.lazy.map { Value.int(Int64($0)) })
    for coming in Array(repeating: 1, count: 25) + [1 << 16] {
      let positions = place..<place + coming
      keys.insert(contentsOf: positions.map { $0 % 3 }, at: place)
      _ = tree.move(
        deletions: [], insertions: positions.map { KeyedPosition($0, .int(Int64($0 % 3))) }, modifications: [])
    }
    tree.checkInvariants()
    #expect(tree.count == 3)
    for section in 0..<3 {
      let positions = keys.indices.filter { keys[$0] == section }
      #expect(tree.count(at: section) == positions.count)
      for item in stride(from: 0, to: positions.count, by: 1000) {
        #expect(tree.position(section: section, item: item) == positions[item])
      }
    }
  }

  /// Crowded insertions at one place, and steps of every size: the trees stay sound.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func treesStaySound(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var model: [Int] = (0..<random.below(400)).map { _ in random.below(6) }
    let tree = SectionTree(model.map { Value.int(Int64($0)) })
    for _ in 0..<60 {
      let most = random.chance(20) ? 200 : 4
      let deletions = Set((0..<random.below(most)).map { _ in random.below(max(1, model.count)) })
        .filter { $0 < model.count }
      let modified = Set((0..<random.below(most)).map { _ in random.below(max(1, model.count)) })
        .filter { $0 < model.count && !deletions.contains($0) }.sorted()
      var modifications: [KeyedPosition] = []
      for position in modified {
        model[position] = random.below(6)
        modifications.append(KeyedPosition(position, .int(Int64(model[position]))))
      }
      for position in deletions.sorted().reversed() { model.remove(at: position) }
      var insertions: [Int] = []
      let start = random.chance(50) ? 0 : random.below(model.count + 1)
      for position in 0..<random.below(most) where start + position <= model.count {
        model.insert(random.below(6), at: start + position)
        insertions.append(start + position)
      }
      _ = tree.move(
        deletions: deletions.sorted(), insertions: insertions.map { KeyedPosition($0, .int(Int64(model[$0]))) },
        modifications: modifications)
      tree.checkInvariants()
      var expected: [(key: Int, positions: [Int])] = []
      for (position, key) in model.enumerated() {
        if let index = expected.firstIndex(where: { $0.key == key }) {
          expected[index].positions.append(position)
        } else {
          expected.append((key, [position]))
        }
      }
      try #require(tree.count == expected.count, "seed \(seed)")
      for (index, section) in expected.enumerated() {
        try #require(tree.key(at: index).value == .int(Int64(section.key)), "seed \(seed)")
        let positions = (0..<tree.count(at: index)).map { tree.position(section: index, item: $0) }
        try #require(positions == section.positions, "seed \(seed)")
      }
    }
  }
}
