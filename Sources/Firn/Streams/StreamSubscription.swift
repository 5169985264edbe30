internal import FirnEngine

/// One iteration of a ``ChangeStream``: where somebody waits for the next change.
///
/// State              guarded by
/// state              its lock
/// everything else    the queue of the hub
final class StreamSubscription<Content: Sendable, Delta: Sendable>: @unchecked Sendable {
  typealias Change = StreamedChange<Content, Delta>

  let source: StreamSource<Content, Delta>
  let delivery: ChangeDelivery
  private let state: Guarded<State>

  /// Where it is subscribed; nil before that, and after it ended.
  var log: StreamLog<Content, Delta>?
  /// What it has seen; nil before the first element.
  var position: StreamEntry<Content>?
  /// The number of that, which stays when the entry goes.
  var seen = 0

  private struct State {
    var phase: Phase
    /// What was sent and not yet taken by the task that waited for it. It goes through the lock, not through the continuation,
    /// whose resumption is no synchronisation to ThreadSanitizer.
    var sent: Change?
  }

  private enum Phase {
    /// Nobody waits. Holds the hub once there was a first call.
    case idle(StreamHub?)
    case waiting(StreamHub, UnsafeContinuation<Void, Never>)
    case ended
  }

  init(_ source: StreamSource<Content, Delta>, _ delivery: ChangeDelivery) {
    self.source = source
    self.delivery = delivery
    state = Guarded(State(phase: .idle(nil)))
  }

  func next() async -> Change? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in wait(continuation) }
      return state.withLock { state in
        defer { state.sent = nil }
        return state.sent
      }
    } onCancel: {
      end()
    }
  }

  private func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    let hub: StreamHub? = state.withLock { state in
      guard case .idle(let known) = state.phase, let hub = known ?? source.store.streamHub() else {
        if case .waiting = state.phase {
          fatalError("An iterator of a ChangeStream was asked for two changes at a time.")
        }
        state.phase = .ended
        return nil
      }
      state.phase = .waiting(hub, continuation)
      return hub
    }
    guard let hub else { return continuation.resume() }
    hub.queue.async { hub.serve(self) }
  }

  /// Gives whoever waits an element; none when the sequence has ended. What was prepared for somebody who has gone is lost.
  ///
  /// - Parameter isLast: Whether nothing follows. Who gets it may ask for the next one before this returns.
  func send(_ change: Change?, isLast: Bool = false) {
    let waiting: UnsafeContinuation<Void, Never>? = state.withLock { state in
      guard case .waiting(let hub, let continuation) = state.phase else { return nil }
      state = State(phase: isLast || change == nil ? .ended : .idle(hub), sent: change)
      return continuation
    }
    waiting?.resume()
  }

  /// Whether somebody waits for an element.
  var isWaiting: Bool { state.withLock { if case .waiting = $0.phase { true } else { false } } }

  /// Ends the subscription. Any thread, any number of times.
  func end() {
    let (hub, waiting): (StreamHub?, UnsafeContinuation<Void, Never>?) = state.withLock { state in
      defer { state.phase = .ended }
      switch state.phase {
      case .idle(let hub): return (hub, nil)
      case .waiting(let hub, let continuation): return (hub, continuation)
      case .ended: return (nil, nil)
      }
    }
    waiting?.resume()
    if let hub { hub.queue.async { hub.leave(self) } }
  }
}
