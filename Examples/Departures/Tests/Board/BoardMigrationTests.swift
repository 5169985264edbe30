import DeparturePlan
import Firn
import Foundation
import Testing

@testable import DepartureBoard

/// Stores of the first version of the board go on in this one.
@Suite struct BoardMigrationTests {
  private let day: FlightDay
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    day = try FlightDay(directory: FlightDay.bundledDirectory)
  }

  /// Writes a board into a file with the models of the first version.
  private func firstVersion(of board: BoardStore) async throws -> URL {
    let file = folder.newFile()
    let store = try await RealmStore.open(.init(fileURL: file, objectTypes: FirstModels.types))
    let frozen = board.store.freeze()
    try await store.write { realm in FirstModels.write(frozen.realm, into: realm) }
    try await store.close()
    return file
  }

  @Test func aStoreOfTheFirstVersionGoesOn() async throws {
    let board = try await BoardStore.open(.file(folder.newFile(), isOwn: false))
    let replay = Replay(day, store: board.store)
    _ = try await replay.prepare()
    let done = replay.stepCount / 2
    for step in 0..<done { try await replay.perform(step) }
    let file = try await firstVersion(of: board)
    #expect(try schemaVersionAtURL(file) == 0)

    let migrated = try await BoardStore.open(.file(file, isOwn: false))
    expectSame(migrated, board, "after the migration")
    // The new models made the route of one board from the data, the migration that of the other from links.
    #expect(migrated.store.freeze().realm.objects(Flight.self).count > 100)
    let second = Replay(day, store: migrated.store)
    guard case .resumed(done, _, _) = try await second.prepare() else {
      Issue.record("did not go on after \(done) steps")
      return
    }
    for step in done..<replay.stepCount {
      try await replay.perform(step)
      try await second.perform(step)
    }
    expectSame(migrated, board, "at the end of the day")
    try await migrated.close()

    #expect(try schemaVersionAtURL(file) == 3)
    let again = try await BoardStore.open(.file(file, isOwn: false))
    expectSame(again, board, "opened again")
  }

  private func expectSame(_ found: BoardStore, _ expected: BoardStore, _ note: String) {
    let (found, expected) = (found.contents, expected.contents)
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(found.count == expected.count, "\(note)")
    #expect(difference == nil, "\(note)")
  }

  /// A board of another program, which has other properties in a class of that name.
  @Test func whatWouldBeDroppedIsRefused() async throws {
    let file = folder.newFile()
    let store = try await RealmStore.open(.init(fileURL: file, objectTypes: [OtherProgram.Board.self]))
    try await store.write { realm in _ = realm.create(OtherProgram.Board.self, value: ["name": "a", "width": 3]) }
    try await store.close()
    let before = try Data(contentsOf: file)
    let error = await #expect(throws: StoreProblem.self) { try await BoardStore.open(.file(file, isOwn: false)) }
    #expect(error?.description.contains("was not written by this version of the program") == true)
    #expect(error?.description.contains("'Board.width'") == true)
    #expect(try Data(contentsOf: file) == before)
  }
}

private enum OtherProgram {
  class Board: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var width: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
