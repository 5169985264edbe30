import Firn
import Testing

@Suite struct DurabilityTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
  }

  @Test func choosingAndWatching() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("board.firn")
    let printed = try await Printout.of {
      var configuration = Realm.Configuration(fileURL: file, objectTypes: [Flight.self])
      configuration.durability = .interval(.milliseconds(200))
      configuration.checkpoints = .init(journalByteCount: 256 << 20, interval: .seconds(600))
      let store = try await RealmStore.open(configuration)
      try await store.write { realm in _ = realm.create(Flight.self, value: ["id": "B6 1"]) }
      let statistics = store.statistics
      print(statistics.rowCounts["Flight"] ?? 0, "flights in", statistics.engineByteCount, "bytes")
      if let files = statistics.files {
        print("journal:", files.journalByteCount, "checkpoints that failed:", files.failedCheckpointCount)
      }
      try await store.close()
    }
    #expect(printed.hasPrefix("1 flights in ") && printed.hasSuffix(" checkpoints that failed: 0\n"), "\(printed)")
  }
}
