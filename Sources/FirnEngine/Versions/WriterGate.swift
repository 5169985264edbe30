/// Lets one writer in at a time, in order of arrival.
///
/// The gate never blocks and knows neither threads nor tasks: who cannot enter leaves a closure that is called, on the
/// thread of the writer that leaves, once it is their turn.
package final class WriterGate: Sendable {
  /// A place in the queue, to be given up with ``cancel(_:)``.
  package struct Ticket: Hashable, Sendable { let number: UInt64 }

  private struct Waiter {
    let ticket: Ticket
    let enter: @Sendable () -> Void
  }

  private struct State {
    var isTaken = false
    var nextNumber: UInt64 = 1
    var waiters: [Waiter] = []
  }

  private let state = Lock(State())

  package init() {}

  /// Enters if nobody is inside or waiting.
  package func tryEnter() -> Bool {
    state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
  }

  /// Enters at once and returns nil, or queues `enter` and returns a ticket.
  package func enter(orQueue enter: @escaping @Sendable () -> Void) -> Ticket? {
    state.withLock { state in
      if !state.isTaken {
        state.isTaken = true
        return nil
      }
      let ticket = Ticket(number: state.nextNumber)
      state.nextNumber += 1
      state.waiters.append(Waiter(ticket: ticket, enter: enter))
      return ticket
    }
  }

  /// Leaves the queue. False when the closure was, or is just being, called.
  package func cancel(_ ticket: Ticket) -> Bool {
    state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return false }
      state.waiters.remove(at: index)
      return true
    }
  }

  /// How many wait.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Leaves; the next in the queue is let in.
  package func leave() {
    let next: Waiter? = state.withLock { state in
      guard let first = state.waiters.first else {
        state.isTaken = false
        return nil
      }
      state.waiters.removeFirst()
      return first
    }
    next?.enter()
  }
}
