import Firn
import Foundation
import Testing

@Suite struct ResumingTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  /// What a subscriber keeps between its lives.
  private final class Saved {
    var token: ResumeToken?
    private(set) var delays: [String: Int] = [:]

    func replaceAll(with flights: [(String, Int)], _ token: ResumeToken) {
      delays = Dictionary(uniqueKeysWithValues: flights)
      self.token = token
    }

    func put(_ flights: [(String, Int)]) { for (id, delay) in flights { delays[id] = delay } }

    func remove(_ id: String) { delays[id] = nil }
  }

  private struct Page {
    let flights: [String]
    let token: String
  }

  private func open() async throws -> RealmStore {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self])
    configuration.history = .init(byteCount: 1 << 20)
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      realm.create(Flight.self, value: ["id": "LX-2", "delay": 45])
      realm.create(Flight.self, value: ["id": "LX-4", "delay": 50])
    }
    return store
  }

  @MainActor @Test func goingOn() async throws {
    let store = try await open()
    let saved = Saved()
    func follow() async {
      let late = store.resumableChanges(after: saved.token) { realm in
        realm.objects(Flight.self).where { $0.delay > 30 }
      }
      for await change in late {
        switch change {
        case .initial(let flights, let token), .reset(let flights, let token):
          saved.replaceAll(with: flights.map { ($0.id, $0.delay) }, token)
        case .resumed(let delta, let token), .update(let delta, let token):
          saved.put(delta.upserted.map { ($0.id, $0.delay) })
          for case .string(let id) in delta.removedKeys { saved.remove(id) }
          saved.token = token
        }
      }
    }
    let first = Task { await follow() }
    while saved.delays != ["LX-2": 45, "LX-4": 50] { await Task.yield() }
    first.cancel()
    await first.value
    try await store.write { realm in
      realm.object(ofType: Flight.self, forPrimaryKey: "LX-2")?.delay = 0
      realm.create(Flight.self, value: ["id": "LX-8", "delay": 31])
    }
    #expect(saved.delays.count == 2)
    let second = Task { await follow() }
    while saved.delays != ["LX-4": 50, "LX-8": 31] { await Task.yield() }
    try await store.close()
    await second.value
  }

  @Test func overHTTP() async throws {
    let store = try await open()
    @Sendable func json(_ change: ResumableChange<Flight>) -> String { "\(change.content.count)" }
    func events(lastEventID: String?) -> some AsyncSequence<String, Never> {
      let token = lastEventID.flatMap { ResumeToken($0) }
      return store.resumableChanges(after: token) { $0.objects(Flight.self) }.map { change in
        let name = change.delta == nil ? "reset" : "change"
        return "event: \(name)\nid: \(change.token)\ndata: \(json(change))\n\n"
      }
    }
    let version = store.freeze()
    let page = Page(flights: version.objects(Flight.self).map(\.id), token: version.resumeToken.description)
    #expect(page.flights == ["LX-2", "LX-4"])
    var first: [String] = []
    for id in [nil, page.token] {
      for await event in events(lastEventID: id) {
        first.append(event)
        break
      }
    }
    #expect(first[0] == "event: reset\nid: \(page.token)\ndata: 2\n\n")
    #expect(first[1] == "event: change\nid: \(page.token)\ndata: 2\n\n")
    try await store.close()
  }
}
