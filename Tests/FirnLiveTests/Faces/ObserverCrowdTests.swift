import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Very many observers that end at once.
@Suite struct ObserverCrowdTests {
  private static let count = 10_000

  /// A realm with a player for each observer.
  private static func realm() throws -> Realm { try Sectioned.realm((0..<count).map { "p\($0)" }) }

  @Test(arguments: [true, false]) func oneEndsAllOthersInItsCall(isFirst: Bool) throws {
    try onOwnThread {
      let realm = try Self.realm()
      let players = realm.objects(SectionPlayer.self)
      var tokens: [NotificationToken] = []
      var calls = 0
      func addEnding() {
        tokens.append(
          players.observe { change in
            calls += 1
            if case .update = change { for token in tokens { token.invalidate() } }
          })
      }
      if isFirst { addEnding() }
      for (number, player) in players.enumerated() {
        tokens.append(players.where { $0.id == number }.observe { _ in calls += 1 })
        tokens.append(player.observe { (_: ObjectChange<SectionPlayer>) in calls += 1 })
      }
      if !isFirst { addEnding() }
      realm.refresh()
      #expect(calls == Self.count + 1)
      calls = 0
      try realm.write { for player in players { player.number += 1 } }
      realm.refresh()
      #expect(calls == (isFirst ? 1 : 2 * Self.count + 1))
      let observers = try #require(realm.instance.notifications)
      #expect(observers.observerCount == 0)
      #expect(observers.stage.viewCount == 0 && observers.stage.isWithoutSubscriptions)
      #expect(observers.folded == nil)
      // Forgetting them takes no search among those that are left.
      #expect(observers.stage.comparedCount <= 8 * Self.count)
      try realm.write { for player in players { player.number += 1 } }
      realm.refresh()
      #expect(calls == (isFirst ? 1 : 2 * Self.count + 1))
    }
  }

  /// Observers that wait for their call would keep the realm.
  @Test func observersThatEndBeforeTheirCall() throws {
    try onOwnThread {
      weak var instance: RealmInstance?
      do {
        let realm = try Sectioned.realm(["a"])
        instance = realm.instance
        let players = realm.objects(SectionPlayer.self)
        let token = players.observe { _ in }
        realm.refresh()
        try realm.write { players[0].number += 1 }
        // Takes up the commit, which the other observer waits to be told of.
        let second = players[0].observe { (_: ObjectChange<SectionPlayer>) in }
        token.invalidate()
        second.invalidate()
        #expect(instance?.notifications?.observerCount == 0)
      }
      #expect(instance == nil)
    }
  }
}
