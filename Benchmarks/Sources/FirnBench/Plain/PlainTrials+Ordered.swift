import Synchronization

/// A sorted array of ages, which stands for an index; under a mutex like all that plain Swift shares.
private final class PlainAges: Sendable {
  private let ages: Mutex<[Int]>

  init(_ ages: [Int]) { self.ages = Mutex(ages.sorted()) }

  func count(_ range: ClosedRange<Int>) -> Int {
    ages.withLock { Self.place(of: range.upperBound + 1, in: $0) - Self.place(of: range.lowerBound, in: $0) }
  }

  private static func place(of age: Int, in ages: [Int]) -> Int {
    var (low, high) = (0, ages.count)
    while low < high {
      let middle = (low + high) / 2
      if ages[middle] < age { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PlainTrials {
  static func countAges(_ stage: Stage) -> Trial {
    let ages = PlainAges(stage.dataset.ages)
    let expected = stage.dataset.countOfAges(30...35)
    return {
      var found = 0
      let sample = sample(per: 100_000) {
        for _ in 0..<100_000 {
          found = ages.count(30...35)
          blackHole(found)
        }
      }
      try expect(found, expected, "persons of an age in plain Swift")
      return sample
    }
  }

  static func sortAll(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let expected = stage.dataset.firstByCityAndAge
    return {
      var first = 0
      let sample = sample(per: 1) {
        let sorted = store.all.sorted { ($0.city, $0.age, $0.id) < ($1.city, $1.age, $1.id) }
        blackHole(sorted[sorted.count / 2].id)
        first = sorted[0].id
      }
      try expect(first, expected, "first person by city and age in plain Swift")
      return sample
    }
  }

  static func countAmongMany(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let names = stage.dataset.manyNames
    let expected = stage.dataset.count(amongNames: names)
    return {
      var found = 0
      let sample = sample(per: 1) {
        let names = Set(names)
        found = store.all.count { names.contains($0.name) }
      }
      try expect(found, expected, "persons of many names in plain Swift")
      return sample
    }
  }

  static func firstMatch(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let position = stage.dataset.count / 120
    let name = stage.dataset.name(at: position)
    return {
      var found = -1
      let sample = sample(per: 100) {
        for _ in 0..<100 { found = store.all.first { $0.name == name }?.id ?? -1 }
      }
      try expect(found, position, "first person of a name in plain Swift")
      return sample
    }
  }
}
