internal import CFirn
internal import Synchronization

/// Who waits at a gate. Called without any lock held.
package protocol GateWaiter: AnyObject, Sendable {
  /// Wakes the thread that sleeps; it has the role.
  func wake()

  /// Resumes the suspended task, which then arrives.
  func call()

  /// Resumes the suspended task such that it runs at once, on the calling thread, if it can.
  func run(_ relay: GateRelay)
}

/// Lets one writer in at a time.
///
/// Turns are in order of arrival, with one exception: see ``GateQueue``, which decides. Whoever has the role runs, and
/// does not suspend before it leaves: the role is taken and left in synchronous code. So it is safe to wait for it on a
/// thread, whatever the thread.
///
/// State     guarded by
/// state     its lock
/// crowd     atomic; written under the lock of `state`
/// isAsked   atomic; ordered by the lock of `state`, which is taken after it is set and before it is read
/// onAsked   set once, before anybody enters
package final class WriterGate: Sendable {
  package typealias Ticket = GateQueue<any GateWaiter>.Ticket
  package typealias Arrival = GateQueue<any GateWaiter>.Arrival
  typealias Action = GateQueue<any GateWaiter>.Action

  private struct State {
    var queue = GateQueue<any GateWaiter>()
    /// Nil while nobody is inside, or nobody has said yet who it is.
    var holder: GateHolder?
  }

  private let state = Lock(State())
  /// 0 nobody is inside, 1 somebody is and nobody waits, 2 somebody waits. A hint.
  private let crowd = Atomic<Int>(0)
  /// Whether somebody could not enter who leaves the work to others then.
  private let isAsked = Atomic<Bool>(false)
  /// Does that work.
  nonisolated(unsafe) var onAsked: (@Sendable () -> Void)?

  package init() {}

  private func change<Result>(_ body: (inout State) -> sending Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      crowd.store(state.queue.count > 0 ? 2 : state.queue.isFree ? 0 : 1, ordering: .relaxed)
      return result
    }
  }

  /// How many wait.
  package var waiterCount: Int { occupancy.waiterCount }

  /// The call that is inside, if it has said so, and how many wait.
  package var occupancy: (site: CallSite?, waiterCount: Int) {
    state.withLock { ($0.holder?.site, $0.queue.count) }
  }

  /// Whether a task was called and has not come yet, and whether one sleeps on its thread.
  package var firstTask: (isCalled: Bool, isParked: Bool) { state.withLock { $0.queue.firstTaskStand } }

  // MARK: Entering

  /// Enters if nobody is inside. For threads that leave soon.
  package func tryEnter(_ holder: GateHolder? = nil) -> Bool {
    change { state in
      if !state.queue.tryEnter() { return false }
      state.holder = holder
      return true
    }
  }

  /// Enters if nobody is inside; else `onAsked` is called when nobody is.
  func tryEnterOrAsk() -> Bool {
    if tryEnter() { return true }
    // The one inside may have left before it was asked.
    isAsked.store(true, ordering: .relaxed)
    return tryEnter()
  }

  /// Enters, blocking the thread until it is its turn.
  ///
  /// - Parameters:
  ///   - homes: What the caller blocks beside its thread. Traps when the one inside cannot leave because of that.
  package func enter(_ holder: GateHolder, homes: () -> [GateHolder.Home] = { [] }) {
    if tryEnter(holder) { return }
    checkCanWait(holder.site, in: homes() + [.thread])
    waitBriefly()
    let sleeper = Sleeper()
    let hasToWait = change { state in
      if state.queue.enter(orPark: sleeper) != nil { return true }
      state.holder = holder
      return false
    }
    if !hasToWait { return }
    sleeper.semaphore.wait()
    state.withLock { $0.holder = holder }
  }

  /// Traps when the one inside cannot leave before what the caller is about to block, `homes`, goes on.
  package func checkCanWait(_ site: CallSite, in homes: [GateHolder.Home]) {
    guard isHeld(in: homes), let other = state.withLock({ $0.holder }) else { return }
    fatalError(
      "\(site) was called inside the write transaction of \(other.site), which it would wait for. "
        + "A database has one writer at a time: use the realm of the transaction.")
  }

  /// Whether the one inside cannot leave before one of `homes` goes on.
  package func isHeld(in homes: [GateHolder.Home]) -> Bool {
    state.withLock { $0.holder?.isWaiting(in: homes) ?? false }
  }

  /// Enters if nobody is inside or waiting, perhaps after a moment.
  package func enterWithoutWaiting(_ holder: GateHolder) -> Bool {
    if crowd.load(ordering: .relaxed) == 1 { waitBriefly() }
    return change { state in
      if state.queue.count > 0 || !state.queue.tryEnter() { return false }
      state.holder = holder
      return true
    }
  }

  /// Enters, or queues a task that suspends then.
  ///
  /// - Returns: Nil when it has entered.
  package func enter(_ holder: GateHolder, orSuspend waiter: any GateWaiter, isMovable: Bool) -> Ticket? {
    change { state in
      let ticket = state.queue.enter(orSuspend: waiter, isMovable: isMovable)
      if ticket == nil { state.holder = holder }
      return ticket
    }
  }

  /// Called by a task that was resumed.
  ///
  /// - Parameters:
  ///   - homes: What the task would block if it slept for its turn. If the one inside cannot leave because of that, the
  ///     task has to suspend again.
  ///   - mayPark: Whether the task would sleep at all.
  package func arrive(
    _ ticket: Ticket, _ holder: GateHolder, homes: [GateHolder.Home], mayPark: Bool = true
  ) -> Arrival {
    change { state in
      let mayPark = mayPark && state.holder.map { !$0.isWaiting(in: homes) } ?? true
      let arrival = state.queue.arrive(ticket, mayPark: mayPark)
      if arrival == .entered { state.holder = holder }
      return arrival
    }
  }

  /// Called by a task that slept and was woken, which has the role.
  package func didWake(_ holder: GateHolder) { state.withLock { $0.holder = holder } }

  /// A short write of somebody else is over sooner than a thread or task has gone to sleep and woken up.
  private func waitBriefly() {
    for _ in 0..<Self.briefPauseCount {
      if crowd.load(ordering: .relaxed) != 1 { return }
      firn_pause()
    }
  }

  /// Some microseconds.
  private static let briefPauseCount = 256

  // MARK: Leaving

  /// Leaves. Whoever is next is woken or called.
  package func leave() {
    // Mostly nobody waits, and there is nothing to do for others.
    let isAlone = change { state in
      state.holder = nil
      return state.queue.leaveAlone()
    }
    if isAlone { answer() } else { perform(change { $0.queue.leave() }) }
  }

  /// What is left to do for a writer that has left.
  package struct Departure {
    fileprivate var action: Action
    /// With what the thread goes on that runs the caller, if one does.
    fileprivate let relay: GateRelay?
  }

  /// Leaves. The caller finishes what it has to do and then calls `finishLeaving`, soon: nobody may be inside meanwhile.
  ///
  /// - Parameter relay: What the caller was run with, if it was.
  package func beginLeaving(_ relay: GateRelay?) -> Departure {
    let relay = relay.flatMap { $0.isRunningHere ? $0 : nil }
    let runsNext = relay?.takeRun() ?? true
    let action = change { state in
      state.holder = nil
      return state.queue.leave(runsNext: runsNext)
    }
    return Departure(action: action, relay: relay)
  }

  /// Lets the next in. Movable tasks are run on the calling thread, one after the other.
  package func finishLeaving(_ departure: Departure) {
    if let relay = departure.relay {
      relay.hand(departure.action)
      return
    }
    var action = departure.action
    if action.run != nil {
      let relay = GateRelay()
      while let (waiter, ticket) = action.run {
        waiter.run(relay)
        action = relay.takeNext() ?? change { $0.queue.retract(ticket) }
      }
      relay.end()
    }
    perform(action)
  }

  /// Gives up a place in the queue, on any thread. False when the waiter runs, or is about to.
  package func withdraw(_ ticket: Ticket) -> Bool { change { $0.queue.withdraw(ticket) } }

  /// Called instead of `arrive` by a task that does not want its turn any more.
  package func giveUp(_ ticket: Ticket) { perform(change { $0.queue.giveUp(ticket) }) }

  private func perform(_ action: Action) {
    // The sleeping thread has the role, so it goes first: a task may come to wait for it right here.
    action.wake?.wake()
    action.call?.call()
    answer()
  }

  private func answer() {
    if isAsked.load(ordering: .relaxed), isAsked.exchange(false, ordering: .relaxed) {
      onAsked?()
    }
  }
}

/// A thread that waits for its turn.
private final class Sleeper: GateWaiter {
  let semaphore = Semaphore()

  func wake() { semaphore.signal() }

  func call() { fatalError("A thread waits for the writer's role as a task.") }

  func run(_ relay: GateRelay) { call() }
}
