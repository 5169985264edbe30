import FirnEngine
import FirnReactive
import Foundation
import Testing

@testable import Firn

@Suite("Observers of collections follow exactly")
struct ObservedCollectionTests {
  /// One random write to items, teams, links and lists.
  private static func write(_ realm: Realm, _ random: inout SeededRandom, _ nextID: inout Int) {
    let items = realm.objects(WatchedItem.self)
    let teams = realm.objects(WatchedTeam.self)
    func anyItem() -> WatchedItem? { items.isEmpty ? nil : items[random.below(items.count)] }
    switch random.below(16) {
    case 0, 1, 2:
      let item = Watched.item(nextID)
      nextID += 1
      item.number = random.below(10)
      item.text = random.chance(30) ? nil : ["", "a", "b", "ab"].randomElement(using: &random)
      if !teams.isEmpty, random.chance(60) { item.team = teams[random.below(teams.count)] }
      realm.add(item)
    case 3: if let item = anyItem() { realm.delete(item) }
    case 4:
      let team = WatchedTeam()
      team.rank = random.below(5)
      realm.add(team)
    case 5: if teams.count > 3 { realm.delete(teams[random.below(teams.count)]) }
    case 6: if !teams.isEmpty { teams[random.below(teams.count)].rank = random.below(5) }
    case 7: if let item = anyItem() { item.team = teams.isEmpty ? nil : teams[random.below(teams.count)] }
    case 8, 9: if let item = anyItem() { item.number = random.below(10) }
    case 10: if let item = anyItem() { item.text = random.chance(50) ? nil : "a" }
    case 11: if let item = anyItem(), let other = anyItem() { item.friends.append(other) }
    default:
      guard let first = items.first, let other = anyItem() else { return }
      let friends = first.friends
      switch random.below(8) {
      case 0, 1, 2: friends.insert(other, at: random.below(friends.count + 1))
      case 3: if !friends.isEmpty { friends.remove(at: random.below(friends.count)) }
      case 4: if !friends.isEmpty { friends.replace(index: random.below(friends.count), object: other) }
      case 5: if friends.count > 1 { friends.move(from: random.below(friends.count), to: random.below(friends.count)) }
      case 6: if random.chance(10) { friends.removeAll() }
      default: first.codes.insert(random.below(100), at: random.below(first.codes.count + 1))
      }
    }
  }

  private static func results(on list: List<WatchedItem>) -> Results<WatchedItem> {
    let (instance, owner) = (list._instance.unsafelyUnwrapped, list._table.unsafelyUnwrapped)
    return Results(
      core: ResultsCore(
        instance: instance, table: list._target.unsafelyUnwrapped,
        source: .list(owner: owner, row: RowKey(list._key), column: list._column)))
  }

  @Test("results and lists, delivered in all ways, also merged", arguments: 0..<6)
  func oracle(round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("oracle \(round)")
      let configuration = Watched.configuration()
      let realm = try Watched.realm(20, configuration)
      let items = realm.objects(WatchedItem.self)
      let first = try #require(items.first)
      let queries: [Results<WatchedItem>] = [
        items,
        items.where { $0.number > 4 },
        items.where { $0.text == nil || $0.number == 3 },
        items.sorted(by: \.number),
        items.where { $0.number < 7 }.sorted(by: \.number, ascending: false),
        items.where { $0.team.rank > 1 },
        items.sorted(byKeyPath: "team.rank"),
        Self.results(on: first.friends).where { $0.number > 2 },
        Self.results(on: first.friends).sorted(by: \.number),
        items.distinct(by: ["number"]),
        items.where { $0.number > 1 }.sorted(by: \.number, ascending: false).distinct(by: ["text"]),
        items.distinct(by: ["team.rank"]).sorted(byKeyPath: "number").where { $0.number > 2 },
        Self.results(on: first.friends).distinct(by: ["number"]),
        Self.results(on: first.friends).where { $0.team.rank > 1 }.sorted(byKeyPath: "team.rank"),
      ]
      let followers = queries.map { _ in Follower<Results<WatchedItem>>() }
      let filtered = queries.map { _ in Follower<Results<WatchedItem>>() }
      var tokens = zip(queries, followers).map { query, follower in query.observe { follower.take($0) } }
      tokens += zip(queries, filtered).map { query, follower in
        query.observe(keyPaths: ["text"]) { follower.take($0) }
      }
      let friends = Follower<List<WatchedItem>>()
      let codes = Follower<List<Int>>()
      tokens.append(first.friends.observe { friends.take($0) })
      tokens.append(first.codes.observe { codes.take($0) })
      var nextID = 1000
      for step in 0..<150 {
        if random.chance(20) {
          // Another thread's commit, or an own one in the same way.
          let seed = random.next()
          let id = nextID
          nextID += 20
          try onOwnThread {
            var random = SeededRandom(seed)
            var id = id
            let realm = try Realm(configuration: configuration)
            try realm.write { for _ in 0..<4 { Self.write(realm, &random, &id) } }
          }
        } else {
          let writeCount = random.chance(5) ? 80 : random.below(6)
          try realm.write { for _ in 0..<writeCount { Self.write(realm, &random, &nextID) } }
        }
        switch random.below(4) {
        case 0: realm.refresh()
        case 1: Watched.runLoop()
        default: continue
        }
        if first.isInvalidated { break }
        for (query, follower) in zip(queries + queries, followers + filtered) {
          follower.check(query, "at step \(step)")
        }
        friends.check(first.friends, "at step \(step)")
        codes.check(first.codes, "at step \(step)")
      }
      for (index, follower) in (followers + filtered).enumerated() {
        #expect(follower.mistake == nil, "query \(index)")
        #expect(follower.initialCalls == 1)
      }
      #expect(friends.mistake == nil)
      #expect(codes.mistake == nil)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("several commits are one call, and nothing is delivered when nothing is left of them")
  func merging() throws {
    try onOwnThread {
      let realm = try Watched.realm(10)
      let follower = Follower<Results<WatchedItem>>()
      let results = realm.objects(WatchedItem.self).where { $0.number > 4 }
      let token = results.observe { follower.take($0) }
      try realm.write { realm.add(Watched.item(10)) }
      Watched.runLoop()
      #expect(follower.calls == 2)
      #expect(follower.rows.count == 6)
      realm.autorefresh = false
      let configuration = realm.configuration
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Watched.item(11)) }
        try realm.write { realm.objects(WatchedItem.self).last!.number = 1 }
        try realm.write { realm.objects(WatchedItem.self)[6].score = 1 }
        try realm.write { realm.delete(realm.objects(WatchedItem.self)[5]) }
      }
      Watched.runLoop()
      #expect(follower.calls == 2)
      realm.refresh()
      #expect(follower.calls == 3)
      #expect(follower.last?.deletions == [0])
      #expect(follower.last?.insertions == [])
      #expect(follower.last?.modifications == [1])
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Watched.item(12)) }
        try realm.write { realm.delete(realm.objects(WatchedItem.self).last!) }
      }
      realm.refresh()
      #expect(follower.calls == 3)
      #expect(follower.mistake == nil)
      withExtendedLifetime(token) {}
    }
  }

  @Test("objects at most three links away count, those further away do not")
  func linkedModifications() throws {
    try onOwnThread {
      let realm = try Watched.realm(6)
      let items = Array(realm.objects(WatchedItem.self))
      // 0 -> team -> leader 1 -> friends 2 -> team of 2
      let teams = [WatchedTeam(), WatchedTeam()]
      try realm.write {
        for team in teams { realm.add(team) }
        items[0].team = teams[0]
        teams[0].leader = items[1]
        items[1].friends.append(items[2])
        items[2].team = teams[1]
      }
      let follower = Follower<Results<WatchedItem>>()
      let deep = Follower<Results<WatchedItem>>()
      let typed = Follower<Results<WatchedItem>>()
      let list = Follower<List<WatchedItem>>()
      let results = realm.objects(WatchedItem.self).where { $0.id == 0 }
      var tokens = [results.observe { follower.take($0) }]
      tokens.append(results.observe(keyPaths: ["team.leader.friends.team.rank"]) { deep.take($0) })
      tokens.append(results.observe(keyPaths: [\.team?.leader]) { typed.take($0) })
      try realm.write { items[3].friends.append(items[0]) }
      tokens.append(items[3].friends.observe { list.take($0) })
      realm.refresh()
      func calls() -> [Int] { [follower.calls, deep.calls, typed.calls, list.calls] }
      #expect(calls() == [1, 1, 1, 1])
      try realm.write { teams[0].rank = 3 }
      realm.refresh()
      #expect(calls() == [2, 1, 1, 2])
      #expect(follower.last?.modifications == [0])
      #expect(list.last?.modifications == [0])
      try realm.write { items[2].score = 3 }
      realm.refresh()
      #expect(calls() == [3, 1, 1, 3])
      try realm.write { teams[1].rank = 3 }
      realm.refresh()
      #expect(calls() == [3, 2, 1, 3])
      try realm.write { teams[0].leader = items[4] }
      realm.refresh()
      #expect(calls() == [4, 3, 2, 4])
      try realm.write { items[2].score = 4 }
      realm.refresh()
      #expect(calls() == [4, 3, 2, 4])
      for mistake in [follower.mistake, deep.mistake, typed.mistake, list.mistake] { #expect(mistake == nil) }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("the owner of a list is deleted: one last change")
  func ownerDeleted() throws {
    try onOwnThread {
      let realm = try Watched.realm(4)
      let items = Array(realm.objects(WatchedItem.self))
      try realm.write { items[0].friends.append(objectsIn: items[1...]) }
      let follower = Follower<List<WatchedItem>>()
      let token = items[0].friends.observe { follower.take($0) }
      realm.refresh()
      try realm.write { realm.delete(items[0]) }
      realm.refresh()
      #expect(follower.last?.deletions == [0, 1, 2])
      try realm.write { items[1].score = 2 }
      realm.refresh()
      #expect(follower.calls == 2)
      #expect(follower.mistake == nil)
      withExtendedLifetime(token) {}
    }
  }

  @Test("an update costs a realm of 1,000 rows and one of 100,000 the same")
  func work() throws {
    try onOwnThread {
      let work = try [1000, 100_000].map { count in
        let realm = try Watched.realm(count)
        var calls = 0
        let token = realm.objects(WatchedItem.self).where { $0.number > 50 }.observe(keyPaths: ["number"]) { _ in
          calls += 1
        }
        realm.refresh()
        let stage = try #require(realm.instance.notifications?.stage)
        stage.counters.reset()
        for _ in 0..<10 { try realm.write { realm.objects(WatchedItem.self)[700].number = 900 } }
        realm.refresh()
        #expect(calls == 11)
        withExtendedLifetime(token) {}
        return stage.counters
      }
      #expect(work[0] == work[1])
      #expect(work[0].rowsExamined == 10)
    }
  }
}
