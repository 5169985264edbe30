import CBench
import Foundation
import GRDB

extension GRDBTrials {
  static func observeVeryManyQueries(_ stage: Stage) throws -> Trial {
    try observeCities(LiveQueries.manyCities, personCountMax: 2, stage)
  }

  static func memoryOfQueries(_ stage: Stage) throws -> Trial {
    let cities = LiveQueries.manyCities
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    try fixture.queue.write { database in
      for (id, city) in cities.enumerated() { try database.setCity(city, ofPersonWithID: id) }
    }
    return {
      let before = cbench_heap_byte_count()
      let deliveries = DeliveryCount()
      let observers = cities.map { observe(city: $0, fixture, deliveries) }
      let after = cbench_heap_byte_count()
      try expect(deliveries.count(awaiting: cities.count), cities.count, "first deliveries in GRDB")
      for observer in observers { observer.cancel() }
      return Sample(value: Double(after - before) / Double(cities.count))
    }
  }

  /// A commit takes as long as fetching all ids in their order, so there are few.
  static func deliverSorted(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    try fixture.queue.write { try $0.execute(sql: "CREATE INDEX person_on_score ON person (score)") }
    let ids = stage.dataset.distinctIDs(atMost: 100)
    let scores = stage.dataset.scores
    var round = 0
    return {
      round += 1
      let deliveries = DeliveryCount()
      let observation = ValueObservation.trackingConstantRegion { database in
        try Int.fetchAll(database.cachedStatement(sql: "SELECT id FROM person ORDER BY score"))
      }
      let observer = observation.start(in: fixture.queue, scheduling: WhereverMade(), onError: fail) { _ in
        deliveries.add()
      }
      var latency = CommitLatency()
      for (index, id) in ids.enumerated() {
        let score = scores[(7 * index + round) % scores.count]
        try latency.measure {
          try fixture.queue.write { database in
            try database.cachedStatement(sql: "UPDATE person SET score = ? WHERE id = ?")
              .execute(arguments: [score, id])
          }
          _ = deliveries.count(awaiting: 2 + index)
        }
      }
      try expect(deliveries.count(awaiting: 1 + ids.count), 1 + ids.count, "deliveries of a sorted result in GRDB")
      observer.cancel()
      return latency.sampleOf99Percent()
    }
  }

  static func observeJoined(_ stage: Stage) throws -> Trial {
    let queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
          CREATE TABLE folder (id INTEGER PRIMARY KEY, favourite INTEGER NOT NULL);
          CREATE INDEX folder_on_favourite ON folder (favourite);
          """)
      for id in 0..<stage.dataset.count {
        try database.cachedStatement(sql: "INSERT INTO entry VALUES (?, ?)")
          .execute(arguments: [id, LiveQueries.startSize])
        try database.cachedStatement(sql: "INSERT INTO folder VALUES (?, ?)").execute(arguments: [id, id])
      }
    }
    let ids = stage.dataset.distinctIDs(atMost: 10)
    let commitCount = LiveQueries.sizes.count * ids.count
    func commits() throws {
      for size in LiveQueries.sizes {
        for id in ids {
          try queue.write { database in
            try database.cachedStatement(sql: "UPDATE entry SET size = ? WHERE id = ?").execute(arguments: [size, id])
          }
        }
      }
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        let deliveries = DeliveryCount()
        let observation = ValueObservation.trackingConstantRegion { database in
          let statement = try database.cachedStatement(
            sql: "SELECT folder.id FROM folder JOIN entry ON entry.id = folder.favourite WHERE entry.size > ?")
          return try Int.fetchAll(statement, arguments: [LiveQueries.sizeLimit])
        }
        let observer = observation.start(in: queue, scheduling: WhereverMade(), onError: fail) { _ in
          deliveries.add()
        }
        try run()
        let expectedCount = 1 + commitCount
        try expect(deliveries.count(awaiting: expectedCount), expectedCount, "deliveries of a join in GRDB")
        observer.cancel()
      }
    }
  }
}
