import CBench

extension PlainTrials {
  static func iterate(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let scanCount = stage.dataset.scanCount(visiting: 10_000_000)
    let expected = stage.dataset.ageTotal &* scanCount
    return {
      var sum = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          for person in store.all { sum &+= person.age }
        }
      }
      try expect(sum, expected, "ages read in plain Swift")
      return sample
    }
  }

  static func followLinks(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let scanCount = stage.dataset.scanCount(visiting: 5_000_000)
    let expected = stage.dataset.ageTotalOfBests &* scanCount
    return {
      var sum = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          for person in store.all {
            if let best = person.best { sum &+= best.age }
          }
        }
      }
      try expect(sum, expected, "ages read through links in plain Swift")
      return sample
    }
  }

  static func sum(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let scanCount = stage.dataset.scanCount(visiting: 10_000_000)
    return {
      var sum = 0.0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          sum = 0
          for person in store.all { sum += person.score }
          blackHole(sum)
        }
      }
      try expect(sum, closeTo: stage.dataset.scoreTotal, "sum of scores in plain Swift")
      return sample
    }
  }

  static func countOlder(_ stage: Stage) -> Trial {
    count(stage, expected: stage.dataset.count(olderThan: 50)) { persons in
      var count = 0
      for person in persons where person.age > 50 { count += 1 }
      return count
    }
  }

  static func countNamed(_ stage: Stage) -> Trial {
    let name = stage.dataset.name(at: stage.dataset.count / 3)
    return count(stage, expected: stage.dataset.count(named: name)) { persons in
      var count = 0
      for person in persons where person.name == name { count += 1 }
      return count
    }
  }

  static func countNameContaining(_ stage: Stage) -> Trial {
    let fragment = Scan.fragment
    return count(stage, expected: stage.dataset.count(nameContaining: fragment)) { persons in
      let fragmentBytes = Array(fragment.utf8)
      var count = 0
      for person in persons where person.name.contains(bytes: fragmentBytes) { count += 1 }
      return count
    }
  }

  private static func count(_ stage: Stage, expected: Int, _ count: @escaping ([PlainPerson]) -> Int) -> Trial {
    let store = stage.sharedPlain()
    let scanCount = stage.dataset.scanCount(visiting: 5_000_000)
    return {
      var found = 0
      let sample = sample(per: stage.dataset.count * scanCount) {
        for _ in 0..<scanCount {
          found = count(store.all)
          blackHole(found)
        }
      }
      try expect(found, expected, "persons counted in plain Swift")
      return sample
    }
  }
}

extension String {
  fileprivate func contains(bytes: [UInt8]) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { own in
      bytes.withUnsafeBufferPointer { cbench_contains(own.baseAddress, own.count, $0.baseAddress, $0.count) }
    }
    return found ?? utf8.contains(bytes)
  }
}
