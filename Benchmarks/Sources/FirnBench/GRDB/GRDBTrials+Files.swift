import GRDB

extension GRDBTrials {
  static func journalledAdd(_ stage: Stage) throws -> Trial {
    singleAdd(stage, to: try GRDBFixture(filledWith: stage.dataset, .normal))
  }

  static func durableUpdate(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset, .full)
    let ids = stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass)
    var round = 0
    return {
      round += 1
      return try sample(per: ids.count) {
        for id in ids {
          let age = (id + round) % 100
          try fixture.queue.write { database in try database.setAge(age, ofPersonWithID: id) }
        }
      }
    }
  }

  static func fileSize(_ stage: Stage) throws -> Trial {
    let byteCount = try GRDBFixture(filledWith: stage.dataset, .normal).fileByteCount()
    return { Sample(value: Double(byteCount) / Double(stage.dataset.count)) }
  }

  static func open(_ stage: Stage) throws -> Trial {
    let dataset = stage.dataset
    let fixture = try GRDBFixture(filledWith: dataset, .normal)
    _ = try fixture.fileByteCount()
    return {
      var found: (age: Int?, count: Int?)
      let sample = try sample(per: 1) {
        found = try fixture.reopened().read { database in
          (
            try Int.fetchOne(database, sql: "SELECT age FROM person WHERE id = ?", arguments: [dataset.count / 2]),
            try Int.fetchOne(
              database, sql: "SELECT COUNT(*) FROM person WHERE city = ?", arguments: [dataset.cities[7]])
          )
        }
      }
      try expect(found.age, dataset.ages[dataset.count / 2], "age looked up after opening GRDB")
      try expect(found.count, dataset.cityIndexes.count { $0 == 7 }, "persons counted after opening GRDB")
      return sample
    }
  }
}
