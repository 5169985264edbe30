import Firn

extension FirnTrials {
  static func observeOneQuery(_ stage: Stage) throws -> Trial { try observeAges(stage) }

  static func observeOneProperty(_ stage: Stage) throws -> Trial { try observeAges(stage, keyPaths: ["age"]) }

  private static func observeAges(_ stage: Stage, keyPaths: [String]? = nil) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: ObservedUpdates.personCountMax))
    let cycleCount = ObservedUpdates.cycleCount(personCount: persons.count)
    let commitCount = cycleCount * ObservedUpdates.ages.count * persons.count
    try realm.write {
      for person in persons { person.age = ObservedUpdates.startAge }
    }
    func commits() throws {
      for _ in 0..<cycleCount {
        for age in ObservedUpdates.ages {
          for person in persons { try realm.write { person.age = age } }
        }
      }
      try realm.write {}
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        var deliveryCount = 0
        let token = realm.objects(Person.self).where { $0.age > 50 }.observe(keyPaths: keyPaths) { change in
          if case .update = change { deliveryCount += 1 }
        }
        try deliverInitialCalls(realm)
        try run()
        token.invalidate()
        try expect(deliveryCount, commitCount, "deliveries to the observer in Firn")
      }
    }
  }

  static func observeManyQueries(_ stage: Stage) throws -> Trial { try observeCities(stage.dataset.cities, stage) }

  static func observeManyProperties(_ stage: Stage) throws -> Trial {
    try observeCities(stage.dataset.cities, stage, keyPaths: ["city"])
  }

  static func observeVeryManyQueries(_ stage: Stage) throws -> Trial {
    try observeCities(LiveQueries.manyCities, stage)
  }

  private static func observeCities(
    _ cities: [String], _ stage: Stage, keyPaths: [String]? = nil
  ) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: ObservedUpdates.personCountMax))
    var round = 0
    func commits() throws {
      round += 1
      for (index, person) in persons.enumerated() {
        try realm.write { person.city = cities[(index + round) % cities.count] }
      }
      try realm.write {}
    }
    try commits()
    return {
      try ObservedUpdates.added(per: persons.count, commits) { run in
        var changedCount = 0
        let tokens = cities.map { city in
          realm.objects(Person.self).where { $0.city == city }.observe(keyPaths: keyPaths) { change in
            if case .update(_, let deletions, let insertions, _) = change {
              changedCount += deletions.count + insertions.count
            }
          }
        }
        try deliverInitialCalls(realm)
        try run()
        for token in tokens { token.invalidate() }
        try expect(changedCount, 2 * persons.count, "rows delivered to the observers in Firn")
      }
    }
  }

  /// An empty write delivers what is due before it begins.
  static func deliverInitialCalls(_ realm: Realm) throws {
    try realm.write {}
    try realm.write {}
  }
}
