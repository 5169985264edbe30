import Foundation
import GRDB

/// A database in memory with a table of places and perhaps an R*Tree over them, whose own numbers have 32 bits: it keeps
/// what decides beside them.
final class GRDBSpots: Sendable {
  let queue: DatabaseQueue

  init(filledWith dataset: PlaceDataset, isIndexed: Bool) throws {
    queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(sql: "CREATE TABLE spot (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL)")
      for (id, place) in dataset.places.enumerated() { try Self.insert(id, place, isIndexed: false, into: database) }
    }
    if isIndexed { try addIndex() }
  }

  func addIndex() throws {
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE spot_tree USING rtree(
            id, south, north, west, east, +latitude, +longitude, +x, +y, +z)
          """)
      let statement = try database.makeStatement(sql: Self.insertIntoTree)
      let spots = try Row.fetchCursor(database, sql: "SELECT id, latitude, longitude FROM spot")
      while let spot = try spots.next() {
        try statement.execute(arguments: Self.treeArguments(spot[0], latitude: spot[1], longitude: spot[2]))
      }
    }
  }

  func removeIndex() throws {
    try queue.write { try $0.execute(sql: "DROP TABLE spot_tree") }
  }

  private static let insertIntoTree = "INSERT OR REPLACE INTO spot_tree VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  private static func treeArguments(_ id: Int, latitude: Double, longitude: Double) -> StatementArguments {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    return [
      id, latitude, latitude, longitude, longitude, latitude, longitude, cos(phi) * cos(lambda), cos(phi) * sin(lambda),
      sin(phi),
    ]
  }

  static func insert(_ id: Int, _ place: Place, isIndexed: Bool, into database: Database) throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO spot VALUES (?, ?, ?)")
      .execute(arguments: [id, place.latitude, place.longitude])
    if isIndexed {
      try database.cachedStatement(sql: insertIntoTree)
        .execute(arguments: treeArguments(id, latitude: place.latitude, longitude: place.longitude))
    }
  }

  static func move(_ id: Int, to place: Place, isIndexed: Bool, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE spot SET latitude = ?, longitude = ? WHERE id = ?")
      .execute(arguments: [place.latitude, place.longitude, id])
    if isIndexed {
      try database.cachedStatement(sql: insertIntoTree)
        .execute(arguments: treeArguments(id, latitude: place.latitude, longitude: place.longitude))
    }
  }

  static func delete(_ id: Int, isIndexed: Bool, from database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM spot WHERE id = ?").execute(arguments: [id])
    if isIndexed {
      try database.cachedStatement(sql: "DELETE FROM spot_tree WHERE id = ?").execute(arguments: [id])
    }
  }

  /// Bytes of the pages in use.
  func pageByteCount() throws -> Int {
    try queue.read { database in
      let pageCount = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let freeCount = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      return try (pageCount - freeCount) * (Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }
  }
}
