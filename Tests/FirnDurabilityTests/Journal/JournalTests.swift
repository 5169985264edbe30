import FirnDurability
import FirnEngine
import Testing

@Suite struct JournalTests {
  @Test func givesBackWhatWasAppended() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    #expect(
      try journal.append(5, note: CommitNote(author: "Zoë", metadata: ["why": "test", "a": ""])) { $0.append(UInt8(9)) }
        == .pending)
    #expect(try journal.append(7, kind: .catalogue) { _ in } == .pending)
    #expect(journal.durableThrough == 0)
    try journal.flush(through: 7)
    #expect(journal.durableThrough == 7)
    #expect(journal.statistics.syncCount == 1)
    #expect(journal.statistics.commitCount == 2)

    let reader = try JournalReader(folder: JournalRun.folder, storeID: JournalRun.storeID, in: disk)
    var count = 0
    let report = try reader.read(after: 0) { commit in
      count += 1
      if commit.version == 5 {
        #expect(commit.author == "Zoë")
        #expect(commit.metadata == ["why": "test", "a": ""])
        #expect(Array(commit.payload) == [9])
        #expect(commit.kind == .commit)
      } else {
        #expect(commit.version == 7)
        #expect(commit.previousVersion == 5)
        #expect(commit.kind == .catalogue)
        #expect(commit.author == nil)
        #expect(commit.payload.isEmpty)
      }
    }
    #expect(count == 2)
    #expect(report.commitCount == 2)
    #expect(report.position.version == 7)
    #expect(report.position.nextSequence == 2)
    #expect(report.cut == nil)
    #expect(report.epoch == 1)
  }

  @Test func refusesNotesThatAreTooLong() throws {
    let journal = try JournalRun.journal(on: SimulatedDisk(seed: 1))
    #expect(throws: StoreError.self) {
      try journal.append(1, note: CommitNote(author: String(repeating: "a", count: 4_097))) { _ in }
    }
    #expect(throws: StoreError.self) {
      try journal.append(1, note: CommitNote(metadata: ["a": String(repeating: "a", count: 70_000)])) { _ in }
    }
    try journal.append(1, note: CommitNote(author: String(repeating: "a", count: 4_096))) { _ in }
    try journal.flush(through: 1)
  }

  @Test func cutsLargeCommitsIntoParts() throws {
    var random = SeededRandom(3)
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    var commits: [TestCommit] = []
    for (version, count) in [10, 1 << 20, (1 << 20) + 1, 3 << 20, 0, 5_000_000, 4_000].enumerated() {
      var payload = [UInt8](repeating: UInt8(version), count: count)
      if count > 0 { payload[random.below(count)] = 255 }
      commits.append(TestCommit(version: UInt64(version + 1), payload: payload))
      try journal.append(commits[version])
    }
    try journal.flush(through: 7)
    let (read, report) = try JournalRun.read(disk)
    #expect(read == commits)
    #expect(report.cut == nil)
    #expect(try JournalRun.read(disk.crash(.nothing)).commits == commits)
    // Commits that base and deltas hold are passed over, parts and all.
    #expect(try JournalRun.read(disk, after: 4).commits == Array(commits[4...]))
  }

  @Test func rollsAndRemovesSegments() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.preparesSegments = true
    let journal = try JournalRun.journal(on: disk, configuration)
    var random = SeededRandom(5)
    var commits: [TestCommit] = []
    for version in UInt64(1)...60 {
      commits.append(.random(version, byteCountMax: 2_000, &random))
      try journal.append(commits[commits.count - 1])
      if version % 3 == 0 { try journal.flush(through: version) }
    }
    #expect(journal.statistics.segmentCount > 5)
    let last = journal.roll()
    #expect(last == 60)
    #expect(journal.roll() == 60)
    try journal.removeSegments(through: 30)
    #expect(try JournalRun.read(disk, after: 30).commits == Array(commits[30...]))
    commits.append(.random(61, byteCountMax: 10, &random))
    try journal.append(commits[60])
    try journal.flush(through: 61)
    try journal.removeSegments(through: 60)
    #expect(journal.statistics.segmentCount == 1)
    #expect(try JournalRun.read(disk.crash(.nothing), after: 60).commits == [commits[60]])
    try journal.close()
    #expect(throws: StoreError.self) { try journal.append(commits[0]) }
  }

  @Test func goesOnAfterOpeningAgain() throws {
    let disk = SimulatedDisk(seed: 1)
    var random = SeededRandom(8)
    var commits: [TestCommit] = []
    for epoch in UInt64(1)...5 {
      let (read, report) = try JournalRun.read(disk)
      #expect(read == commits)
      // Nothing was written in the third epoch.
      #expect(report.epoch == (epoch == 4 ? 2 : epoch - 1))
      let journal = try JournalRun.journal(on: disk, after: report.position, JournalRun.configuration(epoch: epoch))
      // One of them is opened and closed without a commit.
      if epoch != 3 {
        commits.append(.random(epoch * 10, byteCountMax: 100, &random))
        try journal.append(commits[commits.count - 1])
      }
      try journal.close()
    }
    #expect(try JournalRun.read(disk).commits == commits)
  }

  @Test func givesCommitsToTheSystemAtOnceWithoutSync() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk, JournalRun.configuration(durability: .onCheckpoint))
    #expect(try journal.append(TestCommit(version: 1, payload: [1])) == .durable)
    let before = disk.syncCount
    for version in UInt64(2)...5 {
      #expect(try journal.append(TestCommit(version: version, payload: [1])) == .durable)
    }
    #expect(disk.syncCount == before)
    #expect(try JournalRun.read(disk).commits.count == 5)
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.isEmpty)
    try journal.flush(through: 5)
    #expect(disk.syncCount == before + 1)
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.count == 5)
  }

  @Test func synchronizesByItselfAfterTheInterval() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk, JournalRun.configuration(durability: .interval(.zero)))
    let durable = Semaphore()
    journal.connect(didBecomeDurable: { if $0 == 1 { durable.signal() } }, didLoseDurability: { _ in })
    #expect(try journal.append(TestCommit(version: 1, payload: [1])) == .durable)
    durable.wait()
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.count == 1)
  }

  @Test func waitsForRoomWhenMuchIsPending() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.pendingByteCountMax = 5_000
    let journal = try JournalRun.journal(on: disk, configuration)
    for version in UInt64(1)...20 {
      try journal.append(TestCommit(version: version, payload: .init(repeating: 1, count: 1_000)))
    }
    #expect(journal.durableThrough >= 10)
    journal.flushSoon()
    try journal.flush(through: 20)
    #expect(try JournalRun.read(disk.crash(.nothing)).commits.count == 20)
  }

  @Test func takesNothingAfterAFailure() throws {
    for kind in [SimulatedDisk.Fault.Kind.error(.noSpace), .error(.inputOutput)] {
      for call in 1...2 {
        let disk = SimulatedDisk(seed: 1)
        let journal = try JournalRun.journal(on: disk)
        let lost = Lock([String]())
        journal.connect(
          didBecomeDurable: { version in lost.withLock { $0.append("durable \(version)") } },
          didLoseDurability: { error in lost.withLock { $0.append("lost \(error.code)") } })
        try journal.append(TestCommit(version: 1, payload: [1]))
        try journal.flush(through: 1)
        try journal.append(TestCommit(version: 2, payload: [1]))
        disk.setFault(SimulatedDisk.Fault(call: call, kind: kind))
        #expect(throws: StoreError.self) { try journal.flush(through: 2) }
        #expect(lost.withLock { $0 } == ["durable 1", "lost durabilityLost"])
        #expect(throws: StoreError.self) { try journal.append(TestCommit(version: 3, payload: [1])) }
        #expect(throws: StoreError.self) { try journal.flush(through: 2) }
        try journal.flush(through: 1)
        let calls = disk.callCount
        journal.flushSoon()
        #expect(disk.callCount == calls)
        #expect(lost.withLock { $0.count } == 2)
      }
    }
  }

  /// Wherever a checkpoint ends: no segment goes that has a commit behind it.
  @Test func keepsEverySegmentThatIsNeeded() throws {
    var random = SeededRandom(6)
    let commits = (UInt64(1)...24).map { TestCommit.random($0, byteCountMax: 2_000, &random) }
    for reached in 0...24 {
      let disk = SimulatedDisk(seed: 1)
      let journal = try JournalRun.journal(on: disk)
      for commit in commits { try journal.append(commit) }
      try journal.flush(through: 24)
      try journal.removeSegments(through: UInt64(reached))
      #expect(try JournalRun.read(disk, after: UInt64(reached)).commits == Array(commits[reached...]))
      try journal.close()
    }
  }
}
