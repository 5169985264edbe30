import Firn
import Foundation
import Glibc
import Testing

/// A class as the files of these tests have it.
final class OpeningCity: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(indexed: true) var region: String
  @Persisted var population: Int?
  @Persisted var twin: OpeningCity?
  @Persisted var mayor: OpeningMayor?
  @Persisted var ranks: List<Double>
  @Persisted var mascots: Map<String, OpeningMayor?>
  @Persisted var anything: AnyRealmValue

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OpeningMayor: Object {
  @Persisted var name: String

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum OpeningFewer {
  /// Knows less of the class, in another order, and has other indexes.
  final class OpeningCity: Object {
    @Persisted var region: String
    @Persisted var twin: OpeningFewer.OpeningCity?
    @Persisted(indexed: true) var name: String
    @Persisted(primaryKey: true) var id: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum OpeningOther {
  /// Differs from the class in every way that matters.
  final class OpeningCity: Object {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var name: String
    @Persisted var region: String?
    @Persisted var population: Double?
    @Persisted var founded: Date

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// What becomes of files that are not as the configuration has it.
@Suite struct OpeningRuleTests {
  final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func configuration(_ types: [ObjectBase.Type], readOnly: Bool = false) -> Realm.Configuration {
      Realm.Configuration(
        fileURL: url.appendingPathComponent("test.realm"), readOnly: readOnly, objectTypes: types)
    }
  }

  private static let all: [ObjectBase.Type] = [OpeningCity.self, OpeningMayor.self]

  private static func failure(_ configuration: Realm.Configuration) -> Realm.Error? {
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
  }

  private static func open(_ configuration: Realm.Configuration) throws { _ = try Realm(configuration: configuration) }

  private static func addCities(_ ids: Range<Int>, to configuration: Realm.Configuration) async throws -> RealmStore {
    var configuration = configuration
    configuration.checkpoints.interval = nil
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      for id in ids {
        let city = realm.create(
          OpeningCity.self,
          value: [
            "id": id, "name": "city \(id)", "region": "region \(id % 7)", "population": id % 3 == 0 ? NSNull() : id,
            "mayor": ["mayor \(id)"], "ranks": [Double(id), 0.5], "mascots": ["a": ["mascot"]], "anything": [id, "x"],
          ] as [String: Any])
        city.twin = realm.object(ofType: OpeningCity.self, forPrimaryKey: id - 1)
      }
    }
    return store
  }

  @Test func permissionsAreNamed() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      let configuration = folder.configuration(OpeningRuleTests.all)
      try await RealmStore.open(configuration).close()
      let path = folder.url.appendingPathComponent("test.realm").path
      chmod(path, 0)
      chmod(folder.url.path, 0)
      // Root may open everything.
      let isRoot = geteuid() == 0
      if isRoot { _ = seteuid(65_534) }
      defer {
        if isRoot { _ = seteuid(0) }
        chmod(folder.url.path, 0o700)
      }
      for readOnly in [false, true] {
        let error = OpeningRuleTests.failure(folder.configuration(OpeningRuleTests.all, readOnly: readOnly))
        #expect(error?.code == .filePermissionDenied && error?.fileURL?.path.hasPrefix(path) == true)
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("Failed to open Realm file at path '\(path)': Permission denied"), "\(message)")
        #expect(message.contains("Give the process the right"), "what to do: \(message)")
      }
    }
  }

  @Test func aFileThatMustNotBeWritten() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      try await RealmStore.open(folder.configuration(OpeningRuleTests.all)).close()
      let path = folder.url.appendingPathComponent("test.realm").path
      chmod(path, 0o444)
      // Root may write everything.
      let isRoot = geteuid() == 0
      if isRoot {
        chown(folder.url.path, 65_534, 65_534)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
          chown(folder.url.appendingPathComponent(name).path, 65_534, 65_534)
        }
        _ = seteuid(65_534)
      }
      defer { if isRoot { _ = seteuid(0) } }
      let error = OpeningRuleTests.failure(folder.configuration(OpeningRuleTests.all))
      #expect(error?.code == .filePermissionDenied && error?.fileURL?.path == path)
      #expect(error?.localizedDescription.contains("Permission denied") == true)
      try OpeningRuleTests.open(folder.configuration(OpeningRuleTests.all, readOnly: true))
    }
  }

  @Test func otherReadPermissionsAreNamed() async throws {
    let folder = try Folder()
    let store = try await RealmStore.open(folder.configuration(Self.all))
    let error = Self.failure(folder.configuration(Self.all, readOnly: true))
    let path = folder.url.appendingPathComponent("test.realm").path
    let message = error?.localizedDescription ?? ""
    #expect(message.contains("The Realm at '\(path)' was already opened with different read permissions"), "\(message)")
    try await store.close()
  }

  @Test func otherOptionsOfTheDatabaseAreNamed() async throws {
    let folder = try Folder()
    var configuration = folder.configuration(Self.all)
    configuration.durability = .interval(.milliseconds(20))
    configuration.history = .init(byteCount: 1 << 20)
    let store = try await RealmStore.open(configuration)
    var other = configuration
    other.durability = .everyCommit
    other.checkpoints = .init(journalByteCount: 1 << 22)
    other.history.age = .seconds(60)
    other.maximumObserverLag = 1 << 20
    other.skipsEqualWrites = true
    other.invalidatedReads = .trap
    let path = folder.url.appendingPathComponent("test.realm").path
    let message = Self.failure(other)?.localizedDescription ?? ""
    #expect(message.contains("The Realm at '\(path)' was already opened with different options: "), "\(message)")
    for option in [
      "durability is interval(0.02 seconds), and everyCommit is asked for", "checkpoints is", "history is",
      "maximumObserverLag is 67108864, and 1048576 is asked for", "skipsEqualWrites is false",
      "invalidatedReads is lastValues",
    ] { #expect(message.contains(option), "\(option): \(message)") }
    await #expect(throws: Realm.Error.self) { try await RealmStore.open(other) }
    // Nothing else is compared.
    configuration.objectTypes = [configuration.objectTypes?.first].compactMap { $0 }
    configuration.schemaVersion = 7
    configuration.maximumNumberOfActiveVersions = 5
    let second = try await RealmStore.open(configuration)
    #expect(second.configuration.schemaVersion == store.configuration.schemaVersion)
    try await store.close()
    try await RealmStore.open(other).close()
  }

  @Test func aMissingFileIsNamed() throws {
    let folder = try Folder()
    let error = Self.failure(folder.configuration(Self.all, readOnly: true))
    #expect(error?.code == .fileNotFound)
    #expect(error?.localizedDescription.contains("No such file or directory") == true)
    #expect(error?.fileURL?.lastPathComponent == "test.realm")
  }

  /// CRC-32C, as the header of a file has it.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
    }
    return ~crc
  }

  @Test func filesOfALaterFormatAreLeftAsTheyAre() async throws {
    let folder = try Folder()
    var configuration = folder.configuration(Self.all)
    try await RealmStore.open(configuration).close()
    let url = try #require(configuration.fileURL)
    var bytes = [UInt8](try Data(contentsOf: url))
    bytes[8] = 99
    let checksum = Self.checksum(bytes[..<92])
    for index in 0..<4 { bytes[92 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
    try Data(bytes).write(to: url)
    configuration.deleteRealmIfMigrationNeeded = true
    for configuration in [configuration, folder.configuration(Self.all, readOnly: true)] {
      let error = Self.failure(configuration)
      #expect(error?.code == .unsupportedFileFormatVersion && error?.fileURL?.lastPathComponent == "test.realm")
      let message = error?.localizedDescription ?? ""
      #expect(message.contains("format version 99") && message.contains("version of the library"), "\(message)")
    }
    #expect(try Data(contentsOf: url) == Data(bytes))
  }

  @Test func otherClassesNeedAMigration() async throws {
    let folder = try Folder()
    try await Self.addCities(0..<3, to: folder.configuration(Self.all)).close()
    var strict = folder.configuration([OpeningFewer.OpeningCity.self])
    strict.additionsNeedVersion = true
    let error = Self.failure(strict)
    #expect(error?.code == .schemaMismatch)
    for name in ["population", "mayor", "ranks", "mascots", "anything"] {
      #expect(error?.localizedDescription.contains("Property 'OpeningCity.\(name)' has been removed.") == true)
    }
    let other = Self.failure(folder.configuration([OpeningOther.OpeningCity.self]))
    #expect(other?.code == .schemaMismatch)
    #expect(other?.localizedDescription.contains("'OpeningCity.founded' has been added.") == true)
  }

  /// What the narrower class shows of cities from 0 on.
  private static func checkFewer(_ realm: FrozenRealm, _ count: Int) throws {
    let cities = realm.objects(OpeningFewer.OpeningCity.self)
    #expect(cities.count == count)
    for (id, city) in cities.enumerated() {
      #expect(city.id == id && city.name == "city \(id)" && city.region == "region \(id % 7)")
      #expect(city.twin?.id == (id == 0 ? nil : id - 1))
    }
    #expect(cities.where { $0.name == "city 3" }.map(\.id) == [3] && cities.where { $0.region == "region 2" }.count > 1)
    #expect(cities.where { $0.twin.name == "city 3" }.map(\.id) == [4])
    #expect(cities.sorted(by: \.name).first?.id == 0)
    #expect(
      realm.object(ofType: OpeningFewer.OpeningCity.self, forPrimaryKey: 5)?.description.contains("mayor") == false)
  }

  @Test func forReadingTheFileMayHaveMoreThanTheModels() async throws {
    let folder = try Folder()
    let writing = folder.configuration(Self.all)
    try await Self.addCities(0..<300, to: writing).close()
    let reading = folder.configuration([OpeningFewer.OpeningCity.self, CreatingNamed.self], readOnly: true)
    var store: RealmStore? = try await RealmStore.open(reading)
    let frozen = try #require(store?.freeze())
    try Self.checkFewer(frozen, 300)
    #expect(frozen.objects(CreatingNamed.self).isEmpty, "a class that the file does not have is empty")
    #expect(frozen.realm.schema.objectSchema.map(\.className) == ["CreatingNamed", "OpeningCity"])
    let row = frozen.realm.dynamicObject(ofType: "OpeningCity", forPrimaryKey: 7)
    #expect(row?.name as? String == "city 7" && (row?.twin as? Object)?["id"] as? Int == 6)
    try await store?.close()
    // The journal has more columns than the models, too.
    store = try await Self.addCities(300..<400, to: writing)
    store = nil
    let again = try await RealmStore.open(reading)
    #expect(again.lastOpenReport?.recoveredCommitCount == 1)
    try Self.checkFewer(again.freeze(), 400)
    try await again.close()
    let all = try await RealmStore.open(writing)
    let city = all.freeze().object(ofType: OpeningCity.self, forPrimaryKey: 350)
    #expect(city?.mayor?.name == "mayor 350" && city?.ranks.first == 350, "nothing was lost")
    #expect(city?.anything.listValue?[0] == .int(350) && city?.population == 350)
    try await all.close()
  }

  @Test func forReadingModelsMayNotBeOtherThanTheFile() async throws {
    let folder = try Folder()
    try await Self.addCities(0..<3, to: folder.configuration(Self.all)).close()
    let before = try Data(contentsOf: folder.url.appendingPathComponent("test.realm"))
    let error = Self.failure(folder.configuration([OpeningOther.OpeningCity.self], readOnly: true))
    #expect(error?.code == .fail)
    let message = error?.localizedDescription ?? ""
    #expect(message.hasPrefix("The following changes cannot be made in read-only schema mode:\n- "), "\(message)")
    for line in [
      "Property 'OpeningCity.region' has been made optional.",
      "Property 'OpeningCity.population' has been changed from 'int' to 'double'.",
      "Primary Key for class 'OpeningCity' has been changed from 'id' to 'name'.",
    ] {
      #expect(message.contains("- \(line)\n"), "\(message)")
    }
    #expect(!message.contains("removed") && !message.contains("added"), "those have their declared values")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("test.realm")) == before)
  }

  @Test func aSeedIsCopiedOnceAndNotIntoMemory() async throws {
    let (source, folder) = (try Folder(), try Folder())
    try await Self.addCities(0..<3, to: source.configuration(Self.all)).close()
    var configuration = folder.configuration(Self.all)
    configuration.seedFilePath = source.url.appendingPathComponent("test.realm")
    for count in [3, 4] {
      let store = try await RealmStore.open(configuration)
      #expect(store.freeze().objects(OpeningCity.self).count == count, "copied unless there is a file")
      try await store.write { realm in _ = realm.create(OpeningCity.self, value: ["id": 10 + count]) }
      try await store.close()
    }
    configuration.inMemoryIdentifier = UUID().uuidString
    #expect(try Realm(configuration: configuration, queue: nil).isEmpty)
  }
}
