import Foundation
import GRDB

/// A database in memory with the table of persons.
final class GRDBFixture: Sendable {
  let queue: DatabaseQueue

  /// Empty.
  init() throws {
    queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE person (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            age INTEGER NOT NULL,
            score REAL NOT NULL,
            city TEXT NOT NULL,
            created REAL NOT NULL,
            active INTEGER NOT NULL,
            best INTEGER
          );
          CREATE INDEX person_on_city ON person (city);
          """)
    }
  }

  convenience init(filledWith dataset: Dataset) throws {
    try self.init()
    try queue.write { database in
      for index in 0..<dataset.count {
        try Self.insert(dataset.record(at: index), best: dataset.bests[index], into: database)
      }
    }
  }

  @inline(__always)
  static func insert(_ record: PersonRecord, best: Int?, into database: Database) throws {
    let statement = try database.cachedStatement(sql: "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    statement.setUncheckedArguments([
      record.id, record.name, record.age, record.score, record.city,
      record.created.timeIntervalSinceReferenceDate, record.active, best,
    ])
    try statement.execute()
  }

  func personCount() throws -> Int {
    try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM person") ?? 0 }
  }

  func pageByteCount() throws -> Int {
    try queue.read { database in
      let pageCount = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      return try pageCount * (Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }
  }

  static var versions: String {
    let sqlite = try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
    return "7.10.0 on SQLite \(sqlite.flatMap { $0 } ?? "of unknown version")"
  }
}
