import Firn
import Foundation

extension FirnTrials {
  /// A realm in memory of persons with ordered indexes.
  private static func orderedRealm(_ stage: Stage) throws -> Realm {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [OrderedPerson.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for index in 0..<stage.dataset.count { realm.add(OrderedPerson(stage.dataset.record(at: index))) }
    }
    return realm
  }

  static func countAges(_ stage: Stage) throws -> Trial {
    let realm = try orderedRealm(stage)
    let expected = stage.dataset.countOfAges(30...35)
    return {
      var found = 0
      let sample = sample(per: 100_000) {
        for _ in 0..<100_000 {
          found = realm.objects(OrderedPerson.self).where { $0.age.contains(30...35) }.count
          blackHole(found)
        }
      }
      try expect(found, expected, "persons of an age in Firn")
      return sample
    }
  }

  static func sortAll(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let expected = stage.dataset.firstByCityAndAge
    return {
      var first = 0
      let sample = sample(per: 1) {
        let sorted = realm.objects(Person.self).sorted(by: [SortDescriptor(keyPath: "city"), "age"])
        blackHole(sorted[sorted.count / 2].id)
        first = sorted[0].id
      }
      try expect(first, expected, "first person by city and age in Firn")
      return sample
    }
  }

  static func firstByCityAndAge(_ stage: Stage) throws -> Trial {
    let realm = try orderedRealm(stage)
    return try first(stage.dataset.firstByCityAndAge) {
      realm.objects(OrderedPerson.self).sorted(by: [SortDescriptor(keyPath: "city"), "age"]).first?.id
    }
  }

  static func firstActiveByName(_ stage: Stage) throws -> Trial {
    let realm = try orderedRealm(stage)
    return try first(stage.dataset.firstActiveByName) {
      realm.objects(OrderedPerson.self).where { $0.active }.sorted(by: \.name).first?.id
    }
  }

  private static func first(_ expected: Int, _ find: @escaping () -> Int?) throws -> Trial {
    {
      var found: Int?
      let sample = sample(per: 100_000) {
        for _ in 0..<100_000 { found = find() }
      }
      try expect(found ?? -1, expected, "first person in Firn")
      return sample
    }
  }

  static func countAmongMany(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let names = stage.dataset.manyNames
    let expected = stage.dataset.count(amongNames: names)
    return {
      var found = 0
      let sample = sample(per: 1) { found = realm.objects(Person.self).where { $0.name.in(names) }.count }
      try expect(found, expected, "persons of many names in Firn")
      return sample
    }
  }

  static func firstMatch(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let position = stage.dataset.count / 120
    let name = stage.dataset.name(at: position)
    return {
      var found = -1
      let sample = sample(per: 1_000) {
        for _ in 0..<1_000 { found = realm.objects(Person.self).where { $0.name == name }.first?.id ?? -1 }
      }
      try expect(found, position, "first person of a name in Firn")
      return sample
    }
  }
}
