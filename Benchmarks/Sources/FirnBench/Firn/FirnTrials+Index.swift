import Firn

extension FirnTrials {
  static func countInCity(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let cities = stage.dataset.cities
    let turnCount = 200
    return {
      var count = 0
      let sample = sample(per: cities.count * turnCount) {
        for _ in 0..<turnCount {
          for city in cities { count += realm.objects(Person.self).where { $0.city == city }.count }
        }
      }
      try expect(count, stage.dataset.count * turnCount, "persons counted by city in Firn")
      return sample
    }
  }

  static func readInCity(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let cities = stage.dataset.cities
    return {
      var sum = 0
      let sample = sample(per: cities.count) {
        for city in cities {
          let inhabitants = realm.objects(Person.self).where { $0.city == city }
          for person in inhabitants { sum &+= person.age }
        }
      }
      try expect(sum, stage.dataset.ageTotal, "ages read by city in Firn")
      return sample
    }
  }
}
