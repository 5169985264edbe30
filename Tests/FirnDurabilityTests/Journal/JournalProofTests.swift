import FirnDurability
import FirnEngine
import Testing

/// Frames that say that the commits before them are on disk.
@Suite struct JournalProofTests {
  private func commit(_ version: UInt64) -> TestCommit {
    TestCommit(version: version, payload: [UInt8(version), 7, 7])
  }

  private func journal(
    _ disk: SimulatedDisk, durability: Durability = .everyCommit, idleNanoseconds: Int? = nil
  ) throws -> Journal {
    var configuration = JournalRun.configuration(durability: durability)
    configuration.idleNanoseconds = idleNanoseconds
    return try JournalRun.journal(on: disk, configuration)
  }

  @Test func aProofMakesDamageToTheLastCommitFound() throws {
    for isProven in [false, true] {
      let disk = SimulatedDisk(seed: 1)
      let journal = try journal(disk)
      for version in UInt64(1)...2 {
        try journal.append(commit(version))
        try journal.flush(through: version)
      }
      if isProven { journal.proveDurable() }
      let report = try JournalRun.read(disk.crash(.nothing)).report
      #expect(report.durableThrough == (isProven ? 2 : 1))
      #expect(report.cut == nil)
      #expect(report.commitCount == 2)
      var bytes = disk.content(disk.paths[0])!
      // The payload of the second frame, behind the header of 96 bytes and a frame of 88.
      bytes[96 + 88 + 80] ^= 1
      disk.setContent(disk.paths[0], bytes)
      if isProven {
        #expect(throws: StoreError.self) { try JournalRun.read(disk) }
      } else {
        #expect(try JournalRun.read(disk).commits == [commit(1)])
      }
    }
  }

  @Test func aProofIsWrittenOnceAndOnlyAtRest() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try journal(disk)
    journal.proveDurable()
    #expect(journal.statistics.proofCount == 0)
    try journal.append(commit(1))
    journal.proveDurable()
    #expect(journal.statistics.proofCount == 0)
    try journal.flush(through: 1)
    journal.proveDurable()
    #expect(journal.statistics.proofCount == 1)
    let calls = disk.callCount
    journal.proveDurable()
    #expect(disk.callCount == calls)
    // What a checkpoint has needs none.
    try journal.append(commit(2))
    try journal.flush(through: 2)
    try journal.removeSegments(through: 2)
    journal.proveDurable()
    #expect(journal.statistics.proofCount == 1)
    try journal.append(commit(3))
    try journal.close()
    #expect(journal.statistics.proofCount == 2)
    #expect(try JournalRun.read(disk.crash(.nothing)).commits == [commit(1), commit(2), commit(3)])
    let closed = disk.callCount
    journal.proveDurable()
    #expect(disk.callCount == closed)
  }

  @Test func aProofThatCannotBeWrittenLosesNothing() throws {
    for durability in [Durability.everyCommit, .onCheckpoint] {
      for (call, isSync) in [(1, false), (1, true)] {
        for survival in SimulatedDisk.Survival.allCases {
          let disk = SimulatedDisk(seed: 3)
          let journal = try journal(disk, durability: durability)
          let lost = Lock(0)
          journal.connect(didBecomeDurable: { _ in }, didLoseDurability: { _ in lost.withLock { $0 += 1 } })
          try journal.append(commit(1))
          try journal.flush(through: 1)
          disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.noSpace), isSync: isSync))
          journal.proveDurable()
          #expect(disk.didStop)
          #expect(journal.statistics.proofCount == 0)
          disk.setFault(nil)
          try journal.append(commit(2))
          try journal.flush(through: 2)
          #expect(journal.statistics.segmentCount == 2)
          #expect(lost.withLock { $0 } == 0)
          #expect(try JournalRun.read(disk.crash(survival)).commits == [commit(1), commit(2)])
          disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.noSpace), isSync: isSync))
          try journal.close()
          disk.dropCaches()
          #expect(try JournalRun.read(disk).commits == [commit(1), commit(2)])
        }
      }
    }
  }

  @Test func aCommitBehindAProofThatFailsIsLostAsWithAnyFailure() throws {
    let disk = SimulatedDisk(seed: 3)
    let journal = try journal(disk)
    try journal.append(commit(1))
    try journal.flush(through: 1)
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
    let second = commit(2)
    disk.beforeSync { _ in _ = try? journal.append(second) }
    journal.proveDurable()
    disk.beforeSync(nil)
    #expect(journal.hasFailed)
    #expect(throws: StoreError.self) { try journal.flush(through: 2) }
    #expect(try JournalRun.read(disk.crash(.nothing)).commits == [commit(1)])
  }

  @Test func aCommitBehindAProofThatFailsIsLostThoughTheSegmentHasEndedMeanwhile() throws {
    for seed in UInt64(1)...20 {
      let disk = SimulatedDisk(seed: seed)
      let journal = try journal(disk)
      // The proof ends with a sector, so that nothing writes it again.
      let first = TestCommit(version: 1, payload: [UInt8](repeating: 1, count: 244))
      try journal.append(first)
      try journal.flush(through: 1)
      disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
      let second = commit(2)
      disk.beforeSync { _ in
        _ = try? journal.append(second)
        journal.roll()
      }
      journal.proveDurable()
      disk.beforeSync(nil)
      #expect(journal.hasFailed, "seed \(seed)")
      #expect(throws: StoreError.self) { try journal.flush(through: 2) }
      disk.dropCaches()
      #expect(try JournalRun.read(disk).commits == [first], "seed \(seed)")
    }
  }

  @Test func aProofIsNotCutOff() throws {
    let disk = SimulatedDisk(seed: 3)
    // The commit ends 40 bytes before the end of a block, in the middle of the proof.
    let payload = [UInt8](repeating: 1, count: 4_096 - 40 - 96 - 84)
    do {
      var configuration = JournalRun.configuration()
      configuration.segmentByteCount = 16_384
      let journal = try JournalRun.journal(on: disk, configuration)
      try journal.append(TestCommit(version: 1, payload: payload))
      try journal.flush(through: 1)
      try journal.close()
    }
    #expect(try JournalRun.read(disk).report.durableThrough == 1)
    let report = try JournalRun.read(disk).report
    let journal = try JournalRun.journal(on: disk, after: report.position, JournalRun.configuration(epoch: 2))
    try journal.removeSegments(through: 0)
    try journal.close()
    let again = try JournalRun.read(disk).report
    #expect(again.durableThrough == 1)
    #expect(again.cut == nil)
  }

  @Test func aProofFollowsWhenNoCommitComes() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try journal(disk, idleNanoseconds: 1)
    let synced = Semaphore()
    disk.beforeSync { _ in synced.signal() }
    try journal.append(commit(1))
    try journal.flush(through: 1)
    // Its own, and that of the proof.
    synced.wait()
    synced.wait()
    journal.settle()
    #expect(journal.statistics.proofCount == 1)
    disk.beforeSync(nil)
  }

  @Test func waitingForIdlenessKeepsNothing() throws {
    let disk = SimulatedDisk(seed: 1)
    var journal: Journal? = try journal(disk, idleNanoseconds: 3_600_000_000_000)
    weak let released = journal
    try journal?.append(commit(1))
    try journal?.flush(through: 1)
    journal = nil
    #expect(released == nil)
  }
}
