import Dispatch
import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Goes on right where a task is resumed, in the midst of what that thread does.
private final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Letting go of a store closes it. Threads that worked for it must have let go before they tell of the end: else it
/// stays open for a while, and opening it again does not do what it does to a closed one.
@Suite struct ConcurrencyReleaseTests {
  private static func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let done = FirnEngine.Semaphore()
    queue.async {
      body()
      done.signal()
    }
    done.wait()
  }

  /// Nobody runs what waits in the run loop of such a thread.
  @Test func aRealmThatObservedIsClosedWithoutARunLoop() throws {
    let files = try TemporaryStore()
    let configuration = files.configuration
    let other = DispatchQueue(label: "other")
    let threads: [(@escaping @Sendable () -> Void) -> Void] = [
      { body in JoinedThread(body).join() }, { body in Self.run(on: .global(), body) },
      { body in Self.run(on: other, body) },
    ]
    for run in threads {
      run {
        do {
          let held = Unchecked(Lock<NotificationToken?>(nil))
          weak var store: Store?
          try {
            let realm = try Realm(configuration: configuration)
            store = realm.instance.store
            let people = realm.objects(FiledPerson.self)
            let tokens = [
              people.observe { _ in }, people.sorted(by: \.id).observe(on: DispatchQueue(label: "away")) { _ in },
              realm.observe { _, _ in },
            ]
            held.value.withLock { $0 = people.observe { _ in } }
            try realm.write { realm.create(FiledPerson.self, value: ["id": 1], update: .modified) }
            try realm.write { realm.create(FiledPerson.self, value: ["id": 2], update: .modified) }
            for token in tokens { token.invalidate() }
          }()
          // The last token ends on another thread.
          JoinedThread { held.value.withLock { $0 = nil } }.join()
          #expect(try Realm.deleteFiles(for: configuration))
          #expect(store == nil)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  private static let uses: [(name: String, body: @Sendable (RealmStore) async throws -> Void)] = [
    ("opening", { _ in }),
    ("opening twice", { store in _ = try await RealmStore.open(store.configuration) }),
    ("reading", { store in #expect(store.freeze().objects(FiledPerson.self).isEmpty) }),
    ("a checkpoint", { store in try await store.checkpoint() }),
    ("history", { store in for try await _ in store.history() {} }),
    (
      "a copy",
      { store in
        guard let url = store.configuration.fileURL?.appendingPathExtension("copy") else { return }
        try await store.writeCopy(to: url)
      }
    ),
  ]

  private static func isHeld(_ configuration: Realm.Configuration, _ number: Int) async throws -> Bool {
    weak var held: Store?
    do {
      let store = try await RealmStore.open(configuration)
      held = store.store
      try await uses[number].body(store)
    }
    return held != nil
  }

  @Test(arguments: uses.indices) func aStoreIsClosedWithItsLastHandle(number: Int) async throws {
    let files = try TemporaryStore()
    let configuration = files.configuration
    let isHeld = try await Task(executorPreference: AtOnce()) {
      try await Self.isHeld(configuration, number)
    }.value
    #expect(!isHeld, "after \(Self.uses[number].name)")
  }
}
