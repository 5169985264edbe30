import Firn

extension FirnTrials {
  static func journalledAdd(_ stage: Stage) throws -> Trial {
    let dataset = stage.dataset
    let fixture = try FirnFileFixture(copying: stage, .onCheckpoint)
    let realm = fixture.realm
    let elders = realm.persons(withIDs: Array(0..<dataset.elderCount))
    let idle = realm.objects(Person.self).where { $0.age > 1_000 }.observe { change in
      if case .update = change { fatalError("nobody is that old") }
    }
    var next = dataset.count
    return {
      defer { withExtendedLifetime(idle) {} }
      let indexes = next..<(next + SingleAdd.countPerPass)
      next = indexes.upperBound
      let byteCountBefore = fixture.journalByteCount
      var sample = try sample(per: indexes.count) {
        for index in indexes {
          let person = Person(dataset.record(at: index))
          person.best = elders[dataset.elder(of: index)]
          try realm.write { realm.add(person) }
        }
      }
      let byteCount = Double(fixture.journalByteCount - byteCountBefore) / Double(indexes.count)
      sample.asides = [.init(label: "journal", value: byteCount, unit: .bytes)]
      return sample
    }
  }

  static func durableUpdate(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFileFixture(copying: stage, .everyCommit)
    let realm = fixture.realm
    let persons = realm.persons(withIDs: stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass))
    let limit = try LogFile()
    var round = 0
    return {
      round += 1
      var (commits, writes) = (0.0, 0.0)
      for start in stride(from: 0, to: persons.count, by: DurableCommits.countPerTurn) {
        let turn = persons[start..<min(persons.count, start + DurableCommits.countPerTurn)]
        let byteCountBefore = fixture.journalByteCount
        commits += try nanoseconds(per: persons.count) {
          for person in turn { try realm.write { person.age = (person.id + round) % 100 } }
        }
        let record = [UInt8](repeating: 1, count: (fixture.journalByteCount - byteCountBefore) / turn.count)
        writes += try nanoseconds(per: persons.count) {
          for _ in turn {
            try limit.append(record)
            try limit.synchronize()
          }
        }
      }
      return Sample(
        value: commits, asides: [.init(label: DurableCommits.limitLabel, value: writes, unit: .nanoseconds)])
    }
  }

  static func durableUpdatesOfThreads(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFileFixture(copying: stage, .everyCommit)
    return { try rateOfThreads(stage, fixture, DurableCommits.writerCount).beside(rateOfThreads(stage, fixture, 1)) }
  }

  static func durableUpdatesOfTasks(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFileFixture(copying: stage, .everyCommit)
    return { try rateOfTasks(stage, fixture, DurableCommits.writerCount).beside(rateOfTasks(stage, fixture, 1)) }
  }

  private static func rateOfThreads(_ stage: Stage, _ fixture: FirnFileFixture, _ count: Int) throws -> CommitRate {
    let configuration = fixture.configuration
    let ids = stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass)
    return try CommitRate(of: fixture) {
      try DurableCommits.rate(writerCount: count) { number in
        let realm = try Realm(configuration: configuration)
        return { turn in
          let person = realm.person(withID: ids[(number + DurableCommits.writerCount * turn) % ids.count])
          try realm.write { person.age = turn % 100 }
        }
      }
    }
  }

  private static func rateOfTasks(_ stage: Stage, _ fixture: FirnFileFixture, _ count: Int) throws -> CommitRate {
    let store = fixture.store
    let ids = stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass)
    return try CommitRate(of: fixture) {
      try waitFor {
        let start = ContinuousClock.now
        let commitCount = try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<count {
            group.addTask {
              var turn = 0
              while ContinuousClock.now - start < DurableCommits.duration {
                turn += 1
                try await store.write { [turn] realm in
                  realm.person(withID: ids[(number + DurableCommits.writerCount * turn) % ids.count]).age = turn % 100
                }
              }
              return turn
            }
          }
          return try await group.reduce(0, +)
        }
        return Double(commitCount) / ((ContinuousClock.now - start) / .seconds(1))
      }
    }
  }
}

/// Commits per second, and how many of them shared a sync.
private struct CommitRate {
  let perSecond: Double
  let syncsPerSecond: Double

  init(of fixture: FirnFileFixture, _ measure: () throws -> Double) throws {
    func counts() -> (commits: Int, syncs: Int) {
      let statistics = fixture.store.statistics
      return (statistics.commitCount, statistics.files?.syncCount ?? 0)
    }
    let before = counts()
    perSecond = try measure()
    let after = counts()
    syncsPerSecond = perSecond * Double(after.syncs - before.syncs) / Double(max(1, after.commits - before.commits))
  }

  func beside(_ one: CommitRate) -> Sample {
    Sample(
      value: perSecond,
      asides: [
        .init(label: DurableCommits.oneWriterLabel, value: one.perSecond, unit: .perSecond),
        .init(label: "syncs", value: syncsPerSecond, unit: .perSecond),
      ])
  }
}
