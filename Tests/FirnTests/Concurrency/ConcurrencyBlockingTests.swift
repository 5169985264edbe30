import FirnDurability
import FirnEngine
import Foundation
import Testing

@testable import Firn

/// Waiting keeps no thread from tasks. If it did, these tests would not end.
@Suite(.timeLimit(.minutes(2))) struct ConcurrencyBlockingTests {
  /// More than a pool ever has threads.
  private let many = 600

  /// Waits on a thread of its own: tests that run at the same time may block all threads but one that tasks have.
  private func signalled(_ semaphore: FirnEngine.Semaphore) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  private func configurations() async throws -> (TemporaryStore, Realm.Configuration) {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    try await store.write { realm in realm.add(FiledPerson(1)) }
    try await store.close()
    var configuration = files.configuration
    configuration.schemaVersion = 1
    return (files, configuration)
  }

  @Test("tasks run while many open a database that is being migrated")
  func openings() async throws {
    var (files, configuration) = try await configurations()
    let isMigrating = FirnEngine.Semaphore()
    let mayGoOn = FirnEngine.Semaphore()
    let count = Lock(0)
    configuration.migrationBlock = { _, _ in
      count.withLock { $0 += 1 }
      isMigrating.signal()
      mayGoOn.wait()
    }
    let asked = configuration
    let first = Task { try await RealmStore.open(asked) }
    await signalled(isMigrating)
    let others = (1..<many).map { _ in Task { try await RealmStore.open(asked) } }
    let realms = (0..<many).map { _ in
      Task { try await Realm.open(configuration: asked).objects(FiledPerson.self).count }
    }
    // One that comes last has its turn all the same.
    await Task { mayGoOn.signal() }.value
    let store = try await first.value
    for other in others { #expect(try await other.value.store === store.store) }
    for realm in realms { #expect(try await realm.value == 1) }
    #expect(count.withLock { $0 } == 1)
    try await store.close()
    withExtendedLifetime(files) {}
  }

  @Test("openings of other databases go on while as many migrations wait as there are threads, and more")
  func otherOpenings() async throws {
    let mayGoOn = FirnEngine.Semaphore()
    let isMigrating = FirnEngine.Semaphore()
    var stores: [(TemporaryStore, Task<Void, any Error>)] = []
    let migrationCount = 40
    for _ in 0..<migrationCount {
      var (files, configuration) = try await configurations()
      configuration.migrationBlock = { _, _ in
        isMigrating.signal()
        mayGoOn.wait()
      }
      let asked = configuration
      stores.append((files, Task { try await RealmStore.open(asked).close() }))
    }
    for _ in 0..<migrationCount { await signalled(isMigrating) }
    let (files, other) = try await configurations()
    try await RealmStore.open(other).close()
    for _ in 0..<migrationCount { mayGoOn.signal() }
    for (files, opening) in stores {
      try await opening.value
      withExtendedLifetime(files) {}
    }
    withExtendedLifetime(files) {}
  }

  @Test("many checkpoints beside an open transaction wait without a thread, and share")
  func checkpoints() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    let isOpen = FirnEngine.Semaphore()
    let mayCommit = FirnEngine.Semaphore()
    let configuration = files.configuration
    let writing = JoinedThread {
      do {
        let realm = try Realm(configuration: configuration)
        realm.beginWrite()
        realm.add(FiledPerson(1))
        isOpen.signal()
        mayCommit.wait()
        try realm.commitWrite()
      } catch {
        Issue.record(error)
      }
    }
    await signalled(isOpen)
    let tasks = (0..<many).map { _ in Task { try await store.checkpoint() } }
    await Task { mayCommit.signal() }.value
    var reports: Set<Duration> = []
    for task in tasks { reports.insert(try #require(try await task.value).duration) }
    writing.join()
    // One that began before the transaction was over, and one for all who came while it waited.
    #expect(reports.count <= 3)
    #expect(try await store.checkpoint()?.byteCount == 0)
    try await store.close()
    await #expect(throws: Realm.Error.self) { try await store.checkpoint() }
  }

  @Test("checkpoints of many databases beside open transactions keep no other from its own")
  func manyStores() async throws {
    let count = 24
    var stores: [(files: TemporaryStore, store: RealmStore)] = []
    let isOpen = FirnEngine.Semaphore()
    let mayCommit = FirnEngine.Semaphore()
    var threads: [JoinedThread] = []
    for _ in 0..<count {
      let files = try TemporaryStore()
      let configuration = files.configuration
      stores.append((files, try await RealmStore.open(configuration)))
      threads.append(
        JoinedThread {
          do {
            let realm = try Realm(configuration: configuration)
            try realm.write {
              realm.add(FiledPerson(1))
              isOpen.signal()
              mayCommit.wait()
            }
          } catch {
            Issue.record(error)
          }
        })
    }
    for _ in 0..<count { await signalled(isOpen) }
    let waiting = stores.map(\.store).map { store in Task { try await store.checkpoint() } }
    let files = try TemporaryStore()
    let free = try await RealmStore.open(files.configuration)
    try await free.write { $0.add(FiledPerson(2)) }
    #expect(try #require(try await free.checkpoint()).byteCount > 0)
    try await free.close()
    for _ in 0..<count { mayCommit.signal() }
    for task in waiting { _ = try await task.value }
    for thread in threads { thread.join() }
    for (_, store) in stores { try await store.close() }
  }

  /// Writers that block may pass a task that was called for its turn.
  @Test("a task that was passed keeps no thread")
  func passedTasks() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration)
    let gate = store.store.graph.gate
    let holder = GateHolder(CallSite(function: "test", file: #fileID, line: #line), home: .unknown)
    #expect(gate.tryEnter(holder))
    let writing = Task { try await store.write { realm in realm.add(FiledPerson(1)) } }
    while gate.waiterCount == 0 { await Task.yield() }
    var passedCount = 0
    while passedCount < 16 {
      gate.leave()
      // The task is on its way.
      guard gate.tryEnter(holder) else { break }
      passedCount += 1
      while gate.firstTask.isCalled { await Task.yield() }
      #expect(!gate.firstTask.isParked)
    }
    if passedCount == 16 { gate.leave() }
    try await writing.value
    #expect(passedCount > 0)
    #expect(store.freeze().objects(FiledPerson.self).count == 1)
    try await store.close()
  }

  @Test("whoever waits long for an opening is told why that may be, a thread and a task")
  func warning() async throws {
    struct Refusal: Error {}
    for isTask in [false, true] {
      let told = FirnEngine.Semaphore()
      let text = Lock("")
      let stores = OpenStores(longWait: .nanoseconds(1)) { message in
        text.withLock { $0 = message }
        told.signal()
      }
      let place = StorePlace.file(FilePlace("/there/is/no.firn", PosixFileSystem()))
      let isOpening = FirnEngine.Semaphore()
      let opening = JoinedThread {
        #expect(throws: Refusal.self) {
          _ = try stores.store(at: place) {
            isOpening.signal()
            // As a migration block that waits for the other: without the warning it would do so for ever.
            told.wait()
            throw Refusal()
          }
        }
      }
      await signalled(isOpening)
      if isTask {
        await #expect(throws: Refusal.self) { () async throws in
          _ = try await stores.storeInTurn(at: place) { throw Refusal() }
        }
      } else {
        JoinedThread.run { #expect(throws: Refusal.self) { _ = try stores.store(at: place) { throw Refusal() } } }
      }
      opening.join()
      #expect(text.withLock { $0.contains("/there/is/no.firn") && $0.contains("migrationBlock") })
    }
  }
}
