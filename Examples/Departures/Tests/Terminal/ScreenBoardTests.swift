import DepartureBoard
import Foundation
import TerminalEmulation
import Testing

/// Drives the program as a user does: by keys, signals and sizes, and by what the screen shows.
@Suite(.serialized) struct ScreenBoardTests {
  private func shows(_ text: String, inRow row: Int) -> (TerminalEmulator) -> Bool {
    { $0.lines[row].contains(text) }
  }

  @Test(arguments: [(100, 30), (80, 24)])
  func showsTheBoardAndFollowsKeys(width: Int, height: Int) throws {
    let program = try ProgramInTerminal(["--memory", "--speed", "60"], width: width, height: height)
    try program.wait(for: "the alternate screen") { $0.isAlternate && !$0.showsCursor }
    try program.wait(forText: "New York departures")
    for part in ["AIRCRAFT", "delays by airline", "weather", "changes", "commits/s", "K kill", "Airbus", "LGA 7"] {
      try program.wait(forText: part)
    }
    program.type(" ")
    try program.wait(for: "a pause", shows("paused  60 min/s", inRow: 0))
    program.type("-")
    try program.wait(for: "a lower speed", shows("paused  30 min/s", inRow: 0))
    program.type("a")
    try program.wait(for: "a filter") { screen in
      let board = screen.lines.dropFirst(2).prefix { !$0.contains("delays by airline") }.filter { !$0.isEmpty }
      return screen.lines[0].hasSuffix("EWR  by time") && !board.isEmpty && board.allSatisfy { $0.contains(" EWR ") }
    }
    program.type("\u{1B}")
    try program.wait(for: "all flights", shows("all flights", inRow: 0))
    program.type("s")
    try program.wait(for: "another order", shows("by delay", inRow: 0))
    #expect(program.screen.complaints.isEmpty)

    program.resize(width: 120, height: 40)
    try program.wait(for: "the larger screen") { $0.lines[39].contains("q quit") && $0.lines[0].contains("paused") }
    #expect(program.screen.complaints.isEmpty)
    program.resize(width: 20, height: 5)
    try program.wait(for: "the small screen") { $0.lines[4].contains("q quit") && $0.lines[0].contains("paused") }
    program.resize(width: 1, height: 1)
    program.resize(width: 60, height: 16)
    try program.wait(for: "the middle screen") { $0.lines[15].contains("q quit") && $0.lines[0].contains("paused") }

    program.type("q")
    #expect(try program.waitForEnd() == .exited(0))
    #expect(program.isAsBefore)
    #expect(program.screen.text.contains("The board stopped at"))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
  func aSignalEndsItInOrder(signal: Int32, status: Int32) throws {
    let program = try ProgramInTerminal(["--memory"], width: 100, height: 30)
    try program.wait(forText: "New York departures")
    #expect(!program.isAsBefore)
    if signal == SIGINT { program.type("\u{3}") } else { program.signal(signal) }
    #expect(try program.waitForEnd() == .exited(status))
    #expect(program.isAsBefore)
  }

  @Test(arguments: [SIGABRT, SIGSEGV, SIGILL, SIGTRAP])
  func aTrapGivesTheTerminalBack(signal: Int32) throws {
    let program = try ProgramInTerminal(["--memory"], width: 80, height: 24)
    try program.wait(forText: "New York departures")
    program.signal(signal)
    #expect(try program.waitForEnd() == .killed(signal: signal))
    #expect(program.isAsBefore)
  }

  @Test func stoppedItLeavesTheTerminalAndGoesOnInIt() throws {
    let program = try ProgramInTerminal(["--memory"], width: 80, height: 24)
    try program.wait(forText: "New York departures")
    program.type("\u{1A}")
    #expect(try program.waitForEnd() == .stopped)
    #expect(program.isAsBefore)
    program.signal(SIGCONT)
    try program.wait(for: "the screen again") { $0.isAlternate && $0.text.contains("New York departures") }
    program.type("q")
    #expect(try program.waitForEnd() == .exited(0))
    #expect(program.isAsBefore)
  }

  @Test func killsItselfOnTheSpot() throws {
    let program = try ProgramInTerminal(["--memory"], width: 80, height: 24)
    try program.wait(forText: "New York departures")
    program.type("K")
    #expect(try program.waitForEnd() == .killed(signal: SIGKILL))
    #expect(program.isAsBefore)
  }

  @Test(.enabled(if: BoardStore.outlivesProcess))
  func killedAndStartedAgainItGoesOn() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("board-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ["--store", folder.appendingPathComponent("day.firn").path]
    var time = ""
    for (width, height) in [(100, 30), (80, 24), (20, 6)] {
      let program = try ProgramInTerminal(arguments, width: width, height: height)
      if !time.isEmpty { try program.wait(forText: "The board goes on") }
      if !time.isEmpty, width >= 80 { try program.wait(forText: "commits recovered from the journal") }
      // A change to wait for, made by the replay of this process.
      try program.wait(for: "a clock behind \(time)") { screen in
        let clock = String(screen.lines[0].dropFirst().prefix(5))
        return screen.lines[0].contains("min/s") && clock.count == 5 && clock > time
      }
      time = String(program.screen.lines[0].dropFirst().prefix(5))
      program.type("K")
      #expect(try program.waitForEnd() == .killed(signal: SIGKILL))
      #expect(program.isAsBefore)
    }
  }

  @Test func withoutColorThereIsNone() throws {
    let program = try ProgramInTerminal(
      ["--memory"], width: 80, height: 24, environment: ["NO_COLOR": "1", "LANG": "C"])
    try program.wait(forText: "delays by airline")
    try program.wait(forText: "scheduled")
    #expect(program.screen.usedAttributes.isSubset(of: [0, 1, 2, 7]))
    #expect(program.screen.cells.joined().allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
    #expect(program.screen.complaints.isEmpty)
  }

  @Test func aTerminalThatCannotPlaceTheCursorGetsLines() throws {
    let program = try ProgramInTerminal(
      ["--seconds", "1"], width: 80, height: 24, environment: ["TERM": "dumb"])
    #expect(try program.waitForEnd() == .exited(0))
    #expect(program.screen.text.contains("average delay at departure"))
    #expect(program.screen.complaints.isEmpty)
  }
}
