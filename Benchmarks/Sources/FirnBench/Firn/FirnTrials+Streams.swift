import CBench
import Firn
import Foundation
import Synchronization

extension FirnTrials {
  private static let subscriberCount = 1_000
  private static let commitCount = 300

  static func streamToThoseBehind(_ stage: Stage) throws -> Trial {
    let subject = try StreamSubject(stage)
    return {
      let without = try processorNanoseconds(per: commitCount) { try subject.write(commitCount) }
      // Each gets its first element and asks for no other.
      let iterators = try waitFor {
        var iterators: [ChangeStream<Frozen<Results<Person>>, CollectionDelta>.Iterator] = []
        for _ in 0..<subscriberCount {
          var iterator = subject.changes.makeAsyncIterator()
          _ = await iterator.next()
          iterators.append(iterator)
        }
        return Iterators(all: iterators)
      }
      let with = try processorNanoseconds(per: commitCount) {
        try subject.write(commitCount)
        _ = subject.store.statistics.streams
      }
      let behindCount = subject.store.statistics.streams.first?.behindCount ?? 0
      try expect(behindCount, subscriberCount, "subscribers behind in Firn")
      withExtendedLifetime(iterators) {}
      return sample(with, without)
    }
  }

  static func streamToThoseWaiting(_ stage: Stage) throws -> Trial {
    let subject = try StreamSubject(stage)
    return {
      let without = try processorNanoseconds(per: commitCount) { try subject.write(commitCount) }
      let with = try withSubscribers(subject) { heard in
        try processorNanoseconds(per: commitCount) {
          for index in 1...commitCount {
            try subject.write(1)
            while heard.load(ordering: .acquiring) < subscriberCount * (index + 1) { sched_yield() }
          }
        }
      }
      return sample(with, without)
    }
  }

  static func streamToThoseUnaffected(_ stage: Stage) throws -> Trial {
    let subject = try StreamSubject(stage)
    return {
      let without = try processorNanoseconds(per: commitCount) { try subject.writeElsewhere(commitCount) }
      let with = try withSubscribers(subject) { _ in
        try processorNanoseconds(per: commitCount) {
          try subject.writeElsewhere(commitCount)
          _ = subject.store.statistics.streams
        }
      }
      return sample(with, without, per: 1)
    }
  }

  static func memoryOfSubscribers(_ stage: Stage) throws -> Trial {
    let subject = try StreamSubject(stage)
    return {
      let before = cbench_heap_byte_count()
      let after = try withSubscribers(subject) { _ in cbench_heap_byte_count() }
      return Sample(value: Double(after - before) / Double(subscriberCount))
    }
  }

  static func resume(_ stage: Stage) throws -> Trial {
    let missedCount = 10_000
    let fixture = try FirnFileFixture(filledWith: stage.dataset)
    let token = fixture.store.freeze().resumeToken
    let persons = fixture.realm.objects(Person.self).where { $0.age > 50 }
    for index in 0..<missedCount { try fixture.realm.write { persons[index % persons.count].score += 1 } }
    return {
      let store = fixture.store
      let start = ContinuousClock.now
      let delta = try waitFor {
        let changes = store.resumableChanges(after: token, keyPaths: ["score"]) {
          $0.objects(Person.self).where { $0.age > 50 }
        }
        for await change in changes { return change.delta?.upserted.count }
        return nil
      }
      let nanoseconds = Double((ContinuousClock.now - start) / .nanoseconds(1))
      try expect(delta ?? -1, min(missedCount, persons.count), "objects told by Firn")
      return Sample(value: nanoseconds / Double(missedCount))
    }
  }

  private static func sample(_ with: Double, _ without: Double, per count: Int = subscriberCount) -> Sample {
    Sample(
      value: (with - without) / Double(count),
      asides: [.init(label: "commit without subscribers", value: without, unit: .nanoseconds)])
  }

  /// Calls `body` when all subscribers have had their first element and wait.
  private static func withSubscribers<Result>(
    _ subject: StreamSubject, _ body: (borrowing Atomic<Int>) throws -> Result
  ) throws -> Result {
    let heard = Heard()
    let tasks = (0..<subscriberCount).map { _ in
      Task.detached {
        for await _ in subject.changes { heard.count.add(1, ordering: .acquiringAndReleasing) }
      }
    }
    while heard.count.load(ordering: .acquiring) < subscriberCount { sched_yield() }
    let result = try body(heard.count)
    for task in tasks { task.cancel() }
    try waitFor { for task in tasks { await task.value } }
    return result
  }
}

/// Keeps iterators, which are not to be used any more.
private struct Iterators: @unchecked Sendable {
  let all: [ChangeStream<Frozen<Results<Person>>, CollectionDelta>.Iterator]
}

private final class Heard: Sendable {
  let count = Atomic<Int>(0)
}

/// A store with one query that is followed.
private final class StreamSubject: Sendable {
  let store: RealmStore
  let changes: ChangeStream<Frozen<Results<Person>>, CollectionDelta>

  init(_ stage: Stage) throws {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let store = try fixture.store()
    self.store = store
    changes = store.changes { $0.objects(Person.self).where { $0.age > 50 } }
  }

  /// Writes objects of the query, one per commit.
  func write(_ count: Int) throws { try write(count) { $0.where { $0.age > 50 } } }

  /// Writes objects that the query has not, one per commit.
  func writeElsewhere(_ count: Int) throws { try write(count) { $0.where { $0.age < 40 } } }

  private func write(_ count: Int, _ choose: @escaping @Sendable (Results<Person>) -> Results<Person>) throws {
    let store = store
    try waitFor {
      for index in 0..<count {
        try await store.write { realm in choose(realm.objects(Person.self))[index].score += 1 }
      }
    }
  }
}
