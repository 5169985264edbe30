import Foundation
import Glibc
import Testing

@testable import Firn
@testable import FirnDurability

final class MessageTown: Object {
  @Persisted var name: String
  @Persisted var size: Int

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What is thrown says what is wrong with which file or object, and what to do.
@Suite struct ErrorMessageTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    var configuration: Realm.Configuration {
      Realm.Configuration(fileURL: url.appendingPathComponent("test.firn"), objectTypes: [MessageTown.self])
    }
    var path: String { url.appendingPathComponent("test.firn").path }
  }

  private func failure(_ body: () throws -> Void) -> Realm.Error? {
    #expect(throws: Realm.Error.self, performing: body)
  }

  @Test func printingAnErrorShowsItsSentence() {
    let error = Realm.Error(.fileAccess, userInfo: [NSLocalizedDescriptionKey: "Sentence."])
    #expect("\(error)" == "Sentence." && String(reflecting: error) == "Sentence.")
    #expect("\(error as any Error)" == "Sentence.")
    #expect("\(Realm.Error(.fail))" == Realm.Error(.fail).localizedDescription)
  }

  @Test func duplicateKeysHaveACodeOfTheirOwn() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Keyed.self]))
    try realm.write {
      try realm.create(Keyed.self, json: #"{"id": 1}"#)
      for update in [{ _ = try realm.create(Keyed.self, json: #"{"id": 1}"#) }] {
        let error = failure(update)
        #expect(error?.code == .duplicatePrimaryKey && error?.errorCode == 106)
        #expect(error?.invalidInput?.path == "$.id")
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("'Keyed' with an existing primary key value '1'"), "\(message)")
        #expect(message.contains("update policy .modified or .all"), "\(message)")
      }
      let error = failure { try realm.create(Keyed.self, checking: ["id": 1]) }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(throws: Realm.Error(.invalidInput)) { try realm.create(Keyed.self, checking: ["id": "x"]) }
    }
  }

  private final class Keyed: Object {
    @Persisted(primaryKey: true) var id: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  // MARK: Opening

  @Test(arguments: [false, true])
  func folders(readOnly: Bool) throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    var configuration = folder.configuration
    configuration.readOnly = readOnly
    let error = failure { _ = try Realm(configuration: configuration) }
    let message = error?.localizedDescription ?? ""
    #expect(error?.code == .filePermissionDenied && error?.fileURL?.path == folder.path, "\(message)")
    #expect(message.contains("'\(folder.path)'") && message.contains("choose another path"), "\(message)")
  }

  @Test(arguments: [false, true])
  func emptyFiles(readOnly: Bool) throws {
    let folder = try Folder()
    try Data().write(to: URL(fileURLWithPath: folder.path))
    var configuration = folder.configuration
    configuration.readOnly = readOnly
    let error = failure { _ = try Realm(configuration: configuration) }
    let message = error?.localizedDescription ?? ""
    #expect(error?.code == .invalidDatabase && error?.fileURL?.path == folder.path, "\(message)")
    #expect(message.contains("'\(folder.path)' is not a store: it is empty."), "\(message)")
    #expect(message.contains("Choose another path") && message.contains("backup"), "\(message)")
  }

  @Test(arguments: ["abc", "This was a letter to somebody, and no database at all."])
  func garbage(content: String) throws {
    let folder = try Folder()
    try Data(content.utf8).write(to: URL(fileURLWithPath: folder.path))
    let error = failure { _ = try Realm(configuration: folder.configuration) }
    let message = error?.localizedDescription ?? ""
    #expect(error?.code == .invalidDatabase && error?.fileURL?.path == folder.path, "\(message)")
    #expect(message.contains("'\(folder.path)' is not a "), "\(message)")
    #expect(message.contains("Choose another path"), "\(message)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == Data(content.utf8), "it is left as it was")
  }

  @Test func damagedFiles() throws {
    let folder = try Folder()
    let configuration = folder.configuration
    try onOwnThread { _ = try Realm(configuration: configuration) }
    let url = URL(fileURLWithPath: folder.path)
    var bytes = try Data(contentsOf: url)
    bytes[20] ^= 1
    try bytes.write(to: url)
    let error = failure { _ = try Realm(configuration: configuration) }
    let message = error?.localizedDescription ?? ""
    #expect(error?.code == .corrupted, "\(message)")
    #expect(message.contains(folder.path) && message.contains("Restore the store from a backup."), "\(message)")
  }

  @Test func otherModels() throws {
    let folder = try Folder()
    let configuration = folder.configuration
    try onOwnThread { _ = try Realm(configuration: configuration) }
    var other = configuration
    other.objectTypes = [Other.MessageTown.self]
    other.additionsNeedVersion = true
    let error = failure { _ = try Realm(configuration: other) }
    let message = error?.localizedDescription ?? ""
    #expect(error?.code == .schemaMismatch, "\(message)")
    #expect(message.contains("Property 'MessageTown.size' has been removed."), "\(message)")
    #expect(message.contains("Raise Configuration.schemaVersion above 0, with a migrationBlock"), "\(message)")
    #expect(message.contains("Or open it with the models that it was written with"), "\(message)")
  }

  private enum Other {
    final class MessageTown: Object {
      @Persisted var name: String

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  @Test func fullDisks() {
    for code in [ENOSPC, EDQUOT, EFBIG] {
      let error = StoreError(DiskError(.init(rawValue: code), call: "write", path: "/data/test.firn"))
      #expect(error.code == .outOfDiskSpace && error.message.contains("'/data/test.firn'"))
      #expect(error.message.contains("Make room") && !error.message.contains("open"), "\(error.message)")
    }
  }

  @Test func tooManyOpenFiles() {
    let error = StoreError(DiskError(.init(rawValue: EMFILE), call: "open", path: "/data/test.firn"))
    #expect(error.message.contains("raise the limit of open files") && !error.message.contains("disk"))
  }

  // MARK: Open databases

  @Test func whatIsOpenIsNamedOnce() throws {
    let folder = try Folder()
    let configuration = folder.configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      #expect {
        _ = try Realm.deleteFiles(for: configuration)
      } throws: {
        let message = $0.localizedDescription
        return ($0 as? Realm.Error)?.code == .alreadyOpen && message.components(separatedBy: "test.firn").count == 2
          && message.contains("Cannot delete files of an open Realm") && message.contains("close it first")
      }
      var (readOnly, deleting) = (configuration, configuration)
      readOnly.readOnly = true
      deleting.deleteRealmIfMigrationNeeded = true
      for (other, name) in [(readOnly, "readOnly"), (deleting, "deleteRealmIfMigrationNeeded")] {
        try onOwnThread {
          #expect {
            _ = try Realm(configuration: other)
          } throws: {
            let message = $0.localizedDescription
            return message.hasPrefix("The Realm at '") && message.components(separatedBy: "test.firn").count == 2
              && message.contains("already opened with different") && message.contains("Configuration.\(name)")
          }
        }
      }
      withExtendedLifetime(realm) {}
    }
  }
}
