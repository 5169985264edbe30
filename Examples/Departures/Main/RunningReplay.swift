import DepartureBoard
import Foundation

/// The replay while it writes, away from the main thread.
@MainActor
struct RunningReplay {
  private let work: BackgroundWork<Void>

  init(_ replay: Replay, at pace: ReplayPace) {
    work = BackgroundWork { try await replay.run(at: pace) }
  }

  var hasEnded: Bool { work.result != nil }

  /// Why it ended before the day was over; nil while it runs too.
  var failure: (any Error)? {
    guard case .failure(let error)? = work.result, !(error is CancellationError) else { return nil }
    return error
  }

  /// Ends it between two steps, if it has not ended.
  ///
  /// - Throws: Why it ended before the day was over, unless it was cancelled.
  func end() throws {
    if !hasEnded {
      work.cancel()
      guard MainLoop.serve(until: Date(timeIntervalSinceNow: 10), { hasEnded }) else {
        throw Stuck(problem: "the replay did not stop when cancelled")
      }
    }
    if let failure { throw failure }
  }
}
