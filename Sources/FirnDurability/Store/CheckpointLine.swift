internal import FirnEngine

/// Has checkpoints made for those who ask at the same time: one serves all who asked before it began.
///
///     asks ──nobody is being served──▶ a thread makes a checkpoint ──▶ is told, with all others served
///       └──somebody is──▶ waits without a thread ──that one has ended──▶ ...
///
/// So a store has one thread at most that waits at its gate, however many ask.
///
/// State     guarded by
/// state     its lock
final class CheckpointLine: Sendable {
  typealias Outcome = Result<CheckpointRecord, any Error>

  private struct State {
    var isServing = false
    var waiting: [@Sendable (Outcome) -> Void] = []
    /// Done before the next checkpoint.
    var upkeep: (@Sendable () -> Void)?
    /// Called when nobody is served any more.
    var idle: [@Sendable () -> Void] = []

    var isWanted: Bool { !waiting.isEmpty || upkeep != nil }
  }

  private let state = Lock(State())

  /// Calls `tell` once a checkpoint was made that began after the call, or why it was not. Returns at once.
  func ask(_ store: DurableStore, _ tell: @escaping @Sendable (Outcome) -> Void) {
    enter(store) { $0.waiting.append(tell) }
  }

  /// Has `upkeep` done, which may make a checkpoint too: on a thread of Firn's own, and not beside a checkpoint of the
  /// line. Returns at once. Nothing is done when another upkeep waits, or when the system gives no thread.
  func keepUp(_ store: DurableStore, by upkeep: @escaping @Sendable () -> Void) {
    enter(store) { state in if state.upkeep == nil { state.upkeep = upkeep } }
  }

  private func enter(_ store: DurableStore, _ add: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      add(&state)
      defer { state.isServing = true }
      return !state.isServing
    }
    if isFirst { begin(store) }
  }

  private func begin(_ store: DurableStore) {
    WorkThreads.files.submit { [self] in
      state.withLock { $0.upkeep.take() }?()
      serve(store) { try store.checkpoint() }
    } orRefuse: { [self] error in
      state.withLock { $0.upkeep = nil }
      serve(store) { throw error }
    }
  }

  /// Tells all who wait of the outcome of `checkpoint`, and has the next ones served.
  private func serve(_ store: DurableStore, by checkpoint: () throws -> CheckpointRecord) {
    let served = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    if !served.isEmpty {
      let outcome = Outcome { try checkpoint() }
      for tell in served { tell(outcome) }
    }
    let idle = state.withLock { state in
      state.isServing = state.isWanted
      if state.isServing { return nil as [@Sendable () -> Void]? }
      defer { state.idle = [] }
      return state.idle
    }
    guard let idle else { return begin(store) }
    for body in idle { body() }
  }

  /// Calls `body` when nobody is served, at once if that is so now.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.isServing { state.idle.append(body) }
      return !state.isServing
    }
    if isIdle { body() }
  }
}
