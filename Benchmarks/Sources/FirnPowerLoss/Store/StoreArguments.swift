import ArgumentParser
import Firn
import Foundation

/// The store, and what the processes that use it agree about.
struct StoreArguments: ParsableArguments {
  @Option(help: "The file of the store.")
  var file: String

  @Option(help: "The file of the promises, on a disk that keeps its power.")
  var notes: String

  @Option(help: "The number that the commits are made from.")
  var seed: UInt64

  @Option(help: "How large the store is.")
  var shape = Workload.Shape.small

  @Option(help: "How many rows a large store has.")
  var rows = 40_000

  @Option(help: "everyCommit, onCheckpoint, or a number of milliseconds.")
  var durability = "everyCommit"

  @Option(help: "How many commits may be on their way at once.")
  var writers = 1

  @Option(help: "Bytes of the journal before a checkpoint.")
  var journal = 64 << 20

  @Option(help: "Bytes of the history to keep.")
  var history = 0

  @Option(help: "A store to begin with, where there is none.")
  var original: String?

  @Option(help: "How many commits that store has.")
  var originalCommits = 0

  @Flag(help: "The files are encrypted, with a key that follows from the seed.")
  var encrypted = false

  @Flag(help: "Everything that was not durable may be gone.")
  var powerWasLost = false

  var url: URL { URL(fileURLWithPath: file) }
  var workload: Workload { Workload(seed: seed, shape: shape, rowCount: rows) }
  var key: Data? { encrypted ? Self.key(seed) : nil }

  static func key(_ seed: UInt64) -> Data { PlainData.made(seed: seed, byteCount: 64).bytes }

  /// Whether a commit is durable before anybody hears of it.
  var isDurableAtOnce: Bool { durability == "everyCommit" }

  /// How many commits have to be there.
  func commitCountMin(_ promises: Promises) -> Int {
    max(originalCommits, promises.commitCountMin(powerWasLost: powerWasLost && !isDurableAtOnce))
  }

  func validate() throws {
    guard durability == "everyCommit" || durability == "onCheckpoint" || Int(durability) != nil else {
      throw ValidationError("'\(durability)' is no durability.")
    }
  }

  /// How a database of these models is opened, be it the store or a copy.
  func configuration(_ url: URL, schemaVersion: UInt64) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, encryptionKey: key, schemaVersion: schemaVersion,
      objectTypes: [Counter.self, Item.self, Spot.self, Row.self, Remarks.type(schemaVersion)])
    if let milliseconds = Int(durability) { configuration.durability = .interval(.milliseconds(milliseconds)) }
    if durability == "onCheckpoint" { configuration.durability = .onCheckpoint }
    configuration.checkpoints.journalByteCount = journal
    configuration.history.byteCount = history
    configuration.seedFilePath = original.map { URL(fileURLWithPath: $0) }
    configuration.migrationBlock = { migration, _ in Self.migrate(migration, to: schemaVersion) }
    return configuration
  }

  private static func migrate(_ migration: Migration, to schemaVersion: UInt64) {
    migration.enumerateObjects(ofType: "Counter") { old, new in
      guard let count = old?["migrationCount"] as? Int else { fatalError("A counter lacks a property.") }
      new?["migrationCount"] = count + 1
    }
    migration.enumerateObjects(ofType: Remarks.className) { old, new in
      if schemaVersion % 2 == 0 {
        guard let score = old?["score"] as? Int else { fatalError("A remark lacks its number.") }
        new?["score"] = "\(score)"
      } else {
        guard let text = old?["score"] as? String, let score = Int(text) else { fatalError("A remark lacks its text.") }
        new?["score"] = score
      }
    }
  }
}
