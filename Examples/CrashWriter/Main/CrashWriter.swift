import CrashStore
import Firn
import Foundation

/// Writes to a store until it is killed: `CrashWriter <folder> everyCommit|interval|checkpoints|serve|altered|extended`.
///
/// Writes from several tasks, notes the number of each acknowledged transaction in a file, and then tells of it by a byte on
/// standard output. With `checkpoints` one checkpoint follows the other meanwhile. With `serve` it does what the lines of
/// standard input say instead, and with the name of models it migrates a store to them: see ``Migrating``.
@main struct CrashWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      fatalError("Usage: CrashWriter <folder> everyCommit|interval|checkpoints|serve|altered|extended")
    }
    let folder = URL(fileURLWithPath: arguments[1])
    if arguments[2] == "serve" { return try await CommitServer.run(folder) }
    if let models = ParcelModels(rawValue: arguments[2]) { return try await Migrating.run(folder, models) }
    let durability: Realm.Configuration.Durability =
      arguments[2] == "interval" ? .interval(.milliseconds(3)) : .everyCommit
    let file = open(CrashStore.acknowledgements(folder).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { fatalError("The file of acknowledgements cannot be opened.") }
    let store = try await RealmStore.open(CrashStore.configuration(folder, durability))
    try await withThrowingTaskGroup { group in
      for task in 0..<CrashStore.taskCount {
        group.addTask { try await write(store, task, file) }
      }
      if arguments[2] == "checkpoints" {
        group.addTask { while true { try await store.checkpoint() } }
      }
      try await group.waitForAll()
    }
  }

  private static func write(_ store: RealmStore, _ task: Int, _ file: Int32) async throws {
    let last = CrashStore.lastNumber(store.freeze().realm, task: task)
    for round in (last.map { $0 / CrashStore.taskCount + 1 } ?? 0)... {
      try await store.write { CrashStore.transact($0, task: task, round: round) }
      let line = Array("\(CrashStore.number(task, round))\n".utf8)
      guard Foundation.write(file, line, line.count) == line.count else { fatalError("A note could not be written.") }
      guard Foundation.write(1, ".", 1) == 1 else { return }
    }
  }
}
