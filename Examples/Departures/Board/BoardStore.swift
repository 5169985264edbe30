package import Firn
internal import Foundation

/// The open store of the board. All that depends on how a store outlives the process is in this file.
package struct BoardStore: Sendable {
  package let store: RealmStore
  package let location: StoreLocation

  /// Whether a store in a file is there again after the process ended.
  package static let outlivesProcess = true

  /// Opens the store at a place.
  ///
  /// - Throws: ``StoreProblem``, or ``UnsuitableStore`` for one of another program.
  package static func open(_ location: StoreLocation) async throws -> BoardStore {
    do {
      try checkIsOwn(location)
      if outlivesProcess, case .file(let url, isOwn: true) = location {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      return BoardStore(store: try await RealmStore.open(configuration(for: location)), location: location)
    } catch let error as UnsuitableStore {
      throw error
    } catch {
      throw StoreProblem(error, at: location)
    }
  }

  private static func configuration(for location: StoreLocation) -> Realm.Configuration {
    let types: [ObjectBase.Type] = [
      Airline.self, Airport.self, Board.self, Coordinates.self, Flight.self, Plane.self, Weather.self,
    ]
    guard case .file(let url, _) = location else {
      return Realm.Configuration(inMemoryIdentifier: "departures", objectTypes: types)
    }
    var configuration = Realm.Configuration(
      fileURL: url, schemaVersion: BoardMigration.schemaVersion, migrationBlock: BoardMigration.block,
      objectTypes: types)
    // Many small commits, of which a demo may lose some when the machine dies.
    configuration.durability = .interval(.milliseconds(200))
    // Often enough to be seen in the footer.
    configuration.checkpoints = .init(journalByteCount: 1 << 20, interval: .seconds(30))
    return configuration
  }

  /// Looks at a file before it is opened, because opening would add the board's classes to a store of another program, or
  /// migrate what it takes for its own, and put a lock beside a file that is no store at all.
  private static func checkIsOwn(_ location: StoreLocation) throws {
    let configuration = configuration(for: location)
    guard Realm.fileExists(for: configuration) else { return }
    do {
      let counts = try RealmStore.verify(configuration).objectCounts
      if counts["Board", default: 0] == 0, counts.values.contains(where: { $0 > 0 }) { throw UnsuitableStore.noBoard }
    } catch let error as Realm.Error where error.code != .invalidDatabase {
      // Perhaps another process writes just now. Opening says what is wrong, if anything is.
    }
    // Where there is no plan, opening says why.
    if let plan = try? Realm.planMigration(for: configuration) { try BoardMigration.check(plan) }
  }

  /// What opening found and mended; nil when there was nothing to mend, and for a store in memory.
  package var recovery: String? {
    guard let report = store.lastOpenReport, report.recoveredCommitCount > 0 || report.cutByteCount > 0 else {
      return nil
    }
    return report.description
  }

  /// What the store says of itself now.
  package var reading: StoreReading {
    let statistics = store.statistics
    return StoreReading(
      commitCount: statistics.commitCount, rowCount: statistics.rowCounts.values.reduce(0, +),
      memoryByteCount: statistics.engineByteCount, ageOfNewest: statistics.versions.last?.age,
      journalByteCount: statistics.files?.journalByteCount, checkpointDate: statistics.lastCheckpoint?.date)
  }

  package func close() async throws {
    try await store.close()
  }
}
