import Foundation
import TestSupport
import Testing

@testable import Firn

/// Observes on itself everything that there is, for a while.
actor Crowd {
  private var tokens: [NotificationToken] = []

  /// Comes and goes as often as asked.
  func observe(_ configuration: Realm.Configuration, rounds: Int, seed: UInt64, _ heard: Counter) async throws {
    var random = SeededRandom(seed)
    for _ in 0..<rounds {
      let realm = try await Realm.open(configuration: configuration)
      let face = Face.all[random.below(Face.all.count)]
      if let token = await face.onActor(self, realm, { heard.add() }) { tokens.append(token) }
      if tokens.count > 4 { tokens.remove(at: random.below(tokens.count)).invalidate() }
      await Task.yield()
    }
  }

  func leave() { tokens = [] }
}

/// Observers of all kinds come and go on queues, actors and threads while others write.
@Suite struct ConcurrencyFacesTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>) func comeAndGo(seed: UInt64) async throws {
    print("Faces seed \(seed)")
    let configuration = Faced.configuration()
    let store = try await RealmStore.open(configuration)
    try await store.write { Faced.fill($0) }
    let heard = Counter()
    let crowds = [Crowd(), Crowd()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask { try await Faced.write(to: store, commits: 60, seed: seed &* 100 &+ UInt64(writer)) }
      }
      for (number, crowd) in crowds.enumerated() {
        group.addTask {
          try await crowd.observe(configuration, rounds: 40, seed: seed &* 100 &+ 10 &+ UInt64(number), heard)
        }
      }
      for number in 0..<3 {
        group.addTask { try Self.observeOnQueues(configuration, seed &* 100 &+ 20 &+ UInt64(number), heard) }
      }
      try await group.waitForAll()
    }
    for crowd in crowds { await crowd.leave() }
    #expect(heard.count > 0)
    try await eventually("realms and versions are let go") {
      store.statistics.openRealmCount == 0 && store.statistics.versions.count == 1
        && store.statistics.versions.allSatisfy { $0.holderCount == 0 }
    }
  }

  /// A thread with observers on queues, and some of its own.
  private static func observeOnQueues(_ configuration: Realm.Configuration, _ seed: UInt64, _ heard: Counter) throws {
    try onOwnThread {
      var random = SeededRandom(seed)
      let queues = (0..<2).map { DispatchQueue(label: "faces \(seed) \($0)") }
      let realm = try Realm(configuration: configuration)
      var tokens: [NotificationToken] = []
      for _ in 0..<60 {
        realm.refresh()
        let face = Face.all[random.below(Face.all.count)]
        let token =
          random.chance(30)
          ? face.here(realm) { heard.add() }
          : face.onQueue(realm, queues[random.below(queues.count)]) { heard.add() }
        if let token { tokens.append(token) }
        if tokens.count > 6 { tokens.remove(at: random.below(tokens.count)).invalidate() }
      }
      realm.refresh()
      tokens = []
      for queue in queues { queue.sync {} }
    }
  }
}
