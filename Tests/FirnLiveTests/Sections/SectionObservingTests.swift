import Foundation
import TestSupport
import Testing

@testable import Firn

/// What observers of sections are told, rule by rule.
@Suite struct SectionObservingTests {
  /// Observes the players of "bo", "al", "cy", "an", "ben" by group: a: al an, b: bo ben, c: cy.
  private func observing(
    keyPaths: [String]? = nil, _ descriptors: [Firn.SortDescriptor] = ["group", "id"],
    _ body: @escaping (Realm, Results<SectionPlayer>, () -> [ToldChange]) throws -> Void
  ) throws {
    let unchecked = Unchecked(body)
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al", "cy", "an", "ben"])
      let players = realm.objects(SectionPlayer.self)
      let watcher = SectionWatcher<SectionedResults<String?, SectionPlayer>>()
      let token = players.sectioned(by: \.group, sortDescriptors: descriptors).observe(keyPaths: keyPaths) {
        watcher.take($0)
      }
      realm.refresh()
      #expect(watcher.initialCalls == 1)
      try unchecked.value(realm, players) {
        realm.refresh()
        return watcher.takeChanges()
      }
      #expect(watcher.initialCalls == 1)
      token.invalidate()
    }
  }

  @Test func elementsComeGoAndChange() throws {
    try observing { realm, players, changes in
      try realm.write {
        players[0].name = "bob"
        realm.delete(players[1])
        realm.add(SectionPlayer(9, "ca", group: "c"))
      }
      #expect(changes() == [ToldChange(deletions: [[0, 0]], insertions: [[2, 1]], modifications: [[1, 0]])])
      try realm.write {}
      #expect(changes() == [])
    }
  }

  @Test func aNewSectionIsInsertedWithItsRows() throws {
    try observing { realm, _, changes in
      try realm.write {
        realm.add(SectionPlayer(9, "ab", group: "ab"))
        realm.add(SectionPlayer(8, "aba", group: "ab"))
      }
      #expect(changes() == [ToldChange(insertions: [[1, 0], [1, 1]], inserted: [1])])
    }
  }

  @Test func theRowsOfADeletedSectionAreNotDeletions() throws {
    try observing { realm, players, changes in
      try realm.write { realm.delete(players.where { $0.group == "b" }) }
      #expect(changes() == [ToldChange(deleted: [1])])
      try realm.write { realm.deleteAll() }
      #expect(changes() == [ToldChange(deleted: [0, 1])])
    }
  }

  @Test func anElementThatChangesItsSectionIsDeletedAndInserted() throws {
    try observing { realm, players, changes in
      try realm.write { players[0].group = "a" }
      #expect(changes() == [ToldChange(deletions: [[1, 0]], insertions: [[0, 0]])])
      // The last of its section: no deletion.
      try realm.write { players[2].group = "a" }
      #expect(changes() == [ToldChange(insertions: [[0, 2]], deleted: [2])])
      // Its section becomes another at the same place.
      try realm.write { players[4].group = "x" }
      #expect(changes() == [ToldChange(insertions: [[1, 0]], inserted: [1], deleted: [1])])
    }
  }

  @Test func anElementThatMovesInItsSectionIsDeletedAndInserted() throws {
    try observing(["group", "name"]) { realm, players, changes in
      try realm.write { players[1].name = "az" }
      #expect(changes() == [ToldChange(deletions: [[0, 0]], insertions: [[0, 1]])])
      try realm.write { players[1].name = "ay" }
      #expect(changes() == [ToldChange(modifications: [[0, 1]])])
    }
  }

  @Test func placesAreThoseOfPreviousAndOfNewSections() throws {
    try observing { realm, players, changes in
      try realm.write {
        realm.delete(players.where { $0.group == "a" })
        realm.add(SectionPlayer(9, "bz", group: "b"))
        realm.add(SectionPlayer(8, "d", group: "d"))
        players.where { $0.id == 2 }.first?.name = "cyd"
      }
      #expect(
        changes() == [
          ToldChange(
            insertions: [[0, 2], [2, 0]], modifications: [[2, 0]], inserted: [2], deleted: [0])
        ])
    }
  }

  @Test func severalCommitsArriveAsOneChange() throws {
    try observing { realm, players, changes in
      let configuration = realm.configuration
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(SectionPlayer(9, "x", group: "x")) }
        try realm.write { realm.add(SectionPlayer(8, "ad", group: "a")) }
        try realm.write { realm.delete(realm.objects(SectionPlayer.self).where { $0.id == 9 }) }
      }
      #expect(changes() == [ToldChange(insertions: [[0, 2]])])
    }
  }

  @Test func aRowThatIsDeletedAndAddedAgainIsBoth() throws {
    try observing { realm, players, changes in
      try realm.write {
        realm.delete(players[1])
        realm.add(SectionPlayer(1, "al", group: "a"))
      }
      #expect(changes() == [ToldChange(deletions: [[0, 0]], insertions: [[0, 0]])])
    }
  }

  @Test func onlyNamedPropertiesCountAsModifications() throws {
    try observing(keyPaths: ["name"]) { realm, players, changes in
      try realm.write { players[0].number = 77 }
      #expect(changes() == [])
      try realm.write { players[0].name = "bo" }
      #expect(changes() == [ToldChange(modifications: [[1, 0]])])
      // What goes with the sort always counts.
      try realm.write { players[2].group = "cc" }
      #expect(changes() == [ToldChange(insertions: [[2, 0]], inserted: [2], deleted: [2])])
      try realm.write { realm.delete(players[0]) }
      #expect(changes().count == 1)
    }
  }

  @Test func aBlockOnUnwatchedPropertiesIsToldWithTheNextChange() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b", "c"])
      let players = realm.objects(SectionPlayer.self)
      let watcher = SectionWatcher<SectionedResults<Bool, SectionPlayer>>()
      let token = players.sectioned(by: { $0.number > 1 }, sortDescriptors: ["name"]).observe(keyPaths: [\.mood]) {
        watcher.take($0)
      }
      realm.refresh()
      try realm.write { players[1].number = 9 }
      realm.refresh()
      #expect(watcher.takeChanges() == [])
      try realm.write { players[0].mood = .odd }
      realm.refresh()
      #expect(
        watcher.takeChanges() == [
          ToldChange(deletions: [[0, 1]], insertions: [[1, 0]], modifications: [[0, 0]])
        ])
      token.invalidate()
    }
  }

  @Test func whatBlocksReadBehindLinksCounts() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b", "c"])
      let players = realm.objects(SectionPlayer.self)
      let team = SectionTeam()
      try realm.write {
        realm.add(team)
        for player in players { player.team = team }
      }
      let watcher = SectionWatcher<SectionedResults<Int?, SectionPlayer>>()
      let byBlock = players.sectioned(by: { $0.team?.rank }, sortDescriptors: ["name"])
      let byPath = players.sectioned(by: \.team!.rank)
      let token = byBlock.observe { watcher.take($0) }
      let other = SectionWatcher<SectionedResults<Int, SectionPlayer>>()
      // Also where the property behind the link is not among those that are watched.
      let otherToken = byPath.observe(keyPaths: ["name"]) { other.take($0) }
      realm.refresh()
      try realm.write { team.rank = 4 }
      realm.refresh()
      let change = ToldChange(insertions: [[0, 0], [0, 1], [0, 2]], inserted: [0], deleted: [0])
      #expect(watcher.takeChanges() == [change])
      #expect(other.takeChanges() == [change])
      withExtendedLifetime((token, otherToken)) {}
    }
  }

  @Test func aSectionObserverIsToldOfItsSectionOnly() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al", "cy", "an", "ben"])
      let players = realm.objects(SectionPlayer.self)
      let section = players.sectioned(by: \.group)[1]
      let watcher = SectionWatcher<ResultsSection<String?, SectionPlayer>>()
      let token = section.observe { watcher.take($0) }
      func changes() -> [ToldChange] {
        realm.refresh()
        return watcher.takeChanges()
      }
      #expect(changes() == [])
      #expect(watcher.initialCalls == 1)
      try realm.write { players[1].name = "alf" }
      #expect(changes() == [])
      // It is at another place.
      try realm.write { realm.add(SectionPlayer(9, "aa", group: "aa")) }
      #expect(changes() == [])
      try realm.write {
        players[0].name = "bob"
        realm.add(SectionPlayer(8, "bb", group: "b"))
        realm.add(SectionPlayer(7, "cc", group: "c"))
      }
      #expect(changes() == [ToldChange(insertions: [[2, 2]], modifications: [[2, 0]])])
      // It goes and comes again.
      try realm.write { for player in players.where({ $0.group == "b" }) { player.group = "zz" } }
      #expect(changes() == [ToldChange(deleted: [2])])
      #expect(section.isInvalidated)
      try realm.write { players[0].group = "d" }
      #expect(changes() == [])
      try realm.write { players[0].group = "b" }
      #expect(changes() == [ToldChange(insertions: [[2, 0]], inserted: [2])])
      #expect(section.map(\.id) == [0])
      token.invalidate()
    }
  }

  @Test func valuesOfACollectionAreFollowed() throws {
    try onOwnThread {
      let realm = try Sectioned.realm()
      let team = SectionTeam()
      try realm.write {
        realm.add(team)
        team.scores.append(objectsIn: [5, 12, 3])
      }
      let watcher = SectionWatcher<SectionedResults<Int, Int>>()
      let sections = team.scores.sectioned(by: { $0 / 10 })
      let token = sections.observe { watcher.take($0) }
      realm.refresh()
      try realm.write {
        team.scores.append(25)
        team.scores[0] = 4
      }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(insertions: [[2, 0]], modifications: [[0, 1]], inserted: [2])])
      try realm.write { team.scores.remove(at: 1) }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(deleted: [1])])
      #expect(sections.map(Array.init) == [[3, 4], [25]])
      token.invalidate()
    }
  }

  @Test func aDeletedOwnerEndsWithALastChange() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let team = SectionTeam()
      try realm.write {
        realm.add(team)
        team.players.append(objectsIn: realm.objects(SectionPlayer.self))
      }
      let watcher = SectionWatcher<SectionedResults<String?, SectionPlayer>>()
      let token = team.players.sectioned(by: \.group).observe { watcher.take($0) }
      realm.refresh()
      try realm.write { realm.delete(team) }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(deleted: [0, 1])])
      token.invalidate()
    }
  }

  @Test func aSkippedCommitLeavesNoTrace() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let players = realm.objects(SectionPlayer.self)
      let watcher = SectionWatcher<SectionedResults<String?, SectionPlayer>>()
      let token = players.sectioned(by: \.group).observe { watcher.take($0) }
      realm.refresh()
      try realm.write(withoutNotifying: [token]) { realm.add(SectionPlayer(9, "aa", group: "aa")) }
      realm.refresh()
      #expect(watcher.takeChanges() == [])
      try realm.write { players[0].name = "bob" }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(modifications: [[2, 0]])])
      token.invalidate()
    }
  }

  @Test func whatAwaitsItsTurnIsToldBeforeASkippedCommit() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b", "c"])
      let players = realm.objects(SectionPlayer.self)
      let watcher = SectionWatcher<SectionedResults<Bool, SectionPlayer>>()
      let token = players.sectioned(by: { $0.number > 1 }, sortDescriptors: ["name"]).observe(keyPaths: [\.mood]) {
        watcher.take($0)
      }
      realm.refresh()
      try realm.write { players[1].number = 9 }
      realm.refresh()
      #expect(watcher.takeChanges() == [])
      try realm.write(withoutNotifying: [token]) { players[0].number = 9 }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(deletions: [[0, 1]], insertions: [[1, 0]])])
      try realm.write { players[2].mood = .odd }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(modifications: [[0, 2]])])
      token.invalidate()
    }
  }

  @Test func sectionsAreReadRightWhenTheirObserverHasEnded() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["a", "b"])
      let sections = realm.objects(SectionPlayer.self).sectioned(by: \.group)
      let ended = sections.observe { _ in }
      let sorted = realm.objects(SectionPlayer.self).sorted(byKeyPath: "group").observe { _ in }
      realm.refresh()
      #expect(sections.allKeys == ["a", "b"])
      ended.invalidate()
      for group in ["aa", "c"] {
        try realm.write { realm.add(SectionPlayer(group.utf8.count + 7, group, group: group)) }
        realm.refresh()
      }
      #expect(sections.allKeys == ["a", "aa", "b", "c"])
      withExtendedLifetime((ended, sorted)) {}
    }
  }

  @Test func projectionsAreObservedBySection() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let watcher = SectionWatcher<SectionedResults<String?, SectionPlayerCard>>()
      let cards = realm.objects(SectionPlayerCard.self)
      let token = cards.sectioned(by: \.kind).observe(keyPaths: ["name"]) { watcher.take($0) }
      realm.refresh()
      try realm.write { realm.objects(SectionPlayer.self)[0].name = "bob" }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(modifications: [[1, 0]])])
      try realm.write { cards[0].kind = "a" }
      realm.refresh()
      #expect(watcher.takeChanges() == [ToldChange(insertions: [[0, 0]], deleted: [1])])
      token.invalidate()
    }
  }

  /// It is there until its call is over, but follows no more, whether or not others still observe its query.
  @Test(arguments: [false, true]) func whoEndsInItsCallReadsWhatThereIs(isQueryObserved: Bool) throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["al", "bo"])
      let players = realm.objects(SectionPlayer.self)
      let descriptors: [Firn.SortDescriptor] = ["group", "id"]
      let other = isQueryObserved ? players.sorted(by: descriptors) : players.where { $0.id < 0 }
      let otherToken = other.observe { _ in }
      var token: NotificationToken?
      var keys: [[String?]] = []
      token = players.sectioned(by: \.group, sortDescriptors: descriptors).observe { change in
        guard case .update(let sections, _, _, _, _, _) = change else { return }
        keys.append(sections.map(\.key))
        token?.invalidate()
        try? realm.write { realm.add(SectionPlayer(9, "cy", group: "c")) }
        // Observers of objects begin with what is there, which the others are told of then.
        let ofObject = players[0].observe { (_: ObjectChange<SectionPlayer>) in }
        keys.append(sections.map(\.key))
        ofObject.invalidate()
      }
      realm.refresh()
      try realm.write { players[0].name = "an" }
      realm.refresh()
      #expect(keys == [["a", "b"], ["a", "b", "c"]])
      withExtendedLifetime(otherToken) {}
    }
  }
}
