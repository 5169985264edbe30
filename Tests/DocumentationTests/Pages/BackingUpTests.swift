import Firn
import Testing

@Suite struct BackingUpTests {
  class Flight: Object {
    @Persisted var id: String
  }

  @Test func backUpAndRestore() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("board.firn")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Flight.self])
    let store = try await RealmStore.open(configuration)
    try await store.write { $0.create(Flight.self, value: ["id": "B6 123"]) }

    let printed = try await Printout.of {
      let backup = folder.appendingPathComponent("board-\(Int(Date.now.timeIntervalSince1970)).firn")
      try await store.writeCopy(to: backup)
      let report = try RealmStore.verify(Realm.Configuration(fileURL: backup))
      print(report.version, report.byteCount)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasPrefix("board-") && $0.hasSuffix(".firn") })
    let backup = folder.appendingPathComponent(name)
    let size = try #require(FileManager.default.attributesOfItem(atPath: backup.path)[.size] as? Int)
    #expect(printed == "\(store.freeze().version) \(size)\n")

    try await store.write { $0.deleteAll() }
    try await store.close()
    _ = try Realm.deleteFiles(for: configuration)
    try FileManager.default.copyItem(at: backup, to: file)
    let restored = try await RealmStore.open(configuration)
    #expect(restored.freeze().objects(Flight.self).map(\.id) == ["B6 123"])
    try await restored.close()
  }
}
