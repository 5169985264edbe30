import DepartureBoard
import Foundation
import Testing

/// The program without a terminal.
@Suite struct LineBoardTests {
  @Test func printsTheWholeDay() throws {
    let run = try ProgramRun("--speed", "100000")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("New York, 2013-07-10, local time"))
    #expect(run.output.contains("846 arrived, 37 diverted, 121 cancelled"))
    #expect(run.errors.isEmpty)
  }

  @Test func printsNewsOfFlightsToWhatIsNear() throws {
    let run = try ProgramRun("--speed", "100000", "--within", "100", "--of", "ORD")
    #expect(run.status == 0 && run.errors.isEmpty)
    // Below the head line, which explains the arrow.
    let destinations = run.output.split(separator: "\n").dropFirst().compactMap { (line: Substring) -> Substring? in
      line.firstRange(of: "→").map { line[$0.upperBound...].prefix(3) }
    }
    #expect(Set(destinations) == ["ORD", "MDW"])
    #expect(run.output.contains("846 arrived, 37 diverted, 121 cancelled"), "the tally is that of all flights")
    let unknown = try ProgramRun("--within", "100", "--of", "XYZ")
    #expect(unknown.status != 0 && unknown.errors.contains("--of: expected the code of an airport"))
  }

  @Test func endsByItself() throws {
    let run = try ProgramRun("--seconds", "0.5", "--speed", "1")
    #expect(run.status == 0)
    #expect(run.output.contains("the board closes"))
  }

  @Test func refusesDataThatAreNone() async throws {
    try await withFolder { folder in
      let run = try ProgramRun("--data", folder.path)
      #expect(run.status == 1)
      #expect(run.errors.contains("airports.csv: expected a readable file"))
    }
  }

  /// The place for the state of programs is only for boards on a terminal.
  @Test func withoutATerminalNothingIsKept() async throws {
    try await withFolder { folder in
      let run = try ProgramRun("--seconds", "0.5", environment: ["XDG_STATE_HOME": folder.path])
      #expect(run.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test(.enabled(if: BoardStore.outlivesProcess))
  func goesOnWhereItWas() async throws {
    try await withFolder { folder in
      let store = folder.appendingPathComponent("day.firn").path
      #expect(try ProgramRun("--store", store, "--seconds", "2").status == 0)
      let second = try ProgramRun("--store", store, "--speed", "100000")
      #expect(second.status == 0)
      #expect(second.output.hasPrefix("The board goes on at "))
      #expect(second.output.contains("846 arrived, 37 diverted, 121 cancelled"))
      #expect(try ProgramRun("--store", store, "--seconds", "1").output.hasPrefix("The stored day was over"))
    }
  }
}
