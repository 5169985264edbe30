internal import Dispatch
internal import FirnEngine

/// Ends the waits at a gate that take too long, with one timer for all of them.
///
/// A wait that ends takes its entry out, so nothing is kept. The timer is set to the earliest deadline and not set back
/// when that one is met: it then fires for nothing, once.
///
/// State    guarded by
/// state    its lock
final class GateDeadlines: Sendable {
  private struct State {
    var heap = DeadlineHeap<GateEntry>()
    /// For when the timer is set; nil while it is not.
    var timerDeadline: ContinuousClock.Instant?
    var timer: (any DispatchSourceTimer)?
  }

  private let state = Guarded(State())

  private static let queue = DispatchQueue(label: "firn.deadlines")

  deinit { state.withLock { $0.timer?.cancel() } }

  /// How many waits have a deadline.
  var count: Int { state.withLock { $0.heap.count } }

  func add(_ entry: GateEntry, _ deadline: ContinuousClock.Instant) -> DeadlineHeap<GateEntry>.Ticket {
    state.withLock { state in
      defer { setTimer(&state) }
      return state.heap.insert(entry, deadline)
    }
  }

  func remove(_ ticket: DeadlineHeap<GateEntry>.Ticket) {
    let entry = state.withLock { $0.heap.remove(ticket) }
    withExtendedLifetime(entry) {}
  }

  private func setTimer(_ state: inout State) {
    guard let earliest = state.heap.earliest else { return }
    if let set = state.timerDeadline, set <= earliest { return }
    let timer = state.timer ?? makeTimer()
    state.timer = timer
    state.timerDeadline = earliest
    timer.schedule(deadline: .now() + Self.interval(until: earliest, from: .now))
  }

  /// Seconds for the timer. Dispatch cannot count more than some centuries of nanoseconds, nor a duration's components more
  /// than 2⁶³ seconds.
  static func interval(until deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant) -> Double {
    if deadline <= now { return 0 }
    let (seconds, attoseconds) = min(deadline - now, .seconds(1_000_000_000)).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.setEventHandler { [weak self] in self?.didFire() }
    timer.activate()
    return timer
  }

  private func didFire() {
    let now = ContinuousClock.now
    let due = state.withLock { state in
      var due: [GateEntry] = []
      while let entry = state.heap.removeDue(at: now) { due.append(entry) }
      state.timerDeadline = nil
      setTimer(&state)
      return due
    }
    for entry in due { entry.expire() }
  }
}
