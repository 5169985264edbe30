import CrashStore
import Firn
import Foundation
import Testing

/// Processes that are killed while they write: what was acknowledged is there, and nothing by halves.
@Suite struct CrashWriterTests {
  /// Starts a writer and kills it at a random moment after so many acknowledgements, having looked at its store `looks` times
  /// meanwhile.
  private func runAndKill(_ folder: URL, _ mode: String, after acknowledgementCount: Int, looks: Int) throws {
    let process = Process()
    process.executableURL = WriterProgram.executable
    process.arguments = [folder.path, mode]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var count = 0
    while count < acknowledgementCount {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      count += bytes.count
    }
    for look in 0..<looks {
      // The writer goes on, and nobody takes what it tells.
      try checkBeside(folder, "look \(look) beside a writer")
    }
    usleep(.random(in: 0..<3_000))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(count >= acknowledgementCount, "The writer ended by itself.")
    #expect(process.terminationReason == .uncaughtSignal)
  }

  /// The last acknowledged number of each task.
  private func acknowledged(_ folder: URL) throws -> [Int: Int] {
    let text = try String(contentsOf: CrashStore.acknowledgements(folder), encoding: .utf8)
    var last: [Int: Int] = [:]
    // The last line may be torn.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let number = try #require(Int(line))
      last[number % CrashStore.taskCount] = max(last[number % CrashStore.taskCount] ?? -1, number)
    }
    return last
  }

  private func check(_ realm: Realm, _ acknowledged: [Int: Int], _ note: String) {
    let ledger = realm.object(ofType: Ledger.self, forPrimaryKey: 0).map { Array($0.transfers) } ?? []
    for task in 0..<CrashStore.taskCount {
      let last = CrashStore.lastNumber(realm, task: task)
      if let number = acknowledged[task] {
        #expect((last ?? -1) >= number, "\(note): transaction \(number) was acknowledged")
      }
      for index in 0..<CrashStore.cellCount {
        let cell = realm.object(ofType: Cell.self, forPrimaryKey: task * CrashStore.cellCount + index)
        #expect(cell?.number == last, "\(note): half a transaction of task \(task)")
      }
      // The transactions of a task follow each other without gap.
      let numbers = ledger.filter { $0.task == task }.map(\.number)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + CrashStore.taskCount == $1 }, "\(note)")
      #expect(numbers.isEmpty || numbers.last == last, "\(note)")
    }
    #expect(realm.objects(Transfer.self).count == ledger.count, "\(note)")
    for transfer in ledger {
      #expect(transfer.text == "transfer \(transfer.number)", "\(note)")
      #expect(transfer.cells.count == CrashStore.cellCount, "\(note)")
    }
  }

  /// Opens for reading only what a process is writing: a version that is whole, and has what was acknowledged before.
  private func checkBeside(_ folder: URL, _ note: String) throws {
    let before = try acknowledged(folder)
    var configuration = CrashStore.configuration(folder, .everyCommit)
    configuration.readOnly = true
    check(try Realm(configuration: configuration), before, note)
  }

  /// Makes the system forget what it has read and written; false where it is not allowed.
  private func dropCaches() -> Bool {
    let file = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return write(file, "3", 1) == 1
  }

  /// FIRN_KILLS of the environment says how often; FIRN_DROP_CACHES asks for the page cache to be dropped after each kill.
  @Test func killedProcessesLoseNothing() async throws {
    let killCount = ProcessInfo.processInfo.environment["FIRN_KILLS"].flatMap { Int($0) } ?? 10
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let drops = ProcessInfo.processInfo.environment["FIRN_DROP_CACHES"] != nil
    var checkpointed = 0
    var dropCount = 0
    for round in 0..<killCount {
      // Under constant checkpoints more often than not.
      let mode = ["checkpoints", "everyCommit", "checkpoints", "interval"][round % 4]
      let count = Int.random(in: 1...300)
      let note = "kill \(round), \(mode), after \(count) acknowledgements"
      print(note)
      try runAndKill(folder, mode, after: count, looks: mode == "interval" ? 0 : round % 3)
      if drops, dropCaches() { dropCount += 1 }
      let configuration = CrashStore.configuration(folder, .everyCommit)
      if round % 2 == 0 { _ = try RealmStore.verify(configuration) }
      let store = try await RealmStore.open(configuration)
      if let report = store.lastOpenReport, report.recoveredCommitCount < count { checkpointed += 1 }
      check(store.freeze().realm, try acknowledged(folder), note)
      try await store.close()
    }
    print("\(killCount) kills, \(checkpointed) of them behind a checkpoint")
    if drops {
      print(
        "The page cache was dropped \(dropCount) times; the system did not allow it \(killCount - dropCount) times.")
    }
  }
}
