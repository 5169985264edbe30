import Firn

extension FirnTrials {
  static func singleUpdate(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass))
    var round = 0
    return {
      round += 1
      return try sample(per: persons.count) {
        for (index, person) in persons.enumerated() {
          try realm.write { person.age = (index + round) % 100 }
        }
      }
    }
  }

  static func singleIndexedUpdate(_ stage: Stage) throws -> Trial {
    let cities = stage.dataset.cities
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass))
    var round = 0
    return {
      round += 1
      return try sample(per: persons.count) {
        for (index, person) in persons.enumerated() {
          try realm.write { person.city = cities[(index + round) % cities.count] }
        }
      }
    }
  }

  static func updateAll(_ stage: Stage) throws -> Trial {
    let realm = try FirnFixture(filledWith: stage.dataset).realm
    var age = 0
    return {
      age = (age + 1) % 100
      return try sample(per: stage.dataset.count) {
        try realm.write {
          for person in realm.objects(Person.self) { person.age = age }
        }
      }
    }
  }

  static func deleteHalf(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    let deletedCount = dataset.actives.count { !$0 }
    return {
      let realm = try FirnFixture(filledWith: dataset).realm
      let sample = try sample(per: deletedCount) {
        try realm.write {
          realm.delete(realm.objects(Person.self).where { $0.active == false })
        }
      }
      try expect(realm.objects(Person.self).count, dataset.count - deletedCount, "persons left in Firn")
      return sample
    }
  }
}
