import FirnDurability
import FirnEngine
import Testing

/// What an opening does before it builds on the end of the journal.
@Suite struct JournalSecuringTests {
  private func commit(_ version: UInt64) -> TestCommit {
    TestCommit(version: version, payload: [UInt8(version), 7, 7])
  }

  private func hint(_ version: UInt64) -> DurableHint { DurableHint(storeID: JournalRun.storeID, version: version) }

  /// Commits, of which all but the last are acknowledged; the sync of the last one fails.
  private func failedSync(_ last: UInt64, seed: UInt64) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed)
    let journal = try JournalRun.journal(on: disk)
    for version in 1...last {
      try journal.append(commit(version))
      if version == last {
        disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
        #expect(throws: StoreError.self) { try journal.flush(through: version) }
      } else {
        try journal.flush(through: version)
      }
    }
    disk.setFault(nil)
    return disk
  }

  @Test func commitsWhoseSyncFailedAreWrittenAgainBeforeAnythingBuildsOnThem() throws {
    var lossCount = 0
    for seed in UInt64(0)..<20 {
      for isSecured in [false, true] {
        let disk = try failedSync(2, seed: seed)
        let (read, report) = try JournalRun.read(disk, hint: hint(1))
        // The system may have let go of the last one.
        if read.count == 1 { continue }
        #expect(read == [commit(1), commit(2)])
        let position = report.position
        #expect(position.unproven?.path == disk.paths[0])
        if isSecured { guard try position.secure(in: disk) else { continue } }
        let journal = try JournalRun.journal(on: disk, after: position, JournalRun.configuration(epoch: 2))
        try journal.append(commit(3))
        try journal.flush(through: 3)
        let after = Result { try JournalRun.read(disk.crash(.nothing)).commits }
        if isSecured {
          #expect(try after.get() == [commit(1), commit(2), commit(3)], "seed \(seed)")
        } else if (try? after.get()) == nil {
          lossCount += 1
        }
      }
    }
    // Without it acknowledged commits would be gone.
    #expect(lossCount > 0)
  }

  @Test func aCrashWhileTheEndIsSecuredLosesNothing() throws {
    for survival in SimulatedDisk.Survival.allCases {
      for call in 1... {
        let disk = try failedSync(3, seed: 1)
        let (read, report) = try JournalRun.read(disk, hint: hint(2))
        #expect(read.count == 3)
        disk.setFault(SimulatedDisk.Fault(call: call, kind: .stop))
        _ = try? report.position.secure(in: disk)
        let after = try JournalRun.read(disk.crash(survival)).commits
        #expect(after.count >= 2 && after == Array([commit(1), commit(2), commit(3)][..<after.count]), "call \(call)")
        if !disk.didStop { break }
      }
    }
  }

  @Test func whatIsProvenIsNotCopied() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    #expect(try JournalRun.read(disk).report.position.isSecure)
    for version in UInt64(1)...2 {
      try journal.append(commit(version))
      try journal.flush(through: version)
    }
    #expect(try !JournalRun.read(disk).report.position.isSecure)
    #expect(try JournalRun.read(disk, hint: hint(2)).report.position.isSecure)
    // Base and deltas have it.
    #expect(try JournalRun.read(disk, after: 2).report.position.isSecure)
    try journal.close()
    #expect(try JournalRun.read(disk).report.position.isSecure)
  }

  @Test func sectorsOfATailThatCannotBeReadAreCutForGood() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let long = TestCommit(version: 2, payload: [UInt8](repeating: 2, count: 1_000))
    try journal.append(commit(1))
    try journal.append(long)
    try journal.append(commit(3))
    try journal.flush(through: 3)
    let path = disk.paths[0]
    disk.makeUnreadable(path, at: 700)
    let (read, report) = try JournalRun.read(disk, hint: hint(1))
    #expect(read == [commit(1)])
    #expect(report.cut?.reason == "the disk cannot read what follows")
    #expect(try report.position.secure(in: disk))
    let next = try JournalRun.journal(on: disk, after: report.position, JournalRun.configuration(epoch: 2))
    let other = TestCommit(version: 2, payload: [9])
    try next.append(other)
    try next.flush(through: 2)
    #expect(try JournalRun.read(disk).commits == [commit(1), other])
    // Also if the disk would read them again.
    #expect(try JournalRun.read(disk.crash(.nothing)).commits == [commit(1), other])
  }

  /// A read that fails once is no reason to give up what comes before a sector that never can be read.
  @Test func aReadThatFailsOnceCutsNothing() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    for version in UInt64(1)...2 {
      try journal.append(TestCommit(version: version, payload: [UInt8](repeating: 2, count: 600)))
    }
    try journal.append(TestCommit(version: 3, payload: [UInt8](repeating: 2, count: 2_000)))
    try journal.flush(through: 3)
    disk.makeUnreadable(disk.paths[0], at: 2_048)
    var failureCount = 0
    for call in 1...20 {
      disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.inputOutput)))
      // Calls that are not read again may throw.
      guard let (read, _) = try? JournalRun.read(disk, hint: hint(1)) else {
        failureCount += 1
        continue
      }
      #expect(read.map(\.version) == [1, 2], "call \(call)")
    }
    #expect(failureCount < 10)
  }

  @Test func whatWasOnDiskAndCannotBeReadIsAnErrorOfTheDisk() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    for version in UInt64(1)...3 {
      try journal.append(commit(version))
      try journal.flush(through: version)
    }
    for offset in [0, 200] {
      disk.makeUnreadable(disk.paths[0], at: offset)
      let error = #expect(throws: StoreError.self) { try JournalRun.read(disk, hint: hint(3)) }
      #expect(error?.code == .fileOperationFailed)
      #expect(error?.path == disk.paths[0])
    }
  }

  @Test func aSegmentWhoseHeaderCannotBeReadAndThatHoldsNothingAcknowledgedGoes() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    try journal.append(commit(1))
    try journal.flush(through: 1)
    journal.roll()
    try journal.append(commit(2))
    try journal.flush(through: 2)
    disk.makeUnreadable(disk.paths[1], at: 0)
    let (read, report) = try JournalRun.read(disk, hint: hint(1))
    #expect(read == [commit(1)])
    #expect(report.position.unreadablePaths == [disk.paths[1]])
    #expect(report.position.nextSequence == 3)
    #expect(try report.position.secure(in: disk))
    #expect(disk.crash(.nothing).paths.count == 1)
  }
}
