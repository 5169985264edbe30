import ArgumentParser
import Firn
import Foundation

/// Deletes a store, or looks at what a deletion has left that did not come to its end, and deletes that.
struct DeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: "Deletes the files of a store.")

  @OptionGroup var arguments: StoreArguments

  @Flag(help: "Looks at what is left before and after it deletes it.")
  var checks = false

  func run() async throws {
    if checks { await checkRest() }
    do {
      _ = try Realm.deleteFiles(for: arguments.configuration(arguments.url, schemaVersion: 1))
    } catch {
      Outcome.refused("deleteFiles", error)
    }
    if checks { await checkNothingIsLeft() }
    say("DELETED")
  }

  /// The whole store is there, or none, or something that says that it is damaged.
  private func checkRest() async {
    if FileManager.default.fileExists(atPath: arguments.file) {
      let opening = Opening(arguments: arguments, notes: Notes(arguments.notes))
      let (store, _, _) = await opening.run()
      do { try await store.close() } catch { Outcome.failed("closing", error) }
      return say("INTACT")
    }
    do {
      try await openEmpty("After a deletion that did not come to its end")
      say("GONE")
    } catch Realm.Error.corrupted {
      say("IN PARTS")
    } catch {
      Outcome.refused("opening what a deletion left", error)
    }
  }

  private func checkNothingIsLeft() async {
    let url = arguments.url
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    let left = names.filter { $0.hasPrefix(url.lastPathComponent) }
    if !left.isEmpty { Outcome.found(.broken, "After the deletion there is still \(left).") }
    do { try await openEmpty("After the deletion") } catch { Outcome.refused("opening after the deletion", error) }
  }

  private func openEmpty(_ when: String) async throws {
    var configuration = arguments.configuration(arguments.url, schemaVersion: 1)
    configuration.seedFilePath = nil
    let store = try await RealmStore.open(configuration)
    if try store.realm().objects(Counter.self).count > 0 || store.lastOpenReport?.isNew != true {
      Outcome.found(.broken, "\(when) there is no base, and yet the store is not new.")
    }
    try await store.close()
  }
}
