import Firn
import Foundation

/// Opens a store for writing as a crash or another process has left it, and checks what it has against the promises.
struct Opening {
  let arguments: StoreArguments
  let notes: Notes
  /// Whether everything is read beforehand by ``RealmStore/verify(_:)``.
  var verifies = false
  /// Whether it is opened for reading only beforehand.
  var readsOnly = false
  /// Whether the version of the schema is raised.
  var migrates = false
  /// Whether a checkpoint is made while opening.
  var compacts = false

  private var url: URL { arguments.url }

  /// The store, the version of its schema, and how many commits it has. Ends the process when something is wrong.
  func run() async -> (store: RealmStore, schemaVersion: UInt64, commitCount: Int) {
    let promises = notes.promises()
    let countMin = arguments.commitCountMin(promises)
    var check = StoreCheck(arguments.workload)
    let exists = FileManager.default.fileExists(atPath: url.path)
    let there = exists ? schemaVersion(promises) : 0
    if !exists, promises.schemaVersion != nil { Outcome.found(.lost, "The file of the store is gone.") }
    if exists { await lookBeforehand(there, countMin, &check) }
    await checkCopies(promises, &check)

    let wanted = exists ? there + (migrates ? 1 : 0) : 1
    var configuration = arguments.configuration(url, schemaVersion: wanted)
    if compacts { configuration.shouldCompactOnLaunch = { _, _ in true } }
    do {
      let store = try await RealmStore.open(configuration)
      let count = check.commitCount(try store.realm(), schemaVersion: wanted, "The store")
      judge(count, countMin, promises)
      if arguments.history > 0 { await checkHistory(store, count) }
      say("OPENED with \(count) of at least \(countMin) commits, schema \(wanted). \(describe(store))")
      // From here on this counts, and what was above is void.
      notes.add(.opened, count)
      notes.add(.schema, wanted)
      return (store, wanted, count)
    } catch {
      Outcome.refused("opening", error)
    }
  }

  private func describe(_ store: RealmStore) -> String { store.lastOpenReport?.description ?? "" }

  private func judge(_ count: Int, _ countMin: Int, _ promises: Promises) {
    if count < countMin {
      Outcome.found(
        .lost,
        "The store has \(count) commits, and \(countMin) were promised (\(promises.acknowledged) acknowledged, "
          + "\(promises.seen) seen, \(promises.durable) durable).")
    }
    // Commits of the store that it began with may have been promised to nobody yet.
    let countMax = max(promises.commitCountMax(underWay: arguments.writers + 1), arguments.originalCommits)
    if count > countMax {
      Outcome.found(.invented, "The store has \(count) commits, and at most \(countMax) were begun.")
    }
  }

  private func schemaVersion(_ promises: Promises) -> UInt64 {
    do {
      let version = try schemaVersionAtURL(url, encryptionKey: arguments.key)
      if version < promises.schemaVersion ?? 0 {
        Outcome.found(.lost, "The schema has version \(version), and \(promises.schemaVersion ?? 0) was promised.")
      }
      return version
    } catch {
      Outcome.refused("schemaVersionAtURL", error)
    }
  }

  // MARK: Looking without changing anything

  private func lookBeforehand(_ version: UInt64, _ countMin: Int, _ check: inout StoreCheck) async {
    var configuration = arguments.configuration(url, schemaVersion: version)
    if verifies {
      do { _ = try RealmStore.verify(configuration) } catch { Outcome.refused("verify", error) }
      checkKey(configuration)
    }
    if readsOnly {
      configuration.readOnly = true
      do {
        let store = try await RealmStore.open(configuration)
        let count = check.commitCount(try store.realm(), schemaVersion: version, "What opening for reading only shows")
        if count < countMin {
          Outcome.found(.lost, "Opening for reading only shows \(count) commits, and \(countMin) were promised.")
        }
        try await store.close()
      } catch {
        Outcome.refused("opening for reading only", error)
      }
    }
  }

  /// An opening without the key, or with another one, is refused.
  private func checkKey(_ configuration: Realm.Configuration) {
    guard arguments.encrypted else { return }
    for key in [nil, StoreArguments.key(~arguments.seed)] {
      var other = configuration
      other.encryptionKey = key
      do {
        _ = try RealmStore.verify(other)
        Outcome.found(.broken, "An encrypted store was read \(key == nil ? "without a key" : "with another key").")
      } catch Realm.Error.invalidDatabase {
        continue
      } catch {
        Outcome.refused("verify with another key", error)
      }
    }
  }

  /// Copies that were promised are there; others are whole, or are not there. All are removed.
  private func checkCopies(_ promises: Promises, _ check: inout StoreCheck) async {
    for copy in promises.copies {
      let count = await checkCopy(copy.path, &check)
      if !copy.commitCounts.contains(count) {
        Outcome.found(.different, "The copy '\(copy.path)' has \(count) commits, and not \(copy.commitCounts).")
      }
      notes.add(.removed, copy.path)
    }
    let folder = url.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(Self.copyPrefix) {
      let path = folder.appendingPathComponent(name).path
      if name.hasSuffix(".firn"), !promises.copies.contains(where: { $0.path == path }) {
        _ = await checkCopy(path, &check)
      }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  static let copyPrefix = "copy-"

  private func checkCopy(_ path: String, _ check: inout StoreCheck) async -> Int {
    let url = URL(fileURLWithPath: path)
    do {
      let version = try schemaVersionAtURL(url, encryptionKey: arguments.key)
      var configuration = arguments.configuration(url, schemaVersion: version)
      configuration.readOnly = true
      _ = try RealmStore.verify(configuration)
      let store = try await RealmStore.open(configuration)
      let count = check.commitCount(try store.realm(), schemaVersion: version, "The copy '\(path)'")
      try await store.close()
      return count
    } catch {
      Outcome.refused("opening the copy '\(path)'", error)
    }
  }

  // MARK: History

  /// Commits that are kept follow each other, and lead to the last one.
  private func checkHistory(_ store: RealmStore, _ count: Int) async {
    var last: Int?
    do {
      for try await entry in store.history() {
        for number in entry.classes.filter({ $0.name == "Counter" })
          .flatMap({ $0.insertions + $0.modifications }).compactMap({ $0["number"] })
        {
          guard case .int(let new)? = number.newValue else { continue }
          if let last, new != last + 1 { Outcome.found(.different, "In the history \(new) follows \(last).") }
          if case .int(let old)? = number.oldValue, old != new - 1 {
            Outcome.found(.different, "In the history commit \(new) says that \(old) was before it.")
          }
          last = new
        }
      }
    } catch {
      Outcome.refused("history", error)
    }
    if let last, last != count {
      Outcome.found(.different, "The history ends with commit \(last), and the store with \(count).")
    }
  }
}
