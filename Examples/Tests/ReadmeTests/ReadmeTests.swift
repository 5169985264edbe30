import Foundation
import Testing

/// The program of the README prints what its comments say.
@Suite struct ReadmeTests {
  private static var executable: URL {
    let bundle = URL(
      fileURLWithPath: ProcessInfo.processInfo.arguments.first { $0.contains(".xctest") } ?? "/proc/self/exe")
    return bundle.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Readme")
  }

  private static func run(in folder: URL) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = executable
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  @Test func theProgramPrintsChanges() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try Self.run(in: folder)
    #expect(first.output == "1 [] [0] []\nJFK 60\n" && first.status == 0)
    // The flights are in the file now. The one of the second part is late, too.
    let second = try Self.run(in: folder)
    #expect(second.output == "2 [] [] [0]\nJFK 60\n" && second.status == 0)
  }
}
