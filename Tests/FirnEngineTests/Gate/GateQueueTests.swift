import FirnEngine
import Testing

/// A queue whose transitions can stand in expectations.
private final class Queue<Waiter> {
  typealias Ticket = GateQueue<Waiter>.Ticket
  typealias Action = GateQueue<Waiter>.Action

  private var queue = GateQueue<Waiter>()

  var isFree: Bool { queue.isFree }
  var count: Int { queue.count }
  var placeCount: Int { queue.placeCount }

  func tryEnter() -> Bool { change { $0.tryEnter() } }
  func enter(orPark waiter: Waiter) -> Ticket? { change { $0.enter(orPark: waiter) } }
  func enter(orSuspend waiter: Waiter, isMovable: Bool) -> Ticket? {
    change { $0.enter(orSuspend: waiter, isMovable: isMovable) }
  }
  func arrive(_ ticket: Ticket, mayPark: Bool = true) -> GateQueue<Waiter>.Arrival {
    change { $0.arrive(ticket, mayPark: mayPark) }
  }
  /// Without others, leaving alone does the same; with others it does nothing.
  func leave(runsNext: Bool = false) -> Action {
    var other = queue
    let wasAlone = other.leaveAlone()
    #expect(wasAlone == (queue.count == 0))
    other.checkInvariants()
    let action = change { $0.leave(runsNext: runsNext) }
    if wasAlone {
      #expect(other.isFree && queue.isFree)
      #expect(action.wake == nil && action.call == nil && action.run == nil)
    }
    return action
  }
  func retract(_ ticket: Ticket) -> Action { change { $0.retract(ticket) } }
  func withdraw(_ ticket: Ticket) -> Bool { change { $0.withdraw(ticket) } }
  func giveUp(_ ticket: Ticket) -> Action { change { $0.giveUp(ticket) } }

  private func change<Result>(_ body: (inout GateQueue<Waiter>) -> Result) -> Result {
    defer { queue.checkInvariants() }
    return body(&queue)
  }
}

@Suite struct GateQueueTests {
  @Test func aSuspendedTaskIsCalledAndKeepsItsPlace() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let task = try #require(queue.enter(orSuspend: "task", isMovable: false))
    #expect(queue.enter(orPark: "thread") != nil)
    // The thread passes it, because the task may need that very thread.
    var action = queue.leave()
    #expect(action.call == "task" && action.wake == "thread" && action.run == nil)
    // It runs while the thread writes, and is not passed any more.
    #expect(queue.arrive(task) == .parked)
    #expect(queue.enter(orPark: "other thread") != nil)
    action = queue.leave()
    #expect(action.call == nil && action.wake == "task")
    action = queue.leave()
    #expect(action.wake == "other thread")
    action = queue.leave()
    #expect(queue.isFree && queue.count == 0)
  }

  @Test func threadsPassACalledTaskAndTasksDoNot() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let first = try #require(queue.enter(orSuspend: "first", isMovable: false))
    #expect(queue.leave().call == "first")
    #expect(queue.isFree)
    #expect(queue.enter(orSuspend: "second", isMovable: true) != nil)
    #expect(queue.tryEnter())
    // It was called already.
    let action = queue.leave()
    #expect(action.call == nil && queue.isFree)
    #expect(queue.arrive(first) == .entered)
    #expect(queue.leave().call == "second")
  }

  @Test func aMovableTaskIsRunByATaskThatLeaves() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let task = try #require(queue.enter(orSuspend: "task", isMovable: true))
    let action = queue.leave(runsNext: true)
    #expect(action.run?.waiter == "task" && action.run?.ticket == task)
    // Nobody comes between.
    #expect(!queue.tryEnter() && !queue.withdraw(task))
    #expect(queue.arrive(task) == .entered)
    #expect(queue.retract(task).call == nil)
    #expect(queue.leave(runsNext: true).run == nil)
    #expect(queue.isFree)
  }

  @Test func anOfferThatIsNotTakenIsACall() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let task = try #require(queue.enter(orSuspend: "task", isMovable: true))
    #expect(queue.leave(runsNext: true).run != nil)
    #expect(queue.enter(orPark: "thread") != nil)
    #expect(queue.retract(task).wake == "thread")
    #expect(queue.arrive(task) == .parked)
    #expect(queue.leave().wake == "task")
  }

  @Test func aTaskThatDoesNotWantItsTurnHandsItOn() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let first = try #require(queue.enter(orSuspend: "first", isMovable: true))
    let second = try #require(queue.enter(orSuspend: "second", isMovable: true))
    let third = try #require(queue.enter(orSuspend: "third", isMovable: true))
    #expect(queue.leave().call == "first")
    #expect(!queue.withdraw(first) && queue.withdraw(second) && !queue.withdraw(second))
    #expect(queue.giveUp(first).call == "third")
    #expect(queue.arrive(third) == .entered)
    #expect(queue.enter(orSuspend: "fourth", isMovable: true) != nil)
    let offer = try #require(queue.leave(runsNext: true).run)
    #expect(offer.waiter == "fourth" && queue.giveUp(offer.ticket).call == nil)
    #expect(queue.isFree && queue.count == 0)
  }

  @Test func aTaskThatBlocksTheWriterSuspendsAgain() throws {
    let queue = Queue<String>()
    #expect(queue.tryEnter())
    let task = try #require(queue.enter(orSuspend: "task", isMovable: false))
    #expect(queue.leave().call == "task")
    #expect(queue.tryEnter())
    #expect(queue.arrive(task, mayPark: false) == .suspended)
    #expect(queue.leave().call == "task")
    #expect(queue.arrive(task, mayPark: false) == .entered)
  }

  @Test func placesOfManyAreReused() throws {
    let queue = Queue<Int>()
    #expect(queue.tryEnter())
    for index in 0..<1000 { _ = queue.enter(orPark: index) }
    for index in 0..<3000 {
      #expect(queue.leave().wake == index)
      _ = queue.enter(orPark: index + 1000)
    }
    #expect(queue.count == 1000)
  }

  /// The first was called, and its thread or actor is busy for long. Those who pass it meanwhile, and those who give up
  /// behind it, leave nothing.
  @Test func aFirstThatDoesNotRunCostsTheOthersNothing() throws {
    let queue = Queue<Int>()
    #expect(queue.tryEnter())
    let first = try #require(queue.enter(orSuspend: 0, isMovable: false))
    #expect(queue.enter(orPark: 1) != nil)
    var action = queue.leave()
    #expect(action.call == 0 && action.wake == 1)
    for thread in 2..<5_000 {
      #expect(queue.enter(orPark: thread) != nil)
      action = queue.leave()
      #expect(action.wake == thread && action.call == nil)
    }
    #expect(queue.placeCount < 200)
    for task in 0..<5_000 {
      let ticket = try #require(queue.enter(orSuspend: task, isMovable: true))
      if task % 100 != 0 { #expect(queue.withdraw(ticket)) }
    }
    #expect(queue.count == 51 && queue.placeCount < 400)
    #expect(queue.arrive(first) == .parked)
    #expect(queue.leave().wake == 0)
    #expect(queue.leave().call == 0)
  }

  /// Every order of everything that up to four writers may do.
  @Test(arguments: [1, 2]) func everyOrderEndsWell(poolSize: Int) {
    let kinds = GateWorld.Kind.allCases
    var visited = 0
    func explore(_ chosen: [GateWorld.Kind]) {
      if !chosen.isEmpty { visited += GateWorld.exploreAll(chosen, poolSize: poolSize) }
      guard chosen.count < 4 else { return }
      // The order of the list does not matter: everybody may come at any time.
      for kind in kinds where chosen.last.map({ $0.rawValue <= kind.rawValue }) ?? true { explore(chosen + [kind]) }
    }
    explore([])
    print("\(visited) states of the gate explored")
    #expect(visited > 4_000)
  }
}
