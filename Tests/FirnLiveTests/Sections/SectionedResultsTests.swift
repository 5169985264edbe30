import Foundation
import TestSupport
import Testing

@testable import Firn

/// What sections show, without observers.
@Suite struct SectionedResultsTests {
  private func ids<Key>(_ sections: SectionedResults<Key, SectionPlayer>) -> [[Int]] { sections.map { $0.map(\.id) } }

  @Test func sectionsComeInTheOrderOfTheirFirstElements() throws {
    let realm = try Sectioned.realm(["bo", "al", "cy", "an", "ben"])
    let players = realm.objects(SectionPlayer.self)
    let sections = players.sectioned(by: \.group)
    #expect(sections.allKeys == ["a", "b", "c"])
    #expect(ids(sections) == [[1, 3], [0, 4], [2]])
    #expect(players.sectioned(by: \.group, ascending: false).allKeys == ["c", "b", "a"])
    let byName = players.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
    #expect(byName.allKeys == ["a", "b", "c"])
    #expect(ids(byName) == [[1, 3], [4, 0], [2]])
    #expect(ids(players.sectioned(sortDescriptors: ["name"]) { $0.name.count }) == [[1, 3, 0, 2], [4]])
    let descending = [SortDescriptor(keyPath: "group", ascending: false), SortDescriptor(keyPath: "name")]
    #expect(ids(players.sectioned(by: \.group, sortDescriptors: descending)) == [[2], [4, 0], [1, 3]])
  }

  @Test func aKeyThatComesAgainLaterBelongsToItsSection() throws {
    let realm = try Sectioned.realm(["a", "b", "c", "d", "e"])
    let sections = realm.objects(SectionPlayer.self).sectioned(by: { $0.number % 2 == 0 }, sortDescriptors: ["number"])
    #expect(sections.allKeys == [true, false])
    #expect(ids(sections) == [[0, 2, 4], [1, 3]])
  }

  @Test func nilIsASection() throws {
    let realm = try Sectioned.realm(["b", "", "a", ""])
    let sections = realm.objects(SectionPlayer.self).sectioned(by: \.group)
    #expect(sections.allKeys == [nil, "a", "b"])
    #expect(ids(sections) == [[1, 3], [2], [0]])
    try realm.write {
      let team = realm.create(SectionTeam.self, value: ["rank": 3])
      realm.objects(SectionPlayer.self)[0].team = team
    }
    // What lies behind a link that is nil is nil too.
    let byTeam = realm.objects(SectionPlayer.self).sectioned(
      by: { $0.team?.rank }, sortDescriptors: [SortDescriptor(keyPath: "number")])
    #expect(byTeam.allKeys == [3, nil])
  }

  @Test func keysAreComparedAsTheyAreStored() throws {
    let realm = try Sectioned.realm(["a", "b", "c", "d"])
    let players = realm.objects(SectionPlayer.self)
    try realm.write {
      for (player, mood) in zip(players, [SectionPlayer.Mood.loud, .calm, .odd, .calm]) { player.mood = mood }
      for (player, score) in zip(players, [Double.nan, 0, .nan, -0.0]) { player.score = score }
      for (player, mixed) in zip(players, [AnyRealmValue.int(1), .double(1), .string("1"), .float(1)]) {
        player.mixed = mixed
      }
    }
    #expect(players.sectioned(by: \.mood).allKeys == [.calm, .loud, .odd])
    #expect(ids(players.sectioned(by: \.score)) == [[0, 2], [1, 3]])
    #expect(ids(players.sectioned(by: \.mixed)) == [[0, 1, 3], [2]])
    #expect(players.sectioned(by: \.mixed).allKeys == [.int(1), .string("1")])
    #expect(ids(players.sectioned(by: { $0.score }, sortDescriptors: ["number"])) == [[0, 2], [1, 3]])
  }

  @Test func collectionsOfAllKindsHaveSections() throws {
    let realm = try Sectioned.realm(["bo", "al", "cy", "an"])
    let players = realm.objects(SectionPlayer.self)
    let team = SectionTeam()
    try realm.write {
      realm.add(team)
      for player in players where player.number != 2 { team.players.append(player) }
      for player in players { player.team = team }
      for score in [5, 12, 3, 7, 10] { team.scores.append(score) }
    }
    #expect(ids(team.players.sectioned(by: \.group)) == [[1, 3], [0]])
    #expect(ids(team.members.sectioned(by: \.group)) == [[1, 3], [0], [2]])
    #expect(ids(players.where { $0.number < 2 }.sectioned(by: \.group)) == [[1], [0]])
    #expect(ids(players.sorted(by: \.number).limit(2).sectioned(by: \.group)) == [[1], [0]])
    #expect(ids(players.distinct(by: ["group"]).sectioned(by: \.group)) == [[1], [0], [2]])
    #expect(AnyRealmCollection(players).sectioned(by: \.group).count == 3)
    let scores = team.scores.sectioned(by: { $0 / 10 })
    #expect(scores.map(Array.init) == [[3, 5, 7], [10, 12]])
    #expect(team.scores.sectioned(by: { $0 / 10 }, ascending: false).map(Array.init) == [[12, 10], [7, 5, 3]])
    let cards = realm.objects(SectionPlayerCard.self).sectioned(by: \.kind)
    #expect(cards.map { $0.map(\.title) } == [["al", "an"], ["bo"], ["cy"]])
    #expect(
      realm.objects(SectionPlayerCard.self).sectioned(
        by: { $0.title.count }, sortDescriptors: [SortDescriptor(keyPath: \SectionPlayerCard.title)]
      ).map { $0.map(\.id) } == [[1, 3, 0, 2]])
  }

  @Test func nothingHasNoSections() throws {
    let realm = try Sectioned.realm()
    let sections = realm.objects(SectionPlayer.self).sectioned(by: \.group)
    #expect(sections.count == 0)
    #expect(sections.isEmpty)
    #expect(sections.allKeys.isEmpty)
    #expect(Array(sections).isEmpty)
  }

  @Test func sectionsFollowTheDataAlsoInsideOfATransaction() throws {
    let realm = try Sectioned.realm(["b", "a"])
    let players = realm.objects(SectionPlayer.self)
    let sections = players.sectioned(by: \.group)
    let byBlock = players.sectioned(by: { $0.team?.name ?? "none" }, sortDescriptors: ["number"])
    #expect(sections.allKeys == ["a", "b"])
    #expect(byBlock.allKeys == ["none"])
    realm.beginWrite()
    players[0].group = "c"
    #expect(sections.allKeys == ["a", "c"])
    realm.add(SectionPlayer(9, "d", group: "d"))
    #expect(sections.allKeys == ["a", "c", "d"])
    let team = realm.create(SectionTeam.self, value: ["name": "x"])
    players[1].team = team
    #expect(byBlock.allKeys == ["none", "x"])
    // Written in another object, which only the block reads.
    team.name = "y"
    #expect(byBlock.allKeys == ["none", "y"])
    realm.delete(players.where { $0.id == 9 })
    #expect(sections.allKeys == ["a", "c"])
    realm.cancelWrite()
    #expect(sections.allKeys == ["a", "b"])
    #expect(byBlock.allKeys == ["none"])
  }

  @Test func aSectionIsGoneWithItsKeyAndComesBackWithIt() throws {
    let realm = try Sectioned.realm(["b", "a"])
    let players = realm.objects(SectionPlayer.self)
    let section = players.sectioned(by: \.group)[1]
    #expect(section.key == "b")
    #expect(!section.isInvalidated)
    try realm.write { players[0].group = "z" }
    #expect(section.isInvalidated)
    #expect(section.id == "b")
    try realm.write { players[1].group = "b" }
    #expect(!section.isInvalidated)
    #expect(section.map(\.id) == [1])
  }

  @Test func aBlockRunsOnceForEachElementAndVersion() throws {
    let realm = try Sectioned.realm(["b", "a", "ab"])
    let calls = CallCount()
    let sections = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["name"]) {
      calls.add()
      return String($0.name.prefix(1))
    }
    #expect(calls.value == 0)
    for section in sections { #expect(section.count > 0) }
    #expect(sections.count == 2)
    #expect(sections[IndexPath(item: 1, section: 0)].name == "ab")
    #expect(calls.value == 3)
    try realm.write { realm.add(SectionPlayer(7, "c")) }
    #expect(sections.allKeys == ["a", "b", "c"])
    #expect(calls.value == 7)
  }

  @Test func iterationSeesWhatWasThereAtItsStart() throws {
    let realm = try Sectioned.realm(["bo", "al", "cy", "an", "ben"])
    let sections = realm.objects(SectionPlayer.self).sectioned(by: \.group)
    var visited = 0
    try realm.write {
      for section in sections {
        for player in section {
          visited += 1
          realm.delete(player)
        }
      }
    }
    #expect(visited == 5)
    #expect(sections.isEmpty)
  }

  @Test func copiesAreEqualAndOthersAreNot() throws {
    let realm = try Sectioned.realm(["a", "b"])
    let players = realm.objects(SectionPlayer.self)
    let (sections, others) = (players.sectioned(by: \.group), players.sectioned(by: \.group))
    let copy = sections
    #expect(sections == copy)
    #expect(sections != others)
    #expect(sections[0] == copy[0])
    #expect(sections[0] != sections[1])
    #expect(sections[0] != others[0])
  }

  @Test func frozenSectionsStayAsTheyAreOnEveryThread() throws {
    let realm = try Sectioned.realm(["b", "a", "ab"])
    let players = realm.objects(SectionPlayer.self)
    let sections = players.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
    let frozen = sections.freeze()
    let section = sections[1].freeze()
    #expect(frozen.isFrozen && section.isFrozen && !sections.isFrozen)
    #expect(frozen.freeze() == frozen)
    #expect(section.freeze() == section)
    #expect(sections.thaw() == sections)
    try realm.write { realm.delete(players.where { $0.name == "b" }) }
    let carried = Unchecked((frozen, section))
    let seen = try onOwnThread { [carried] in
      let (frozen, section) = carried.value
      return (frozen.map { $0.map(\.name) }, section.key, section.map(\.id))
    }
    #expect(seen.0 == [["a", "ab"], ["b"]])
    #expect(seen.1 == "b")
    #expect(seen.2 == [0])
    #expect(frozen.allSatisfy { $0.allSatisfy(\.isFrozen) })
    #expect(frozen.realm?.isFrozen == true)
    #expect(frozen.thaw()?.allKeys == ["a"])
    #expect(section.thaw() == nil)
    #expect(sections[0].freeze().thaw()?.key == "a")
  }

  @Test func sectionsOfADeletedOwnerAreInvalidated() throws {
    let realm = try Sectioned.realm(["b", "a"])
    let team = SectionTeam()
    try realm.write {
      realm.add(team)
      team.players.append(objectsIn: realm.objects(SectionPlayer.self))
    }
    let sections = team.players.sectioned(by: \.group)
    let (section, frozen) = (sections[0], sections.freeze())
    try realm.write { realm.delete(team) }
    #expect(sections.isInvalidated)
    #expect(section.isInvalidated)
    #expect(sections.count == 0)
    #expect(!frozen.isInvalidated)
    #expect(frozen.thaw() == nil)
  }

  @Test func referencesAndWrappersLeadToOtherThreads() throws {
    let configuration = Sectioned.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { for name in ["b", "a"] { realm.add(SectionPlayer(name == "a" ? 1 : 0, name, group: name)) } }
    let sections = realm.objects(SectionPlayer.self).sectioned(by: \.group)
    let references = (ThreadSafeReference(to: sections), ThreadSafeReference(to: sections[1]))
    let wrapped = ThreadSafe(wrappedValue: sections)
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      #expect(realm.resolve(references.0)?.allKeys == ["a", "b"])
      #expect(realm.resolve(references.1)?.map(\.id) == [0])
      #expect(wrapped.wrappedValue?.count == 2)
    }
  }

  @Test func indexPathsHaveSectionAndItem() {
    var path = IndexPath(item: 2, section: 1)
    #expect(Array(path) == [1, 2])
    path.item = 5
    path.section = 4
    #expect((path.section, path.item) == (4, 5))
  }
}

/// Counts calls from any thread.
final class CallCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }
  func add() { lock.withLock { count += 1 } }
  func reset() { lock.withLock { count = 0 } }
}
