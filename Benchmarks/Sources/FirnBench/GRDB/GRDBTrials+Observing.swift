import GRDB
import Synchronization

extension GRDBTrials {
  /// A commit takes as long as fetching the result again, so there are few.
  private static let personCountMax = 3

  static func observeOneQuery(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: personCountMax)
    let cycleCount = max(1, 3_000_000 / (stage.dataset.count * ids.count))
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
        let observer = observation.start(in: fixture.queue, scheduling: OnWritersThread(), onError: fail) { _ in
          deliveries.add()
        }
        try run()
        observer.cancel()
        try expect(deliveries.value, 1 + commitCount, "deliveries to the observer in GRDB")
      }
    }
  }

  static func observeManyQueries(_ stage: Stage) throws -> Trial {
    let cities = stage.dataset.cities
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
        let observers = cities.map { city in
          let observation = ValueObservation.trackingConstantRegion { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM person WHERE city = ?")
            return try Int.fetchAll(statement, arguments: [city])
          }
          return observation.start(in: fixture.queue, scheduling: OnWritersThread(), onError: fail) { _ in
            deliveries.add()
          }
        }
        try run()
        for observer in observers { observer.cancel() }
        try expect(deliveries.value, cities.count * (1 + ids.count), "deliveries to the observers in GRDB")
      }
    }
  }

  private static func fail(_ error: any Error) {
    fatalError("observation failed: \(error)")
  }
}

private final class DeliveryCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() {
    count.add(1, ordering: .relaxed)
  }
}

/// Delivers within the commit, so that no commit is merged with the next.
private struct OnWritersThread: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { true }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    action()
  }
}
