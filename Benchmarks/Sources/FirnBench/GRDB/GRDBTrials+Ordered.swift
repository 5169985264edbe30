import Foundation
import GRDB

extension GRDBTrials {
  private static func orderedFixture(_ stage: Stage) throws -> GRDBFixture {
    let fixture = try GRDBFixture(filledWith: stage.dataset)
    try fixture.queue.write { database in
      try database.execute(
        sql: """
          CREATE INDEX person_on_age ON person (age);
          CREATE INDEX person_on_city_and_age ON person (city, age);
          CREATE INDEX person_on_active_and_name ON person (active, name);
          """)
    }
    return fixture
  }

  static func countAges(_ stage: Stage) throws -> Trial {
    try one(
      orderedFixture(stage), "SELECT COUNT(*) FROM person WHERE age BETWEEN 30 AND 35", turns: 100,
      expected: stage.dataset.countOfAges(30...35))
  }

  static func sortAll(_ stage: Stage) throws -> Trial {
    try one(
      stage.sharedGRDB(),
      "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY city, age, id) AS place FROM person) WHERE place = 1",
      turns: 1, expected: stage.dataset.firstByCityAndAge)
  }

  static func firstByCityAndAge(_ stage: Stage) throws -> Trial {
    try one(
      orderedFixture(stage), "SELECT id FROM person ORDER BY city, age LIMIT 1", turns: 1_000,
      expected: stage.dataset.firstByCityAndAge)
  }

  static func firstActiveByName(_ stage: Stage) throws -> Trial {
    try one(
      orderedFixture(stage), "SELECT id FROM person WHERE active = 1 ORDER BY name LIMIT 1", turns: 1_000,
      expected: stage.dataset.firstActiveByName)
  }

  static func countAmongMany(_ stage: Stage) throws -> Trial {
    let names = stage.dataset.manyNames
    let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    return try one(
      stage.sharedGRDB(), "SELECT COUNT(*) FROM person WHERE name IN (SELECT value FROM json_each(?))", turns: 1,
      [list], expected: stage.dataset.count(amongNames: names))
  }

  static func firstMatch(_ stage: Stage) throws -> Trial {
    let position = stage.dataset.count / 120
    return try one(
      stage.sharedGRDB(), "SELECT id FROM person WHERE name = ? LIMIT 1", turns: 100,
      [stage.dataset.name(at: position)],
      expected: position)
  }

  private static func one(
    _ fixture: GRDBFixture, _ sql: String, turns: Int, _ arguments: StatementArguments = [], expected: Int
  ) throws -> Trial {
    {
      var found = -1
      let sample = try sample(per: turns) {
        for _ in 0..<turns {
          found = try fixture.queue.read { database in
            try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) ?? -1
          }
        }
      }
      try expect(found, expected, "row or count in GRDB")
      return sample
    }
  }
}
