internal import Dispatch
internal import FirnDurability
internal import FirnEngine
internal import Foundation

/// One task's wait for the writer's role, by suspension.
///
/// Ends in exactly one way: admitted, or failed by cancellation or deadline. A gate that opens for an entry which has
/// failed is left at once.
///
/// State    guarded by
/// state    its lock
final class GateEntry: Sendable {
  private enum State: Sendable {
    case new
    case waiting(CheckedContinuation<Void, any Error>, WriterGate.Ticket?)
    case admitted
    case failed(any Error)
  }

  private let gate: WriterGate
  private let state = Guarded(State.new)

  private init(_ gate: WriterGate) { self.gate = gate }

  /// Enters the gate of a graph, in order of arrival. The caller leaves it.
  ///
  /// - Throws: `CancellationError`, and ``Realm/Error`` `.deadlineExceeded`; the gate was not entered then.
  static func enter(
    _ store: Store, deadline: ContinuousClock.Instant?, _ isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    if let deadline, deadline <= .now { throw Realm.Error.deadlineExceeded(store) }
    let gate = store.graph.gate
    if gate.tryEnter() { return }
    let entry = GateEntry(gate)
    let timer = deadline.map { entry.makeTimer($0, store) }
    defer { timer?.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { entry.wait($0) }
    } onCancel: {
      entry.fail(CancellationError())
    }
    if Task.isCancelled {
      gate.leave()
      throw CancellationError()
    }
  }

  private func makeTimer(_ deadline: ContinuousClock.Instant, _ store: Store) -> DispatchWorkItem {
    let timer = DispatchWorkItem { self.fail(Realm.Error.deadlineExceeded(store)) }
    let (seconds, attoseconds) = (deadline - .now).components
    let interval = Double(seconds) + Double(attoseconds) * 1e-18
    // Beyond a year no timer is needed.
    if interval < 3e7 { DispatchQueue.global().asyncAfter(deadline: .now() + max(0, interval), execute: timer) }
    return timer
  }

  private func wait(_ continuation: CheckedContinuation<Void, any Error>) {
    let failure: (any Error)? = state.withLock { state in
      if case .failed(let error) = state { return error }
      state = .waiting(continuation, nil)
      return nil
    }
    if let failure {
      continuation.resume(throwing: failure)
      return
    }
    guard let ticket = gate.enter(orQueue: { self.admit() }) else {
      admit()
      return
    }
    let isLate = state.withLock { state in
      if case .waiting(let continuation, _) = state { state = .waiting(continuation, ticket) }
      if case .failed = state { return true }
      return false
    }
    // Failed before it had a ticket to give up. If it is being let in already, `admit` leaves again.
    if isLate { _ = gate.cancel(ticket) }
  }

  private func admit() {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard case .waiting(let continuation, _) = state else { return nil }
      state = .admitted
      return continuation
    }
    if let continuation { continuation.resume() } else { gate.leave() }
  }

  private func fail(_ error: any Error) {
    let waiting: (CheckedContinuation<Void, any Error>, WriterGate.Ticket?)? = state.withLock { state in
      switch state {
      case .new:
        state = .failed(error)
        return nil
      case .waiting(let continuation, let ticket):
        state = .failed(error)
        return (continuation, ticket)
      case .admitted, .failed:
        return nil
      }
    }
    guard let (continuation, ticket) = waiting else { return }
    if let ticket { _ = gate.cancel(ticket) }
    continuation.resume(throwing: error)
  }
}

extension Store {
  /// Suspends until a commit is durable.
  func makeDurable(_ number: UInt64, _ isolation: isolated (any Actor)? = #isolation) async throws {
    durable?.flushSoon()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      graph.whenDurable(number) { error in
        if let error { continuation.resume(throwing: Realm.Error.wrapping(error)) } else { continuation.resume() }
      }
    }
  }
}

extension Realm.Error {
  static func deadlineExceeded(_ store: Store) -> Realm.Error {
    Realm.Error(
      .deadlineExceeded,
      "A write to the store \(store.configuration.name) did not start before its deadline; nothing was written.")
  }
}
