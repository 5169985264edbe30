import Firn
import Foundation
import Testing

class Confidential: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var secret: String
}

/// A configuration with a key, in a folder of its own, which goes with the value.
final class EncryptedFolder {
  static let key = Data((0..<64).map { UInt8($0) })
  let folder: URL
  var configuration: Realm.Configuration

  init(_ key: Data? = EncryptedFolder.key) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("test.firn"), encryptionKey: key, objectTypes: [Confidential.self])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func configuration(_ name: String, _ key: Data?) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent(name), encryptionKey: key, objectTypes: [Confidential.self])
  }

  /// All bytes of all files.
  func bytes() throws -> Data {
    var bytes = Data()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      bytes += (try? Data(contentsOf: folder.appendingPathComponent(path))) ?? Data()
    }
    return bytes
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  static func error(_ body: () throws -> Void) -> Realm.Error? {
    do {
      try body()
      return nil
    } catch {
      #expect(error is Realm.Error, "\(error)")
      return error as? Realm.Error
    }
  }
}

#if Encryption
  /// `Realm.Configuration.encryptionKey`, where the library is built with encryption.
  @Suite struct EncryptedRealmTests {
    private static let otherKey = Data(repeating: 7, count: 64)
    private let files: EncryptedFolder

    init() throws { files = try EncryptedFolder() }

    private static func fill(_ configuration: Realm.Configuration, _ ids: Range<Int> = 0..<3) throws {
      let realm = try Realm(configuration: configuration, queue: nil)
      try realm.write {
        for id in ids { realm.create(Confidential.self, value: ["id": id, "secret": "secret \(id)"]) }
      }
    }

    private static func secrets(_ configuration: Realm.Configuration) throws -> [String] {
      try Realm(configuration: configuration, queue: nil).objects(Confidential.self).map(\.secret)
    }

    @Test func whatWasWrittenIsThereWithTheKey() async throws {
      try Self.fill(files.configuration)
      #expect(try Self.secrets(files.configuration) == ["secret 0", "secret 1", "secret 2"])
      let store = try await RealmStore.open(files.configuration)
      try await store.write { realm in realm.create(Confidential.self, value: ["id": 9, "secret": "secret 9"]) }
      try await store.close()
      #expect(try RealmStore.verify(files.configuration).version > 0)
      var reading = files.configuration
      reading.readOnly = true
      #expect(try Self.secrets(reading).count == 4)
      let bytes = try files.bytes()
      for word in ["Confidential", "secret"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
      #expect(try Realm.deleteFiles(for: files.configuration))
      #expect(try files.names() == [])
    }

    @Test func anotherKeyThanThatOfTheFileIsRefused() throws {
      try Self.fill(files.configuration)
      let plain = files.configuration("plain.firn", nil)
      try Self.fill(plain)
      let before = try files.names()
      for (name, key, words) in [
        ("test.firn", nil, "is encrypted. Give its key"), ("test.firn", Self.otherKey, "another key"),
        ("plain.firn", EncryptedFolder.key, "is not encrypted, but a key was given"),
      ] {
        for isReadOnly in [false, true] {
          var configuration = files.configuration(name, key)
          configuration.readOnly = isReadOnly
          // Deleting is for other models, not for other keys.
          configuration.deleteRealmIfMigrationNeeded = !isReadOnly
          let error = EncryptedFolder.error { _ = try Realm(configuration: configuration) }
          #expect(error?.code == .invalidDatabase)
          #expect(error?.localizedDescription.contains(words) == true, "\(error as Any)")
          let other = EncryptedFolder.error { _ = try RealmStore.verify(files.configuration(name, key)) }
          #expect(other?.code == .invalidDatabase)
        }
      }
      #expect(try files.names() == before)
      #expect(try Self.secrets(files.configuration).count == 3)
      #expect(try Self.secrets(plain).count == 3)
    }

    @Test func oneDatabaseIsOpenWithOneKey() throws {
      try Self.fill(files.configuration)
      let realm = try Realm(configuration: files.configuration)
      for key in [nil, Self.otherKey] {
        var configuration = files.configuration
        configuration.encryptionKey = key
        let error = EncryptedFolder.error { _ = try Realm(configuration: configuration) }
        #expect(error?.code == .fail)
        #expect(error?.localizedDescription.contains("already opened with different encryption key") == true)
      }
      #expect(realm.objects(Confidential.self).count == 3)
    }

    @Test func copiesHaveTheKeyThatIsGivenForThem() async throws {
      try Self.fill(files.configuration)
      func url(_ name: String) -> URL { files.folder.appendingPathComponent(name) }
      let realm = try Realm(configuration: files.configuration, queue: nil)
      try realm.writeCopy(toFile: url("other.firn"), encryptionKey: Self.otherKey)
      try realm.writeCopy(toFile: url("plain.firn"))
      try realm.writeCopy(configuration: files.configuration("same.firn", EncryptedFolder.key))
      let error = EncryptedFolder.error { try realm.writeCopy(toFile: url("short.firn"), encryptionKey: Data([1])) }
      #expect(error?.localizedDescription.contains("exactly 64 bytes long") == true)
      let store = try await RealmStore.open(files.configuration)
      try await store.writeCopy(to: url("store.firn"), encryptionKey: Self.otherKey)
      try await store.freeze().writeCopy(to: url("frozen.firn"), encryptionKey: Self.otherKey)
      let configuration = Realm.Configuration(
        inMemoryIdentifier: "encrypted copy", objectTypes: [Confidential.self])
      let memory = try Realm(configuration: configuration, queue: nil)
      try memory.writeCopy(toFile: url("memory.firn"), encryptionKey: Self.otherKey)
      for (name, key) in [
        ("other.firn", Self.otherKey), ("plain.firn", nil), ("same.firn", EncryptedFolder.key),
        ("store.firn", Self.otherKey), ("frozen.firn", Self.otherKey),
      ] {
        #expect(try Self.secrets(files.configuration(name, key)).count == 3, "\(name)")
      }
      #expect(try Self.secrets(files.configuration("memory.firn", Self.otherKey)) == [])
      // And back.
      let plain = try Realm(configuration: files.configuration("plain.firn", nil), queue: nil)
      try plain.writeCopy(toFile: url("again.firn"), encryptionKey: Self.otherKey)
      #expect(try Self.secrets(files.configuration("again.firn", Self.otherKey)).count == 3)
    }

    @Test func aSeedHasTheKeyOfTheConfiguration() throws {
      try Self.fill(files.configuration)
      var seeded = files.configuration("new.firn", EncryptedFolder.key)
      seeded.seedFilePath = files.configuration.fileURL
      #expect(try Self.secrets(seeded).count == 3)
      var other = files.configuration("other.firn", Self.otherKey)
      other.seedFilePath = files.configuration.fileURL
      #expect(EncryptedFolder.error { _ = try Realm(configuration: other) }?.code == .invalidDatabase)
    }

    @Test func keysAreShownNowhere() async throws {
      try Self.fill(files.configuration)
      var text = ""
      func show(_ value: Any) {
        text += "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
      }
      show(files.configuration)
      let store = try await RealmStore.open(files.configuration)
      show(store)
      show(try Realm(configuration: files.configuration, queue: nil))
      show(store.freeze())
      var other = files.configuration
      other.encryptionKey = nil
      show(EncryptedFolder.error { _ = try Realm(configuration: other) } as Any)
      try await store.close()
      show(EncryptedFolder.error { _ = try Realm(configuration: other) } as Any)
      var short = files.configuration
      short.encryptionKey = EncryptedFolder.key.prefix(40)
      show(EncryptedFolder.error { _ = try Realm(configuration: short) } as Any)
      #expect(text.contains("encryptionKey") && text.contains("<64 bytes>"))
      // In hexadecimal digits, in base 64, and as numbers.
      let shown = text.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "▿" }
      for part in ["08090a0b0c0d0e0f", "303132333435363738", "aaecawqfbgci", "8,9,10,11,12,13", "8910111213"] {
        #expect(!shown.contains(part), "\(part)")
      }
    }
  }
#else
  /// `Realm.Configuration.encryptionKey`, where the library is built without encryption.
  @Suite struct UnencryptedRealmTests {
    @Test func keysAreRefused() throws {
      let files = try EncryptedFolder()
      let error = EncryptedFolder.error { _ = try Realm(configuration: files.configuration) }
      #expect(error?.code == .fail)
      #expect(error?.localizedDescription.contains("The library was built without encryption") == true)
      #expect(try files.names() == [])
      let realm = try Realm(configuration: files.configuration("plain.firn", nil), queue: nil)
      let copy = EncryptedFolder.error {
        try realm.writeCopy(toFile: files.folder.appendingPathComponent("copy"), encryptionKey: EncryptedFolder.key)
      }
      #expect(copy?.code == .fail)
    }

    /// The header of an encrypted base as the format page has it.
    @Test func encryptedFilesSayWhatIsMissing() throws {
      let files = try EncryptedFolder()
      let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("FirnDurabilityTests/Golden/format1-encrypted/store.firn")
      let configuration = files.configuration("copy.firn", nil)
      try FileManager.default.copyItem(at: golden, to: files.folder.appendingPathComponent("copy.firn"))
      let error = EncryptedFolder.error { _ = try Realm(configuration: configuration) }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.localizedDescription.contains("build it with the trait Encryption") == true)
    }
  }
#endif
