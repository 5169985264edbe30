import CrashStore
import Firn
import Foundation

/// Opens a store of parcels with other models, and tells how far that is by bytes on standard output: one when it begins, one
/// for each report of progress, one when the store is open. Closes it when its input ends.
enum Migrating {
  static func run(_ folder: URL, _ models: ParcelModels) async throws {
    tell()
    var configuration = models.configuration(folder)
    configuration.migrationProgress = { _ in tell() }
    let store = try await RealmStore.open(configuration)
    tell()
    while readLine() != nil {}
    try await store.close()
  }

  private static func tell() {
    guard Foundation.write(1, ".", 1) == 1 else { fatalError("A byte could not be written.") }
  }
}
