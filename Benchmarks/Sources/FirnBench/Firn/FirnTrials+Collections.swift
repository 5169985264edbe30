import Firn

extension FirnTrials {
  static func insertIntoSet(_ stage: Stage) throws -> Trial {
    let (realm, gathering) = try makeGathering()
    let numbers = stage.dataset.scatteredNumbers
    return {
      try realm.write { gathering.numbers.removeAll() }
      let sample = try sample(per: numbers.count) {
        try realm.write {
          let set = gathering.numbers
          for number in numbers { set.insert(number) }
        }
      }
      try expect(gathering.numbers.count, numbers.count, "elements of a set in Firn")
      return sample
    }
  }

  static func containsInSet(_ stage: Stage) throws -> Trial {
    let (realm, gathering) = try makeGathering()
    let numbers = stage.dataset.scatteredNumbers
    try realm.write { gathering.numbers.insert(objectsIn: numbers) }
    return {
      let set = gathering.numbers
      var found = 0
      let sample = sample(per: numbers.count * 2) {
        for number in numbers {
          if set.contains(number) { found += 1 }
          if set.contains(number + 1) { found += 1 }
        }
      }
      try expect(found, numbers.count, "elements found in a set in Firn")
      return sample
    }
  }

  static func iterateSet(_ stage: Stage) throws -> Trial {
    let (realm, gathering) = try makeGathering()
    let numbers = stage.dataset.scatteredNumbers
    try realm.write { gathering.numbers.insert(objectsIn: numbers) }
    let expected = numbers.reduce(0, &+)
    return {
      var sum = 0
      let sample = sample(per: numbers.count) {
        for number in gathering.numbers { sum &+= number }
      }
      try expect(sum, expected, "sum of a set in Firn")
      return sample
    }
  }

  static func setInMap(_ stage: Stage) throws -> Trial {
    let (realm, gathering) = try makeGathering()
    let keys = stage.dataset.scatteredKeys
    return {
      try realm.write { gathering.counts.removeAll() }
      let sample = try sample(per: keys.count) {
        try realm.write {
          let map = gathering.counts
          for (count, key) in keys.enumerated() { map[key] = count }
        }
      }
      try expect(gathering.counts.count, keys.count, "keys of a map in Firn")
      return sample
    }
  }

  static func getFromMap(_ stage: Stage) throws -> Trial {
    let (realm, gathering) = try makeGathering()
    let keys = stage.dataset.scatteredKeys
    try realm.write {
      for (count, key) in keys.enumerated() { gathering.counts[key] = count }
    }
    let expected = keys.indices.reduce(0, &+)
    return {
      let map = gathering.counts
      var sum = 0
      let sample = sample(per: keys.count) {
        for key in keys { sum &+= map[key] ?? 0 }
      }
      try expect(sum, expected, "sum of a map in Firn")
      return sample
    }
  }

  private static func makeGathering() throws -> (Realm, Gathering) {
    let realm = try FirnFixture().realm
    let gathering = Gathering()
    try realm.write { realm.add(gathering) }
    return (realm, gathering)
  }
}
