import ArgumentParser
import Firn
import Foundation

/// The most resident memory that opening a file took, measured in a process of its own.
enum PeakMemory {
  /// What is different from the models that wrote the file.
  enum Change: String, ExpressibleByArgument {
    case none, half, all

    var configuration: (type: Object.Type, version: UInt64) {
      switch self {
      case .none: (Person.self, 0)
      case .half: (Migrated.Half.Person.self, 1)
      case .all: (Migrated.All.Person.self, 1)
      }
    }
  }

  /// Opens the file, and tells by how many bytes the process has grown at most.
  static func inThisProcess(_ change: Change, file: String) throws -> Int {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: file))
    configuration.objectTypes = [change.configuration.type]
    configuration.schemaVersion = change.configuration.version
    let opening = configuration
    let before = try peakByteCount()
    let store = try waitFor { try await RealmStore.open(opening) }
    defer { withExtendedLifetime(store) {} }
    return try peakByteCount() - before
  }

  static func inNewProcess(_ change: Change, _ folder: TemporaryFolder) throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--peak-of", change.rawValue, "--file", folder.file("persons.firn").path]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try expect(process.terminationStatus, 0, "exit status of the process that measures the peak of memory")
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return Int(text) ?? 0
  }

  private static func peakByteCount() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
  }
}
