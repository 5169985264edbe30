import GRDB

extension GRDBTrials {
  static func bulkAdd(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    return {
      let fixture = try GRDBFixture()
      let sample = try sample(per: dataset.count) {
        try fixture.queue.write { database in
          for index in 0..<dataset.count {
            let best = index < dataset.elderCount ? nil : dataset.elder(of: index)
            try GRDBFixture.insert(dataset.record(at: index), best: best, into: database)
          }
        }
      }
      try expect(fixture.personCount(), dataset.count, "persons added to GRDB")
      return sample
    }
  }

  static func singleAdd(_ stage: Stage) throws -> Trial {
    singleAdd(stage, to: try GRDBFixture(filledWith: stage.dataset))
  }

  static func singleAdd(_ stage: Stage, to fixture: GRDBFixture) -> Trial {
    let dataset = stage.dataset
    let idle = IdleObserver()
    fixture.queue.add(transactionObserver: idle, extent: .databaseLifetime)
    var next = dataset.count
    return {
      let indexes = next..<(next + SingleAdd.countPerPass)
      next = indexes.upperBound
      return try sample(per: indexes.count) {
        for index in indexes {
          try fixture.queue.write { database in
            try GRDBFixture.insert(dataset.record(at: index), best: dataset.elder(of: index), into: database)
          }
        }
      }
    }
  }
}

/// Told of every change and interested in none. An observation of a query would run it again for every person.
private final class IdleObserver: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) {}
  func databaseDidRollback(_ database: Database) {}
}
