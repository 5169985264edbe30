import GRDB

extension GRDBTrials {
  static func singleUpdate(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass)
    var round = 0
    return {
      round += 1
      return try sample(per: ids.count) {
        for (index, id) in ids.enumerated() {
          let age = (index + round) % 100
          try fixture.queue.write { database in try database.setAge(age, ofPersonWithID: id) }
        }
      }
    }
  }

  static func singleIndexedUpdate(_ stage: Stage) throws -> Trial {
    let cities = stage.dataset.cities
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    let ids = stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass)
    var round = 0
    return {
      round += 1
      return try sample(per: ids.count) {
        for (index, id) in ids.enumerated() {
          let city = cities[(index + round) % cities.count]
          try fixture.queue.write { database in try database.setCity(city, ofPersonWithID: id) }
        }
      }
    }
  }

  static func updateAll(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    var age = 0
    return {
      age = (age + 1) % 100
      return try sample(per: stage.dataset.count) {
        try fixture.queue.write { [age] database in
          try database.cachedStatement(sql: "UPDATE person SET age = ?").execute(arguments: [age])
        }
      }
    }
  }

  static func deleteHalf(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    let deletedCount = dataset.actives.count { !$0 }
    return {
      let fixture = try GRDBFixture(filledWith: dataset)
      let sample = try sample(per: deletedCount) {
        try fixture.queue.write { database in
          try database.execute(
            sql: """
              DELETE FROM person WHERE NOT active;
              UPDATE person SET best = NULL WHERE best NOT IN (SELECT id FROM person);
              """)
        }
      }
      try expect(fixture.personCount(), dataset.count - deletedCount, "persons left in GRDB")
      return sample
    }
  }
}

extension Database {
  func setAge(_ age: Int, ofPersonWithID id: Int) throws {
    try cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?").execute(arguments: [age, id])
  }

  func setCity(_ city: String, ofPersonWithID id: Int) throws {
    try cachedStatement(sql: "UPDATE person SET city = ? WHERE id = ?").execute(arguments: [city, id])
  }
}
