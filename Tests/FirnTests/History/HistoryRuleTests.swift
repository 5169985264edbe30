import FirnDurability
import FirnEngine
import Foundation
import Testing

@testable import Firn

/// What history has and has not, and what it says where it ends.
@Suite("History")
struct HistoryRuleTests {
  private static func configuration(
    _ disk: SimulatedDisk?, history: Int = 1 << 30, _ types: [ObjectBase.Type] = [PastFlight.self, PastPlane.self]
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: types)
    configuration.history = .init(byteCount: history)
    if let disk { configuration.fileSystem = disk } else { configuration.inMemoryIdentifier = UUID().uuidString }
    return configuration
  }

  private func entries(_ store: RealmStore, after version: UInt64? = nil) async throws -> [RealmStore.HistoryEntry] {
    var entries: [RealmStore.HistoryEntry] = []
    for try await entry in store.history(after: version) { entries.append(entry) }
    return entries
  }

  private func failure(_ body: () async throws -> Void) async -> Realm.Error? {
    do {
      try await body()
      return nil
    } catch {
      #expect(error is Realm.Error)
      return error as? Realm.Error
    }
  }

  private static func fill(_ store: RealmStore) async throws {
    for (id, delay) in [("A", 1), ("B", 2)] {
      try await store.write { realm in _ = realm.create(PastFlight.self, value: ["id": id, "delay": delay]) }
    }
    try await store.write(author: "tower") { realm in
      for flight in realm.objects(PastFlight.self) { flight.delay += 10 }
    }
    try await store.write { realm in
      if let flight = realm.object(ofType: PastFlight.self, forPrimaryKey: "A") { realm.delete(flight) }
    }
  }

  @Test("in memory without it there is none, and that is said")
  func nothingInMemory() async throws {
    let store = try await RealmStore.open(Self.configuration(nil, history: 0))
    let first = store.store.graph.head
    try await Self.fill(store)
    #expect(try await entries(store).isEmpty)
    #expect(try await entries(store, after: store.store.graph.head).isEmpty)
    let failure = await failure { _ = try await entries(store, after: first) }
    #expect(failure?.code == .historyUnavailable)
    #expect(failure?.localizedDescription.contains("keeps no history. Set Configuration.history") == true)
    if try await store.touchedRows(after: first) != nil {
      Issue.record("history")
    }
    #expect(store.store.historyPosition(of: first) == nil)
    try await store.close()
  }

  @Test("in files without it old values are missing, and keys of modified objects that went")
  func withoutOldValues() async throws {
    let store = try await RealmStore.open(Self.configuration(SimulatedDisk(seed: 1), history: 0))
    try await Self.fill(store)
    let changes = try await entries(store).flatMap(\.classes)
    let modifications = changes.flatMap(\.modifications)
    #expect(modifications.map(\.identity.primaryKey) == [nil, .string("B")])
    #expect(modifications.map { $0["delay"]?.newValue } == [.int(11), .int(12)])
    let recorded = modifications.compactMap { $0["delay"]?.oldValue }
    #expect(recorded == [])
    let deletions = changes.flatMap(\.deletions)
    #expect(deletions.map(\.identity.primaryKey) == [.string("A")])
    #expect(deletions.flatMap(\.properties).isEmpty)
    try await store.close()
  }

  @Test("has old values of all types", arguments: [false, true])
  func values(inMemory: Bool) async throws {
    let store = try await RealmStore.open(
      Self.configuration(inMemory ? nil : SimulatedDisk(seed: 1), [PastValues.self, PastPlane.self]))
    let row = try await store.write { realm -> UInt64 in
      let plane = realm.create(PastPlane.self, value: ["seats": 100])
      let object = PastValues()
      object.plane = plane
      object.mixed = .object(plane)
      realm.add(object)
      return plane._key
    }
    try await store.write { realm in
      guard let object = realm.objects(PastValues.self).first else { return }
      object.flag = true
      object.small = 7
      object.float = 1.5
      object.double = 2.5
      object.text = "t"
      object.data = Data([1, 2])
      object.date = Date(timeIntervalSinceReferenceDate: 5)
      object.objectId = try ObjectId(string: "0123456789abcdef01234567")
      object.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      object.decimal = 3.25
      object.plane = nil
      object.mixed = .fromArray([.int(1)])
      object.list.append(1)
    }
    let old = try await entries(store).last?.classes.flatMap(\.modifications).first
    try await store.write { realm in realm.delete(realm.objects(PastValues.self)) }
    let gone = try await entries(store).last?.classes.flatMap(\.deletions).first
    let objectId = try ObjectId(string: "0123456789abcdef01234567")
    let plane = RealmStore.HistoryIdentity(className: "PastPlane", row: row, primaryKey: nil)
    #expect(old?["flag"]?.oldValue == .bool(false) && gone?["flag"]?.oldValue == .bool(true))
    #expect(old?["small"]?.newValue == .int(7) && gone?["small"]?.oldValue == .int(7))
    #expect(old?["float"]?.oldValue == .null && gone?["float"]?.oldValue == .float(1.5))
    #expect(old?["double"]?.oldValue == .double(0) && gone?["double"]?.oldValue == .double(2.5))
    #expect(old?["text"]?.oldValue == .null && gone?["text"]?.oldValue == .string("t"))
    #expect(old?["data"]?.newValue == .data(Data([1, 2])) && gone?["data"]?.oldValue == .data(Data([1, 2])))
    #expect(gone?["date"]?.oldValue == .date(Date(timeIntervalSinceReferenceDate: 5)))
    #expect(gone?["objectId"]?.oldValue == .objectId(objectId))
    #expect(
      gone?["uuid"]?.oldValue == .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))))
    #expect(gone?["decimal"]?.oldValue == .decimal128(3.25))
    #expect(old?["plane"]?.oldValue == .object(plane) && old?["plane"]?.newValue == .null)
    #expect(old?["mixed"]?.oldValue == .object(plane) && old?["mixed"]?.newValue == .collection)
    #expect(old?["list"] != nil && old?["list"]?.oldValue == nil && old?["list"]?.newValue == nil)
    #expect(gone?["list"] == nil)
    try await store.close()
  }

  @Test("in memory is as long as bytes and age allow")
  func limits() async throws {
    let store = try await RealmStore.open(Self.configuration(nil, history: 20_000))
    let first = store.store.graph.head
    for number in 0..<500 {
      try await store.write { realm in
        _ = realm.create(PastFlight.self, value: ["id": "A", "delay": number], update: .all)
      }
    }
    let found = try await entries(store)
    #expect(found.count > 50 && found.count < 200)
    #expect(found.last?.version == store.store.graph.head)
    let code1 = await failure { _ = try await entries(store, after: first) }?.code
    #expect(code1 == .historyUnavailable)
    if try await store.touchedRows(after: first) != nil {
      Issue.record("history")
    }
    try await store.close()

    var configuration = Self.configuration(nil)
    configuration.history.age = .zero
    let brief = try await RealmStore.open(configuration)
    for _ in 0..<5 { try await brief.write { realm in _ = realm.create(PastPlane.self) } }
    #expect(try await entries(brief).count <= 1)
    try await brief.close()
  }

  @Test("has no holes, however much was given up and however often")
  func noHoles() async throws {
    let store = try await RealmStore.open(Self.configuration(nil, history: 20_000))
    for number in 0..<700 {
      try await store.write(author: "\(number)") { realm in
        _ = realm.create(PastFlight.self, value: ["id": "A", "delay": number], update: .all)
      }
      if number % 10 > 0 { continue }
      let numbers = try await entries(store).compactMap { $0.cause?.author }
      let start = try #require(numbers.first.flatMap { Int($0) })
      #expect(numbers == (start...number).map { "\($0)" })
    }
    try await store.close()
  }

  @Test("ends with the version that is asked for, whatever was committed since", arguments: [false, true])
  func end(inMemory: Bool) async throws {
    let store = try await RealmStore.open(Self.configuration(inMemory ? nil : SimulatedDisk(seed: 1)))
    let first = store.store.graph.head
    try await Self.fill(store)
    for end in first + 1...store.store.graph.head {
      let page = try store.store.historyPage(after: first, through: end)
      #expect(page.map(\.version) == Array(first + 1...end))
    }
    try await store.close()
  }

  @Test("has no classes but those of the application", arguments: [false, true])
  func nested(inMemory: Bool) async throws {
    let store = try await RealmStore.open(
      Self.configuration(inMemory ? nil : SimulatedDisk(seed: 1), Resumed.types))
    let first = store.store.graph.head
    try await store.write { realm in
      let flight = realm.create(ResumedFlight.self, value: ["id": "A"])
      flight.extra = .fromArray([.fromArray([.int(1)]), .fromDictionary(["a": .int(1)])])
    }
    try await store.write { realm in
      let flight = realm.objects(ResumedFlight.self)[0]
      flight.extra.listValue?[0].listValue?.append(.int(2))
      flight.delay = 1
    }
    try await store.write { realm in realm.objects(ResumedFlight.self)[0].extra = .int(1) }
    let found = try await entries(store, after: first)
    #expect(found.map { $0.classes.map(\.name) } == [["ResumedFlight"], ["ResumedFlight"], ["ResumedFlight"]])
    try await store.close()
  }

  @Test("ends where it ended when reading began, though more is read than fits at once", arguments: [false, true])
  func endOfLong(inMemory: Bool) async throws {
    let store = try await RealmStore.open(Self.configuration(inMemory ? nil : SimulatedDisk(seed: 1)))
    try await Self.fill(store)
    let first = store.store.graph.head
    let note = String((0..<150_000).map { "\($0)" }.joined().prefix(700_000))
    func write() async throws {
      try await store.write { realm in realm.objects(PastFlight.self)[0].note = note }
    }
    for _ in 0..<4 { try await write() }
    let last = store.store.graph.head
    var versions: [UInt64] = []
    for try await entry in store.history(after: first) {
      versions.append(entry.version)
      try await write()
    }
    #expect(versions == Array(first + 1...last))
    try await store.close()
  }

  @Test("begins behind a migration, of which it says nothing")
  func migrated() async throws {
    var configuration = Self.configuration(SimulatedDisk(seed: 1))
    let before = try await RealmStore.open(configuration)
    try await Self.fill(before)
    let last = before.store.graph.head
    try await before.close()
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "PastFlight") { _, new in new?["delay"] = 99 }
    }
    let store = try await RealmStore.open(configuration)
    #expect(try await entries(store).isEmpty)
    let code = await failure { _ = try await entries(store, after: last) }?.code
    #expect(code == .historyUnavailable)
    let start = store.store.graph.head
    try await store.write(author: "later") { realm in realm.objects(PastFlight.self).first?.delay = 1 }
    for found in [try await entries(store), try await entries(store, after: start)] {
      #expect(found.map { $0.cause?.author } == ["later"])
      #expect(found.first?.classes.first?.modifications.first?["delay"]?.oldValue == .int(99))
    }
    try await store.close()
  }

  @Test("in memory counts what authors and metadata take")
  func limitOfCauses() async throws {
    let store = try await RealmStore.open(Self.configuration(nil, history: 1 << 20))
    let metadata = ["text": String(repeating: "x", count: 60_000)]
    for _ in 0..<50 { try await store.write(metadata: metadata) { realm in _ = realm.create(PastPlane.self) } }
    #expect((10...18).contains(try await entries(store).count))
    try await store.close()
  }

  @Test("knows the keys of those that went on the whole, not of those that came in between")
  func keysOfDeleted() async throws {
    let store = try await RealmStore.open(Self.configuration(nil))
    let start = store.store.graph.head
    try await Self.fill(store)
    let middle = try #require(try await entries(store).dropLast().last).version
    let head = store.store.graph.holdHead()
    let whole = try #require(try await store.store.touchedRows(after: start, through: head))
    #expect(whole.deletedPrimaryKeys.values.reduce(0) { $0 + $1.count } == 0)
    let rest = try #require(try await store.store.touchedRows(after: middle, through: head))
    #expect(rest.deletedPrimaryKeys.values.map(\.count) == [1])
    try await store.close()
  }

  @Test("behind its end there is nothing, whatever is committed, and no version is kept")
  func end() async throws {
    let store = try await RealmStore.open(Self.configuration(nil))
    try await Self.fill(store)
    var iterator = store.history().makeAsyncIterator()
    var count = 0
    while try await iterator.next() != nil { count += 1 }
    #expect(count == 4)
    try await store.write { realm in _ = realm.create(PastPlane.self) }
    #expect(store.statistics.versions.count == 1)
    #expect(try await iterator.next() == nil)
    try await store.close()
    #expect(try await iterator.next() == nil)
  }

  @Test("is not that of numbers that no commit has")
  func unknownVersions() async throws {
    for disk in [nil, SimulatedDisk(seed: 1)] {
      let store = try await RealmStore.open(Self.configuration(disk))
      try await Self.fill(store)
      let head = store.store.graph.head
      let future = await failure { _ = try await entries(store, after: head + 1) }
      #expect(future?.code == .historyUnavailable)
      #expect(future?.localizedDescription.contains("has no commit \(head + 1) yet") == true)
      let code2 = await failure { _ = try await entries(store, after: 0) }?.code
      #expect(code2 == .historyUnavailable)
      await #expect(throws: CancelledWrite.self) {
        try await store.write { realm in
          _ = realm.create(PastPlane.self)
          throw CancelledWrite()
        }
      }
      try await store.write { realm in _ = realm.create(PastPlane.self) }
      // The number of a cancelled transaction.
      let code3 = await failure { _ = try await entries(store, after: head + 1) }?.code
      #expect(code3 == .historyUnavailable)
      #expect(try await entries(store, after: head).count == 1)
      try await store.close()
      let code4 = await failure { _ = try await entries(store) }?.code
      #expect(code4 == .storeClosed)
    }
  }

  private struct CancelledWrite: Error {}

  @Test("is read where the file is opened for reading only")
  func readOnly() async throws {
    var configuration = Self.configuration(SimulatedDisk(seed: 1))
    let store = try await RealmStore.open(configuration)
    try await Self.fill(store)
    let whole = try await entries(store).map { PastModel.lines($0) }
    try await store.close()
    configuration.readOnly = true
    let reading = try await RealmStore.open(configuration)
    #expect(try await entries(reading).map { PastModel.lines($0) } == whole)
    #expect(whole.joined().count == 5)
    try await reading.close()
  }

  @Test("goes on across new properties and dropped ones, and ends where types changed")
  func migrations() async throws {
    var configuration = Self.configuration(SimulatedDisk(seed: 1), [ShapeBefore.Shaped.self])
    var store = try await RealmStore.open(configuration)
    let first = store.store.graph.head
    try await store.write { realm in _ = realm.create(ShapeBefore.Shaped.self, value: ["id": 1, "gone": 5, "kept": 6]) }
    try await store.write { realm in realm.objects(ShapeBefore.Shaped.self).first?.gone = 7 }
    try await store.close()

    configuration.objectTypes = [ShapeLater.Shaped.self]
    configuration.schemaVersion = 1
    store = try await RealmStore.open(configuration)
    try await store.write { realm in realm.objects(ShapeLater.Shaped.self).first?.new = "x" }
    let found = try await entries(store, after: first).flatMap(\.classes)
    #expect(found.flatMap(\.insertions).first?["kept"]?.newValue == .int(6))
    #expect(found.flatMap(\.insertions).first?["gone"] == nil)
    #expect(found.flatMap(\.modifications).map { $0.properties.map(\.name) } == [[], ["new"]])
    let middle = store.store.graph.head
    try await store.close()

    configuration.objectTypes = [ShapeLast.Shaped.self]
    configuration.schemaVersion = 2
    store = try await RealmStore.open(configuration)
    let code5 = await failure { _ = try await entries(store, after: first) }?.code
    #expect(code5 == .historyUnavailable)
    if try await store.touchedRows(after: middle) != nil {
      Issue.record("history")
    }
    let last = store.store.graph.head
    try await store.write { realm in realm.objects(ShapeLast.Shaped.self).first?.kept = "y" }
    #expect(try await entries(store, after: last).count == 1)
    try await store.close()
  }

  @Test("stops reading when the task is cancelled")
  func cancelling() async throws {
    let store = try await RealmStore.open(Self.configuration(nil))
    try await Self.fill(store)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in store.history() {}
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try await store.close()
  }
}

final class PastValues: Object {
  @Persisted var flag: Bool
  @Persisted var small: Int8
  @Persisted var float: Float?
  @Persisted var double: Double
  @Persisted var text: String?
  @Persisted var data: Data
  @Persisted var date: Date?
  @Persisted var objectId: ObjectId?
  @Persisted var uuid: UUID?
  @Persisted var decimal: Decimal128
  @Persisted var plane: PastPlane?
  @Persisted var mixed: AnyRealmValue
  @Persisted var list: List<Int>
}

private enum ShapeBefore {
  final class Shaped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var gone: Int
    @Persisted var kept: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

private enum ShapeLater {
  final class Shaped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kept: Int
    @Persisted var new: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

private enum ShapeLast {
  final class Shaped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kept: String
    @Persisted var new: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
