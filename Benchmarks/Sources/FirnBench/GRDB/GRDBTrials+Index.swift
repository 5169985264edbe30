import GRDB

extension GRDBTrials {
  static func countInCity(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let cities = stage.dataset.cities
    return {
      var count = 0
      let sample = try sample(per: cities.count) {
        for city in cities {
          count += try fixture.queue.read { database in
            let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM person WHERE city = ?")
            return try Int.fetchOne(statement, arguments: [city]) ?? 0
          }
        }
      }
      try expect(count, stage.dataset.count, "persons counted by city in GRDB")
      return sample
    }
  }

  static func readInCity(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let cities = stage.dataset.cities
    return {
      var sum = 0
      let sample = try sample(per: cities.count) {
        for city in cities {
          sum &+= try fixture.queue.read { database in
            var sum = 0
            let statement = try database.cachedStatement(sql: "SELECT * FROM person WHERE city = ?")
            let persons = try GRDBPerson.fetchCursor(statement, arguments: [city])
            while let person = try persons.next() { sum &+= person.age }
            return sum
          }
        }
      }
      try expect(sum, stage.dataset.ageTotal, "ages read by city in GRDB")
      return sample
    }
  }
}
