/// Decides who may write, and in which order those who wait get their turn. Holds no lock, thread or task.
///
/// The role of the writer is *free*, *taken*, or *offered*. It is only ever given to somebody who runs: the caller, or a
/// thread that sleeps for it. A suspended task is called instead, keeps its place, and takes the role when it runs:
///
///     suspended ──leave──▶ called ──arrive, role free────▶ has the role
///         │                  ├──────arrive, role taken───▶ parked ──leave──▶ has the role
///         └──leave, the leaving task can run it──▶ offered ──arrive──▶ has the role
///
/// A called task may need a thread that others block until they have written, so writers that block pass it, and whoever
/// waits behind it, until it runs. Then it suspends again, or sleeps on its own thread at its place, where nobody
/// passes it.
///
/// Invariants, checked by `checkInvariants()`:
/// - while the role is free nobody is parked, and if anybody waits, the first is called
/// - only the first who waits can be called or offered the role
/// - the role is offered only to a suspended task, by a thread that retracts the offer when the task did not take it
package struct GateQueue<Waiter> {
  /// A place in the queue. Later places have higher numbers.
  package struct Ticket: Hashable, Sendable { let number: UInt64 }

  /// What the caller of a transition has to do for others, in this order.
  package struct Action {
    /// A sleeping thread to be woken. It has the role.
    package var wake: Waiter?
    /// A suspended task to be resumed. It does not have the role yet.
    package var call: Waiter?
    /// A suspended task to be run here and now; `retract` says what follows.
    package var run: (waiter: Waiter, ticket: Ticket)?
  }

  /// What a task that runs after its call finds.
  package enum Arrival: Sendable {
    /// It has the role.
    case entered
    /// It keeps its place and sleeps on its thread until it is woken.
    case parked
    /// It keeps its place and is called again.
    case suspended
  }

  private enum Role: Sendable { case free, taken, offered }
  fileprivate enum Stand: Equatable, Sendable {
    case parked
    case suspended(isMovable: Bool)
    case called
  }

  fileprivate struct TaskPlace {
    let waiter: Waiter
    var stand: Stand
  }

  private var role = Role.free
  /// Threads that sleep.
  private var threads = GateLine<Waiter>()
  private var tasks = GateLine<TaskPlace>()
  /// Of both lines together.
  private var lastNumber: UInt64 = 0

  package init() {}

  package var isFree: Bool { role == .free }

  /// How many wait.
  package var count: Int { threads.count + tasks.count }

  /// The state of the first task that waits.
  var firstTaskStand: (isCalled: Bool, isParked: Bool) {
    let stand = tasks.first?.element.stand
    return (stand == .called, stand == .parked)
  }

  /// The task that comes before everybody else who waits; nil when that is a thread, or nobody.
  private var firstTask: (number: UInt64, element: TaskPlace)? {
    guard let task = tasks.first else { return nil }
    if let thread = threads.first, thread.number < task.number { return nil }
    return task
  }

  // MARK: Coming

  /// Takes the role if it is free, passing a called task. For those who will not suspend before they leave.
  package mutating func tryEnter() -> Bool {
    if role != .free { return false }
    role = .taken
    return true
  }

  /// Takes the role and returns nil, or queues a thread that sleeps from now on until it is woken.
  package mutating func enter(orPark waiter: @autoclosure () -> Waiter) -> Ticket? {
    if tryEnter() { return nil }
    lastNumber += 1
    threads.append(waiter(), lastNumber)
    return Ticket(number: lastNumber)
  }

  /// Takes the role and returns nil if nobody waits, or queues a task that suspends from now on until it is called.
  ///
  /// - Parameter isMovable: Whether it may be run on the thread of a writer that leaves.
  package mutating func enter(orSuspend waiter: @autoclosure () -> Waiter, isMovable: Bool) -> Ticket? {
    if count == 0, tryEnter() { return nil }
    lastNumber += 1
    tasks.append(TaskPlace(waiter: waiter(), stand: .suspended(isMovable: isMovable)), lastNumber)
    return Ticket(number: lastNumber)
  }

  /// The task was called and runs.
  ///
  /// - Parameter mayPark: False if it waits for its own thread. It is passed without limit then.
  package mutating func arrive(_ ticket: Ticket, mayPark: Bool) -> Arrival {
    guard var place = tasks[ticket.number] else { Self.trapForStranger() }
    switch role {
    case .offered, .free:
      if firstTask?.number != ticket.number { fatalError("A task took the role of the writer before its turn.") }
      role = .taken
      tasks.remove(ticket.number)
      return .entered
    case .taken:
      place.stand = mayPark ? .parked : .suspended(isMovable: false)
      tasks[ticket.number] = place
      return mayPark ? .parked : .suspended
    }
  }

  // MARK: Going

  /// Gives the role back.
  ///
  /// - Parameter runsNext: Whether the caller can run a movable task on its thread.
  package mutating func leave(runsNext: Bool = false) -> Action {
    if role != .taken { fatalError("Somebody left the role of the writer who did not have it.") }
    if runsNext, let first = firstTask, first.element.stand == .suspended(isMovable: true) {
      role = .offered
      return Action(run: (first.element.waiter, Ticket(number: first.number)))
    }
    return pass()
  }

  /// Gives the role back if nobody waits. False if somebody does: then `leave` says what to do.
  package mutating func leaveAlone() -> Bool {
    if role != .taken { fatalError("Somebody left the role of the writer who did not have it.") }
    if count > 0 { return false }
    role = .free
    return true
  }

  /// After a task was offered the role: takes it back if the task has not run. Its resumption counts as its call.
  package mutating func retract(_ ticket: Ticket) -> Action {
    guard role == .offered, let first = firstTask, first.number == ticket.number else { return Action() }
    tasks[first.number] = TaskPlace(waiter: first.element.waiter, stand: .called)
    return pass()
  }

  /// Gives up the place of a task that waits, on the thread of anybody. False when it was called, or has the role: it runs,
  /// and sees for itself.
  package mutating func withdraw(_ ticket: Ticket) -> Bool {
    guard let place = tasks[ticket.number], place.stand != .called else { return false }
    if role == .offered, firstTask?.number == ticket.number { return false }
    tasks.remove(ticket.number)
    return true
  }

  /// The task was called, runs, and does not want the role any more.
  package mutating func giveUp(_ ticket: Ticket) -> Action {
    if tasks[ticket.number] == nil { Self.trapForStranger() }
    let isOffered = role == .offered
    tasks.remove(ticket.number)
    if role == .taken || count == 0 {
      if isOffered { role = .free }
      return Action()
    }
    return pass()
  }

  /// Gives the role to the first, or calls it and gives the role to the first thread that sleeps for it; frees it if there is
  /// none.
  private mutating func pass() -> Action {
    var action = Action()
    if let first = firstTask {
      switch first.element.stand {
      case .parked:
        tasks.remove(first.number)
        role = .taken
        action.wake = first.element.waiter
        return action
      case .suspended:
        tasks[first.number] = TaskPlace(waiter: first.element.waiter, stand: .called)
        action.call = first.element.waiter
      case .called: break
      }
    }
    guard let thread = threads.first else {
      role = .free
      return action
    }
    threads.remove(thread.number)
    role = .taken
    action.wake = thread.element
    return action
  }

  private static func trapForStranger() -> Never { fatalError("A task came to the gate that does not wait there.") }

  /// How many places are kept for those who wait, with those of who is gone.
  package var placeCount: Int { threads.placeCount + tasks.placeCount }

  /// Traps unless the rules above hold.
  package func checkInvariants() {
    let stands = tasks.elements.map(\.stand)
    let first = firstTask?.element.stand
    func check(_ isTrue: Bool, _ rule: String) { if !isTrue { fatalError(rule) } }
    check(threads.elements.count == threads.count, "The gate miscounts who sleeps.")
    check(stands.count == tasks.count, "The gate miscounts who waits.")
    // Whoever sleeps was called before.
    for (index, stand) in stands.enumerated() where stand == .called || stand == .parked {
      check(index == 0 && first == stand, "Somebody else than the first was called.")
    }
    if role == .free {
      check(threads.count == 0 && first != .parked, "The role is free and somebody sleeps for it.")
      check(tasks.count == 0 || first == .called, "The role is free and nobody was called.")
    }
    if role == .offered { check(first == .suspended(isMovable: true), "The role is offered to nobody.") }
  }
}

extension GateQueue: Sendable where Waiter: Sendable {}
extension GateQueue.Action: Sendable where Waiter: Sendable {}
extension GateQueue.TaskPlace: Sendable where Waiter: Sendable {}
