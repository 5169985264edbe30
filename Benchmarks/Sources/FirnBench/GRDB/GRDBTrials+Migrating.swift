import GRDB

extension GRDBTrials {
  static func addProperty(_ stage: Stage) throws -> Trial {
    try migrate(stage) { try $0.execute(sql: "ALTER TABLE person ADD COLUMN nick TEXT NOT NULL DEFAULT 'unknown'") }
  }

  static func renameProperty(_ stage: Stage) throws -> Trial {
    try migrate(stage) { try $0.execute(sql: "ALTER TABLE person RENAME COLUMN name TO fullName") }
  }

  static func migrateByBlock(_ stage: Stage) throws -> Trial {
    try migrate(stage, per: stage.dataset.count) { database in
      try database.execute(sql: "ALTER TABLE person ADD COLUMN nick TEXT NOT NULL DEFAULT 'unknown'")
      let update = try database.makeStatement(sql: "UPDATE person SET nick = ? WHERE id = ?")
      let rows = try Row.fetchCursor(database, sql: "SELECT id, name FROM person")
      while let row = try rows.next() {
        let name: String = row[1]
        update.setUncheckedArguments(["\(name)!", row[0] as Int])
        try update.execute()
      }
    }
  }

  private static func migrate(
    _ stage: Stage, per count: Int = 1, _ change: @escaping @Sendable (Database) throws -> Void
  ) throws -> Trial {
    let dataset = stage.dataset
    return {
      let fixture = try GRDBFixture(filledWith: dataset, .full)
      _ = try fixture.fileByteCount()
      var migrator = DatabaseMigrator()
      migrator.registerMigration("change") { try change($0) }
      return try sample(per: count) { try migrator.migrate(fixture.reopened()) }
    }
  }
}
