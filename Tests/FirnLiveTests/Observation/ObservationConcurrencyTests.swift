import Dispatch
import Foundation
import Observation
import TestSupport
import Testing

@testable import Firn

/// Follows a pup of a realm of its own.
private actor Watcher {
  private var realm: Realm?
  private var pup: Pup?

  func open(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm.open(configuration: configuration)
    self.realm = realm
    pup = realm.pup(1)
  }

  func watch(_ seen: Seen<Int>, until last: Int) async {
    for await age in Observations({ self.pup?.age ?? -1 }) {
      seen.add(age)
      if age == last { break }
    }
  }

  func watchCount(_ seen: Seen<Int>, until last: Int) async {
    for await count in Observations({ self.realm?.objects(Pup.self).where { $0.age > 100 }.count ?? -1 }) {
      seen.add(count)
      if count == last { break }
    }
  }

  /// Writes as the actor, and hears of it.
  func write(_ age: Int) throws -> Int {
    guard let realm, let pup else { return -1 }
    let scope = Scope { _ = pup.age }
    try realm.write { pup.age = age }
    return scope.count
  }

  func close() {
    pup = nil
    realm = nil
  }
}

@Suite("Concurrency of Observation: realms of actors, queues, threads and tasks")
struct ObservationConcurrencyTests {
  private static func store() async throws -> (RealmStore, Realm.Configuration) {
    let configuration = Tracked.configuration()
    let store = try await RealmStore.open(configuration)
    try await store.write { Tracked.fill($0, 4) }
    return (store, configuration)
  }

  @Test func actorsSeeTheLastOfWhatOthersWrite() async throws {
    let (store, configuration) = try await Self.store()
    let watchers = [Watcher(), Watcher()]
    for watcher in watchers { try await watcher.open(configuration) }
    let (ages, counts) = (Seen<Int>(), Seen<Int>())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for watcher in watchers {
        group.addTask { await watcher.watch(ages, until: 1000) }
        group.addTask { await watcher.watchCount(counts, until: 3) }
      }
      group.addTask {
        for round in 0..<100 { try await store.write { $0.pup(1).age = round } }
        try await store.write { realm in
          realm.pup(1).age = 1000
          for id in 2..<4 { realm.pup(id).age = 101 }
        }
      }
      try await group.waitForAll()
    }
    #expect(ages.values.filter { $0 == 1000 }.count == 2)
    #expect(counts.values.filter { $0 == 3 }.count == 2)
    #expect(try await watchers[0].write(7) == 1)
    for watcher in watchers { await watcher.close() }
    try await eventually("realms and versions are let go") {
      store.statistics.openRealmCount == 0 && store.statistics.versions.count == 1
    }
  }

  @Test func queuesHearOfEveryChange() async throws {
    let (store, configuration) = try await Self.store()
    let queue = DispatchQueue(label: "observed")
    let seen = Seen<Int>()
    nonisolated(unsafe) var kept: (realm: Realm, pup: Pup)?
    @Sendable func look() {
      withObservationTracking {
        if let kept { seen.add(kept.pup.age) }
      } onChange: {
        queue.async { look() }
      }
    }
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      kept = (realm, realm.pup(1))
      look()
    }
    for round in 10..<30 { try await store.write { $0.pup(1).age = round } }
    try await eventually { seen.values.last == 29 }
    // Its own write is told before it returns.
    queue.sync {
      let scope = Scope { _ = kept?.pup.age }
      try? kept?.realm.write { kept?.pup.age = 50 }
      #expect(scope.count == 1)
    }
    try await eventually { seen.values.last == 50 }
    let tracking = queue.sync { kept?.realm.instance.tracking }
    #expect(tracking?.placeCount == 1)
    queue.sync { kept = nil }
    try await eventually { store.statistics.openRealmCount == 0 }
  }

  @Test func realmsOfTasksAndThreads() async throws {
    let (store, configuration) = try await Self.store()
    try await Task.detached {
      func look() throws -> [Int] {
        let realm = try Realm(configuration: configuration)
        let pup = realm.pup(1)
        let (age, name) = (Scope { _ = pup.age }, Scope { _ = pup.name })
        try realm.write { pup.age = 40 }
        return [age.count, name.count]
      }
      let told = try look()
      #expect(told == [1, 0])
    }.value
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let pup = realm.pup(1)
      let scope = Scope { _ = pup.age }
      try realm.write { pup.age = 41 }
      #expect(scope.count == 1)
    }
    _ = store
  }

  /// Scopes on other threads than the realm's register and are told while it moves.
  @Test func scopesElsewhere() async throws {
    let (store, configuration) = try await Self.store()
    let queue = DispatchQueue(label: "moving")
    let objects = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return Unchecked((realm, Array(realm.objects(Pup.self)), realm.objects(Pup.self)))
    }
    let told = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          for round in 0..<200 {
            let pup = objects.value.1[(round + number) % 4]
            Scope {
              _ = (pup.age, pup.tags.count, pup.kennel?.name)
              if round % 20 == 0 { _ = objects.value.2.where { $0.age > round }.count }
            } onChange: {
              told.add()
            }
            if round % 16 == 0 { await Task.yield() }
          }
        }
      }
      group.addTask {
        for round in 0..<100 { try await store.write { $0.pup(round % 4).age = round } }
      }
      try await group.waitForAll()
    }
    try await eventually { told.count > 0 }
    let (realm, pups, _) = objects.value
    let (scope, age) = (Scope { _ = pups[0].age }, 5000)
    try await store.write { $0.pup(0).age = age }
    try await eventually { scope.count == 1 }
    #expect(queue.sync { pups[0].age } == age)
    withExtendedLifetime(realm) {}
  }

  /// Registrations end on any thread, also while the realm moves.
  @Test func cancelledLoops() async throws {
    let (store, configuration) = try await Self.store()
    let watcher = Watcher()
    try await watcher.open(configuration)
    let writer = Task {
      for round in 0..<60 { try await store.write { $0.pup(1).age = round } }
    }
    for _ in 0..<30 {
      let seen = Seen<Int>()
      let task = Task { await watcher.watch(seen, until: -2) }
      try await eventually { !seen.values.isEmpty }
      task.cancel()
      await task.value
    }
    try await writer.value
    await watcher.close()
    try await eventually { store.statistics.openRealmCount == 0 && store.statistics.versions.count == 1 }
  }
}
