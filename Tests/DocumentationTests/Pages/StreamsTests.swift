import Firn
import Foundation
import Testing

@Suite struct StreamsTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  private func open() async throws -> RealmStore {
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
    try await store.write { realm in
      realm.create(Flight.self, value: ["id": "LX-2", "delay": 45])
    }
    return store
  }

  @Test func following() async throws {
    let store = try await open()
    let printed = Printed()
    let task = Task {
      func print(_ items: Any...) { printed.add(items) }
      let late = store.changes { realm in
        realm.objects(Flight.self).where { $0.delay > 30 }
      }
      for await change in late {
        switch change {
        case .initial(let flights), .reset(let flights):
          print(flights.count, "flights are late")
        case .update(let flights, let delta, causes: _):
          print(delta.insertions.map { flights[$0].id }, "came,", delta.deletions.count, "went")
        case .deleted:
          break
        }
      }
    }
    while printed.lines.isEmpty { await Task.yield() }
    try await store.write { realm in
      realm.create(Flight.self, value: ["id": "LX-8", "delay": 31])
    }
    try await store.close()
    await task.value
    #expect(printed.lines == ["1 flights are late", "[\"LX-8\"] came, 0 went"])
  }

  @Test func causes() async throws {
    let store = try await open()
    let printed = Printed()
    let task = Task {
      func print(_ items: Any...) { printed.add(items) }
      let flights = store.freeze().objects(Flight.self)
      for await change in flights.changes(.everyCommit) {
        for cause in change.causes { print("by", cause.author ?? "nobody") }
      }
    }
    while store.statistics.streams.isEmpty { await Task.yield() }
    for author in ["importer", "desk"] {
      try await store.write(author: author) { $0.objects(Flight.self).first?.delay += 1 }
    }
    try await store.close()
    await task.value
    #expect(printed.lines == ["by importer", "by desk"])
  }
}

/// Lines that a task prints.
private final class Printed: @unchecked Sendable {
  // State   guarded by
  // all     lock
  private let lock = NSLock()
  private var all: [String] = []

  var lines: [String] { lock.withLock { all } }

  func add(_ items: [Any]) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    lock.withLock { all.append(line) }
  }
}
