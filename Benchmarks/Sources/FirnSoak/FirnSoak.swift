import ArgumentParser
import Firn
import Foundation

/// Loads a database for a long time in every way at once, checks what it reads against what it wrote, and fails when
/// memory, disk, descriptors or threads grow.
@main
struct FirnSoak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firn-soak",
    abstract: "Loads a database for a long time, and fails when a row is lost or resources grow.")

  @Option(help: "How long, in seconds.")
  var seconds = 3600.0

  @Option(help: "The folder for the files; made anew beside the program when it is left out.")
  var folder: String?

  @Option(help: "What random choices start from.")
  var seed = UInt64.random(in: 0 ... .max)

  @Option(help: "Rows of each of the four writers.")
  var rows = 1_500

  @Option(help: "How long the database stays open at most, in seconds; a quarter of it at least.")
  var restart = 8.0

  @Option(help: "How many files the process may have open; as many as the system allows when it is left out.")
  var descriptors: Int?

  /// Set by the program itself, in the processes that it starts to read beside it.
  @Option(help: .hidden)
  var check: String?

  func validate() throws {
    guard seconds >= 10, rows >= 10 else { throw ValidationError("At least 10 seconds and 10 rows are needed.") }
    guard restart >= 1 else { throw ValidationError("The database has to stay open for a second.") }
    guard descriptors ?? 64 >= 64 else { throw ValidationError("At least 64 files are needed.") }
  }

  func run() async throws {
    if let check {
      var configuration = SoakModel.configuration(URL(fileURLWithPath: check))
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration, queue: nil)
      try SoakModel.check(realm, "opened for reading only beside the writers")
      return
    }
    let place = URL(
      fileURLWithPath: folder
        ?? Bundle.main.bundleURL.appending(path: "firn-soak-\(UUID().uuidString)", directoryHint: .isDirectory).path)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    say("\(Int(seconds)) s in '\(place.path)', seed \(seed)")
    if let descriptors {
      var limit = rlimit(rlim_cur: rlim_t(descriptors), rlim_max: rlim_t(descriptors))
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw SoakFailure("The number of open files cannot be limited: error \(errno).")
      }
    }
    let soak = Soak(folder: place, seconds: seconds, seed: seed, rowCount: rows, openSeconds: restart / 4...restart)
    do {
      try await soak.run()
    } catch {
      // The files stay, to be looked at.
      say("FAILED, seed \(seed), files in '\(place.path)': \(error)")
      throw ExitCode.failure
    }
    try FileManager.default.removeItem(at: place)
    say("Passed.")
  }
}

/// Prints a line at once, also into a file.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

/// Why the soak failed.
struct SoakFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// SplitMix64: the same seed makes the same choices.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
