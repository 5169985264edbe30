import FirnDurability
import FirnEngine
import Testing

@Suite struct GroupCommitTests {
  /// Sixteen threads commit while the first sync is held up: all of them share the second one.
  @Test func commitsThatArriveDuringASyncShareTheNext() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let told = Lock([UInt64]())
    journal.connect(
      didBecomeDurable: { version in told.withLock { $0.append(version) } }, didLoseDurability: { _ in })
    let isSyncing = Semaphore()
    let maySync = Semaphore()
    try journal.append(TestCommit(version: 1, payload: [1]))
    disk.beforeSync { _ in
      isSyncing.signal()
      maySync.wait()
    }
    let before = disk.syncCount
    let first = JoinedThread { #expect(throws: Never.self) { try journal.flush(through: 1) } }
    isSyncing.wait()
    disk.beforeSync(nil)
    let threads = try (UInt64(2)...17).map { version in
      try journal.append(TestCommit(version: version, payload: [UInt8(version)]))
      return JoinedThread { #expect(throws: Never.self) { try journal.flush(through: version) } }
    }
    #expect(journal.durableThrough == 0)
    maySync.signal()
    first.join()
    for thread in threads { thread.join() }
    #expect(disk.syncCount == before + 2)
    #expect(journal.statistics.syncCount == 2)
    #expect(told.withLock { $0 } == [1, 17])
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.count == 17)
  }

  /// A writer that waits for room in the journal goes on before anybody is told, since whoever is told may want to write.
  @Test func aWriterThatWaitsForRoomGoesOnFirst() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.pendingByteCountMax = 1
    let journal = try JournalRun.journal(on: disk, configuration)
    let isSyncing = Semaphore()
    let maySync = Semaphore()
    let hasWritten = Semaphore()
    journal.connect(
      didBecomeDurable: { version in if version == 2 { hasWritten.wait() } }, didLoseDurability: { _ in })
    try journal.append(TestCommit(version: 1, payload: [1]))
    disk.beforeSync { path in
      if !path.hasSuffix(".segment") { return }
      isSyncing.signal()
      maySync.wait()
    }
    let first = JoinedThread { #expect(throws: Never.self) { try journal.flush(through: 1) } }
    isSyncing.wait()
    disk.beforeSync(nil)
    try journal.append(TestCommit(version: 2, payload: [2]))
    let writer = JoinedThread {
      #expect(throws: Never.self) { try journal.append(TestCommit(version: 3, payload: [3])) }
      hasWritten.signal()
    }
    maySync.signal()
    first.join()
    writer.join()
    try journal.close()
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.map(\.version) == [1, 2, 3])
  }

  /// Whatever the threads do, each finds its commit durable when it returns, and every one is there.
  @Test func threadsCommitAtOnce() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let last = Lock(UInt64(0))
    let threads = (0..<16).map { thread in
      JoinedThread {
        for round in 0..<25 {
          do {
            let version = try last.withLock { last in
              last += 1
              try journal.append(TestCommit(version: last, payload: [UInt8(thread)]))
              return last
            }
            if round % 5 == 4 {
              journal.flushSoon()
            } else {
              try journal.flush(through: version)
              #expect(journal.durableThrough >= version)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    for thread in threads { thread.join() }
    try journal.close()
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.map(\.version) == Array(1...400))
    #expect(journal.statistics.commitCount == 400)
  }

  @Test func everybodyLearnsOfAFailure() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let isSyncing = Semaphore()
    let maySync = Semaphore()
    let lostCount = Lock(0)
    journal.connect(didBecomeDurable: { _ in }, didLoseDurability: { _ in lostCount.withLock { $0 += 1 } })
    try journal.append(TestCommit(version: 1, payload: [1]))
    disk.beforeSync { _ in
      isSyncing.signal()
      maySync.wait()
    }
    let first = JoinedThread { #expect(throws: StoreError.self) { try journal.flush(through: 1) } }
    isSyncing.wait()
    let threads = try (UInt64(2)...9).map { version in
      try journal.append(TestCommit(version: version, payload: [UInt8(version)]))
      return JoinedThread { #expect(throws: StoreError.self) { try journal.flush(through: version) } }
    }
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput)))
    maySync.signal()
    first.join()
    for thread in threads { thread.join() }
    #expect(lostCount.withLock { $0 } == 1)
    #expect(journal.durableThrough == 0)
  }
}
