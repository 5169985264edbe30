import Foundation
import Synchronization
import Testing

@testable import Firn

@Suite("Observers on queues and actors")
struct ObservedElsewhereTests {
  private func wait(_ isDone: @escaping @Sendable () -> Bool) async {
    for _ in 0..<2000 where !isDone() { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(isDone())
  }

  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  /// A delivery that is over must not schedule the next one.
  @Test("nothing is scheduled when nothing is left to tell")
  func rest() throws {
    let configuration = Watched.configuration()
    let queue = DispatchQueue(label: "observer")
    let realm = try queue.sync { Unchecked(try Realm(configuration: configuration, queue: queue)) }.value
    func checkAll(_ state: String) throws {
      func check(_ event: String) {
        // The second of these runs after all that was scheduled.
        queue.sync {}
        queue.sync { #expect(realm.instance.notifications?.isScheduled != true, "\(state), after \(event)") }
      }
      check("nothing")
      try queue.sync { try realm.write { realm.add(Watched.item(realm.objects(WatchedItem.self).count)) } }
      check("an own commit")
      queue.sync {
        realm.beginWrite()
        realm.cancelWrite()
      }
      check("a cancelled transaction")
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.objects(WatchedItem.self)[0].number += 1 }
      }
      check("another's commit")
      _ = queue.sync { realm.refresh() }
      check("a refresh")
    }
    try checkAll("without observers")
    let token = queue.sync { realm.objects(WatchedItem.self).observe { _ in } }
    try checkAll("with an observer")
    let realmToken = queue.sync { realm.observe { _, _ in } }
    try checkAll("with an observer of the realm, too")
    _ = queue.sync { token.invalidate() }
    try checkAll("with an observer of the realm")
    _ = queue.sync { realmToken.invalidate() }
    try checkAll("after all have ended")
  }

  @Test("on a queue, with objects of the queue's realm")
  func queues() async throws {
    let configuration = Watched.configuration()
    let log = Log()
    let queue = DispatchQueue(label: "observer")
    let store = try await Store.open(configuration)
    let tokens = try onOwnThread {
      let realm = try Watched.realm(3, configuration)
      let items = realm.objects(WatchedItem.self)
      let item = items[0]
      try realm.write { item.friends.append(items[1]) }
      let tokens = [
        items.where { $0.number > 0 }.observe(on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          switch change {
          case .initial(let results): log.add("initial \(results.count)")
          case .update(let results, _, let insertions, _): log.add("update \(insertions) \(results.count)")
          case .error: log.add("error")
          }
        },
        item.observe(on: queue) { (change: ObjectChange<WatchedItem>) in
          switch change {
          case .change(let object, let changes): log.add("\(changes.map(\.name)) \(object.score)")
          case .deleted: log.add("deleted")
          case .error: log.add("error")
          }
        },
        item.friends.observe(on: queue) { change in
          if case .update(let list, _, _, _) = change { log.add("list \(list.count)") }
        },
      ]
      try realm.write { item.score = 2 }
      return tokens
    }
    await wait { Set(log.all) == ["initial 2", "[\"score\"] 2.0"] }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Watched.item(7)) }
    }
    await wait { log.all.contains("update [2] 3") }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(WatchedItem.self)[0].friends.removeAll() }
      try realm.write { realm.delete(realm.objects(WatchedItem.self)[0]) }
    }
    await wait { log.all.contains("deleted") && log.all.contains("list 0") }
    for token in tokens { #expect(token.invalidate()) }
    let count = log.all.count
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Watched.item(8)) }
    }
    queue.sync {}
    #expect(log.all.count == count)
    withExtendedLifetime(store) {}
  }

  /// A plain closure of a function of the main actor would check that it runs there, and end the process.
  @MainActor @Test("with blocks that functions of the main actor write")
  func queuesFromTheMainActor() async throws {
    let configuration = Watched.configuration()
    let queue = DispatchQueue(label: "observer")
    let log = Log()
    let realm = try Watched.realm(2, configuration)
    let items = realm.objects(WatchedItem.self)
    let item = items[0]
    try realm.write { item.friends.append(items[1]) }
    let tokens = [
      items.observe(on: queue) { change in
        dispatchPrecondition(condition: .onQueue(queue))
        if case .update = change { log.add("items") }
      },
      items.observe(keyPaths: [\.score], on: queue) { _ in log.add("score") },
      item.friends.observe(keyPaths: ["score"], on: queue) { _ in log.add("friends") },
      item.observe(on: queue) { (_: ObjectChange<WatchedItem>) in log.add("item") },
      item.observe(keyPaths: [\WatchedItem.score], on: queue) { (_: ObjectChange<WatchedItem>) in
        log.add("item's score")
      },
    ]
    await wait { log.all.contains("score") && log.all.contains("friends") }
    queue.sync {}
    try realm.write { item.score = 2 }
    await wait { Set(log.all) == ["score", "friends", "items", "item", "item's score"] }
    withExtendedLifetime(tokens) {}
  }

  @Test("and where the realm is confined, for no queue")
  func noQueue() throws {
    try onOwnThread {
      let realm = try Watched.realm(1)
      let log = Log()
      let token = realm.objects(WatchedItem.self).observe(on: nil) { _ in log.add("called") }
      realm.refresh()
      #expect(log.all == ["called"])
      withExtendedLifetime(token) {}
    }
  }

  private actor Listener {
    private(set) var log: [String] = []
    private var token: NotificationToken?

    func observe(_ configuration: Realm.Configuration) async throws {
      let realm = try await Realm.open(configuration: configuration)
      token = await realm.objects(WatchedItem.self).observe(on: self) { actor, change in
        switch change {
        case .initial(let results): actor.log.append("initial \(results.count)")
        case .update(let results, _, _, _): actor.log.append("update \(results.count)")
        case .error: break
        }
      }
    }

    func observeObject(_ configuration: Realm.Configuration) async throws -> NotificationToken {
      let realm = try await Realm.open(configuration: configuration)
      return await realm.objects(WatchedItem.self)[0].observe(on: self) {
        (actor, change: ObjectChange<WatchedItem>) in
        if case .change(let object, _) = change { actor.log.append("object \(object.number)") }
      }
    }

    func end() -> Bool { token?.invalidate() ?? false }
  }

  @Test("on an actor")
  func actors() async throws {
    let configuration = Watched.configuration()
    let store = try await Store.open(configuration)
    try onOwnThread { _ = try Watched.realm(3, configuration) }
    let listener = Listener()
    try await listener.observe(configuration)
    let token = try await listener.observeObject(configuration)
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(WatchedItem.self)[0].number = 9 }
    }
    for _ in 0..<2000 {
      if await listener.log.contains("object 9") { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await listener.log.contains("object 9"))
    #expect(await listener.log.first == "initial 3")
    #expect(await listener.end())
    #expect(token.invalidate())
    withExtendedLifetime(store) {}
  }
}

@Suite("Where observers cannot be registered")
struct UnobservableTests {
  private func expectTrap(_ message: String, _ output: [UInt8]?) {
    #expect(String(decoding: output ?? [], as: UTF8.self).contains(message))
  }

  @Test func unmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = WatchedItem().observe { (_: ObjectChange<WatchedItem>) in }
    }
    expectTrap("managed by a Realm", result?.standardErrorContent)
  }

  @Test func unmanagedLists() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().observe { _ in }
    }
    expectTrap("only supported on managed collections", result?.standardErrorContent)
  }

  @Test func frozenRealms() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { _ = try Watched.realm(1).freeze().observe { _, _ in } }
    }
    expectTrap("Frozen Realms do not change", result?.standardErrorContent)
  }

  /// Opens a database without writing, and gives it to a block on a thread of its own.
  static func withReadOnlyRealm(_ body: @escaping @Sendable (Realm) throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = Watched.configuration()
    configuration.fileURL = folder.appendingPathComponent("test.firn")
    let store = try await RealmStore.open(configuration)
    try await store.write { $0.add(Watched.item(1)) }
    try await store.close()
    configuration.readOnly = true
    let reading = configuration
    try onOwnThread { try body(try Realm(configuration: reading)) }
  }

  private func expectReadOnlyTrap(_ type: String, _ output: [UInt8]?) {
    expectTrap("Read-only Realms do not change and do not have change notifications (\(type))", output)
    expectTrap("without Configuration.readOnly", output)
  }

  @Test func readOnlyRealms() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await UnobservableTests.withReadOnlyRealm { _ = $0.observe { _, _ in } }
    }
    expectReadOnlyTrap("Realm", result?.standardErrorContent)
  }

  @Test func readOnlyResults() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await UnobservableTests.withReadOnlyRealm {
        _ = $0.objects(WatchedItem.self).observe(on: DispatchQueue(label: "observer")) { _ in }
      }
    }
    expectReadOnlyTrap("Results<WatchedItem>", result?.standardErrorContent)
  }

  @Test func readOnlyObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await UnobservableTests.withReadOnlyRealm {
        _ = $0.objects(WatchedItem.self)[0].observe { (_: ObjectChange<WatchedItem>) in }
      }
    }
    expectReadOnlyTrap("WatchedItem", result?.standardErrorContent)
  }

  @Test func afterChanges() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Watched.realm(1)
        try realm.write {
          realm.add(Watched.item(4))
          _ = realm.objects(WatchedItem.self).observe { _ in }
        }
      }
    }
    expectTrap("after making changes in a write transaction", result?.standardErrorContent)
  }

  @Test func tasks() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.detached {
        let realm = try? Realm(configuration: Watched.configuration())
        _ = realm?.objects(WatchedItem.self).observe { _ in }
      }.value
    }
    expectTrap("`on:`", result?.standardErrorContent)
  }

  @Test func unknownProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { _ = try Watched.realm(1).objects(WatchedItem.self).observe(keyPaths: ["team.size"]) { _ in } }
    }
    expectTrap("property 'size' not found in object of type 'WatchedTeam'", result?.standardErrorContent)
  }

  @Test func tokensOfOtherRealms() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let token = try Watched.realm(1).observe { _, _ in }
        try Watched.realm(1).write(withoutNotifying: [token]) {}
      }
    }
    expectTrap("only notifications for the Realm being modified", result?.standardErrorContent)
  }
}
