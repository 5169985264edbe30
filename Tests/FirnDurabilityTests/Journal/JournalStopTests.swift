import FirnEngine
import Glibc
import Testing

@testable import FirnDurability

/// A journal that something else than its leader stops.
@Suite struct JournalStopTests {
  private static func error(_ message: String) -> StoreError { StoreError(.ownedByOtherProcess, message) }

  /// The leader may be busy for long, or for ever.
  @Test func thoseWhoWaitLearnOfItAtOnce() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let lost = Lock([String]())
    journal.connect(
      didBecomeDurable: { _ in },
      didLoseDurability: { error in lost.withLock { $0.append(error.message) } })
    let (isSyncing, maySync) = (Semaphore(), Semaphore())
    try journal.append(TestCommit(version: 1, payload: [1]))
    disk.beforeSync { _ in
      isSyncing.signal()
      maySync.wait()
    }
    let leader = JoinedThread { _ = try? journal.flush(through: 1) }
    isSyncing.wait()
    disk.beforeSync(nil)
    let waiters = try (UInt64(2)...4).map { version in
      try journal.append(TestCommit(version: version, payload: [2]))
      return JoinedThread {
        let error = #expect(throws: StoreError.self) { try journal.flush(through: version) }
        #expect(error?.message == "first")
      }
    }
    while journal.flushing.withLock({ $0.waiters.count }) < waiters.count { sched_yield() }
    journal.stop(Self.error("first"))
    journal.stop(Self.error("second"))
    for waiter in waiters { waiter.join() }
    #expect(lost.withLock { $0 } == ["first"])
    maySync.signal()
    leader.join()
    #expect(throws: StoreError.self) { try journal.append(TestCommit(version: 5, payload: [3])) }
    #expect(lost.withLock { $0 } == ["first"])
  }
}
