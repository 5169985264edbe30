import ArgumentParser
import Firn
import Foundation

/// Opens a store for writing, checks what it has, and closes it again.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "check", abstract: "Opens, checks, closes, verifies.")

  @OptionGroup var arguments: StoreArguments

  @Flag(help: "Reads and verifies everything before it opens the store.")
  var verifies = false

  @Flag(help: "Opens the store for reading only before it opens it.")
  var readsOnly = false

  func run() async throws {
    let notes = Notes(arguments.notes)
    let opening = Opening(arguments: arguments, notes: notes, verifies: verifies, readsOnly: readsOnly)
    let (store, schemaVersion, commitCount) = await opening.run()
    do { try await store.close() } catch { Outcome.failed("closing", error) }
    do {
      _ = try RealmStore.verify(arguments.configuration(arguments.url, schemaVersion: schemaVersion))
    } catch {
      Outcome.refused("verify after closing", error)
    }
    say("CHECKED \(commitCount) commits.")
  }
}
