extension PlainTrials {
  static func lookUp(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    let ids = stage.dataset.randomIDs(count: 200_000)
    let expected = stage.dataset.ageTotal(ofIDs: ids)
    return {
      var sum = 0
      let sample = sample(per: ids.count) {
        for id in ids {
          if let person = store.person(withID: id) { sum &+= person.age }
        }
      }
      try expect(sum, expected, "ages looked up in plain Swift")
      return sample
    }
  }

  static func readProperty(_ stage: Stage) -> Trial {
    let person = stage.sharedPlain().all[stage.dataset.count / 2]
    return {
      sample(per: HotLoop.turnCount) {
        var sum = 0
        for _ in 0..<HotLoop.turnCount {
          sum &+= person.age
          clobberMemory()
        }
        blackHole(sum)
      }
    }
  }

  static func writeProperty(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let person = store.all[stage.dataset.count / 2]
    return {
      sample(per: HotLoop.turnCount) {
        store.write { _ in
          for turn in 0..<HotLoop.turnCount {
            person.age = turn & 63
            clobberMemory()
          }
        }
      }
    }
  }

  static func readShortString(_ stage: Stage) -> Trial {
    readString(stage, byteCount: HotLoop.shortNameByteCount)
  }

  static func readLongString(_ stage: Stage) -> Trial {
    readString(stage, byteCount: HotLoop.longNameByteCount)
  }

  private static func readString(_ stage: Stage, byteCount: Int) -> Trial {
    let person = stage.sharedPlain().all[stage.dataset.idOfName(byteCount: byteCount)]
    return {
      sample(per: HotLoop.turnCount) {
        for _ in 0..<HotLoop.turnCount { blackHole(person.name) }
      }
    }
  }
}
