import GRDB

extension GRDBTrials {
  private static let lookUpCount = 30_000

  static func readAlone(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.randomIDs(count: lookUpCount)
    return {
      try Readers.rate(per: ids.count) { try readAges(of: ids, in: fixture) }
    }
  }

  static func readBesideWriter(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.randomIDs(count: lookUpCount)
    let writtenIDs = stage.dataset.randomIDs(count: lookUpCount, seed: 3)
    return {
      let writer = BusyThread {
        { turn in
          try fixture.queue.write { database in
            try database.setAge(turn % 100, ofPersonWithID: writtenIDs[turn % writtenIDs.count])
          }
        }
      }
      return try Readers.rate(per: ids.count, beside: writer) { try readAges(of: ids, in: fixture) }
    }
  }

  private static func readAges(of ids: [Int], in fixture: GRDBFixture) throws {
    var sum = 0
    for start in stride(from: 0, to: ids.count, by: Readers.lookUpsPerVersion) {
      sum &+= try fixture.queue.read { database in
        var sum = 0
        let statement = try database.cachedStatement(sql: "SELECT age FROM person WHERE id = ?")
        for id in ids[start..<(start + Readers.lookUpsPerVersion)] {
          sum &+= try Int.fetchOne(statement, arguments: [id]) ?? 0
        }
        return sum
      }
    }
    blackHole(sum)
  }
}
