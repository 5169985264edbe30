import Firn
import Foundation
import Testing

@Suite struct ConfigurationRuleTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func configuration(_ name: String = "test.realm") -> Realm.Configuration {
      Realm.Configuration(fileURL: url.appendingPathComponent(name), objectTypes: [CreatingNamed.self])
    }
  }

  private func failure(_ configuration: Realm.Configuration) -> Realm.Error? {
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
  }

  @Test func defaults() {
    let configuration = Realm.Configuration()
    #expect(configuration.fileURL?.lastPathComponent == "default.realm" && configuration.inMemoryIdentifier == nil)
    #expect(configuration.encryptionKey == nil && !configuration.readOnly && configuration.schemaVersion == 0)
    #expect(!configuration.deleteRealmIfMigrationNeeded && configuration.objectTypes == nil)
    #expect(configuration.seedFilePath == nil && configuration.maximumNumberOfActiveVersions == nil)
    #expect(!configuration.skipsEqualWrites)
  }

  @Test func everyMemberHasALabel() {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/tmp/x.realm"), inMemoryIdentifier: nil, encryptionKey: nil, readOnly: true,
      schemaVersion: 3, deleteRealmIfMigrationNeeded: true, shouldCompactOnLaunch: { total, used in total > 2 * used },
      objectTypes: [CreatingNamed.self], seedFilePath: URL(fileURLWithPath: "/tmp/seed.realm"))
    #expect(configuration.readOnly && configuration.schemaVersion == 3 && configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.shouldCompactOnLaunch?(10, 4) == true && configuration.objectTypes?.count == 1)
    #expect(configuration.seedFilePath?.path == "/tmp/seed.realm" && configuration.fileURL?.path == "/tmp/x.realm")
    let memory = Realm.Configuration(fileURL: URL(fileURLWithPath: "/tmp/x.realm"), inMemoryIdentifier: "m")
    #expect(memory.fileURL == nil && memory.inMemoryIdentifier == "m", "the identifier goes first")
  }

  @Test func fileAndIdentifierExcludeEachOther() {
    var configuration = Realm.Configuration(inMemoryIdentifier: "a")
    #expect(configuration.fileURL == nil)
    configuration.fileURL = URL(fileURLWithPath: "/tmp/x.realm")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "b"
    #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "b")
  }

  @Test func equality() {
    let base = Realm.Configuration(inMemoryIdentifier: "a")
    #expect(base == Realm.Configuration(inMemoryIdentifier: "a", objectTypes: [CreatingNamed.self]))
    for change in [
      { $0.inMemoryIdentifier = "b" }, { $0.fileURL = URL(fileURLWithPath: "/a") }, { $0.readOnly = true },
      { $0.schemaVersion = 1 }, { $0.encryptionKey = Data(count: 64) },
    ] as [(inout Realm.Configuration) -> Void] {
      var other = base
      change(&other)
      #expect(other != base)
    }
  }

  @Test func description() {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: "a", encryptionKey: Data(repeating: 0xab, count: 64), schemaVersion: 3)
    #expect(
      configuration.description == """
        Realm.Configuration {
        \tfileURL = (null);
        \tinMemoryIdentifier = a;
        \tencryptionKey = <64 bytes>;
        \treadOnly = false;
        \tschemaVersion = 3;
        \tmigrationBlock = (null);
        \tdeleteRealmIfMigrationNeeded = false;
        \tshouldCompactOnLaunch = (null);
        }
        """)
    configuration.encryptionKey = nil
    configuration.fileURL = URL(fileURLWithPath: "/tmp/x.realm")
    #expect(configuration.description.contains("\tfileURL = file:///tmp/x.realm;\n\tinMemoryIdentifier = (null);"))
    #expect(configuration.description.contains("\tencryptionKey = (null);"))
  }

  @Test func membersThatDoNotGoTogether() {
    func message(_ change: (inout Realm.Configuration) -> Void) -> String {
      var configuration = Realm.Configuration.creating()
      change(&configuration)
      return failure(configuration)?.localizedDescription ?? ""
    }
    #expect(message { $0.encryptionKey = Data(count: 63) }.contains("exactly 64 bytes long"))
    #expect(
      message { $0.encryptionKey = Data(count: 64) }.contains("Encryption is not supported for in-memory realms"))
    #expect(message { $0.schemaVersion = .max }.contains("not allowed"))
    #expect(message { $0.inMemoryIdentifier = "" }.contains("empty"))
    #expect(message { $0.fileURL = URL(string: "https://example.org/x.realm") }.contains("not the address of a file"))
    #expect(message { $0.inMemoryIdentifier = nil }.contains("neither a fileURL nor an inMemoryIdentifier"))
    #expect(
      message {
        $0.fileURL = URL(fileURLWithPath: "/tmp/x.realm")
        $0.readOnly = true
        $0.deleteRealmIfMigrationNeeded = true
      }.contains("readOnly and deleteRealmIfMigrationNeeded"))
    #expect(
      message {
        $0.readOnly = true
        $0.shouldCompactOnLaunch = { _, _ in true }
      }.contains("readOnly and shouldCompactOnLaunch"))
  }

  @Test func realmsTellTheirConfiguration() throws {
    let configuration = Realm.Configuration.creating()
    let realm = try Realm(configuration: configuration)
    var copy = realm.configuration
    #expect(copy == configuration)
    copy.schemaVersion = 5
    #expect(realm.configuration == configuration)
  }

  @Test func theDefaultConfigurationIsShared() async {
    // Elsewhere, because other tests of the process may read it.
    await #expect(processExitsWith: .success) {
      #expect(Realm.Configuration.defaultConfiguration == Realm.Configuration())
      let configuration = Realm.Configuration.creating()
      Realm.Configuration.defaultConfiguration = configuration
      let identifier = try onOwnThread {
        let realm = try Realm()
        #expect(realm.configuration.inMemoryIdentifier == Realm.Configuration.defaultConfiguration.inMemoryIdentifier)
        try realm.write { realm.create(CreatingNamed.self) }
        Realm.Configuration.defaultConfiguration.inMemoryIdentifier = "another"
        #expect(try Realm() != realm && Realm().isEmpty && realm.objects(CreatingNamed.self).count == 1)
        return realm.configuration.inMemoryIdentifier
      }
      #expect(identifier == configuration.inMemoryIdentifier && Realm.Configuration().inMemoryIdentifier == nil)
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          group.addTask {
            Realm.Configuration.defaultConfiguration.schemaVersion = UInt64(index)
            #expect(Realm.Configuration.defaultConfiguration.schemaVersion < 20)
          }
        }
      }
    }
  }

  @Test func frozenValuesKeepMemoryAlive() throws {
    let configuration = Realm.Configuration.creating()
    var frozen: CreatingNamed?
    do {
      let realm = try Realm(configuration: configuration)
      frozen = try realm.write { realm.create(CreatingNamed.self, value: ["kept"]) }.freeze()
    }
    #expect(try Realm(configuration: configuration).objects(CreatingNamed.self).map(\.name) == ["kept"])
    #expect(frozen?.name == "kept")
    frozen = nil
    #expect(try Realm(configuration: configuration).isEmpty, "gone with the last")
  }

  @Test func memoryIsSharedByIdentifierAndGoesWithTheLastHandle() async throws {
    let configuration = Realm.Configuration.creating()
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in _ = realm.create(CreatingNamed.self, value: ["a"]) }
    let count = try onOwnThread {
      try Realm(configuration: configuration).objects(CreatingNamed.self).count
    }
    #expect(count == 1)
    #expect(store.freeze().objects(CreatingNamed.self).count == 1)
    try await store.close()
    let anew = try await RealmStore.open(configuration)
    #expect(anew.freeze().objects(CreatingNamed.self).isEmpty)
    try await anew.close()
  }

  @Test func aClassTwiceCountsOnce() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CreatingNamed.self, CreatingDated.self, CreatingNamed.self]))
    #expect(realm.schema.objectSchema.map(\.className) == ["CreatingDated", "CreatingNamed"])
  }

  @Test func errorsOfOpening() async throws {
    let folder = try Folder()
    var missing = folder.configuration("no/test.realm")
    let parent = failure(missing)
    #expect(parent?.code == .fileOperationFailed && parent?.localizedDescription.contains("parent path") == true)
    #expect(parent?.fileURL?.path == folder.url.appendingPathComponent("no/test.realm.lock").path)
    missing = folder.configuration()
    missing.readOnly = true
    let absent = failure(missing)
    #expect(absent?.code == .fileNotFound, "\(absent?.localizedDescription ?? "")")
    let text = folder.configuration("text.realm")
    try Data(repeating: 0x41, count: 5000).write(to: folder.url.appendingPathComponent("text.realm"))
    #expect(failure(text)?.code == .invalidDatabase)
    var seeded = folder.configuration("seeded.realm")
    seeded.seedFilePath = folder.url.appendingPathComponent("nothing.realm")
    do {
      _ = try Realm(configuration: seeded, queue: nil)
      Issue.record("There is no seed.")
    } catch {
      #expect(!(error is Realm.Error))
    }
    var newer = folder.configuration("versions.realm")
    newer.schemaVersion = 4
    try await RealmStore.open(newer).close()
    newer.schemaVersion = 3
    let older = failure(newer)
    #expect(older?.code == .fail && older?.localizedDescription.contains("3") == true)
    #expect(older?.localizedDescription.contains("less than last set version 4") == true)
    var differing = folder.configuration("versions.realm")
    differing.schemaVersion = 5
    differing.readOnly = true
    #expect(failure(differing)?.code == .fail)
  }

  @Test func oneFileOpenedInTwoWays() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let realm = try Realm(configuration: configuration)
    var other = configuration
    other.readOnly = true
    #expect(failure(other)?.localizedDescription.contains("already opened with different") == true)
    other = configuration
    other.objectTypes = [CreatingDated.self]
    other.schemaVersion = 9
    let second = try Realm(configuration: other)
    #expect(second.schema == realm.schema && second.configuration.schemaVersion == 0, "the first one's schema is used")
    #expect(throws: Realm.Error(.alreadyOpen)) { _ = try Realm.deleteFiles(for: configuration) }
  }

  /// Nothing else is looked at where a realm is open in the same place; elsewhere the mode has to be the same.
  @Test func anotherSchemaMode() async throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    var deleting = configuration
    deleting.deleteRealmIfMigrationNeeded = true
    try onOwnThread { [deleting] in
      let realm = try Realm(configuration: configuration)
      #expect(try Realm(configuration: deleting) == realm, "the realm that is open, as it is")
      #expect(!(try Realm(configuration: deleting)).configuration.deleteRealmIfMigrationNeeded)
      try onOwnThread {
        let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: deleting) }
        #expect(error?.code == .fail && error?.localizedDescription.contains("different schema mode") == true)
        #expect(error?.fileURL == configuration.fileURL)
        _ = try Realm(configuration: configuration)
      }
    }
    let store = try await RealmStore.open(deleting)
    await #expect(throws: Realm.Error(.fail)) { _ = try await RealmStore.open(configuration) }
    try await store.close()
    try await RealmStore.open(configuration).close()
  }

  @Test func compactingOnLaunch() async throws {
    let folder = try Folder()
    var configuration = folder.configuration()
    configuration.checkpoints.interval = nil
    var store: RealmStore? = try await RealmStore.open(configuration)
    try await store?.write { realm in
      for index in 0..<100 { realm.create(CreatingNamed.self, value: ["name \(index)"]) }
    }
    store = nil
    let asked = CreatingCalls()
    for answer in [false, true] {
      configuration.shouldCompactOnLaunch = { total, used in
        asked.add("\(0 < used && used <= total)")
        return answer
      }
      let opened = try await RealmStore.open(configuration)
      _ = try await RealmStore.open(configuration)
      #expect(opened.freeze().objects(CreatingNamed.self).count == 100)
      if answer { #expect(opened.statistics.files?.journalByteCount == 0) }
    }
    #expect(asked.texts == ["true", "true"], "at the first opening in the process only")
  }

  @Test func tooManyVersions() throws {
    var configuration = Realm.Configuration.creating()
    configuration.maximumNumberOfActiveVersions = 3
    let realm = try Realm(configuration: configuration)
    var kept: [Realm] = []
    for _ in 0..<3 {
      try realm.write { realm.create(CreatingNamed.self) }
      kept.append(realm.freeze())
    }
    try realm.write { realm.create(CreatingNamed.self) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.create(CreatingNamed.self) } }
    #expect(error?.localizedDescription.contains("Number of active versions") == true)
    #expect(realm.objects(CreatingNamed.self).count == 4 && !realm.isInWriteTransaction)
    kept.removeAll()
    try realm.write { realm.create(CreatingNamed.self) }
  }
}
