import Firn
import Testing

@Suite struct EncryptionTests {
  class Flight: Object {
    @Persisted var id: String
  }

  /// Without the trait, the page says, a key throws an error that says so.
  @Test func anEncryptedDatabaseGetsAnotherKey() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let keyFile = folder.appendingPathComponent("board.key")
    try Data(repeating: 1, count: 64).write(to: keyFile)
    let (file, copy) = (folder.appendingPathComponent("board.firn"), folder.appendingPathComponent("copy.firn"))
    let newKey = Data(repeating: 2, count: 64)
    do {
      let key = try Data(contentsOf: keyFile)
      let configuration = Realm.Configuration(fileURL: file, encryptionKey: key, objectTypes: [Flight.self])
      let store = try await RealmStore.open(configuration)

      try await store.write { realm in realm.create(Flight.self, value: ["id": "B6 123"]) }

      try await store.writeCopy(to: copy, encryptionKey: newKey)
      try await store.close()
      _ = try Realm.deleteFiles(for: configuration)
      try FileManager.default.moveItem(at: copy, to: file)

      let again = try await RealmStore.open(
        Realm.Configuration(fileURL: file, encryptionKey: newKey, objectTypes: [Flight.self]))
      #expect(again.freeze().objects(Flight.self).count == 1)
      try await again.close()
    } catch let error as Realm.Error where error.code == .fail {
      #expect(error.localizedDescription.contains("built without encryption"))
    }
  }
}
