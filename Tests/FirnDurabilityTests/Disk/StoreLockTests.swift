import FirnDurability
import Testing

@Suite struct StoreLockTests {
  private let path = "/store.lock"
  private let owner = LockOwner(host: "mill", processID: 4_711, started: 1_700_000_000)

  @Test func saysWhoHasIt() throws {
    let disk = SimulatedDisk(seed: 1)
    let lock = try StoreLock.take(path, by: owner, in: disk)
    #expect(lock.hint == nil)
    try lock.claim(JournalRun.storeID, durableThrough: 9)
    let error = #expect(throws: StoreError.self) { _ = try StoreLock.take(path, by: owner, in: disk) }
    #expect(error?.code == .ownedByOtherProcess)
    let message = error?.message ?? ""
    for part in ["process 4711", "'mill'", "2023-11-14 22:13:20 UTC", path, "Close it"] {
      #expect(message.contains(part), "\(message)")
    }
    _ = lock
  }

  @Test func keepsAHintThatIsRewrittenInPlace() throws {
    let disk = SimulatedDisk(seed: 1)
    do {
      let lock = try StoreLock.take(path, by: owner, in: disk)
      try lock.claim(JournalRun.storeID, durableThrough: 9)
      #expect(
        String(decoding: disk.content(path)!, as: UTF8.self) == """
          firn-lock 1
          host mill
          pid 4711
          started 1700000000
          store 000102030405060708090a0b0c0d0e0f
          durable 00000000000000000009 \(hexadecimal(disk.content(path)!.suffix(9).dropLast()))

          """)
      lock.setDurable(through: .max)
    }
    let hint = DurableHint(storeID: JournalRun.storeID, version: .max)
    #expect(try StoreLock.take(path, by: owner, in: disk).hint == hint)
    // Any change of the two lines makes it count for nothing.
    let bytes = disk.content(path)!
    let start = bytes.count - 38 - 39
    for offset in start..<bytes.count - 1 {
      var copy = bytes
      copy[offset] ^= 3
      disk.setContent(path, copy)
      #expect(try StoreLock.take(path, by: owner, in: disk).hint == nil, "byte \(offset)")
    }
    let firstLine = Array("firn-lock 1\n".utf8)
    for garbage in [
      [], [0], [UInt8](repeating: 0, count: 500), [UInt8](repeating: 0, count: 4_096), Array(firstLine.prefix(5)),
      firstLine + [0xFF, 10, 10, 32, 10],
    ] {
      disk.setContent(path, garbage)
      let lock = try StoreLock.take(path, by: owner, in: disk)
      #expect(lock.hint == nil)
      try lock.claim(JournalRun.storeID, durableThrough: 3)
      #expect(disk.content(path)!.count == bytes.count)
    }
    // No lock file is as long as this.
    disk.setContent(path, [UInt8](repeating: 0, count: 4_097))
    #expect(throws: StoreError.self) { _ = try StoreLock.take(path, by: owner, in: disk) }
  }

  @Test func leavesFilesOfOthersAlone() throws {
    let disk = SimulatedDisk(seed: 1)
    let contents = [
      Array("a".utf8), Array("firn-lock 2\n".utf8), [UInt8](repeating: 0, count: 10_000),
      Array("firn-lock 1\n".utf8) + [UInt8](repeating: 0, count: 10_000),
      Array("firn-l\0\0\0a".utf8), [UInt8](repeating: 0, count: 12) + [1],
    ]
    for content in contents {
      disk.setContent(path, content)
      let error = #expect(throws: StoreError.self) { _ = try StoreLock.take(path, by: owner, in: disk) }
      #expect(error?.code == .fileExists && error?.path == path)
      #expect(disk.content(path) == content)
      // Nor is it locked.
      #expect(try disk.open(path, .readWrite).tryLock())
    }
  }

  /// A process or a machine that stops while it writes the first text leaves a part of it.
  @Test(arguments: ["", "firn-", "firn-lo\0\0\0", "\0\0\0\0", "firn-lock 1\nhost\0\0", "firn-lock 1\nho\u{7}\u{1}"])
  func takesWhatACrashLeft(_ content: String) throws {
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(path, Array(content.utf8))
    let lock = try StoreLock.take(path, by: owner, in: disk)
    try lock.claim(JournalRun.storeID, durableThrough: 1)
    #expect(try StoreLock.hint(path, in: disk)?.version == 1)
  }

  /// Bytes that others left on the disk never stand in place of a text that was not written yet.
  @Test(arguments: 1...12) func aCrashLeavesALockFileThatCanBeTaken(call: Int) throws {
    for seed in UInt64(0)..<400 {
      let disk = SimulatedDisk(seed: seed, fault: SimulatedDisk.Fault(call: call, kind: .stop))
      try? StoreLock.take(path, by: owner, in: disk).claim(JournalRun.storeID, durableThrough: 1)
      let after = disk.crash(.random)
      #expect(throws: Never.self, "seed \(seed)") { _ = try StoreLock.take(path, by: owner, in: after) }
    }
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  /// Somebody who opened the file before it was deleted must not believe to hold the lock of the next store.
  @Test func theLockOfARemovedFileIsNone() throws {
    let disk = SimulatedDisk(seed: 1)
    let old = try disk.open(path, .create)
    #expect(try old.tryLock())
    try disk.remove(path)
    #expect(try old.isRemoved())
    let lock = try StoreLock.take(path, by: owner, in: disk)
    try lock.claim(JournalRun.storeID, durableThrough: 1)
    #expect(try disk.exists(path))
  }
}
