import Foundation
import GRDB
import Synchronization

extension GRDBTrials {
  /// A commit takes as long as fetching the results again, so there are few.
  private static let personCountMax = 10

  static func observeOneQuery(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: personCountMax)
    let cycleCount = max(1, 1_000_000 / (stage.dataset.count * ids.count))
    let commitCount = cycleCount * ObservedUpdates.ages.count * ids.count
    func commits() throws {
      for _ in 0..<cycleCount {
        for age in ObservedUpdates.ages {
          for id in ids { try fixture.queue.write { try $0.setAge(age, ofPersonWithID: id) } }
        }
      }
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        let deliveries = DeliveryCount()
        let observation = ValueObservation.trackingConstantRegion { database in
          try Int.fetchAll(database.cachedStatement(sql: "SELECT id FROM person WHERE age > 50"))
        }
        let observer = observation.start(in: fixture.queue, scheduling: WhereverMade(), onError: fail) { _ in
          deliveries.add()
        }
        try run()
        let expectedCount = 1 + commitCount
        try expect(deliveries.count(awaiting: expectedCount), expectedCount, "deliveries to the observer in GRDB")
        observer.cancel()
      }
    }
  }

  static func observeManyQueries(_ stage: Stage) throws -> Trial {
    try observeCities(stage.dataset.cities, personCountMax: personCountMax, stage)
  }

  static func observeCities(_ cities: [String], personCountMax: Int, _ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: personCountMax)
    var round = 0
    func commits() throws {
      round += 1
      for (index, id) in ids.enumerated() {
        let city = cities[(index + round) % cities.count]
        try fixture.queue.write { try $0.setCity(city, ofPersonWithID: id) }
      }
    }
    return {
      try ObservedUpdates.added(per: ids.count, commits) { run in
        let deliveries = DeliveryCount()
        let observers = cities.map { observe(city: $0, fixture, deliveries) }
        try run()
        let expectedCount = cities.count * (1 + ids.count)
        try expect(deliveries.count(awaiting: expectedCount), expectedCount, "deliveries to the observers in GRDB")
        for observer in observers { observer.cancel() }
      }
    }
  }

  static func observeGroups(_ aggregates: GroupedUpdates, _ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: personCountMax)
    let extremes = aggregates == .extremes ? ", MIN(score), MAX(score)" : ""
    let sql = "SELECT city, COUNT(*), SUM(score), AVG(score)\(extremes) FROM person GROUP BY city ORDER BY city"
    var round = 0
    func commits() throws {
      for (index, id) in ids.enumerated() {
        try fixture.queue.write { database in
          try database.cachedStatement(sql: "UPDATE person SET score = ? WHERE id = ?")
            .execute(arguments: [GroupedUpdates.score(index + round), id])
        }
      }
      round += 1
    }
    return {
      try ObservedUpdates.added(per: ids.count, commits) { run in
        let deliveries = DeliveryCount()
        let observation = ValueObservation.trackingConstantRegion { database in
          try Row.fetchAll(database.cachedStatement(sql: sql)).map { $0.map { $0.1 } }
        }
        let observer = observation.start(in: fixture.queue, scheduling: WhereverMade(), onError: fail) { _ in
          deliveries.add()
        }
        try run()
        let expectedCount = 1 + ids.count
        try expect(deliveries.count(awaiting: expectedCount), expectedCount, "deliveries to the observer in GRDB")
        observer.cancel()
      }
    }
  }

  static func observe(
    city: String, _ fixture: GRDBFixture, _ deliveries: DeliveryCount
  ) -> AnyDatabaseCancellable {
    let observation = ValueObservation.trackingConstantRegion { database in
      let statement = try database.cachedStatement(sql: "SELECT id FROM person WHERE city = ?")
      return try Int.fetchAll(statement, arguments: [city])
    }
    return observation.start(in: fixture.queue, scheduling: WhereverMade(), onError: fail) { _ in deliveries.add() }
  }

  /// Persons, each observed by its id. Every commit is offered to every observer, so there are few commits.
  static func observeObjects(isTouched: Bool, _ stage: Stage, _ withoutObservers: String) throws -> Trial {
    let commitCount = 20
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = try fixture.queue.read { try Int.fetchAll($0, sql: "SELECT id FROM person ORDER BY id") }
    // One is left out, to be written where nothing observed is to be touched.
    let (observed, stray) = (ids.dropLast().prefix(ObservedThings.count), ids[ids.count - 1])
    func commits() throws {
      for commit in 0..<commitCount {
        let id = isTouched ? observed[observed.count / commitCount * commit] : stray
        try fixture.queue.write { try $0.setAge(commit, ofPersonWithID: id) }
      }
    }
    return {
      let without = try processorNanoseconds(per: commitCount, commits)
      let deliveries = DeliveryCount()
      let observers = observed.map { id in
        let age = Table("person").filter(Column("id") == id).select(Column("age"), as: Int.self)
        let observation = ValueObservation.trackingConstantRegion { try age.fetchOne($0) }
        return observation.start(in: fixture.queue, scheduling: WhereverMade(), onError: fail) { _ in
          deliveries.add()
        }
      }
      let with = try processorNanoseconds(per: commitCount, commits)
      let expectedCount = observed.count + (isTouched ? commitCount : 0)
      try expect(deliveries.count(awaiting: expectedCount), expectedCount, "deliveries to the observers in GRDB")
      for observer in observers { observer.cancel() }
      return Sample(
        value: isTouched ? with - without : with,
        asides: [.init(label: withoutObservers, value: without, unit: .nanoseconds)])
    }
  }

  static func fail(_ error: any Error) {
    fatalError("observation failed: \(error)")
  }
}

final class DeliveryCount: Sendable {
  private let value = Atomic(0)

  func add() {
    value.add(1, ordering: .relaxed)
  }

  /// Waits a second at most: GRDB hands values over on a queue of its own, so the last come after the last commit.
  func count(awaiting expectedCount: Int) -> Int {
    let start = ContinuousClock.now
    while value.load(ordering: .relaxed) < expectedCount, ContinuousClock.now - start < .seconds(1) {
      usleep(100)
    }
    return value.load(ordering: .relaxed)
  }
}

/// Delivers each value where it is made, so that none is merged with the next.
struct WhereverMade: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { true }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    action()
  }
}
