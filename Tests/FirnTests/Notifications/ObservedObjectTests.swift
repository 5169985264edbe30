import FirnEngine
import FirnReactive
import Foundation
import Testing

@testable import Firn

class WatchedPair: Object {
  @Persisted var first = 1
  @Persisted var last = 2

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class WatchedNote: Object {
  @Persisted var text = "old"

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Observers of objects and realms")
struct ObservedObjectTests {
  @Test("changes with the old and new value of every property, the first and the last among them")
  func everyProperty() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [WatchedPair.self, WatchedNote.self]))
      let (pair, note) = try realm.write { (realm.create(WatchedPair.self), realm.create(WatchedNote.self)) }
      var changes: [String] = []
      func tell<Item: Object>(_ change: ObjectChange<Item>) {
        guard case .change(_, let properties) = change else { return changes.append("\(change)") }
        for property in properties {
          changes.append("\(property.name) \(property.oldValue ?? "nil") \(property.newValue ?? "nil")")
        }
      }
      let tokens = [pair.observe { tell($0) }, note.observe { tell($0) }]
      realm.refresh()
      try realm.write {
        (pair.first, pair.last) = (3, 4)
        note.text = "new"
      }
      realm.refresh()
      Watched.runLoop()
      #expect(changes.sorted() == ["first 1 3", "last 2 4", "text old new"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("changes with old and new values, then the deletion")
  func objectChanges() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let items = Array(realm.objects(WatchedItem.self))
      let item = items[0]
      var changes: [[PropertyChange]] = []
      var deletions = 0
      let token = item.observe { (change: ObjectChange<WatchedItem>) in
        switch change {
        case .change(let object, let properties):
          #expect(object == item)
          changes.append(properties)
        case .deleted: deletions += 1
        case .error: Issue.record("an error")
        }
      }
      realm.refresh()
      #expect(changes.isEmpty)
      let team = WatchedTeam()
      try realm.write {
        item.small = 7
        item.mood = .loud
        item.text = "x"
        item.number = 0
        item.team = team
        item.codes.append(1)
        items[1].number = 5
      }
      #expect(changes.isEmpty)
      Watched.runLoop()
      let first = try #require(changes.first)
      #expect(first.map(\.name) == ["number", "text", "mood", "small", "team", "codes"])
      #expect(first.map { $0.oldValue as? Int } == [0, nil, nil, 0, nil, nil])
      #expect(first[1].oldValue == nil)
      #expect(first[1].newValue as? String == "x")
      #expect(first[2].oldValue as? String == "calm")
      #expect(first[2].newValue as? String == "loud")
      #expect(first[3].oldValue as? Int8 == 0)
      #expect(first[3].newValue as? Int8 == 7)
      #expect(first[4].oldValue == nil)
      #expect((first[4].newValue as? WatchedTeam)?._key == team._key)
      #expect(first[5].newValue == nil)
      // Several commits: the oldest and the newest value. A link to an object that is gone still leads to it.
      try realm.write { item.number = 1 }
      let configuration = realm.configuration
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.objects(WatchedItem.self)[0].number = 2 }
        try realm.write { realm.objects(WatchedItem.self)[0].number = 3 }
        try realm.write { realm.delete(realm.objects(WatchedTeam.self)[0]) }
      }
      realm.refresh()
      #expect(changes.count == 2)
      #expect(changes[1].map(\.name) == ["number", "team"])
      #expect(changes[1][0].oldValue as? Int == 0)
      #expect(changes[1][0].newValue as? Int == 3)
      #expect((changes[1][1].oldValue as? WatchedTeam)?.isInvalidated == true)
      #expect(changes[1][1].newValue == nil)
      try realm.write { realm.delete(item) }
      realm.refresh()
      realm.refresh()
      #expect(deletions == 1)
      #expect(changes.count == 2)
      withExtendedLifetime(token) {}
    }
  }

  @Test("key paths of objects, also through links and lists")
  func objectKeyPaths() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let items = Array(realm.objects(WatchedItem.self))
      try realm.write {
        items[0].team = WatchedTeam()
        items[0].friends.append(items[1])
      }
      var names: [[String]] = []
      let token = items[0].observe(keyPaths: ["team.rank", "friends.number", "text"]) {
        (change: ObjectChange<WatchedItem>) in
        if case .change(_, let changes) = change { names.append(changes.map(\.name)) }
      }
      func write(_ body: () -> Void) throws -> [String]? {
        names = []
        try realm.write(body)
        realm.refresh()
        return names.first
      }
      #expect(try write { items[0].number = 1 } == nil)
      #expect(try write { items[0].team?.name = "x" } == nil)
      #expect(try write { items[0].team?.rank = 1 } == ["team"])
      #expect(try write { items[1].number = 1 } == ["friends"])
      #expect(try write { items[2].number = 1 } == nil)
      #expect(try write { items[0].friends.append(items[2]) } == ["friends"])
      let both = try write {
        items[0].text = "y"
        items[2].number = 1
      }
      #expect(both == ["text", "friends"])
      #expect(try write { items[0].team = nil } == ["team"])
      withExtendedLifetime(token) {}
    }
  }

  @Test("who was not told of the deletion hears nothing any more")
  func skippedDeletion() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let items = Array(realm.objects(WatchedItem.self))
      let team = WatchedTeam()
      try realm.write {
        items[0].team = team
        items[0].friends.append(items[1])
      }
      var told: [String] = []
      let paths: [[String]?] = [nil, ["number"], ["team.rank"], ["friends.number", "text"]]
      let tokens = paths.map { paths in
        items[0].observe(keyPaths: paths) { (change: ObjectChange<WatchedItem>) in told.append("\(change)") }
      }
      realm.refresh()
      try realm.write(withoutNotifying: tokens) { realm.delete(items[0]) }
      for round in 0..<3 {
        try realm.write {
          team.rank += 1
          items[1].number += 1
          realm.add(Watched.item(10 + round))
        }
        realm.refresh()
        Watched.runLoop()
      }
      #expect(told == [])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("realm observers: at once for own commits, at refresh for others, before those of data")
  func realmObservers() throws {
    try onOwnThread {
      let realm = try Watched.realm(2)
      var log: [String] = []
      let token = realm.observe { notification, other in
        #expect(other == realm)
        log.append(notification == .didChange ? "did" : "stale")
      }
      let data = realm.objects(WatchedItem.self).observe { _ in log.append("data") }
      realm.refresh()
      try realm.write {}
      #expect(log == ["data", "did"])
      try realm.write(withoutNotifying: [token]) { realm.add(Watched.item(5)) }
      #expect(log == ["data", "did"])
      Watched.runLoop()
      #expect(log == ["data", "did", "data"])
      func writeElsewhere() throws {
        let configuration = realm.configuration
        try onOwnThread {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.objects(WatchedItem.self)[0].number += 1 }
        }
      }
      log = []
      try writeElsewhere()
      Watched.runLoop { log.count == 2 }
      #expect(log == ["did", "data"])
      realm.autorefresh = false
      log = []
      try writeElsewhere()
      Watched.runLoop { !log.isEmpty }
      #expect(log == ["stale"])
      token.invalidate()
      #expect(!token.invalidate())
      realm.refresh()
      #expect(log == ["stale", "data"])
      withExtendedLifetime(data) {}
    }
  }

  @Test("tokens end delivery, on any thread and in callbacks, and let everything go")
  func tokens() throws {
    try onOwnThread {
      let realm = try Watched.realm(2)
      var calls = 0
      var token: NotificationToken? = realm.objects(WatchedItem.self).observe { _ in calls += 1 }
      #expect(token?.invalidate() == true)
      #expect(token?.invalidate() == false)
      realm.refresh()
      #expect(calls == 0)
      token = realm.objects(WatchedItem.self).observe { _ in calls += 1 }
      realm.refresh()
      #expect(calls == 1)
      token = nil
      try realm.write { realm.add(Watched.item(5)) }
      realm.refresh()
      #expect(calls == 1)
      #expect(realm.instance.notifications?.folded == nil)
      #expect(realm.instance.notifications?.stage.viewCount == 0)
      // One callback ends the next one.
      var second: NotificationToken?
      let first = realm.objects(WatchedItem.self).observe { _ in second?.invalidate() }
      second = realm.objects(WatchedItem.self).observe { _ in calls += 1 }
      realm.refresh()
      #expect(calls == 1)
      // Another thread.
      let third = realm.objects(WatchedItem.self).where { $0.number > 1 }.observe { _ in calls += 1 }
      realm.refresh()
      #expect(calls == 2)
      let ended = try onOwnThread { third.invalidate() }
      #expect(ended)
      try realm.write { realm.add(Watched.item(6)) }
      Watched.runLoop()
      #expect(calls == 2)
      #expect(realm.instance.notifications?.stage.viewCount == 1)
      #expect(Set([first, third, first]).count == 2)
    }
    // A block that refers to its own results does not keep the realm.
    try onOwnThread {
      weak var instance: RealmInstance?
      do {
        let realm = try Watched.realm(2)
        instance = realm.instance
        let results = realm.objects(WatchedItem.self)
        let token = results.observe { _ in _ = results.count }
        realm.refresh()
        token.invalidate()
      }
      Watched.runLoop()
      #expect(instance == nil)
    }
  }

  @Test("skipped commits leave no trace for their token")
  func skipping() throws {
    try onOwnThread {
      let realm = try Watched.realm(10)
      let results = realm.objects(WatchedItem.self).where { $0.number > 4 }
      let skipping = Follower<Results<WatchedItem>>()
      let other = Follower<Results<WatchedItem>>()
      let skippingToken = results.observe { skipping.take($0) }
      let otherToken = results.observe { other.take($0) }
      var objectCalls = 0
      let item = results[0]
      let objectToken = item.observe { (_: ObjectChange<WatchedItem>) in objectCalls += 1 }
      realm.refresh()
      try realm.write(withoutNotifying: [skippingToken, objectToken]) {
        realm.add(Watched.item(20))
        item.score = 4
      }
      skipping.adopt(results)
      realm.refresh()
      #expect(skipping.calls == 1)
      #expect(objectCalls == 0)
      #expect(other.last?.insertions == [5])
      #expect(other.last?.modifications == [0])
      try realm.write { results[5].number = 0 }
      realm.refresh()
      #expect(skipping.last?.deletions == [5])
      #expect(other.last?.deletions == [5])
      // Merged with commits around it.
      try realm.write(withoutNotifying: [skippingToken]) { results[0].number = 0 }
      skipping.adopt(results)
      let configuration = realm.configuration
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Watched.item(30)) }
      }
      realm.refresh()
      #expect(skipping.last?.deletions == [])
      #expect(skipping.last?.insertions == [4])
      #expect(other.last?.deletions == [0])
      #expect(other.last?.insertions == [4])
      #expect(other.mistake == nil)
      #expect(skipping.mistake == nil)
      withExtendedLifetime((skippingToken, otherToken, objectToken)) {}
    }
  }

  @Test("callbacks that write: the others are told first, nobody is entered twice")
  func writingCallbacks() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let results = realm.objects(WatchedItem.self)
      let first = Follower<Results<WatchedItem>>()
      let last = Follower<Results<WatchedItem>>()
      var log: [String] = []
      var isInside = false
      let tokens = [
        results.observe { change in
          log.append("first")
          first.take(change)
        },
        results.observe { _ in
          #expect(!isInside)
          isInside = true
          log.append("writer")
          #expect(!realm.refresh())
          if results.count < 6 { try? realm.write { realm.add(Watched.item(results.count)) } }
          isInside = false
        },
        results.observe { change in
          log.append("last")
          last.take(change)
        },
      ]
      realm.refresh()
      #expect(log == ["first", "writer", "last"])
      Watched.runLoop()
      #expect(results.count == 6)
      #expect(log.filter { $0 == "writer" }.count == 4)
      #expect(first.rows.count == 6)
      #expect(first.mistake == nil)
      #expect(last.mistake == nil)
      withExtendedLifetime(tokens) {}
    }
  }
}
