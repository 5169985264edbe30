import DepartureBoard
import DeparturePlan
import Firn
import Foundation

/// The board without a terminal: lines, and an end by itself.
@MainActor
struct LineBoard {
  let board: OpenedBoard
  let options: BoardOptions

  func run() throws {
    let realm = try board.store.store.realm()
    var moment: Date?
    if case .resumed(_, let clock, _) = board.start { moment = clock }
    if let recovery = board.recovery { print(recovery) }
    let reporter = BoardReporter(realm: realm, clock: board.clock, start: moment, vicinity: board.vicinity)
    let pace = ReplayPace(minutesPerSecond: options.minutesPerSecond(onTerminal: false))
    let replay = RunningReplay(board.replay, at: pace)
    serve(seconds: options.seconds(onTerminal: false)) { replay.hasEnded }
    try replay.end()
    try realm.write {
      realm.objects(Board.self).first?.isOpen = false
    }
    guard serve(seconds: 10, until: { reporter.isClosed }) else {
      throw Stuck(problem: "the observer of the board did not report its closing")
    }
    try board.close()
  }

  /// Serves the observers, and sends on their lines; false when the time was over before the condition held.
  @discardableResult
  private func serve(seconds: Double, until isDone: () -> Bool) -> Bool {
    MainLoop.serve(until: Date(timeIntervalSinceNow: seconds)) {
      fflush(nil)
      return isDone()
    }
  }
}
