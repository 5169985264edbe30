import Firn
import Foundation
import TestSupport
import Testing

class CopiedNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var value: AnyRealmValue
  @Persisted var next: CopiedNote?
}

/// Copies of realms, frozen versions and stores, and seeds.
@Suite struct CopyTests {
  private static func add(_ ids: Range<Int>, _ realm: Realm) {
    for id in ids {
      let note = CopiedNote()
      note.id = id
      note.text = "note \(id)"
      note.value = id % 2 == 0 ? .int(id) : .fromArray([.string("a"), .int(id)])
      note.next = realm.object(ofType: CopiedNote.self, forPrimaryKey: id - 1)
      realm.add(note)
    }
  }

  private static func check(_ realm: Realm, _ ids: Range<Int>, _ comment: Comment = "") {
    let notes = realm.objects(CopiedNote.self)
    #expect(notes.map(\.id) == Array(ids), comment)
    for note in notes {
      #expect(note.text == "note \(note.id)", comment)
      #expect(note.next?.id == (note.id > ids.lowerBound ? note.id - 1 : nil), comment)
      if note.id % 2 == 0 {
        #expect(note.value == .int(note.id), comment)
      } else {
        #expect(note.value.listValue.map { Array($0) } == [.string("a"), .int(note.id)], comment)
      }
    }
  }

  private static func code(_ body: () throws -> Void) -> Realm.Error.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? Realm.Error)?.code
    }
  }

  private let store: TemporaryStore

  init() throws { store = try TemporaryStore([CopiedNote.self]) }

  private func url(_ name: String) -> URL { store.folder.appendingPathComponent(name) }

  private func configuration(_ name: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: url(name), objectTypes: [CopiedNote.self])
  }

  @Test func aRealmWritesTheVersionThatItShows() throws {
    let realm = try Realm(configuration: store.configuration)
    try realm.write { Self.add(0..<10, realm) }
    let frozen = realm.freeze()
    try realm.write { Self.add(10..<12, realm) }
    try realm.writeCopy(toFile: url("live.firn"))
    try frozen.writeCopy(configuration: configuration("frozen.firn"))
    #expect(
      try store.names().filter { $0.hasPrefix("live") || $0.hasPrefix("frozen") } == ["frozen.firn", "live.firn"])
    Self.check(try Realm(configuration: configuration("live.firn")), 0..<12)
    let copy = try Realm(configuration: configuration("frozen.firn"))
    Self.check(copy, 0..<10)
    // A database like any other, with a life of its own.
    try copy.write { Self.add(10..<20, copy) }
    Self.check(copy, 0..<20)
    Self.check(realm, 0..<12)
    // A live realm that is read away from its thread gives what is committed.
    let away = try Frozen(realm.objects(CopiedNote.self))
    #expect(away.count == 12)
  }

  @Test func storesAndFrozenRealmsDoNotBlock() async throws {
    let opened = try await RealmStore.open(store.configuration)
    try await opened.write { Self.add(0..<5, $0) }
    let frozen = opened.freeze()
    try await opened.write { Self.add(5..<6, $0) }
    try await frozen.writeCopy(to: url("a.firn"))
    try await opened.writeCopy(to: url("b.firn"))
    #expect(try RealmStore.verify(configuration("a.firn")).version == frozen.version)
    for (name, count) in [("a.firn", 5), ("b.firn", 6)] {
      let copy = try await RealmStore.open(configuration(name))
      Self.check(copy.freeze().realm, 0..<count)
      try await copy.close()
    }
    // What is frozen outlives the store, and so do its copies.
    try await opened.close()
    try await frozen.writeCopy(to: url("c.firn"))
    #expect(try RealmStore.verify(configuration("c.firn")).objectCounts["CopiedNote"] == 5)
  }

  @Test func realmsInMemoryAndReadOnlyOnesAreCopied() async throws {
    let memory = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [CopiedNote.self]),
      queue: nil)
    try memory.write { Self.add(0..<7, memory) }
    try memory.writeCopy(toFile: url("memory.firn"))
    var reading = configuration("memory.firn")
    reading.readOnly = true
    let realm = try Realm(configuration: reading, queue: nil)
    Self.check(realm, 0..<7)
    try realm.writeCopy(toFile: url("again.firn"))
    Self.check(try Realm(configuration: configuration("again.firn"), queue: nil), 0..<7)
  }

  @Test func whatCannotBeCopiedThrows() throws {
    let realm = try Realm(configuration: store.configuration)
    try realm.write { Self.add(0..<3, realm) }
    let path = try #require(store.configuration.fileURL)
    #expect(Self.code { try realm.writeCopy(toFile: path) } == .fileExists, "its own file")
    try Data([1]).write(to: url("text"))
    #expect(Self.code { try realm.writeCopy(toFile: url("text")) } == .fileExists)
    #expect(try Data(contentsOf: url("text")) == Data([1]))
    #expect(Self.code { try realm.writeCopy(toFile: url("no/copy.firn")) } == .fileNotFound)
    let other = try Realm(configuration: configuration("other.firn"))
    #expect(Self.code { try realm.writeCopy(toFile: url("other.firn")) } == .fileExists)
    try FileManager.default.removeItem(at: url("other.firn"))
    #expect(Self.code { try realm.writeCopy(toFile: url("other.firn")) } == .alreadyOpen)
    withExtendedLifetime(other) {}
    #expect(Self.code { try realm.writeCopy(toFile: url("key"), encryptionKey: Data(count: 3)) } == .fail)
    let memory = Realm.Configuration(inMemoryIdentifier: "a")
    #expect(Self.code { try realm.writeCopy(configuration: memory) } == .fail)
    try realm.write {
      #expect(Self.code { try realm.writeCopy(toFile: url("copy.firn")) } == .fail, "in a write transaction")
    }
    #expect(try !store.names().contains { $0.hasPrefix("copy") || $0.hasPrefix("key") || $0.hasPrefix("no") })
    try realm.writeCopy(toFile: url("copy.firn"))
  }

  @Test func aSeedIsTakenWithItsJournal() async throws {
    let seed = try await RealmStore.open(configuration("seed.firn"))
    try await seed.write { Self.add(0..<4, $0) }
    try await seed.checkpoint()
    try await seed.write { Self.add(4..<6, $0) }
    // Open, and with commits that only the journal has.
    var seeded = store.configuration
    seeded.seedFilePath = url("seed.firn")
    for count in [6, 7] {
      let opened = try await RealmStore.open(seeded)
      Self.check(opened.freeze().realm, 0..<count)
      #expect(opened.lastOpenReport?.isNew == false)
      if count == 6 { try await opened.write { Self.add(6..<7, $0) } }
      try await opened.close()
    }
    Self.check(seed.freeze().realm, 0..<6)
    try await seed.close()
  }

  /// Copies while a writer goes on are each of one version.
  @Test func aCopyBesideWritersIsOfOneVersion() async throws {
    let opened = try await RealmStore.open(store.configuration)
    try await opened.write { Self.add(0..<200, $0) }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for round in 1...60 {
          try await opened.write { realm in for note in realm.objects(CopiedNote.self) { note.text = "round \(round)" }
          }
        }
      }
      for copy in 0..<6 {
        let configuration = configuration("copy\(copy).firn")
        group.addTask {
          let frozen = opened.freeze()
          try await frozen.writeCopy(to: #require(configuration.fileURL))
          let texts = Set(frozen.objects(CopiedNote.self).map(\.text))
          let realm = try await RealmStore.open(configuration)
          let copied = Set(realm.freeze().objects(CopiedNote.self).map(\.text))
          #expect(copied == texts && (texts.count == 1 || texts.count == 200))
          try await realm.close()
        }
      }
      try await group.waitForAll()
    }
    try await opened.close()
  }
}
