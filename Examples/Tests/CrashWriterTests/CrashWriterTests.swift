import CrashStore
import Firn
import Foundation
import Testing

/// Processes that are killed while they write: what was acknowledged is there, and nothing by halves.
@Suite struct CrashWriterTests {
  private static var executable: URL {
    // Beside the tests.
    URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first { $0.contains(".xctest") } ?? "/proc/self/exe")
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("CrashWriter")
  }

  /// Starts a writer and kills it after so many acknowledgements.
  private func runAndKill(_ folder: URL, _ durability: String, after acknowledgementCount: Int) throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = [folder.path, durability]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var count = 0
    while count < acknowledgementCount {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      count += bytes.count
    }
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

  /// FIRN_KILLS of the environment says how often.
  @Test func killedProcessesLoseNothing() async throws {
    let killCount = ProcessInfo.processInfo.environment["FIRN_KILLS"].flatMap { Int($0) } ?? 10
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var checkpointed = 0
    for round in 0..<killCount {
      let durability = round % 3 == 2 ? "interval" : "everyCommit"
      let count = Int.random(in: 1...300)
      let note = "kill \(round), \(durability), after \(count) acknowledgements"
      print(note)
      try runAndKill(folder, durability, after: count)
      let configuration = CrashStore.configuration(folder, .everyCommit)
      if round % 2 == 0 { _ = try RealmStore.verify(configuration) }
      let store = try await RealmStore.open(configuration)
      if let report = store.lastOpenReport, report.recoveredCommitCount < count { checkpointed += 1 }
      check(store.freeze().realm, try acknowledged(folder), note)
      try await store.close()
    }
    print("\(killCount) kills, \(checkpointed) of them behind a checkpoint")
  }
}
