import Firn

extension FirnTrials {
  private static let freezeCount = 200_000

  static func freezeRealm(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    return {
      sample(per: freezeCount) {
        for _ in 0..<freezeCount { blackHole(realm.freeze()) }
      }
    }
  }

  static func freezeStore(_ stage: Stage) throws -> Trial {
    let store = try stage.sharedFirn().store()
    return {
      sample(per: freezeCount) {
        for _ in 0..<freezeCount { blackHole(store.freeze()) }
      }
    }
  }

  static func readAlone(_ stage: Stage) throws -> Trial {
    let realm = try FirnFixture(filledWith: stage.dataset).realm
    let ids = stage.dataset.randomIDs(count: Readers.lookUpCount)
    return {
      Readers.rate(per: ids.count) { readAges(of: ids, in: realm) }
    }
  }

  static func readBesideWriter(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let configuration = fixture.configuration
    let ids = stage.dataset.randomIDs(count: Readers.lookUpCount)
    let writtenIDs = stage.dataset.randomIDs(count: Readers.lookUpCount, seed: 3)
    return {
      let writer = BusyThread {
        let realm = try Realm(configuration: configuration)
        return { turn in
          try realm.write {
            if let person = realm.object(ofType: Person.self, forPrimaryKey: writtenIDs[turn % writtenIDs.count]) {
              person.age = turn % 100
            }
          }
        }
      }
      return try Readers.rate(per: ids.count, beside: writer) { readAges(of: ids, in: realm) }
    }
  }

  private static func readAges(of ids: [Int], in realm: Realm) {
    var sum = 0
    for start in stride(from: 0, to: ids.count, by: Readers.lookUpsPerVersion) {
      realm.refresh()
      for id in ids[start..<(start + Readers.lookUpsPerVersion)] {
        if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { sum &+= person.age }
      }
    }
    blackHole(sum)
  }
}
