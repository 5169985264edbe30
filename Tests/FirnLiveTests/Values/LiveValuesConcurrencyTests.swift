import Dispatch
import Firn
import Foundation
import Synchronization
import Testing

/// An actor that follows what flights come to.
private actor Follower {
  private(set) var counts: [Int] = []
  private(set) var gates: [String: Int] = [:]

  func take(_ count: Int) { counts.append(count) }

  func take(_ change: RealmCollectionChange<LiveGroups<String, Int>>) {
    switch change {
    case .initial(let groups), .update(let groups, _, _, _):
      gates = Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.values) })
    case .error: break
    }
  }
}

@Suite("Concurrency of live values: observers on queues and actors come and go")
struct LiveValuesConcurrencyTests {
  @Test func queuesAndActorsSeeEveryEnd() async throws {
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [LiveCarrier.self, LiveFlight.self]))
    let follower = Follower()
    let queue = DispatchQueue(label: "live values")
    let last = Mutex(-1)
    let sum = Mutex(0)
    let realm = try store.realm()
    let flights = realm.objects(LiveFlight.self)
    let tokens = [
      flights.liveValue { $0.count }.observe(on: queue) { count in last.withLock { $0 = count } },
      flights.grouped(by: \.gate) { $0.sum(of: \.id) }.observe(on: queue) { change in
        if case .update(let groups, _, _, _) = change {
          sum.withLock { $0 = groups.reduce(0) { $0 + $1.values } }
        }
      },
      await flights.liveValue { $0.count }.observe(on: follower) { follower, count in follower.take(count) },
      await flights.grouped(by: \.gate) { $0.sum(of: \.id) }.observe(on: follower) { follower, change in
        follower.take(change)
      },
    ]
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<50 {
            try? await store.write { realm in
              realm.addFlight(2 * round + writer, gate: "\(round % 3)")
              if round % 10 == 9 { realm.delete(realm.objects(LiveFlight.self).where { $0.id == round }) }
            }
          }
        }
      }
      // Others come and go meanwhile.
      for index in 0..<4 {
        group.addTask {
          let queue = DispatchQueue(label: "passer-by \(index)")
          for _ in 0..<10 {
            guard let realm = try? store.realm() else { return }
            let groups = realm.objects(LiveFlight.self).grouped(by: \.gate)
            let token = groups.observe(on: queue) { _ in }
            await Task.yield()
            if groups.freeze().contains(where: { $0.count < 1 }) { Issue.record("There is an empty group.") }
            token.invalidate()
          }
        }
      }
    }
    let end = try store.realm().objects(LiveFlight.self)
    let count = end.count
    var gates: [String: Int] = [:]
    for flight in end { gates[flight.gate, default: 0] += flight.id }
    while await follower.counts.last != count { await Task.yield() }
    while await follower.gates != gates { await Task.yield() }
    while last.withLock({ $0 }) != count { await Task.yield() }
    while sum.withLock({ $0 }) != gates.values.reduce(0, +) { await Task.yield() }
    for token in tokens { token.invalidate() }
    try await store.close()
  }

  @Test func liveValuesAreReadFromManyThreads() async throws {
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [LiveCarrier.self, LiveFlight.self]))
    try await store.write { realm in for id in 0..<100 { realm.addFlight(id, gate: "\(id % 4)", fare: 1) } }
    let realm = try store.realm()
    let groups = realm.objects(LiveFlight.self).grouped(by: \.gate) { $0.sum(of: \.fare) }.freeze()
    nonisolated(unsafe) let shared = groups
    await withTaskGroup(of: Double.self) { group in
      for _ in 0..<4 { group.addTask { shared.reduce(0) { $0 + $1.values } } }
      for await sum in group { #expect(sum == 100) }
    }
    try await store.close()
  }
}
