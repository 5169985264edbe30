import CrashStore
import Firn
import Foundation

/// Commits when it is told to, and tells what became of it: for scripts that make the disk fail in between.
///
/// `commit <number>` answers `acknowledged <number>` or `refused <number>: <reason>`; `list` answers `numbers` and all that
/// are there. The process ends with its input, without closing the store.
enum CommitServer {
  static func run(_ folder: URL) async throws {
    var configuration = CrashStore.configuration(folder, .everyCommit)
    // Nothing happens that was not asked for.
    configuration.checkpoints.journalByteCount = 64 << 20
    let store: RealmStore
    do {
      store = try await RealmStore.open(configuration)
    } catch {
      answer("not opened: \(error.localizedDescription)")
      exit(1)
    }
    answer("opened")
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch (words.first, words.count) {
      case ("commit", 2):
        guard let number = Int(words[1]) else { fatalError("'\(words[1])' is no number.") }
        do {
          try await store.write { CrashStore.transact($0, task: 0, round: number) }
          answer("acknowledged \(number)")
        } catch {
          answer("refused \(number): \(error.localizedDescription)")
        }
      case ("list", 1):
        let ledger = store.freeze().object(ofType: Ledger.self, forPrimaryKey: 0)
        let numbers = ledger.map { $0.transfers.map { $0.number / CrashStore.taskCount } } ?? []
        answer("numbers " + numbers.map { String($0) }.joined(separator: " "))
      default: fatalError("'\(line)' is no command.")
      }
    }
    _exit(0)
  }

  private static func answer(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
