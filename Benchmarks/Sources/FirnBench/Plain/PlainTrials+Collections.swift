extension PlainTrials {
  static func insertIntoSet(_ stage: Stage) -> Trial {
    let numbers = stage.dataset.scatteredNumbers
    return {
      var set: Set<Int> = []
      let sample = sample(per: numbers.count) {
        for number in numbers { set.insert(number) }
      }
      try expect(set.count, numbers.count, "elements of a set in plain Swift")
      return sample
    }
  }

  static func containsInSet(_ stage: Stage) -> Trial {
    let numbers = stage.dataset.scatteredNumbers
    let set = Set(numbers)
    return {
      var found = 0
      let sample = sample(per: numbers.count * 2) {
        for number in numbers {
          if set.contains(number) { found += 1 }
          if set.contains(number + 1) { found += 1 }
        }
      }
      try expect(found, numbers.count, "elements found in a set in plain Swift")
      return sample
    }
  }

  static func iterateSet(_ stage: Stage) -> Trial {
    let set = Set(stage.dataset.scatteredNumbers)
    let expected = set.reduce(0, &+)
    return {
      var sum = 0
      let sample = sample(per: set.count) {
        for number in set { sum &+= number }
      }
      try expect(sum, expected, "sum of a set in plain Swift")
      return sample
    }
  }

  static func setInMap(_ stage: Stage) -> Trial {
    let keys = stage.dataset.scatteredKeys
    return {
      var map: [String: Int] = [:]
      let sample = sample(per: keys.count) {
        for (count, key) in keys.enumerated() { map[key] = count }
      }
      try expect(map.count, keys.count, "keys of a map in plain Swift")
      return sample
    }
  }

  static func getFromMap(_ stage: Stage) -> Trial {
    let keys = stage.dataset.scatteredKeys
    let map = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    let expected = keys.indices.reduce(0, &+)
    return {
      var sum = 0
      let sample = sample(per: keys.count) {
        for key in keys { sum &+= map[key] ?? 0 }
      }
      try expect(sum, expected, "sum of a map in plain Swift")
      return sample
    }
  }
}
