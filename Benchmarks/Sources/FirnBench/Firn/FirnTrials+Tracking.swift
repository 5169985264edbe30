import Firn
import Observation

extension FirnTrials {
  static func durableCommitWithHistory(_ stage: Stage) throws -> Trial {
    try commitWithHistory(stage, .everyCommit, turnCount: 8, commitCount: 50)
  }

  static func journalledCommitWithHistory(_ stage: Stage) throws -> Trial {
    try commitWithHistory(stage, .onCheckpoint, turnCount: 20, commitCount: 1_000)
  }

  private static func commitWithHistory(
    _ stage: Stage, _ durability: Realm.Configuration.Durability, turnCount: Int, commitCount: Int
  ) throws -> Trial {
    let fixtures = try [
      FirnFileFixture(copying: stage, durability),
      FirnFileFixture(copying: stage, durability, history: .init(byteCount: 1 << 30)),
    ]
    let ids = stage.dataset.distinctIDs(atMost: commitCount)
    let persons = fixtures.map { $0.realm.persons(withIDs: ids) }
    var round = 0
    return {
      var times = [0.0, 0.0]
      // In turns, since what a disk takes for a write changes from second to second.
      for _ in 0..<turnCount {
        round += 1
        for (index, fixture) in fixtures.enumerated() {
          times[index] += try nanoseconds(per: turnCount * commitCount) {
            for person in persons[index] { try fixture.realm.write { person.age = (person.id + round) % 100 } }
          }
        }
      }
      return Sample(
        value: times[1], asides: [.init(label: Workload.withoutHistory, value: times[0], unit: .nanoseconds)])
    }
  }

  static func readTracked(_ stage: Stage) throws -> Trial {
    try addedByTracking(stage) { fixture in
      let person = fixture.person(withID: stage.dataset.count / 2)
      return {
        nanoseconds(per: HotLoop.turnCount) {
          var sum = 0
          for _ in 0..<HotLoop.turnCount {
            sum &+= person.age
            clobberMemory()
          }
          blackHole(sum)
        }
      }
    }
  }

  static func readInScope(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset, tracksObservation: true)
    let person = fixture.person(withID: stage.dataset.count / 2)
    return { ScopeLoop.sample { person.age } }
  }

  static func lookUpTracked(_ stage: Stage) throws -> Trial {
    let ids = stage.dataset.randomIDs(count: 200_000)
    let expected = stage.dataset.ageTotal(ofIDs: ids)
    return try addedByTracking(stage) { fixture in
      {
        var sum = 0
        let time = nanoseconds(per: ids.count) {
          for id in ids {
            if let person = fixture.realm.object(ofType: Person.self, forPrimaryKey: id) { sum &+= person.age }
          }
        }
        try expect(sum, expected, "ages looked up in Firn")
        return time
      }
    }
  }

  private static func nanosecondsPerRead(_ body: () -> Void) -> Double {
    nanoseconds(per: HotLoop.turnCount, body)
  }

  /// The time that something takes more in a realm that takes part in Observation.
  private static func addedByTracking(
    _ stage: Stage, _ makeLoop: (FirnFixture) throws -> () throws -> Double
  ) throws -> Trial {
    let without = try makeLoop(FirnFixture(filledWith: stage.dataset))
    let with = try makeLoop(FirnFixture(filledWith: stage.dataset, tracksObservation: true))
    return {
      let base = try without()
      return Sample(
        value: try with() - base, asides: [.init(label: "without tracking", value: base, unit: .nanoseconds)])
    }
  }
}
