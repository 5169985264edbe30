import ArgumentParser
import Firn
import Foundation

/// Opens for reading only, again and again, what another process writes.
///
/// Each time a beginning of the commits has to be there, with all that were promised before, and it stays for good.
struct ReadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Opens for reading only, beside the process that writes.")

  @OptionGroup var arguments: StoreArguments

  @Option(help: "How often the store was opened for writing before. Until it is once more, nothing is read.")
  var openingsBefore = 0

  func run() async throws {
    let notes = Notes(arguments.notes)
    let writer = getpgrp()
    var check = StoreCheck(arguments.workload)
    while true {
      let promises = notes.promises()
      guard promises.openingCount > openingsBefore, let version = promises.schemaVersion else {
        try await Task.sleep(for: .milliseconds(5))
        continue
      }
      let count = await read(version, &check)
      // Beside a writer that lives, what can be seen is on disk. Once it is gone, others may lose what is read here.
      guard isAlive(writer) else { return }
      let countMin = arguments.isDurableAtOnce ? max(promises.acknowledged, promises.durable) : promises.durable
      if count < countMin {
        Outcome.found(.lost, "A reader beside the writers sees \(count) commits, and \(countMin) were promised.")
      }
      notes.add(.durable, count)
      say("READ \(count) of at least \(countMin) commits.")
      // The writers are to get on as well.
      try await Task.sleep(for: .milliseconds(.random(in: 0...30)))
    }
  }

  /// How many commits there are now.
  private func read(_ schemaVersion: UInt64, _ check: inout StoreCheck) async -> Int {
    var configuration = arguments.configuration(arguments.url, schemaVersion: schemaVersion)
    configuration.readOnly = true
    do {
      let store = try await RealmStore.open(configuration)
      let realm = try store.realm()
      let count = check.commitCount(realm, schemaVersion: schemaVersion, "What a reader beside the writers sees")
      try await store.close()
      return count
    } catch {
      Outcome.refused("reading beside the writers", error)
    }
  }

  /// Whether a process, which leads this group, has not ended.
  private func isAlive(_ process: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let state = text.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
  }
}
