internal import FirnEngine

/// Has the asynchronous writes of a realm advance, and tells them what other threads said.
///
/// Whoever refers to it, the gate or the log, does not refer to the realm: they would perhaps let it go last, and a store
/// must not be released by its own log.
///
/// State     guarded by
/// signals   its lock
/// store     never set again; read where the realm is confined
final class AsyncWriteTurns: @unchecked Sendable {
  /// What other threads tell.
  struct Signals {
    fileprivate var isScheduled = false
    /// By the gate.
    var wasCalled = false
    var decided: (version: UInt64, error: (any Error)?)?
  }

  private let confinement: Confinement
  private let number: UInt64
  private weak let store: Store?
  private let signals = Guarded(Signals())

  init(_ realm: RealmInstance) {
    confinement = realm.confinement
    number = realm.number
    store = realm.store
  }

  /// Has a turn taken, soon. Any thread.
  func schedule(_ change: (inout Signals) -> Void = { _ in }) {
    let isFirst = signals.withLock { signals in
      change(&signals)
      defer { signals.isScheduled = true }
      return !signals.isScheduled
    }
    if isFirst { scheduleAgain() }
  }

  /// The scheduled turn came when it could not be taken.
  func scheduleAgain() {
    let isScheduled = confinement.schedule { self.store?.openRealm(self.number)?.asyncWrites?.turn() }
    if !isScheduled { fatalError("An asynchronous write has no place to run.") }
  }

  /// What was told since the last turn.
  func begin() -> Signals {
    signals.withLock { signals in
      defer { signals = Signals() }
      return signals
    }
  }
}

/// Stands at the gate for the asynchronous writes of a realm.
///
/// State    guarded by
/// state    its lock
final class AsyncWriteWaiter: GateWaiter {
  private struct State {
    var ticket: WriterGate.Ticket?
    var wasCalled = false
  }

  private let turns: AsyncWriteTurns
  private let gate: WriterGate
  private let state = Lock(State())

  init(_ turns: AsyncWriteTurns, _ gate: WriterGate) {
    self.turns = turns
    self.gate = gate
  }

  /// The place was taken, and perhaps called before this is.
  func start(_ ticket: WriterGate.Ticket) {
    let wasCalled = state.withLock { state in
      state.ticket = ticket
      return state.wasCalled
    }
    if wasCalled { giveUp(ticket) }
  }

  func call() {
    let ticket = state.withLock { state in
      state.wasCalled = true
      return state.ticket
    }
    if let ticket { giveUp(ticket) }
  }

  private func giveUp(_ ticket: WriterGate.Ticket) {
    gate.giveUp(ticket)
    turns.schedule { $0.wasCalled = true }
  }

  func wake() { fatalError("An asynchronous write waits for the writer's role as a thread.") }

  func run(_ relay: GateRelay) { fatalError("An asynchronous write was run on the thread of another.") }
}
