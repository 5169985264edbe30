internal import FirnEngine

/// Has checkpoints made for those who ask at the same time: one serves all who asked before it began.
///
///     asks ──nobody is being served──▶ a thread makes a checkpoint ──▶ is told, with all who asked before it began
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
    /// Called when nobody is served any more.
    var idle: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())

  /// Calls `tell` once a checkpoint was made that began after the call, or why it was not. Returns at once.
  func ask(_ store: DurableStore, _ tell: @escaping @Sendable (Outcome) -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(tell)
      defer { state.isServing = true }
      return !state.isServing
    }
    if isFirst { begin(store) }
  }

  private func begin(_ store: DurableStore) {
    WorkThreads.files.submit { [self] in
      let served = takeWaiting()
      let outcome = Outcome { try store.checkpoint() }
      for tell in served { tell(outcome) }
      end(store)
    } orRefuse: { [self] error in
      let refused = takeWaiting()
      for tell in refused { tell(.failure(error)) }
      end(store)
    }
  }

  private func takeWaiting() -> [@Sendable (Outcome) -> Void] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func end(_ store: DurableStore) {
    let idle = state.withLock { state in
      state.isServing = !state.waiting.isEmpty
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
