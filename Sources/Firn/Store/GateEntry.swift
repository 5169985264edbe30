internal import FirnEngine

/// One task's wait for the writer's role.
///
/// The task suspends until it is called, and then comes to take the role, in synchronous code. A movable entry is the
/// executor of its task meanwhile: so a writer that leaves can run the task, with all its task-local values, right on its
/// own thread. Fails by cancellation or deadline for as long as it waits.
///
/// State       guarded by
/// ticket      written by `enter`, before the task suspends; whoever resumes the task does without it
/// state       its lock
/// relay       the lock of `state`, in order: written before the task learns that it is resumed
/// isCalled    touched by the one who resumes the suspended task, then by that task
/// passedCount touched by the task
final class GateEntry: GateWaiter, TaskExecutor, @unchecked Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    /// Called before it was suspended.
    var isResumed = false
    var failure: (any Error)?
  }

  private let store: String
  private let gate: WriterGate
  private let site: CallSite
  private let deadline: ContinuousClock.Instant?
  private var ticket: WriterGate.Ticket?
  private let state = Guarded(State())
  /// Signalled for a task that sleeps on its thread.
  private let semaphore = Semaphore()
  private var isCalled = false
  /// How often it was called and found that somebody else had taken the role. Belongs to the task.
  private var passedCount = 0
  /// A task that sleeps for the role blocks a thread that it shares with others. So it suspends again, unless writers
  /// that block have passed it as often as this in a row: else they could do so for ever.
  private static let passedCountMax = 16
  /// What the thread that runs the task hands the role on with.
  private(set) var relay: GateRelay?

  init(_ store: Store, _ site: CallSite, _ deadline: ContinuousClock.Instant?) {
    self.store = store.configuration.name
    gate = store.graph.gate
    self.site = site
    self.deadline = deadline
  }

  /// Enters at once, or queues. True when it has entered.
  func enter(isMovable: Bool) -> Bool {
    // Whoever is next learns of the entry under the lock of the gate, and needs no ticket to resume it.
    ticket = gate.enter(GateHolder(site), orSuspend: self, isMovable: isMovable)
    return ticket == nil
  }

  /// Suspends until the entry is called, has failed, or must look again.
  func suspend(_ isolation: isolated (any Actor)? = #isolation) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let failure: (any Error)?? = state.withLock { state in
        if let failure = state.failure { return .some(failure) }
        if state.isResumed {
          state.isResumed = false
          return .some(nil)
        }
        state.continuation = continuation
        return nil
      }
      guard let failure else { return }
      if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
    }
  }

  /// Takes the role. If somebody has taken it since the call, the task has to suspend again, or sleeps on its thread
  /// when it was passed too often.
  ///
  /// - Returns: False when the task has to suspend again.
  /// - Throws: When the task was cancelled or is late; it does not have the role then.
  func arrive() throws -> Bool {
    guard let ticket else { fatalError("A task came to the gate without waiting there.") }
    if let error = lateness {
      gate.giveUp(ticket)
      throw error
    }
    let mayPark = passedCount == Self.passedCountMax
    switch gate.arrive(ticket, GateHolder(site), homes: Confinement.homesHere(), mayPark: mayPark) {
    case .entered:
      return true
    case .suspended:
      if !mayPark { passedCount += 1 }
      return false
    case .parked:
      semaphore.wait()
      if let failure = state.withLock({ $0.failure }) { throw failure }
      gate.didWake(GateHolder(site))
      if let error = lateness {
        gate.leave()
        throw error
      }
      return true
    }
  }

  private var lateness: (any Error)? {
    if Task.isCancelled { return CancellationError() }
    if let deadline, deadline <= .now { return Realm.Error.deadlineExceeded(store) }
    return nil
  }

  // MARK: Called by others

  func wake() { semaphore.signal() }

  func call() {
    guard let continuation = takeContinuation() else { return }
    isCalled = true
    continuation.resume()
  }

  func run(_ relay: GateRelay) {
    self.relay = relay
    takeContinuation()?.resume()
  }

  /// How the task is resumed; nil if it has not suspended yet, and will not.
  private func takeContinuation() -> CheckedContinuation<Void, any Error>? {
    state.withLock { state in
      defer { state.continuation = nil }
      if state.continuation == nil { state.isResumed = true }
      return state.continuation
    }
  }

  func cancel() { fail(CancellationError()) }

  func expire() { fail(Realm.Error.deadlineExceeded(store)) }

  private func fail(_ error: any Error) {
    // Otherwise it runs, or will soon, and sees by itself.
    guard let ticket, gate.withdraw(ticket) else { return }
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.failure = error
      return state.continuation
    }
    guard let continuation else {
      // It sleeps, or is about to suspend and sees the failure.
      semaphore.signal()
      return
    }
    isCalled = true
    continuation.resume(throwing: error)
  }

  // MARK: Executing

  /// A task that comes here or is run from here goes on where it is; one that was called goes to the common pool.
  func enqueue(_ job: consuming ExecutorJob) {
    if isCalled {
      isCalled = false
      globalConcurrentExecutor.enqueue(job)
    } else {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

extension Store {
  /// Takes the writer's role, waiting by suspension, and calls `body`, which leaves the role before it returns.
  ///
  /// Nothing suspends between: whoever has the role runs.
  ///
  /// - Throws: `CancellationError`, and ``Realm/Error`` `.deadlineExceeded`; `body` was not called then.
  func enterGate<Result>(
    _ site: CallSite, deadline: ContinuousClock.Instant? = nil, isMovable: Bool = false,
    _ isolation: isolated (any Actor)? = #isolation, _ body: (GateRelay?) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    if let deadline, deadline <= .now { throw Realm.Error.deadlineExceeded(configuration.name) }
    if graph.gate.enterWithoutWaiting(GateHolder(site)) { return try body(nil) }
    // A transaction that this very task has opened would not end while the task is suspended.
    if let task = Confinement.taskHome { graph.gate.checkCanWait(site, in: [task]) }
    let entry = GateEntry(self, site, deadline)
    if isMovable {
      return try await withTaskExecutorPreference(entry) {
        if entry.enter(isMovable: true) { return try body(nil) }
        return try await wait(entry, deadline, isolation, body)
      }
    }
    if entry.enter(isMovable: false) { return try body(nil) }
    return try await wait(entry, deadline, isolation, body)
  }

  private func wait<Result>(
    _ entry: GateEntry, _ deadline: ContinuousClock.Instant?, _ isolation: isolated (any Actor)?,
    _ body: (GateRelay?) throws -> Result
  ) async throws -> Result {
    let deadline = deadline.map { deadlines.add(entry, $0) }
    defer { if let deadline { deadlines.remove(deadline) } }
    return try await withTaskCancellationHandler {
      // That the closure captures the isolation makes it run there.
      repeat { try await entry.suspend(isolation) } while try !entry.arrive()
      return try body(entry.relay)
    } onCancel: {
      entry.cancel()
    }
  }
}

extension Realm.Error {
  static func deadlineExceeded(_ store: String) -> Realm.Error {
    Realm.Error(
      .deadlineExceeded, "A write to the store \(store) did not start before its deadline; nothing was written.")
  }
}
