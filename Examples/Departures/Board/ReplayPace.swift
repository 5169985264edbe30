internal import DeparturePlan
internal import Synchronization

/// How fast the day goes by, set from any thread while the replay waits for its next step.
package final class ReplayPace: Sendable {
  /// What a wait ended with.
  enum Wait: Equatable {
    case timeHasCome
    /// The pace is another one than the replay was told last.
    case changed(minutesPerSecond: Double, isPaused: Bool)
  }

  // State    guarded by   written by              read by
  // state    lock         any thread, the replay  any thread, the replay
  private struct State {
    var clock: PaceClock
    /// Whether a change waits for the replay to take note.
    var isNews = false
    /// What the replay sleeps in; cancelled to wake it.
    var nap: Task<Void, Never>?
  }

  private let state: Mutex<State>

  package init(minutesPerSecond: Double) {
    state = Mutex(State(clock: PaceClock(minutesPerSecond: minutesPerSecond)))
  }

  var minutesPerSecond: Double { state.withLock { $0.clock.minutesPerSecond } }

  package func setMinutesPerSecond(_ speed: Double) {
    change(isNews: true) { $0.setMinutesPerSecond(speed, at: .now) }
  }

  package func setPaused(_ isPaused: Bool) {
    change(isNews: true) { $0.setPaused(isPaused, at: .now) }
  }

  /// Stops the day without telling anybody, while the whole program is stopped.
  package func setHeld(_ isHeld: Bool) {
    change(isNews: false) { $0.setHeld(isHeld, at: .now) }
  }

  /// Sets the minute of the day from which the clock goes on.
  func start(at minute: Double) {
    change(isNews: false) { $0.start(at: minute, now: .now) }
  }

  /// Returns when the minute has come, or before that when the pace was changed.
  func wait(until minute: Double) async throws -> Wait {
    while true {
      try Task.checkCancellation()
      let outcome: (wait: Wait?, nap: Task<Void, Never>?) = state.withLock { state in
        if state.isNews {
          state.isNews = false
          return (.changed(minutesPerSecond: state.clock.minutesPerSecond, isPaused: state.clock.isPaused), nil)
        }
        let duration = state.clock.duration(until: minute, at: .now)
        if let duration, duration <= .zero { return (.timeHasCome, nil) }
        // Nothing happens in a pause until somebody ends the nap.
        let nap = Task { _ = try? await Task.sleep(for: min(duration ?? .seconds(3_600), .seconds(3_600))) }
        state.nap = nap
        return (nil, nap)
      }
      if let wait = outcome.wait { return wait }
      guard let nap = outcome.nap else { continue }
      await withTaskCancellationHandler {
        await nap.value
      } onCancel: {
        nap.cancel()
      }
    }
  }

  private func change(isNews: Bool, _ body: (inout PaceClock) -> Void) {
    let nap = state.withLock { state in
      body(&state.clock)
      if isNews { state.isNews = true }
      return state.nap
    }
    nap?.cancel()
  }
}
