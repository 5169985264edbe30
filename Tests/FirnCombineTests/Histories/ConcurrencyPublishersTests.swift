import FirnCombine
import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Subscribers on many queues come and go, ask from other threads and cancel there, while others commit.
@Suite struct ConcurrencyPublishersTests {
  @Test func subscribersComeAndGo() async throws {
    let configuration = People.configuration()
    let store = try await Store.open(configuration)
    try onOwnThread {
      _ = try People(8, configuration)
    }
    let queues = (0..<3).map { DispatchQueue(label: "source \($0)") }
    let targets = (0..<2).map { DispatchQueue(label: "target \($0)") }
    let followers = Guarded<[Follower]>([])
    let subscribers: [@Sendable () -> Void] = (0..<3).map { index in
      {
        var random = SeededRandom(UInt64(index))
        let canceller = DispatchQueue(label: "canceller \(index)")
        for _ in 0..<40 {
          let target = targets[random.below(targets.count)]
          let way = random.below(5)
          let demand = random.chance(50) ? Subscribers.Demand.unlimited : .max(1 + random.below(3))
          let follower = Follower("\(index) \(way)")
          follower.keeps = random.chance(50)
          followers.withLock { $0.append(follower) }
          let subscriber = FollowingSubscriber<RealmCollectionChange<Results<Person>>>(demand) { follower.take($0) }
          let asked = Unchecked(subscriber)
          queues[index].sync {
            guard let realm = try? Realm(configuration: configuration, queue: queues[index]) else {
              follower.fail("no realm")
              return
            }
            let changes = realm.objects(Person.self).where { $0.age < 6 }.changesetPublisher
            switch way {
            case 0: changes.receive(subscriber: subscriber)
            case 1: changes.receive(on: target).receive(subscriber: subscriber)
            case 2: changes.subscribe(on: target).receive(subscriber: subscriber)
            case 3:
              changes.filter { _ in true }.threadSafeReference().receive(on: target).receive(subscriber: subscriber)
            default: changes.freeze().receive(on: target).receive(subscriber: subscriber)
            }
          }
          canceller.async {
            asked.value.request(.max(2))
            asked.value.cancel()
          }
          if random.chance(50) { canceller.sync {} }
        }
        canceller.sync {}
      }
    }
    let writers: [@Sendable () -> Void] = (0..<2).map { index in
      {
        var random = SeededRandom(UInt64(100 + index))
        do {
          let realm = try Realm(configuration: configuration)
          for _ in 0..<150 {
            try realm.write {
              let all = realm.objects(Person.self)
              if all.count > 12 { realm.delete(all[random.below(all.count)]) }
              realm.create(Person.self, value: ["id": Int(random.next() >> 20), "age": random.below(10)])
              all[random.below(all.count)].age = random.below(10)
            }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    JoinedThread.runAll(subscribers + writers)
    // What is on its way arrives, and is let go where it is kept.
    for _ in 0..<4 { for queue in queues + targets { queue.sync {} } }
    let all = followers.withLock { $0 }
    for target in targets + queues { target.sync { for follower in all { follower.kept = nil } } }
    for _ in 0..<4 { for queue in queues + targets { queue.sync {} } }
    #expect(all.flatMap(\.mistakes) == [])
    #expect(all.map(\.changeCount).reduce(0, +) > 0)
    #expect(store.openRealms.map { $0.confinement.owningPlace } == [])
    #expect(store.graph.heldVersions.count == 1)
  }
}
