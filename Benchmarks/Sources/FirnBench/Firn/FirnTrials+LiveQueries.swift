import CBench
import Firn
import Foundation

extension FirnTrials {
  static func memoryOfQueries(_ stage: Stage) throws -> Trial {
    let realm = try FirnFixture(filledWith: stage.dataset).realm
    let cities = LiveQueries.manyCities
    try realm.write {
      for (person, city) in zip(realm.objects(Person.self), cities) { person.city = city }
    }
    return {
      let before = cbench_heap_byte_count()
      var callCount = 0
      var tokens: [NotificationToken] = []
      tokens.reserveCapacity(cities.count)
      for city in cities {
        tokens.append(realm.objects(Person.self).where { $0.city == city }.observe { _ in callCount += 1 })
      }
      try deliverInitialCalls(realm)
      let after = cbench_heap_byte_count()
      for token in tokens { token.invalidate() }
      try expect(callCount, cities.count, "first calls of observers in Firn")
      return Sample(value: Double(after - before) / Double(cities.count))
    }
  }

  static func deliverSorted(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let scores = stage.dataset.scores
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: LiveQueries.sortedCommitCount))
    var round = 0
    return {
      round += 1
      var latency = CommitLatency()
      var callCount = 0
      let token = realm.objects(Person.self).sorted(by: \.score).observe { change in
        if case .update = change { callCount += 1 }
      }
      try deliverInitialCalls(realm)
      for (index, person) in persons.enumerated() {
        realm.beginWrite()
        person.score = scores[(7 * index + round) % scores.count]
        try latency.measure {
          try realm.commitWrite()
          realm.refresh()
        }
      }
      token.invalidate()
      try expect(callCount, persons.count, "deliveries to the observer of a sorted result in Firn")
      return latency.sampleOf99Percent()
    }
  }

  static func observeAppending(_ stage: Stage) throws -> Trial {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
    let count = stage.dataset.count
    let new = LiveQueries.appendedCount
    try realm.write {
      for id in 0..<count + new { realm.create(Entry.self, value: ["id": id]) }
      realm.create(Folder.self, value: ["id": 0]).entries.append(objectsIn: realm.objects(Entry.self).prefix(count))
    }
    let entries = realm.object(ofType: Folder.self, forPrimaryKey: 0)!.entries
    let appended = Array(realm.objects(Entry.self).suffix(new))
    func rounds() throws -> Double {
      var time = 0.0
      for _ in 0..<LiveQueries.appendingCount {
        time += try processorNanoseconds(per: 1) {
          try realm.write { entries.append(objectsIn: appended) }
          try realm.write {}
        }
        try realm.write { entries.removeLast(new) }
        try realm.write {}
      }
      return time
    }
    return {
      try LiveQueries.added(per: LiveQueries.appendingCount, rounds) { run in
        var insertedCount = 0
        let token = entries.observe { change in
          if case .update(_, _, let insertions, _) = change { insertedCount += insertions.count }
        }
        try deliverInitialCalls(realm)
        try run()
        token.invalidate()
        try expect(insertedCount, new * LiveQueries.appendingCount, "elements told to the observer of a list in Firn")
      }
    }
  }

  /// Folders, each with a favourite of its own.
  static func observeJoined(_ stage: Stage) throws -> Trial {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
    try realm.write {
      for id in 0..<stage.dataset.count {
        let entry = realm.create(Entry.self, value: ["id": id, "size": LiveQueries.startSize])
        realm.create(Folder.self, value: ["id": id]).favourite = entry
      }
    }
    let ids = stage.dataset.distinctIDs(atMost: LiveQueries.joinedWriteCount)
    let entries = ids.compactMap { realm.object(ofType: Entry.self, forPrimaryKey: $0) }
    let cycleCount = 10
    let commitCount = cycleCount * LiveQueries.sizes.count * entries.count
    func commits() throws {
      for _ in 0..<cycleCount {
        for size in LiveQueries.sizes {
          for entry in entries { try realm.write { entry.size = size } }
        }
      }
      try realm.write {}
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        var callCount = 0
        let token = realm.objects(Folder.self).where { $0.favourite.size > LiveQueries.sizeLimit }.observe { change in
          if case .update = change { callCount += 1 }
        }
        try deliverInitialCalls(realm)
        try run()
        token.invalidate()
        try expect(callCount, commitCount, "deliveries to the observer of a join in Firn")
      }
    }
  }
}
