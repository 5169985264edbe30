package import Firn
internal import Foundation

/// The open store of the board. All that depends on how a store outlives the process is in this file.
package struct BoardStore: Sendable {
  package let store: RealmStore
  package let location: StoreLocation

  /// Whether a store in a file is there again after the process ended. Not yet: until then a file's name only names a
  /// store in memory.
  package static let outlivesProcess = false

  /// Opens the store at a place.
  ///
  /// - Throws: ``StoreProblem``.
  package static func open(_ location: StoreLocation) async throws -> BoardStore {
    do {
      if outlivesProcess, case .file(let url, isOwn: true) = location {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      return BoardStore(store: try await RealmStore.open(configuration(for: location)), location: location)
    } catch {
      throw StoreProblem(error, at: location)
    }
  }

  private static func configuration(for location: StoreLocation) -> Realm.Configuration {
    let types: [ObjectBase.Type] = [Airline.self, Airport.self, Board.self, Flight.self, Plane.self, Weather.self]
    return Realm.Configuration(inMemoryIdentifier: location.path ?? "departures", objectTypes: types)
  }

  /// What opening found and mended; nil for a store in memory.
  package var recovery: String? { nil }

  /// What the store says of itself now.
  package var reading: StoreReading {
    let statistics = store.statistics
    return StoreReading(
      commitCount: statistics.commitCount, rowCount: statistics.rowCounts.values.reduce(0, +),
      memoryByteCount: statistics.engineByteCount, ageOfNewest: statistics.versions.last?.age,
      journalByteCount: nil, checkpointDate: nil)
  }

  package func close() async throws {
    try await store.close()
  }
}
