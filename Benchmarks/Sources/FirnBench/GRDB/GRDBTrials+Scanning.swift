import GRDB

extension GRDBTrials {
  static func lookUp(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let ids = stage.dataset.randomIDs(count: 50_000)
    let expected = stage.dataset.ageTotal(ofIDs: ids)
    return {
      var sum = 0
      let sample = try sample(per: ids.count) {
        sum = try fixture.queue.read { database in
          var sum = 0
          let statement = try database.cachedStatement(sql: "SELECT age FROM person WHERE id = ?")
          for id in ids { sum &+= try Int.fetchOne(statement, arguments: [id]) ?? 0 }
          return sum
        }
      }
      try expect(sum, expected, "ages looked up in GRDB")
      return sample
    }
  }

  static func iterate(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let expected = stage.dataset.ageTotal
    return {
      var sum = 0
      let sample = try sample(per: stage.dataset.count) {
        sum = try fixture.queue.read { database in
          var sum = 0
          let statement = try database.cachedStatement(sql: "SELECT * FROM person")
          let persons = try GRDBPerson.fetchCursor(statement)
          while let person = try persons.next() { sum &+= person.age }
          return sum
        }
      }
      try expect(sum, expected, "ages read in GRDB")
      return sample
    }
  }

  static func followLinks(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let expected = stage.dataset.ageTotalOfBests
    return {
      var sum = 0
      let sample = try sample(per: stage.dataset.count) {
        sum = try fixture.queue.read { database in
          var sum = 0
          let statement = try database.cachedStatement(
            sql: "SELECT best.age FROM person JOIN person AS best ON best.id = person.best")
          let ages = try Int.fetchCursor(statement)
          while let age = try ages.next() { sum &+= age }
          return sum
        }
      }
      try expect(sum, expected, "ages read through links in GRDB")
      return sample
    }
  }

  static func sum(_ stage: Stage) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    return {
      var sum = 0.0
      let sample = try sample(per: stage.dataset.count) {
        sum = try fixture.queue.read { database in
          let statement = try database.cachedStatement(sql: "SELECT SUM(score) FROM person")
          return try Double.fetchOne(statement) ?? 0
        }
      }
      try expect(sum, closeTo: stage.dataset.scoreTotal, "sum of scores in GRDB")
      return sample
    }
  }

  static func countOlder(_ stage: Stage) throws -> Trial {
    try count(stage, where: "age > ?", 50, expected: stage.dataset.count(olderThan: 50))
  }

  static func countNamed(_ stage: Stage) throws -> Trial {
    let name = stage.dataset.name(at: stage.dataset.count / 3)
    return try count(stage, where: "name = ?", name, expected: stage.dataset.count(named: name))
  }

  static func countNameContaining(_ stage: Stage) throws -> Trial {
    try count(
      stage, where: "instr(name, ?) > 0", Scan.fragment, expected: stage.dataset.count(nameContaining: Scan.fragment))
  }

  private static func count(
    _ stage: Stage, where condition: String, _ argument: some DatabaseValueConvertible & Sendable, expected: Int
  ) throws -> Trial {
    let fixture = try stage.sharedGRDB()
    let sql = "SELECT COUNT(*) FROM person WHERE \(condition)"
    return {
      var found = 0
      let sample = try sample(per: stage.dataset.count) {
        found = try fixture.queue.read { database in
          try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [argument]) ?? 0
        }
      }
      try expect(found, expected, "persons counted in GRDB")
      return sample
    }
  }
}
