import Firn
import Foundation
import Testing

/// A configuration in a folder of its own, which goes with the value.
final class TemporaryStore {
  let folder: URL
  var configuration: Realm.Configuration

  init(_ types: [ObjectBase.Type] = [FiledCity.self, FiledPerson.self]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("test.firn"), objectTypes: types)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { configuration.fileURL?.path ?? "" }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
}

class FiledCity: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var people: List<FiledPerson>
}

class FiledPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var score: Double?
  @Persisted var born: Date
  @Persisted var photo: Data?
  @Persisted var city: FiledCity?
  @Persisted var nicknames: List<String>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    name = "Person \(id % 10)"
    score = id % 3 == 0 ? nil : Double(id) / 7
    born = Date(timeIntervalSinceReferenceDate: Double(id) * 86_400)
    photo = id % 5 == 0 ? Data(repeating: UInt8(id & 255), count: id) : nil
    nicknames.append(objectsIn: (0..<id % 4).map { "nick \($0)" })
  }
}

@Suite struct FileTests {
  private func fill(_ realm: Realm, _ ids: Range<Int>) throws {
    try realm.write {
      let city = realm.create(FiledCity.self, value: ["name": "City \(ids.lowerBound)"])
      for id in ids {
        let person = FiledPerson(id)
        person.city = city
        realm.add(person)
        city.people.append(person)
      }
    }
  }

  private func check(_ realm: Realm, _ ids: Range<Int>) {
    let people = realm.objects(FiledPerson.self)
    #expect(people.count == ids.count)
    for (person, id) in zip(people, ids) {
      #expect(person.id == id)
      #expect(person.name == "Person \(id % 10)")
      #expect(person.score == (id % 3 == 0 ? nil : Double(id) / 7))
      #expect(person.born == Date(timeIntervalSinceReferenceDate: Double(id) * 86_400))
      #expect(person.photo == (id % 5 == 0 ? Data(repeating: UInt8(id & 255), count: id) : nil))
      #expect(Array(person.nicknames) == (0..<id % 4).map { "nick \($0)" })
      #expect(person.city?.people.contains(person) == true)
    }
    #expect(people.where { $0.name == "Person 3" }.count == ids.filter { $0 % 10 == 3 }.count)
    for id in ids { #expect(realm.object(ofType: FiledPerson.self, forPrimaryKey: id)?.id == id) }
  }

  @Test(arguments: [
    Realm.Configuration.Durability.everyCommit, .interval(.milliseconds(5)), .onCheckpoint,
  ])
  func whatWasCommittedIsThereAgain(durability: Realm.Configuration.Durability) async throws {
    let files = try TemporaryStore()
    files.configuration.durability = durability
    var configuration = files.configuration
    configuration.checkpoints.interval = nil
    let first = configuration
    try onOwnThread {
      #expect(throws: Never.self) {
        let realm = try Realm(configuration: first)
        try fill(realm, 0..<100)
        try fill(realm, 100..<150)
      }
    }
    // Without a checkpoint everything comes from the journal.
    let store = try await RealmStore.open(configuration)
    let report = try #require(store.lastOpenReport)
    #expect(report.recoveredCommitCount == 2)
    #expect(report.objectCount == 152)
    #expect(report.cutByteCount == 0)
    check(store.freeze().realm, 0..<150)
    let checkpoint = try #require(try await store.checkpoint())
    #expect(checkpoint.byteCount > 0)
    try await store.close()

    // Now everything comes from the base.
    let again = try await RealmStore.open(configuration)
    #expect(again.lastOpenReport?.recoveredCommitCount == 0)
    check(again.freeze().realm, 0..<150)
    try await again.write { realm in
      realm.delete(realm.objects(FiledPerson.self).where { $0.id < 50 })
      realm.object(ofType: FiledPerson.self, forPrimaryKey: 60)?.name = "Changed"
    }
    try await again.close()
    let last = try await RealmStore.open(configuration)
    #expect(last.freeze().objects(FiledPerson.self).count == 100)
    #expect(last.freeze().object(ofType: FiledPerson.self, forPrimaryKey: 60)?.name == "Changed")
    #expect(last.freeze().objects(FiledPerson.self).where { $0.name == "Changed" }.count == 1)
    #expect(try await RealmStore.verifyClosing(last, configuration) == 102)
  }

  @Test func oneStoreServesAllRealmsOfTheProcess() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    let other = try await RealmStore.open(files.configuration)
    #expect(other.freeze().objects(FiledPerson.self).count == 1)
    var readOnly = files.configuration
    readOnly.readOnly = true
    await #expect(throws: Realm.Error(.fail)) { _ = try await RealmStore.open(readOnly) }
    #expect(throws: Realm.Error(.alreadyOpen)) { _ = try Realm.deleteFiles(for: files.configuration) }
    try await store.close()
  }

  @Test func filesAreFoundAndDeleted() async throws {
    let files = try TemporaryStore()
    #expect(!Realm.fileExists(for: files.configuration))
    #expect(try !Realm.deleteFiles(for: files.configuration))
    let store = try await RealmStore.open(files.configuration)
    #expect(store.lastOpenReport?.isNew == true)
    try await store.write { $0.add(FiledPerson(1)) }
    #expect(try files.names() == ["test.firn", "test.firn.journal", "test.firn.lock"])
    try await store.close()
    #expect(Realm.fileExists(for: files.configuration))
    #expect(try Realm.deleteFiles(for: files.configuration))
    #expect(try files.names().isEmpty)
    #expect(!Realm.fileExists(for: files.configuration))
  }

  @Test func readOnlyStoresShowWhatIsThere() async throws {
    let files = try TemporaryStore()
    var readOnly = files.configuration
    readOnly.readOnly = true
    await #expect(throws: Realm.Error(.fileNotFound)) { _ = try await RealmStore.open(readOnly) }
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    try await store.close()
    let before = try Data(contentsOf: try #require(files.configuration.fileURL))
    let reading = try await RealmStore.open(readOnly)
    #expect(reading.freeze().objects(FiledPerson.self).first?.id == 1)
    await #expect(throws: Realm.Error(.fail)) { try await reading.write { $0.deleteAll() } }
    try await reading.close()
    #expect(try Data(contentsOf: try #require(files.configuration.fileURL)) == before)
  }

  @Test func readOnlyStoresBesideAWriterShowWhatIsDurable() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    // Copied, because one process shares one store.
    let copy = try TemporaryStore()
    for name in try files.names() {
      try FileManager.default.copyItem(
        at: files.folder.appendingPathComponent(name), to: copy.folder.appendingPathComponent(name))
    }
    copy.configuration.readOnly = true
    let reading = try await RealmStore.open(copy.configuration)
    #expect(reading.freeze().objects(FiledPerson.self).count == 1)
    try await reading.close()
    try await store.close()
  }

  @Test func historyKeepsSegmentsThatOpeningDoesNotNeed() async throws {
    let files = try TemporaryStore()
    func segmentCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: files.path + ".journal").filter { $0.hasSuffix(".segment") }
        .count
    }
    func run() async throws -> Int {
      let store = try await RealmStore.open(files.configuration)
      for id in 0..<3 {
        try await store.write { $0.add(FiledPerson(id), update: .all) }
        try await store.checkpoint()
      }
      defer { withExtendedLifetime(store) {} }
      try await store.close()
      return try segmentCount()
    }
    let without = try await run()
    files.configuration.history.byteCount = 1 << 20
    let with = try await run()
    #expect(with >= without + 3)
    files.configuration.history.byteCount = 0
    #expect(try await run() <= without + 1)
    #expect(try RealmStore.verify(files.configuration).objectCounts["FiledPerson"] == 3)
  }

  @Test func otherModelsAreRefusedByName() async throws {
    let files = try TemporaryStore([FiledCity.self, FiledPerson.self])
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    try await store.close()
    var other = files.configuration
    other.objectTypes = [Changed.FiledPerson.self]
    do {
      _ = try await RealmStore.open(other)
      Issue.record("The changed class was taken.")
    } catch let error as Realm.Error {
      #expect(error.code == .schemaMismatch)
      #expect(error.localizedDescription.contains("Property 'FiledPerson.weight' has been added."))
      #expect(error.localizedDescription.contains("Property 'FiledPerson.score' has been removed."))
    }
    other.deleteRealmIfMigrationNeeded = true
    let anew = try await RealmStore.open(other)
    #expect(anew.lastOpenReport?.isNew == true)
    try await anew.close()
  }

  @Test func classesMayComeAndStayAway() async throws {
    let files = try TemporaryStore([FiledCity.self, FiledPerson.self])
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(7)) }
    try await store.close()
    var more = files.configuration
    more.objectTypes = [FiledExtra.self]
    let extra = try await RealmStore.open(more)
    try await extra.write { $0.add(FiledExtra()) }
    try await extra.close()
    more.objectTypes = [FiledExtra.self, FiledCity.self, FiledPerson.self]
    let all = try await RealmStore.open(more)
    #expect(all.freeze().objects(FiledExtra.self).count == 1)
    #expect(all.freeze().object(ofType: FiledPerson.self, forPrimaryKey: 7)?.name == "Person 7")
    try await all.close()
  }

  @Test func olderSchemaVersionsAreRefused() async throws {
    let files = try TemporaryStore()
    files.configuration.schemaVersion = 3
    try await RealmStore.open(files.configuration).close()
    var older = files.configuration
    older.schemaVersion = 2
    await #expect(throws: Realm.Error(.fail)) { _ = try await RealmStore.open(older) }
    older.schemaVersion = 4
    try await RealmStore.open(older).close()
    await #expect(throws: Realm.Error(.fail)) { _ = try await RealmStore.open(files.configuration) }
  }

  @Test func foreignAndDamagedFilesAreRefused() async throws {
    let files = try TemporaryStore()
    let url = try #require(files.configuration.fileURL)
    try Data("This is a text, and no store of objects at all. ".utf8).write(to: url)
    await #expect(throws: Realm.Error(.invalidDatabase)) { _ = try await RealmStore.open(files.configuration) }
    try FileManager.default.removeItem(at: url)
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    try await store.close()
    var data = try Data(contentsOf: url)
    data[data.count / 2] ^= 1
    try data.write(to: url)
    await #expect(throws: Realm.Error(.corrupted)) { _ = try await RealmStore.open(files.configuration) }
    #expect(throws: Realm.Error(.corrupted)) { _ = try RealmStore.verify(files.configuration) }
  }

  @Test func foldersThatAreNotThereAreNamed() async throws {
    let files = try TemporaryStore()
    files.configuration.fileURL = files.folder.appendingPathComponent("missing/test.firn")
    do {
      _ = try await RealmStore.open(files.configuration)
      Issue.record("There is no such folder.")
    } catch let error as Realm.Error {
      #expect(error.localizedDescription.contains("missing/test.firn"))
    }
  }

  @Test func statisticsTellOfTheFiles() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    let before = try #require(store.statistics.files)
    #expect(before.journalByteCount > 0)
    #expect(before.syncCount >= 1)
    #expect(before.durableVersion == store.freeze().version)
    #expect(before.lastCheckpoint == nil)
    try await store.checkpoint()
    let after = try #require(store.statistics.files)
    #expect(after.journalByteCount == 0)
    #expect(after.lastCheckpoint?.version == store.freeze().version)
    #expect(try await store.checkpoint()?.byteCount == 0)
    try await store.close()
    await #expect(throws: Realm.Error(.storeClosed)) { try await store.checkpoint() }
  }

  @Test func statisticsTellOfFailedCheckpoints() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    try await store.write { $0.add(FiledPerson(1)) }
    #expect(store.statistics.files?.failedCheckpointCount == 0)
    // A folder that is in the way of the new snapshot.
    let obstacle = URL(fileURLWithPath: files.path + ".base.tmp")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
    await #expect(throws: Realm.Error.self) { try await store.checkpoint() }
    #expect(store.statistics.files?.failedCheckpointCount == 1)
    #expect(store.statistics.files?.lastCheckpointFailure != nil)
    #expect(store.statistics.lastCheckpoint == nil)
    try FileManager.default.removeItem(at: obstacle)
    try await store.checkpoint()
    #expect(store.statistics.files?.failedCheckpointCount == 1)
    #expect(store.statistics.files?.lastCheckpointFailure == nil)
    try await store.close()
  }
}

extension RealmStore {
  /// Closes a store and verifies its files; the number of objects.
  fileprivate static func verifyClosing(_ store: RealmStore, _ configuration: Realm.Configuration) async throws -> Int {
    try await store.close()
    return try verify(configuration).objectCounts.values.reduce(0, +)
  }
}

enum Changed {
  final class FiledPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String?
    @Persisted var weight: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

final class FiledExtra: Object {
  @Persisted var note: String?
}
