import ArgumentParser
import Firn
import Foundation
import Synchronization

/// Opens a store, checks what it has, writes until the plan is done, and closes it.
struct WriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "write", abstract: "Opens, checks, writes, closes.")

  @OptionGroup var arguments: StoreArguments
  @OptionGroup var plan: WritingPlan

  @Flag(help: "Reads and verifies everything before it opens the store.")
  var verifies = false

  @Flag(help: "Opens the store for reading only before it opens it.")
  var readsOnly = false

  @Flag(help: "Raises the version of the schema.")
  var migrates = false

  @Flag(help: "Makes a checkpoint while opening.")
  var compacts = false

  @Flag(help: "Verifies the store once it is closed.")
  var verifiesAfterwards = false

  func run() async throws {
    let notes = Notes(arguments.notes)
    let opening = Opening(
      arguments: arguments, notes: notes, verifies: verifies, readsOnly: readsOnly, migrates: migrates,
      compacts: compacts)
    let (store, schemaVersion, commitCount) = await opening.run()
    let writing = Writing(
      store, schemaVersion: schemaVersion, commitCount: commitCount, arguments, plan, notes)
    do { try await writing.run() } catch { Outcome.failed("writing", error) }
    let number = writing.state.withLock { $0.lastNumber }
    do { try await store.close() } catch { Outcome.failed("closing", error) }
    notes.add(.durable, number)
    if verifiesAfterwards {
      do {
        _ = try RealmStore.verify(arguments.configuration(arguments.url, schemaVersion: schemaVersion))
      } catch {
        Outcome.refused("verify after closing", error)
      }
    }
    say("CLOSED with \(number) commits.")
  }
}
