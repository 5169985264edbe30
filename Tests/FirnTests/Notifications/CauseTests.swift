import Dispatch
import FirnEngine
import Foundation
import Synchronization
import Testing

@testable import Firn

/// Who wrote, as observers are told. Histories with many observers are in `HistoryTests`.
@Suite("Causes")
struct CauseTests {
  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Noted.self])
  }

  private static func realm() throws -> Realm {
    let realm = try Realm(configuration: configuration())
    try realm.write { for id in 0..<3 { realm.create(Noted.self, value: ["id": id]) } }
    return realm
  }

  /// The first row; its number is what most of the tests write.
  private static func first(_ realm: Realm) throws -> Noted {
    try #require(realm.object(ofType: Noted.self, forPrimaryKey: 0))
  }

  @Test("name version, author and metadata, and are gone outside of the callback")
  func content() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var told: [[Realm.Cause]] = []
      let token = realm.objects(Noted.self).observe { _ in told.append(realm.causes) }
      realm.refresh()
      try realm.write(author: "importer", metadata: ["file": "a.csv"]) { try Self.first(realm).number = 1 }
      let version = try #require(realm.instance.version?.number)
      realm.refresh()
      try realm.write { try Self.first(realm).number = 2 }
      realm.refresh()
      try realm.write(metadata: ["why": "cleanup"]) { try Self.first(realm).number = 3 }
      realm.refresh()
      #expect(told.count == 4)
      #expect(told[0] == [] && told[2] == [])
      #expect(told[1].map(\.version) == [version])
      #expect(told[1].map(\.author) == ["importer"])
      #expect(told[1].map(\.metadata) == [["file": "a.csv"]])
      #expect(told[3].map(\.author) == [nil] && told[3].map(\.metadata) == [["why": "cleanup"]])
      #expect(realm.causes == [])
      token.invalidate()
    }
  }

  @Test("come with every way of writing")
  func everyWay() async throws {
    let configuration = Self.configuration()
    let store = try await RealmStore.open(configuration)
    let told = Mutex<[String]>([])
    let queue = DispatchQueue(label: "causes")
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return Handover(
        realm.objects(Noted.self).observe { _ in
          told.withLock { $0 += realm.causes.map { "\($0.author ?? "") \($0.metadata["n"] ?? "")" } }
        })
    }
    queue.sync {}
    try await store.write(author: "a", metadata: ["n": "1"]) { realm in _ = realm.create(Noted.self, value: ["id": 1]) }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write(author: "b", metadata: ["n": "2"]) { realm.create(Noted.self, value: ["id": 2]) }
      realm.beginWrite()
      realm.create(Noted.self, value: ["id": 3])
      try realm.commitWrite(author: "c", metadata: ["n": "3"])
    }
    let unbound = try store.realm()
    try await unbound.asyncWrite(author: "d", metadata: ["n": "4"]) { _ = unbound.create(Noted.self, value: ["id": 5]) }
    try await unbound.asyncWrite(author: "e", metadata: ["n": "5"]) { realm in
      realm.create(Noted.self, value: ["id": 6])
    }
    try await unbound.asyncWrite(author: "f", metadata: ["n": "6"]) { realm -> Noted? in
      realm.create(Noted.self, value: ["id": 7])
    }
    try await unbound.asyncWrite(author: "g", metadata: ["n": "7"]) { realm in
      realm.create(Noted.self, value: ["id": 8])
      return 1
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      queue.async {
        guard let realm = try? Realm(configuration: configuration, queue: queue) else { return continuation.resume() }
        realm.writeAsync(author: "h", metadata: ["n": "8"]) { realm.create(Noted.self, value: ["id": 9]) }
        realm.beginAsyncWrite {
          realm.create(Noted.self, value: ["id": 10])
          realm.commitAsyncWrite(author: "i", metadata: ["n": "9"]) { _ in continuation.resume() }
        }
      }
    }
    queue.sync { _ = try? Realm(configuration: configuration, queue: queue).refresh() }
    #expect(told.withLock { $0 } == ["a 1", "b 2", "c 3", "d 4", "e 5", "f 6", "g 7", "h 8", "i 9"])
    token.value.invalidate()
    try await store.close()
  }

  @Test("of a step that does not concern an observer are not told to it")
  func unconcerned() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var told: [[String?]] = []
      let token = try Self.first(realm).observe(keyPaths: ["number"]) { (_: ObjectChange<Noted>) in
        told.append(realm.causes.map(\.author))
      }
      try realm.write(author: "a") { try Self.first(realm).text = "x" }
      realm.refresh()
      try realm.write(author: "b") { try Self.first(realm).number = 1 }
      realm.refresh()
      #expect(told == [["b"]])
      token.invalidate()
    }
  }

  @Test("of a skipped commit are told to nobody who skipped it, and those around it each with their own call")
  func skipping() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var told: [[String?]] = []
      var toldRealm: [[String?]] = []
      let token = realm.objects(Noted.self).observe { _ in told.append(realm.causes.map(\.author)) }
      let realmToken = realm.observe { _, realm in toldRealm.append(realm.causes.map(\.author)) }
      realm.refresh()
      (told, toldRealm) = ([], [])
      try realm.write(author: "a") { try Self.first(realm).number = 1 }
      try realm.write(withoutNotifying: [token, realmToken], author: "b") { try Self.first(realm).number = 2 }
      try realm.write(author: "c") { try Self.first(realm).number = 3 }
      realm.refresh()
      #expect(told == [["a"], ["c"]])
      #expect(toldRealm == [["a"], ["c"]])
      for token in [token, realmToken] { token.invalidate() }
    }
  }

  @Test("wait with the change while a gate is closed")
  func gates() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let gate = DeliveryGate(isOpen: true)
      var told: [[String?]] = []
      var toldRealm: [[String?]] = []
      let realmToken = realm.observe(gate) { toldRealm.append(realm.causes.map(\.author)) }
      let results = realm.objects(Noted.self)
      let token = results.core.instance.observe(ObservationTarget(Noted.self), on: nil, gate: gate) { instance, _ in
        let observer = results.core.makeObserver(nil) { _ in told.append(realm.causes.map(\.author)) }
        instance.observers().addNewcomer(observer)
        return observer
      }
      realm.refresh()
      gate.close()
      for author in ["a", "b", "c"] {
        try realm.write(author: author) { try Self.first(realm).number += 1 }
        realm.refresh()
      }
      #expect(told == [[]] && toldRealm == [])
      gate.open()
      token.resume()
      realmToken.resume()
      realm.refresh()
      Watched.runLoop()
      #expect(told == [[], ["a", "b", "c"]])
      #expect(toldRealm == [["a", "b", "c"]])
      for token in [token, realmToken] { token.invalidate() }
    }
  }

  @Test("are those of the running callback, also after it has written")
  func callbacksThatWrite() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var told: [String] = []
      var mayWrite = false
      func note(_ name: String) {
        told.append("\(name) \(realm.causes.compactMap(\.author).joined(separator: "+"))")
      }
      let first = realm.objects(Noted.self).observe { _ in
        note("first")
        guard mayWrite else { return }
        mayWrite = false
        try? realm.write(author: "inner") {
          note("inside")
          realm.create(Noted.self, value: ["id": 9])
        }
        note("after")
      }
      let second = realm.objects(Noted.self).observe { _ in note("second") }
      realm.refresh()
      (told, mayWrite) = ([], true)
      try realm.write(author: "outer") { try Self.first(realm).number = 1 }
      realm.refresh()
      realm.refresh()
      #expect(
        told == ["first outer", "second outer", "inside outer", "after outer", "first inner", "second inner"])
      for token in [first, second] { token.invalidate() }
    }
  }

  @Test("of more than a thousand commits are the newest")
  func lagging() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var told: [String] = []
      let token = realm.objects(Noted.self).observe { _ in told = realm.causes.compactMap(\.author) }
      let realmToken = realm.observe { _, _ in }
      realm.refresh()
      let configuration = Handover(realm.configuration)
      try onOwnThread {
        let other = try Realm(configuration: configuration.value)
        for number in 0..<2_500 {
          try other.write(author: "\(number)") { other.object(ofType: Noted.self, forPrimaryKey: 0)?.number = number }
        }
      }
      realm.refresh()
      #expect(told == (1_500..<2_500).map { "\($0)" })
      for token in [token, realmToken] { token.invalidate() }
    }
  }

  @Test("that take much memory are fewer")
  func longNotes() throws {
    let graph = Graph(schema: [], seed: HashSeed(1, 2))
    let follower = graph.followNotes(from: graph.head)
    let first = graph.head
    for number in 0..<100 {
      graph.enterGateBlocking()
      _ = graph.begin()
      let metadata = ["a": String(repeating: "x", count: 60_000)]
      _ = try graph.commit(note: CommitNote(author: "\(number)", metadata: metadata))
      graph.gate.leave()
    }
    let noted = follower.takeNotes(after: first, through: graph.head)
    #expect(noted.last?.note.author == "99")
    #expect(noted.count >= 8 && noted.count <= 18)
    #expect(follower.takeNotes(after: first, through: graph.head) == [])
  }

  @Test("that are too long make the commit throw, and nothing is written, in memory as in files")
  func limits() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = Realm.Configuration(fileURL: folder.appendingPathComponent("a.firn"), objectTypes: [Noted.self])
    for configuration in [Self.configuration(), file] {
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        func refusal(_ author: String?, _ metadata: [String: String]) -> String {
          do {
            try realm.write(author: author, metadata: metadata) { realm.create(Noted.self, value: ["id": 1]) }
            realm.beginWrite()
            realm.deleteAll()
            try realm.commitWrite()
            return ""
          } catch {
            #expect((error as? Realm.Error)?.code == .invalidInput)
            #expect(realm.objects(Noted.self).isEmpty)
            return error.localizedDescription
          }
        }
        let long = String(repeating: "é", count: 2_049)
        #expect(refusal(long, [:]) == "The author of a commit has 4098 bytes; at most 4,096 are allowed.")
        #expect(refusal(String(repeating: "é", count: 2_048), [:]) == "")
        // Count, counts of key and value, and their bytes.
        let most = String(repeating: "x", count: 65_536 - 1 - 2 - 3)
        #expect(refusal(nil, ["k": most]) == "")
        #expect(
          refusal(nil, ["k": most + "x"]) == "The metadata of a commit have 65537 bytes; at most 65,536 are allowed.")
      }
    }
  }

  @Test("are only those of the callback's own realm in its own place")
  func elsewhere() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let other = try Realm(configuration: Self.configuration())
      var told: [String: [[Realm.Cause]]] = [:]
      let handed = Unchecked(realm)
      func look() throws {
        told["here", default: []].append(realm.causes)
        told["frozen", default: []].append(realm.freeze().causes)
        told["another realm", default: []].append(other.causes)
        let away = try onOwnThread { handed.value.causes }
        told["another thread", default: []].append(away)
      }
      var failure: (any Error)?
      let token = realm.objects(Noted.self).observe { _ in
        do { try look() } catch { failure = error }
      }
      realm.refresh()
      try realm.write(author: "importer") { try Self.first(realm).number = 1 }
      realm.refresh()
      try look()
      #expect(failure == nil)
      #expect(told["here"]?.map { $0.map(\.author) } == [[], ["importer"], []])
      for place in ["frozen", "another realm", "another thread"] {
        #expect(told[place] == [[], [], []], "\(place)")
      }
      token.invalidate()
    }
  }

  @Test("without an author or metadata there are none, and nothing is kept")
  func nobody() throws {
    try onOwnThread {
      let realm = try Self.realm()
      var calls = 0
      let token = realm.objects(Noted.self).observe { _ in
        calls += 1
        #expect(realm.causes.isEmpty)
      }
      realm.refresh()
      let first = try #require(realm.instance.version?.number)
      try realm.write(author: "") { try Self.first(realm).number = 1 }
      #expect(realm.instance.store.graph.noted(after: 0, through: first + 10) == [])
      realm.refresh()
      #expect(calls == 2)
      token.invalidate()
    }
  }
}
