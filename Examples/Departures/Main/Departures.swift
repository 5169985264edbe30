import ArgumentParser
import DepartureBoard
import DeparturePlan
import DepartureScreen
import Foundation

@main
struct Departures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Departures",
    abstract: "A departures board: replays a stormy day at New York's airports, 10 July 2013.",
    discussion: """
      A writer changes flights in a store at the speed of the replay; everything on the screen is brought by observers of \
      live queries. Without a terminal, or on one that cannot place the cursor, lines are printed instead, and the \
      program ends by itself within a minute.

      On a terminal the board is kept in a file. Started again, it says what it recovered and goes on where it was; \
      --restart begins the day anew. The file is brought onto the disk every 200 ms: the death of the process, however \
      sudden, loses no commit, that of the machine at most those of the last 200 ms.

      Keys: q quits, space pauses, + and - change the speed, a and l filter by airport and airline, s sorts, Escape \
      shows all, arrows scroll, K kills the process on the spot, to try what it recovers. The bottom line shows what the store says of itself.
      """
  )

  @OptionGroup var options: BoardOptions

  func run() throws {
    try MainActor.assumeIsolated { try runOnMainThread() }
  }

  @MainActor
  private func runOnMainThread() throws {
    let environment = ProcessInfo.processInfo.environment
    let abilities = TerminalAbilities(environment: environment)
    let isFullScreen = !options.lines && abilities.placesCursor && TerminalSession.isPossible()
    let isInMemory = options.memory || (!isFullScreen && options.store == nil)
    let location = isInMemory ? .memory : StoreLocation(path: options.store, environment: environment)
    // Opened first, so that what is wrong is said on a terminal that nobody has touched.
    let board = try OpenedBoard(options, location)
    if isFullScreen, let terminal = TerminalSession() {
      let status = try ScreenBoard(board, options, terminal, abilities).run()
      guard status == 0 else { throw ExitCode(status) }
    } else {
      try LineBoard(board: board, options: options).run()
    }
  }
}
