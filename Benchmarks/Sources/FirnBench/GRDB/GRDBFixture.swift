import Foundation
import GRDB

/// A database in memory with the table of persons.
final class GRDBFixture: Sendable {
  let queue: DatabaseQueue

  private let folder: TemporaryFolder?

  /// Empty.
  convenience init() throws {
    try self.init(DatabaseQueue(), in: nil)
  }

  /// In a file.
  convenience init(filledWith dataset: Dataset, _ synchronous: Synchronous) throws {
    let folder = try TemporaryFolder()
    try self.init(Self.open(folder, synchronous), in: folder)
    try fill(with: dataset)
  }

  private init(_ queue: DatabaseQueue, in folder: TemporaryFolder?) throws {
    self.queue = queue
    self.folder = folder
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

  /// In memory.
  convenience init(filledWith dataset: Dataset) throws {
    try self.init()
    try fill(with: dataset)
  }

  /// What a commit waits for.
  enum Synchronous: String {
    /// The disk.
    case full = "FULL"
    /// Nothing; the disk follows with checkpoints.
    case normal = "NORMAL"
  }

  private static func open(_ folder: TemporaryFolder, _ synchronous: Synchronous) throws -> DatabaseQueue {
    var configuration = Configuration()
    // GRDB's own way to this mode would make the other pragma NORMAL.
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous.rawValue)")
    }
    return try DatabaseQueue(path: folder.file("persons.sqlite").path, configuration: configuration)
  }

  /// The file once more, beside this.
  func reopened() throws -> DatabaseQueue {
    guard let folder else { fatalError("the database is in memory") }
    return try Self.open(folder, .full)
  }

  /// Bytes of the file, after a checkpoint of everything.
  func fileByteCount() throws -> Int {
    _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    return try folder?.byteCount { $0.hasSuffix(".sqlite") } ?? 0
  }

  private func fill(with dataset: Dataset) throws {
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
