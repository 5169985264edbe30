import Firn
import Foundation

extension Loop {
  static var files: [Loop] {
    [
      Loop("2j", "add a person per transaction with journal, beside an idle observer", turns: 2_000) {
        let (store, dataset) = try filledStore(.onCheckpoint)
        let realm = try store.realm()
        return { try addPersons($0, to: realm, dataset) }
      },
      update("", "update an Int per transaction with journal", turns: 5_000, .onCheckpoint),
      update("3", "update an Int per durable transaction", turns: 300, .everyCommit),
      update(
        "", "update an Int per transaction with journal and history", turns: 5_000, .onCheckpoint,
        history: .init(byteCount: 1 << 30)),
      Loop("16b", "open a base of 5,000 persons and close it", turns: 10) {
        try writeBase()
        return { turnCount in
          for _ in 0..<turnCount {
            let store = try open(.everyCommit)
            try waitFor { try await store.close() }
          }
        }
      },
      Loop("replay", "open a copy with a journal of 2,000 commits", turns: 5, replay),
      Loop("M3", "open a copy with a migration of 5,000 persons", turns: 2, migrate),
      Loop("16c", "write a copy of 5,000 persons", turns: 10) {
        let realm = try filledStore(.onCheckpoint).0.realm()
        return { turnCount in
          for turn in 0..<turnCount { try realm.writeCopy(toFile: file("copy \(turn)")) }
        }
      },
      Loop("16c", "checkpoint after 50 updates", turns: 20) {
        let (store, dataset) = try filledStore(.onCheckpoint)
        let realm = try store.realm()
        let persons = realm.persons(withIDs: dataset.distinctIDs(atMost: 50))
        return { turnCount in
          for turn in 0..<turnCount {
            try realm.write {
              for person in persons { person.age = (person.id + turn) % 100 }
            }
            _ = try waitFor { try await store.checkpoint() }
          }
        }
      },
    ]
  }

  private static func update(
    _ row: String, _ name: String, turns: Int, _ durability: Realm.Configuration.Durability,
    history: Realm.Configuration.History = .init()
  ) -> Loop {
    Loop(row, name, turns: turns) {
      let (store, dataset) = try filledStore(durability, history: history)
      let realm = try store.realm()
      let persons = realm.persons(withIDs: dataset.distinctIDs(atMost: 2_000))
      return { turnCount in
        for turn in 0..<turnCount {
          try realm.write { persons[turn % persons.count].age = (turn + turn / persons.count) % 100 }
        }
        withExtendedLifetime(store) {}
      }
    }
  }

  /// Opens what a process leaves behind that dies.
  private static func replay() throws -> (Int) throws -> Void {
    let (written, dataset) = try filledStore(.onCheckpoint)
    _ = try waitFor { try await written.checkpoint() }
    let realm = try written.realm()
    let persons = realm.persons(withIDs: dataset.distinctIDs(atMost: 2_000))
    for (turn, person) in persons.enumerated() { try realm.write { person.age = turn % 100 } }
    return { turnCount in
      for turn in 0..<turnCount {
        let store = try open(.onCheckpoint, copyFiles(turn))
        guard store.lastOpenReport?.recoveredCommitCount == persons.count else { fatalError("commits are missing") }
      }
      withExtendedLifetime(written) {}
    }
  }

  private static func migrate() throws -> (Int) throws -> Void {
    try writeBase()
    return { turnCount in
      for turn in 0..<turnCount {
        var configuration = configuration(.everyCommit, try copyFiles(turn))
        configuration.objectTypes = [Migrated.Added.Person.self]
        configuration.schemaVersion = 1
        configuration.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: "Person") { old, new in
            if let old, let new { new["nick"] = "\(old["name"] as? String ?? "")!" }
          }
        }
        let migrating = configuration
        _ = try waitFor { try await RealmStore.open(migrating) }
      }
    }
  }
}

// MARK: Stores in the current folder, which whoever runs the program makes and removes

private let name = "counts.firn"

private func file(_ name: String) -> URL {
  URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appending(path: name, directoryHint: .notDirectory)
}

/// Checkpoints are made only when asked for.
private func configuration(
  _ durability: Realm.Configuration.Durability, _ url: URL, history: Realm.Configuration.History = .init()
) -> Realm.Configuration {
  var configuration = Realm.Configuration(fileURL: url)
  configuration.durability = durability
  configuration.history = history
  configuration.checkpoints = .init(journalByteCount: .max, interval: nil)
  return configuration
}

private func open(
  _ durability: Realm.Configuration.Durability, _ url: URL = file(name), history: Realm.Configuration.History = .init()
) throws -> RealmStore {
  let configuration = configuration(durability, url, history: history)
  return try waitFor { try await RealmStore.open(configuration) }
}

private func filledStore(
  _ durability: Realm.Configuration.Durability, history: Realm.Configuration.History = .init()
) throws -> (RealmStore, Dataset) {
  let dataset = Dataset(count: personCount)
  let store = try open(durability, history: history)
  try store.realm().fill(with: dataset)
  return (store, dataset)
}

/// Leaves a closed store behind.
private func writeBase() throws {
  let store = try filledStore(.onCheckpoint).0
  try waitFor { try await store.close() }
}

/// Copies the store, which may be open, and returns where the copy is.
private func copyFiles(_ number: Int) throws -> URL {
  let copy = file("\(1_000 + number).firn")
  for suffix in ["", ".journal"] {
    try FileManager.default.copyItem(atPath: file(name).path + suffix, toPath: copy.path + suffix)
  }
  return copy
}
