import FirnDurability
import FirnEngine
import Testing

@Suite struct JournalDamageTests {
  /// Three acknowledged commits in a small segment, and a fourth that was written but not acknowledged by anything on disk.
  private func small() throws -> (disk: SimulatedDisk, path: String, bytes: [UInt8], commits: [TestCommit]) {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.segmentByteCount = 1_024
    let journal = try JournalRun.journal(on: disk, configuration)
    let commits = (UInt64(1)...4).map { TestCommit(version: $0, payload: [UInt8](repeating: UInt8($0), count: 21)) }
    for commit in commits {
      try journal.append(commit.version, note: .init(author: "me", metadata: ["k": "v"])) { $0.append(commit.payload) }
      try journal.flush(through: commit.version)
    }
    let path = disk.paths[0]
    return (disk, path, disk.content(path)!, commits)
  }

  @Test func everyFlippedByteIsFoundOrHarmless() throws {
    let (_, path, bytes, commits) = try small()
    var random = SeededRandom.printed("damage")
    let damaged = SimulatedDisk(seed: 1)
    let hint = DurableHint(storeID: JournalRun.storeID, version: 4)
    var lastFrameEnd = bytes.count
    while bytes[lastFrameEnd - 1] == 0 { lastFrameEnd -= 1 }
    for offset in bytes.indices {
      for difference in [UInt8(1), 0x80, UInt8.random(in: 1...255, using: &random)] {
        var copy = bytes
        copy[offset] ^= difference
        damaged.setContent(path, copy)
        // The lock file knows of all commits.
        do {
          let (read, report) = try JournalRun.read(damaged, hint: hint)
          #expect(read == commits && offset >= lastFrameEnd, "byte \(offset) ^ \(difference) passed")
          #expect(report.cut != nil)
        } catch let error as StoreError {
          #expect(error.code == .corrupted || error.code == .unsupportedFileFormatVersion)
          #expect(error.path == path)
        }
        // Without it the last commit may be the tail of a crash, but nothing before.
        do {
          let (read, report) = try JournalRun.read(damaged)
          #expect(read == commits || read == Array(commits[..<3]), "byte \(offset) ^ \(difference): \(read)")
          #expect(report.cut != nil)
        } catch let error as StoreError {
          #expect(error.code == .corrupted || error.code == .unsupportedFileFormatVersion)
        }
      }
    }
  }

  @Test func everyShorterFileIsFoundOrATail() throws {
    let (_, path, bytes, commits) = try small()
    let damaged = SimulatedDisk(seed: 1)
    for count in bytes.indices {
      for isFilled in [false, true] {
        damaged.setContent(
          path, Array(bytes[..<count]) + Array(repeating: 0, count: isFilled ? bytes.count - count : 0))
        if let (read, _) = try? JournalRun.read(damaged) {
          #expect(read == Array(commits[..<read.count]))
        }
        if let (read, _) = try? JournalRun.read(damaged, hint: DurableHint(storeID: JournalRun.storeID, version: 2)) {
          #expect(read.count >= 2 && read == Array(commits[..<read.count]))
        }
      }
    }
    damaged.setContent(path, nil)
    #expect(throws: StoreError.self) {
      try JournalRun.read(damaged, hint: DurableHint(storeID: JournalRun.storeID, version: 2))
    }
    #expect(
      try JournalRun.read(damaged, hint: DurableHint(storeID: StoreID(low: 1, high: 1), version: 2)).commits == [])
  }

  @Test func framesCannotBeExchangedDroppedOrRepeated() throws {
    let (disk, path, bytes, commits) = try small()
    // Frames of 80 + 2 + 5 + 21 + 4 bytes, filled up.
    let frames = (0..<4).map { Array(bytes[96 + $0 * 112..<96 + ($0 + 1) * 112]) }
    for order in [[1, 0, 2, 3], [0, 2, 3], [0, 0, 1, 2], [0, 1, 1, 2, 3], [1, 2, 3], [0, 1, 3]] {
      let content = Array(bytes[..<96]) + order.flatMap { frames[$0] } + [UInt8](repeating: 0, count: 64)
      disk.setContent(path, content)
      let error = #expect(throws: StoreError.self, "\(order)") { try JournalRun.read(disk) }
      #expect(error?.code == .corrupted)
    }
    disk.setContent(path, Array(bytes[..<96]) + frames.joined())
    #expect(try JournalRun.read(disk).commits == commits)
  }

  /// One sector of any segment cannot be read, alone or behind a place that is damaged, too. A frame that lies behind
  /// it says that everything before was on disk: if that is missing, it is no unfinished end.
  @Test(arguments: [false, true]) func noUnreadableSectorHidesWhatIsKnownToBeOnDisk(isDamagedBefore: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    let commits = (UInt64(1)...14).map { TestCommit(version: $0, payload: [UInt8](repeating: UInt8($0), count: 600)) }
    for commit in commits {
      try journal.append(commit)
      try journal.flush(through: commit.version)
    }
    let paths = disk.paths
    #expect(paths.count >= 3)
    var cutCount = 0
    for (number, path) in paths.enumerated() {
      let bytes = try #require(disk.content(path))
      // Frames begin with their magic number.
      let magic = Array("FRM1".utf8)
      let starts = stride(from: 0, to: bytes.count - 8, by: 8).filter { Array(bytes[$0..<$0 + 4]) == magic }
      for sector in stride(from: 0, to: bytes.count, by: 512) {
        let damaged = disk.crash(.everything)
        damaged.makeUnreadable(path, at: sector)
        var first = sector
        if isDamagedBefore {
          guard let frame = starts.last(where: { $0 < sector - 512 }) else { continue }
          var content = bytes
          content[frame + 40] ^= 1
          damaged.setContent(path, content)
          damaged.makeUnreadable(path, at: sector)
          first = frame
        }
        let isProven = starts.contains { $0 >= sector + 512 } || number < paths.count - 1
        do {
          let (read, report) = try JournalRun.read(damaged)
          #expect(!isProven || read == commits, "\(path), sector at \(sector)")
          #expect(read == Array(commits[..<read.count]))
          let intact = starts.filter { $0 < first - 600 }.count
          #expect(read.count >= intact)
          if read.count < commits.count {
            #expect(report.cut != nil)
            cutCount += 1
          }
        } catch let error as StoreError {
          #expect(error.code == .corrupted || error.code == .fileOperationFailed, "\(path), sector at \(sector)")
        }
      }
    }
    #expect(cutCount > 0, "some sectors hold nothing but the end")
  }

  @Test func aMissingSegmentIsFound() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try JournalRun.journal(on: disk)
    for version in UInt64(1)...40 {
      try journal.append(TestCommit(version: version, payload: [UInt8](repeating: 1, count: 1_000)))
      try journal.flush(through: version)
    }
    let paths = disk.paths
    #expect(paths.count > 4)
    for path in paths {
      let content = disk.content(path)
      disk.setContent(path, nil)
      let error = #expect(throws: StoreError.self) {
        try JournalRun.read(disk, hint: DurableHint(storeID: JournalRun.storeID, version: 40))
      }
      #expect(error?.code == .corrupted)
      disk.setContent(path, content)
    }
    #expect(throws: StoreError.self) {
      _ = try JournalReader(folder: JournalRun.folder, storeID: StoreID(low: 1, high: 2), in: disk)
    }
  }

  @Test func garbageIsNeverReadAsCommits() throws {
    var random = SeededRandom.printed("garbage")
    let (_, path, bytes, _) = try small()
    let disk = SimulatedDisk(seed: 1)
    for _ in 0..<300 {
      var content = (0...random.below(3_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if random.chance(50) { content = Array(bytes[..<96]) + content }
      if random.chance(50) {
        // Something that looks like many frames.
        let frame = Array(bytes[96..<208])
        content += (0..<random.below(20)).flatMap { _ in frame }
      }
      disk.setContent(path, content)
      if let (read, _) = try? JournalRun.read(disk) { #expect(read.isEmpty) }
    }
  }
}
