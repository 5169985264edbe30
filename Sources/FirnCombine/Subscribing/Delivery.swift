#if Publishers
internal import Firn
internal import FirnEngine

/// Stands between an observer and a subscriber: it keeps the token, counts the demand and closes the observer's gate while
/// there is none.
///
/// The subscriber keeps it, as its subscription. It ends with `cancel`, with a completion, or when the subscriber lets it go.
///
/// State    guarded by
/// state    its lock; what it held is released, and subscribers are called, outside of it
final class Delivery<Downstream: Subscriber>: AnyDelivery {
  let gate = DeliveryGate(isOpen: false)
  private let state: Guarded<State>

  private struct State {
    /// Nil when it is over.
    var downstream: Downstream?
    var token: NotificationToken?
    var demand = Subscribers.Demand.none
  }

  init(_ downstream: Downstream) { state = Guarded(State(downstream: downstream)) }

  deinit { end()?.token?.invalidate() }

  /// Observes, unless the subscriber has cancelled already.
  func start(_ observe: () -> NotificationToken) {
    if state.withLock({ $0.downstream == nil }) { return }
    let token = observe()
    let isOver = state.withLock { state in
      if state.downstream != nil { state.token = token }
      return state.downstream == nil
    }
    // A demand that came before the token is told to nobody yet.
    if isOver { token.invalidate() } else { token.resume() }
  }

  /// Sends a value, if it is demanded.
  func receive(_ input: Downstream.Input) {
    let downstream: Downstream? = state.withLock { state in
      guard let downstream = state.downstream, state.demand > .none else { return nil }
      state.demand -= 1
      if state.demand == .none { gate.close() }
      return downstream
    }
    if let downstream { add(downstream.receive(input)) }
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    let old = end()
    old?.downstream?.receive(completion: completion)
    old?.token?.invalidate()
  }

  func request(_ demand: Subscribers.Demand) {
    add(demand)
    state.withLock { $0.token }?.resume()
  }

  private func add(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    state.withLock { state in
      state.demand += demand
      gate.open()
    }
  }

  func cancel() { end()?.token?.invalidate() }

  private func end() -> State? {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}

#endif
