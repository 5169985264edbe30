extension PlainTrials {
  static func countInCity(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let cities = stage.dataset.cities
    let turnCount = 200
    return {
      var count = 0
      let sample = sample(per: cities.count * turnCount) {
        for _ in 0..<turnCount {
          for city in cities { count += store.read { $0.byCity[city]?.count ?? 0 } }
        }
      }
      try expect(count, stage.dataset.count * turnCount, "persons counted by city in plain Swift")
      return sample
    }
  }

  static func readInCity(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let cities = stage.dataset.cities
    return {
      var sum = 0
      let sample = sample(per: cities.count) {
        for city in cities {
          for person in store.read({ $0.byCity[city] ?? [] }) { sum &+= person.age }
        }
      }
      try expect(sum, stage.dataset.ageTotal, "ages read by city in plain Swift")
      return sample
    }
  }
}
