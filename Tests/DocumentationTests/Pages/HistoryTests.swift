import Firn
import Testing

@MainActor @Suite struct HistoryTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  @Test func causes() throws {
    let realm = try makeRealm(Flight.self)
    let flight = try realm.write { realm.create(Flight.self, value: ["LX-2", 0]) }
    let flights = realm.objects(Flight.self)
    let printed = try Printout.of {
      let token = flights.observe { _ in
        for cause in realm.causes {
          print("changed by", cause.author ?? "nobody", cause.metadata["file"] ?? "")
        }
      }
      realm.refresh()
      try realm.write(author: "importer", metadata: ["file": "flights.csv"]) {
        flight.delay = 45
      }
      realm.refresh()
      token.invalidate()
    }
    #expect(printed == "changed by importer flights.csv\n")
  }

  @Test func past() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("board.firn")
    let printed = try await Printout.of {
      var configuration = Realm.Configuration(fileURL: file, objectTypes: [Flight.self])
      configuration.history = .init(byteCount: 256 << 20, age: .seconds(7 * 24 * 3600))
      let store = try await RealmStore.open(configuration)
      try await store.write { realm in _ = realm.create(Flight.self, value: ["LX-2", 5]) }
      var version: UInt64 = 0
      for try await entry in store.history() { version = entry.version }
      try await store.write(author: "tower") { realm in
        realm.object(ofType: Flight.self, forPrimaryKey: "LX-2")?.delay = 45
      }
      try await store.checkpoint()
      for try await entry in store.history(after: version) {
        for flight in entry.classes.flatMap(\.modifications) {
          guard let delay = flight["delay"], case .int(let new)? = delay.newValue, case .int(let old)? = delay.oldValue
          else { continue }
          print(entry.cause?.author ?? "nobody", "changed the delay from", old, "to", new)
        }
      }
      try await store.close()
    }
    #expect(printed == "tower changed the delay from 5 to 45\n")
  }
}
