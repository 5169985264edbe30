import DepartureBoard
import Foundation
import Testing

/// The program without a terminal.
@Suite struct LineBoardTests {
  private struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  private func run(_ arguments: String...) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ProgramInTerminal.executable)
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: text, errors: messages)
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func printsTheWholeDay() throws {
    let run = try run("--speed", "100000")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("New York, 2013-07-10, local time"))
    #expect(run.output.contains("846 arrived, 37 diverted, 121 cancelled"))
    #expect(run.errors.isEmpty)
  }

  @Test func endsByItself() throws {
    let run = try run("--seconds", "0.5", "--speed", "1")
    #expect(run.status == 0)
    #expect(run.output.contains("the board closes"))
  }

  @Test func refusesDataThatAreNone() throws {
    try withFolder { folder in
      let run = try run("--data", folder.path)
      #expect(run.status == 1)
      #expect(run.errors.contains("airports.csv: expected a readable file"))
    }
  }

  @Test(.enabled(if: BoardStore.outlivesProcess))
  func goesOnWhereItWas() throws {
    try withFolder { folder in
      let store = folder.appendingPathComponent("day.firn").path
      #expect(try run("--store", store, "--seconds", "2").status == 0)
      let second = try run("--store", store, "--speed", "100000")
      #expect(second.status == 0)
      #expect(second.output.hasPrefix("The board goes on at "))
      #expect(second.output.contains("846 arrived, 37 diverted, 121 cancelled"))
      #expect(try run("--store", store, "--seconds", "1").output.hasPrefix("The stored day was over"))
    }
  }

  @Test(.enabled(if: BoardStore.outlivesProcess))
  func refusesStoresThatCannotBeUsed() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data("this is no store".utf8).write(to: file)
      let foreign = try run("--store", file.path)
      #expect(foreign.status == 1)
      #expect(foreign.errors.contains("Error: the store \(file.path) "))
      #expect(try Data(contentsOf: file) == Data("this is no store".utf8))
      let unwritable = try run("--store", file.appendingPathComponent("day.firn").path)
      #expect(unwritable.status == 1)
      #expect(unwritable.errors.contains("cannot be opened"))
    }
  }

  @Test(.enabled(if: BoardStore.outlivesProcess))
  func refusesASecondBoardOnOneStore() throws {
    try withFolder { folder in
      let store = folder.appendingPathComponent("day.firn").path
      let first = try ProgramInTerminal(["--store", store], width: 80, height: 24)
      try first.wait(forText: "New York departures")
      let second = try run("--store", store)
      #expect(second.status == 1)
      #expect(second.errors.contains("is in use, perhaps by another board"))
      first.type("q")
      #expect(try first.waitForEnd() == .exited(0))
    }
  }
}
