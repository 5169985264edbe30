import Firn

extension FirnTrials {
  static func iterate(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let scanCount = stage.dataset.scanCount(visiting: 10_000_000)
    let expected = stage.dataset.ageTotal &* scanCount
    return {
      var sum = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          for person in realm.objects(Person.self) { sum &+= person.age }
        }
      }
      try expect(sum, expected, "ages read in Firn")
      return sample
    }
  }

  static func followLinks(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let scanCount = stage.dataset.scanCount(visiting: 5_000_000)
    let expected = stage.dataset.ageTotalOfBests &* scanCount
    return {
      var sum = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          for person in realm.objects(Person.self) {
            if let best = person.best { sum &+= best.age }
          }
        }
      }
      try expect(sum, expected, "ages read through links in Firn")
      return sample
    }
  }

  static func sum(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let scanCount = stage.dataset.scanCount(visiting: 10_000_000)
    return {
      var sum = 0.0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          sum = realm.objects(Person.self).sum(of: \.score)
          blackHole(sum)
        }
      }
      try expect(sum, closeTo: stage.dataset.scoreTotal, "sum of scores in Firn")
      return sample
    }
  }

  static func countOlder(_ stage: Stage) throws -> Trial {
    try count(stage, expected: stage.dataset.count(olderThan: 50)) { realm in
      realm.objects(Person.self).where { $0.age > 50 }.count
    }
  }

  static func countNamed(_ stage: Stage) throws -> Trial {
    let name = stage.dataset.name(at: stage.dataset.count / 3)
    return try count(stage, expected: stage.dataset.count(named: name)) { realm in
      realm.objects(Person.self).where { $0.name == name }.count
    }
  }

  static func countNameContaining(_ stage: Stage) throws -> Trial {
    let fragment = Scan.fragment
    return try count(stage, expected: stage.dataset.count(nameContaining: fragment)) { realm in
      realm.objects(Person.self).where { $0.name.contains(fragment) }.count
    }
  }

  private static func count(
    _ stage: Stage, expected: Int, _ count: @escaping (Realm) -> Int
  ) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let scanCount = stage.dataset.scanCount(visiting: 5_000_000)
    return {
      var found = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          found = count(realm)
          blackHole(found)
        }
      }
      try expect(found, expected, "persons counted in Firn")
      return sample
    }
  }
}
