import ArgumentParser
import DeparturePlan
import Firn
import Foundation
import Synchronization

@main
struct Departures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Departures",
    abstract: "A departures board: replays a stormy day at New York's airports, 10 July 2013.",
    discussion: """
      A writer changes flights in an in-memory store at the speed of the replay. Every line is printed by an observer \
      of a live query.
      """
  )

  @OptionGroup var options: BoardOptions

  func run() throws {
    let onTerminal = isatty(STDOUT_FILENO) == 1
    let day = try FlightDay(directory: options.directory)
    let origin = day.airports.first { $0.code == day.flights[0].origin }
    let replay = Replay(
      day: day, plan: ReplayPlan(flights: day.flights),
      minutesPerSecond: options.minutesPerSecond(onTerminal: onTerminal))

    let realm = try Realm(configuration: .departures)
    let reporter = BoardReporter(realm: realm, clock: BoardClock(timeZone: origin?.timeZone ?? "GMT"))
    try run(replay, seconds: options.seconds(onTerminal: onTerminal))
    try realm.write {
      realm.object(ofType: Board.self, forPrimaryKey: Board.key)?.isOpen = false
    }
    guard serveObservers(seconds: 10, until: { reporter.isClosed }) else {
      throw Stuck(problem: "the observer of the board did not report its closing")
    }
  }

  /// Replays off the main thread, which meanwhile serves the observers. Returns when the day or the time is over.
  private func run(_ replay: Replay, seconds: Double) throws {
    let ending = Ending()
    let task = Task.detached {
      let result: Result<Void, any Error>
      do { result = .success(try await replay.run()) } catch { result = .failure(error) }
      ending.result.withLock { $0 = result }
    }
    if !serveObservers(seconds: seconds, until: { ending.isReached }) {
      task.cancel()
      guard serveObservers(seconds: 10, until: { ending.isReached }) else {
        throw Stuck(problem: "the replay did not stop when cancelled")
      }
    }
    do {
      try ending.result.withLock { $0 }?.get()
    } catch is CancellationError {}
  }

  /// Runs the main loop, where observers are called, until the condition holds; false when the time was over before.
  private func serveObservers(seconds: Double, until isDone: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while !isDone() {
      guard Date() < end else { return false }
      RunLoop.main.run(until: min(end, Date(timeIntervalSinceNow: 0.02)))
      fflush(nil)
    }
    return true
  }
}

private final class Ending: Sendable {
  /// Nil while the replay runs.
  let result = Mutex<Result<Void, any Error>?>(nil)

  var isReached: Bool { result.withLock { $0 != nil } }
}

private struct Stuck: Error, CustomStringConvertible {
  let problem: String

  var description: String { "\(problem) within ten seconds" }
}
