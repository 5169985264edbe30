import Foundation

/// A run of the built program without a terminal, to its end.
struct ProgramRun {
  let status: Int32
  let output: String
  let errors: String

  /// - Parameter blockCountMax: The greatest size that files may get, in units of the shell; nil for any.
  init(_ arguments: [String], environment: [String: String] = [:], blockCountMax: Int? = nil) throws {
    let process = Process()
    if let blockCountMax {
      // Without the signal the system answers that the file is too large.
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let script = "trap '' XFSZ; ulimit -f \(blockCountMax); exec \"$0\" \"$@\""
      process.arguments = ["-c", script, ProgramInTerminal.executable] + arguments
    } else {
      process.executableURL = URL(fileURLWithPath: ProgramInTerminal.executable)
      process.arguments = arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  init(_ arguments: String..., environment: [String: String] = [:], blockCountMax: Int? = nil) throws {
    try self.init(arguments, environment: environment, blockCountMax: blockCountMax)
  }
}

/// Gives the body a folder that is removed afterwards.
func withFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("departures-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}
