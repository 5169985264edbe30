import FirnEngine
import Foundation
import Testing

@testable import Firn
@testable import FirnReactive

/// Very much at one place: insertions into a collection, observers of one thing.
@Suite struct CrowdedObserversTests {
  enum Place: CaseIterable { case second, middle, lastButOne, anywhere }

  @Test(arguments: Place.allCases, [3, 300]) func insertionsAtOnePlace(place: Place, count: Int) throws {
    try onOwnThread {
      let realm = try Watched.realm(40)
      let items = realm.objects(WatchedItem.self)
      let list = items[0].friends
      try realm.write { for index in 0..<count { list.append(items[index % 40]) } }
      let results = [
        list.where { $0.id >= 3 }, list.sorted(by: \.score), list.distinct(by: ["number"]),
        list.sorted(by: \.number, ascending: false).distinct(by: ["score", "small"]).where { $0.id >= 0 },
      ]
      let followers = results.map { _ in Follower<Results<WatchedItem>>() }
      let tokens = zip(results, followers).map { results, follower in results.observe { follower.take($0) } }
      realm.refresh()
      let stage = try #require(realm.instance.notifications).stage
      stage.counters.reset()
      var random = SeededRandom(UInt64(count))
      for step in 0..<120 {
        try realm.write {
          let position =
            switch place {
            case .second: min(1, list.count)
            case .middle: list.count / 2
            case .lastButOne: list.count - 1
            case .anywhere: random.below(list.count)
            }
          let runLength = step % 10 == 9 ? 12 : 1
          for _ in 0..<runLength { list.insert(items[random.below(40)], at: position) }
          if step % 3 == 0 { list.remove(at: max(0, position - 1)) }
        }
        realm.refresh()
        for follower in followers { try #require(follower.mistake == nil, "step \(step)") }
      }
      #expect(stage.counters.rerunViews == 0)
      for results in results {
        let last = try #require(results.last)
        let position = try #require(results.index(of: last))
        #expect(results[position].id == last.id)
        #expect(results.map(\.id) == results.freeze().map(\.id))
        stage.view(of: results.core.viewQuery)?.checkInvariants()
      }
      withExtendedLifetime(tokens) {}
    }
  }

  /// Each looks at a few others at most.
  @Test func manyObserversOfOneThingEnd() throws {
    try onOwnThread {
      let count = 1000
      let realm = try Watched.realm(1)
      let item = realm.objects(WatchedItem.self)[0]
      let makers: [(Int) -> NotificationToken] = [
        { _ in item.observe { (_: ObjectChange<WatchedItem>) in } },
        { _ in item.observe(keyPaths: ["team.rank"]) { (_: ObjectChange<WatchedItem>) in } },
        { _ in item.friends.observe { _ in } },
        { id in item.friends.where { $0.number > id }.observe { _ in } },
      ]
      for make in makers {
        let tokens = (0..<count).map(make)
        realm.refresh()
        let stage = try #require(realm.instance.notifications).stage
        let before = stage.comparedCount
        for token in tokens { token.invalidate() }
        #expect(stage.comparedCount - before < 20 * count)
        #expect(stage.isWithoutSubscriptions)
      }
      let tokens = (0..<count).map { _ in realm.observe { _, _ in } }
      let observers = try #require(realm.instance.notifications)
      #expect(observers.realmObservers.count == count)
      for (index, token) in tokens.enumerated() {
        token.invalidate()
        #expect(observers.realmObservers.count <= max(1, 2 * (count - index)))
      }
      #expect(observers.realmObservers.isEmpty)
    }
  }

  /// What its block holds goes with an observer that ended in its own call, once all were called, and the tokens of all
  /// others with it.
  @Test(arguments: [3, 40], [0, 1, 2]) func othersEndWithWhatABlockHolds(count: Int, place: Int) throws {
    final class Holder {
      var own: NotificationToken?
      var others: [NotificationToken] = []
    }
    try onOwnThread {
      let realm = try Watched.realm(1)
      let items = realm.objects(WatchedItem.self)
      var told = 0
      weak var gone: Holder?
      do {
        let holder = Holder()
        gone = holder
        for index in 0..<count {
          if index == place * (count - 1) / 2 {
            holder.own = items.observe { [holder] in if case .update = $0 { holder.own = nil } }
          }
          holder.others.append(items.observe { if case .update = $0 { told += 1 } })
        }
      }
      for _ in 0..<2 {
        realm.refresh()
        try realm.write { items[0].number += 1 }
      }
      realm.refresh()
      #expect(gone == nil)
      #expect(told == count)
      #expect(realm.instance.notifications?.observerCount == 0)
    }
  }

  /// Also where the last step changed it, and no other follows.
  @Test func nothingIsLeftOfTheViewOfTheLastObserver() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let results = realm.objects(WatchedItem.self).where { $0.number >= 0 }
      let token = results.observe { _ in }
      realm.refresh()
      try realm.write { realm.objects(WatchedItem.self)[0].number += 1 }
      realm.refresh()
      weak let view = realm.instance.notifications?.stage.view(of: results.core.viewQuery)
      #expect(view != nil)
      token.invalidate()
      #expect(view == nil)
    }
  }

  @Test func subscribersOfOneQueryShareTheChange() throws {
    try onOwnThread {
      let realm = try Watched.realm(100)
      let results = realm.objects(WatchedItem.self).where { $0.number >= 0 }
      var told: [[Int]] = []
      let tokens = [nil, nil, ["number"], ["number"], ["text"]].map { keyPaths in
        results.observe(keyPaths: keyPaths) {
          if case .update(_, _, _, let modifications) = $0 { told.append(modifications) }
        }
      }
      realm.refresh()
      try realm.write { for position in 20..<50 { results[position].number += 1 } }
      realm.refresh()
      #expect(told == Array(repeating: Array(20..<50), count: 4))
      func storage(_ list: [Int]) -> UnsafePointer<Int>? { list.withUnsafeBufferPointer { $0.baseAddress } }
      #expect(storage(told[0]) == storage(told[1]) && storage(told[2]) == storage(told[3]))
      withExtendedLifetime(tokens) {}
    }
  }

  /// Every place of a row that occurs often is told, beside what was done to the list in the same commit.
  @Test func modificationsBesideOperations() throws {
    try onOwnThread {
      let realm = try Watched.realm(5)
      let items = realm.objects(WatchedItem.self)
      let list = items[0].friends
      try realm.write { for id in [1, 2, 1, 3, 1, 4] { list.append(items[id]) } }
      var told: [[[Int]]] = []
      let token = list.observe(keyPaths: ["number"]) {
        if case .update(_, let deletions, let insertions, let modifications) = $0 {
          told.append([deletions, insertions, modifications])
        }
      }
      realm.refresh()
      try realm.write {
        items[1].number = 7
        items[4].number = 7
        list.remove(at: 2)
        list.insert(items[1], at: 1)
        list.insert(items[4], at: 1)
      }
      realm.refresh()
      try realm.write { items[3].number = 7 }
      realm.refresh()
      #expect(told == [[[2], [1, 2], [0, 4, 5]], [[], [], [4]]])
      withExtendedLifetime(token) {}
    }
  }
}
