import FirnEngine
import Testing

/// A gate with writers around it, each of which may do its next step at any time.
///
/// Tasks, and threads of the pool that write synchronously, need a thread of the pool to do anything; those that sleep
/// keep theirs.
struct GateWorld {
  enum Kind: Int, CaseIterable {
    case thread
    /// A task that writes synchronously.
    case poolThread
    case fixedTask
    case movableTask

    var isTask: Bool { self == .fixedTask || self == .movableTask }
  }

  enum State: Hashable {
    case outside
    case inside
    /// A thread, or a task that ran: it sleeps.
    case sleeping
    case suspended
    /// Resumed, not run yet.
    case called
    /// Is to be run by another, which waits for that.
    case offered(by: Int)
    /// Has left, and runs another on its thread.
    case running(Int)
    case done
  }

  private struct Key: Hashable {
    let states: [State]
    let order: [Int]
  }

  private let kinds: [Kind]
  private let poolSize: Int
  private var queue = GateQueue<Int>()
  private var states: [State]
  private var tickets: [GateQueue<Int>.Ticket?]
  /// Who waits, in order of arrival.
  private var order: [Int] = []
  /// How everything came about.
  private var history: [String] = []

  private init(_ kinds: [Kind], poolSize: Int) {
    self.kinds = kinds
    self.poolSize = poolSize
    states = kinds.map { _ in .outside }
    tickets = kinds.map { _ in nil }
  }

  /// Visits every state that the writers can get into. Returns how many there are.
  static func exploreAll(_ kinds: [Kind], poolSize: Int) -> Int {
    var seen: Set<Key> = []
    var open = [GateWorld(kinds, poolSize: poolSize)]
    while let world = open.popLast() {
      if !seen.insert(Key(states: world.states, order: world.order)).inserted { continue }
      var next: [GateWorld] = []
      for index in kinds.indices { next += world.steps(of: index) }
      // Giving up is never needed.
      if !next.contains(where: { !$0.isEscape }), world.states.contains(where: { $0 != .done }) {
        Issue.record("\(kinds): nobody can go on: \(world.states) after \(world.history)")
        return seen.count
      }
      open += next
    }
    return seen.count
  }

  private var isEscape: Bool { history.last.map { $0.hasPrefix("withdraw") || $0.hasPrefix("give up") } ?? false }

  private func isOfPool(_ index: Int) -> Bool { kinds[index] != .thread }

  /// Whether a thread of the pool has nothing to do.
  private var poolIsFree: Bool {
    let busy = states.indices.filter { index in
      guard isOfPool(index) else { return false }
      switch states[index] {
      case .inside, .sleeping, .running: return true
      case .outside, .suspended, .called, .offered, .done: return false
      }
    }
    return busy.count < poolSize
  }

  private func after(_ name: String, _ change: (inout GateWorld) -> Void) -> GateWorld {
    var world = self
    world.history.append(name)
    change(&world)
    world.check()
    return world
  }

  private func steps(of index: Int) -> [GateWorld] {
    let kind = kinds[index]
    switch states[index] {
    case .outside:
      if isOfPool(index), !poolIsFree { return [] }
      return [after("enter \(index)") { $0.enter(index) }]
    case .inside:
      return [after("leave \(index)") { $0.leave(index) }]
    case .sleeping:
      return kind == .thread || kind == .poolThread ? [] : [after("withdraw \(index)") { $0.withdraw(index) }]
    case .suspended:
      return [after("withdraw \(index)") { $0.withdraw(index) }]
    case .called:
      if !poolIsFree { return [after("withdraw \(index)") { $0.withdraw(index) }] }
      return [
        after("arrive \(index)") { $0.arrive(index) },
        after("give up \(index)") { $0.giveUp(index) },
        after("withdraw \(index)") { $0.withdraw(index) },
      ]
    case .offered(let other):
      // It runs here and now, or it was still on its way to suspend, and the other one takes the offer back.
      return [
        after("arrive \(index)") { $0.arrive(index) },
        after("give up \(index)") { $0.giveUp(index) },
        after("withdraw \(index)") { $0.withdraw(index) },
        after("retract \(index)") { world in
          world.states[index] = .called
          world.perform(world.queue.retract(world.tickets[index]!), by: other)
        },
      ]
    case .running(let other):
      // The thread goes on when the task that it runs has left.
      if states[other] == .inside || states[other] == .offered(by: index) { return [] }
      return [after("return \(index)") { $0.states[index] = .done }]
    case .done:
      return []
    }
  }

  private mutating func enter(_ index: Int) {
    switch kinds[index] {
    case .thread, .poolThread:
      tickets[index] = queue.enter(orPark: index)
      if tickets[index] == nil { didEnter(index) } else { wait(index, .sleeping) }
    case .fixedTask, .movableTask:
      tickets[index] = queue.enter(orSuspend: index, isMovable: kinds[index] == .movableTask)
      if tickets[index] == nil { didEnter(index) } else { wait(index, .suspended) }
    }
  }

  private mutating func wait(_ index: Int, _ state: State) {
    states[index] = state
    order.append(index)
  }

  /// Somebody got the role. Those who came before and wait may be passed only while the first of them was called and has
  /// not run, and never when they sleep.
  private mutating func didEnter(_ index: Int) {
    let place = order.firstIndex(of: index)
    let passed = order[..<(place ?? order.count)]
    if kinds[index].isTask, place == nil, !order.isEmpty {
      Issue.record("\(kinds): the task \(index) passes \(order), after \(history)")
    }
    if let first = passed.first, states[first] != .called || passed.contains(where: { states[$0] == .sleeping }) {
      Issue.record("\(kinds): \(index) passes \(passed), in \(states), after \(history)")
    }
    if let place { order.remove(at: place) }
    states[index] = .inside
  }

  private mutating func leave(_ index: Int) {
    let action = queue.leave(runsNext: kinds[index] == .movableTask)
    states[index] = .done
    perform(action, by: index)
  }

  private mutating func perform(_ action: GateQueue<Int>.Action, by index: Int) {
    if let called = action.call { states[called] = .called }
    if let woken = action.wake {
      if states[woken] != .sleeping {
        Issue.record("\(kinds): \(woken) got the role and does not run, after \(history)")
      }
      didEnter(woken)
    }
    if let (run, ticket) = action.run {
      #expect(ticket == tickets[run])
      states[run] = .offered(by: index)
      states[index] = .running(run)
    }
  }

  private mutating func arrive(_ index: Int) {
    switch queue.arrive(tickets[index]!, mayPark: true) {
    case .entered: didEnter(index)
    case .parked: states[index] = .sleeping
    case .suspended: Issue.record("A task that may sleep was to suspend again.")
    }
  }

  private mutating func giveUp(_ index: Int) {
    order.removeAll { $0 == index }
    states[index] = .done
    perform(queue.giveUp(tickets[index]!), by: index)
  }

  private mutating func withdraw(_ index: Int) {
    let mayWithdraw = states[index] == .suspended || states[index] == .sleeping
    let didWithdraw = queue.withdraw(tickets[index]!)
    #expect(didWithdraw == mayWithdraw, "\(kinds): \(history)")
    if !mayWithdraw { return }
    order.removeAll { $0 == index }
    states[index] = .done
  }

  private func check() {
    queue.checkInvariants()
    let inside = states.filter { $0 == .inside }.count
    let isOffered = states.contains { if case .offered = $0 { true } else { false } }
    if inside > 1 { Issue.record("\(kinds): several are inside after \(history)") }
    if inside == 0, !isOffered, !order.isEmpty, !states.contains(.called) {
      Issue.record("\(kinds): nobody is inside and nobody was called after \(history)")
    }
    if queue.isFree != (inside == 0 && !isOffered) { Issue.record("\(kinds): the gate is wrong about itself") }
    if queue.count != order.count { Issue.record("\(kinds): \(queue.count) wait, not \(order)") }
  }
}
