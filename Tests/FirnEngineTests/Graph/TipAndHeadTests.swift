import FirnEngine
import TestSupport
import Testing

/// Commits that become durable late or never.
@Suite struct TipAndHeadTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func losesWhatIsNotDurable(seed: UInt64) throws {
    print("TipAndHead seed \(seed)")
    let log = FakeCommitLog()
    let graph = Graph(
      schema: GraphModelSchema.tables, seed: HashSeed(seed, ~seed), log: log, poisonsFreedBlocks: true)
    var run = TipAndHeadRun(run: GraphModelRun(graph: graph, seed: seed), log: log)
    do {
      for _ in 0..<25 { try run.step() }
      let blockCount = try run.settle()
      for _ in 0..<8 { try run.step(advances: false) }
      try run.lose()
      run.releaseAll()
      #expect(graph.allocatedBlockCount == blockCount, "seed \(seed): blocks leaked")
      graph.checkInvariants()
    } catch let failure as GraphModelFailure {
      Issue.record("seed \(seed): \(failure.description)\n\(run.run.history.joined(separator: "\n"))")
    }
  }

  /// Who asks after the loss hears of it, as who asked before.
  @Test func tellsOfALossAlsoLater() throws {
    let log = FakeCommitLog()
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), log: log)
    let (early, late) = (DurabilityOutcomes(), DurabilityOutcomes())
    var numbers: [UInt64] = []
    for _ in 0..<4 {
      graph.enterGateBlocking()
      graph.begin().insert(into: GraphModelSchema.plain) { _ in }
      numbers.append(try graph.commit().version.number)
      graph.gate.leave()
    }
    for number in numbers { early.wait(for: number, in: graph) }
    graph.didBecomeDurable(through: numbers[1])
    graph.didLoseDurability(FakeCommitLog.Failure())
    for number in numbers { late.wait(for: number, in: graph) }
    for outcomes in [early, late] { #expect(numbers.map { outcomes[$0] } == [true, true, false, false]) }
  }

  /// The log reaches the disk before it has answered.
  @Test func isDurableAtOnceIfTheLogIsFaster() throws {
    let log = FakeCommitLog()
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), log: log)
    for lag in 0...1 as ClosedRange<UInt64> {
      log.afterAppend { version in JoinedThread.run { graph.didBecomeDurable(through: version - lag) } }
      graph.enterGateBlocking()
      graph.begin().insert(into: GraphModelSchema.plain) { _ in }
      let commit = try graph.commit()
      graph.gate.leave()
      #expect(commit.isPending == (lag == 1))
      #expect(graph.head == commit.version.number - lag)
    }
  }

  /// The log may be done before the graph has published the commit.
  @Test func hearsOfDurabilityFromAnotherThread() async throws {
    let log = FakeCommitLog()
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), log: log)
    let outcomes = DurabilityOutcomes()
    let isDone = Lock(false)
    let syncing = Task.detached {
      while !isDone.withLock({ $0 }) {
        if let last = log.state.withLock({ $0.versions.last }) { graph.didBecomeDurable(through: last) }
        await Task.yield()
      }
    }
    var numbers: [UInt64] = []
    for number in 0..<2_000 as Range<Int64> {
      graph.enterGateBlocking()
      let writer = graph.begin()
      writer.insert(into: GraphModelSchema.plain) { $0.setInt(ColumnID(0), number) }
      let commit = try graph.commit()
      graph.gate.leave()
      numbers.append(commit.version.number)
      outcomes.wait(for: commit.version.number, in: graph)
    }
    while graph.head != numbers.last { await Task.yield() }
    isDone.withLock { $0 = true }
    await syncing.value
    #expect(numbers.allSatisfy { outcomes[$0] == true })
    #expect(graph.holdHead().contents.rowCount(GraphModelSchema.plain) == 2_000)
  }
}

/// Random transactions on a graph whose commits stay pending for a while.
private struct TipAndHeadRun {
  struct Held {
    let version: Version
    let model: GraphModel
  }

  var run: GraphModelRun
  let log: FakeCommitLog
  let outcomes = DurabilityOutcomes()
  /// What the head shows, and the pending commits above it.
  var head: GraphModel
  var pending: [(number: UInt64, model: GraphModel)] = []
  var held: [Held] = []
  var lastNumber: UInt64 = 1

  init(run: GraphModelRun, log: FakeCommitLog) {
    self.run = run
    self.log = log
    head = run.model
  }

  var graph: Graph { run.graph }

  /// - Parameter advances: Whether the head may move.
  mutating func step(advances: Bool = true) throws {
    try transact(advances: advances)
    if advances, run.random.chance(40), !pending.isEmpty {
      let count = 1 + run.random.below(pending.count)
      let number = pending[count - 1].number
      run.note("durable through \(number)")
      graph.didBecomeDurable(through: number)
      head = pending[count - 1].model
      for one in pending.prefix(count) { try agree(outcomes[one.number] == true, "\(one.number) is not durable") }
      pending.removeFirst(count)
    }
    try checkHead()
    if run.random.chance(30) { held.append(Held(version: graph.holdHead(), model: head)) }
    if run.random.chance(20), !held.isEmpty { held.remove(at: run.random.below(held.count)) }
    for one in pending { try agree(outcomes[one.number] == nil, "\(one.number) was decided too early") }
  }

  private mutating func transact(advances: Bool) throws {
    let before = run.model
    let writer = run.enter()
    defer { graph.gate.leave() }
    for _ in 0..<(1 + run.random.below(10)) { try run.operate(writer) }
    if run.random.chance(10) {
      run.note("cancel")
      graph.cancel()
      run.model = before
      return
    }
    let fails = run.random.chance(10)
    let answer: FakeCommitLog.Answer = fails ? .failure : advances && run.random.chance(15) ? .durable : .pending
    log.answer(answer)
    run.note("commit: \(answer)")
    do {
      let commit = try graph.commit()
      let number = commit.version.number
      try agree(answer != .failure, "a commit succeeded without its log")
      try agree(commit.isPending == (answer == .pending), "a commit does not know whether it is pending")
      try agree(number > lastNumber, "version \(number) came after \(lastNumber)")
      lastNumber = number
      outcomes.wait(for: number, in: graph)
      try run.model.check(commit.version.contents, random: &run.random)
      commit.version.contents.checkInvariants()
      if answer == .pending {
        pending.append((number, run.model))
      } else {
        try agree(outcomes[number] == true, "\(number) is not durable")
        for one in pending { try agree(outcomes[one.number] == true, "\(one.number) is not durable") }
        pending = []
        head = run.model
      }
      if run.random.chance(40) { held.append(Held(version: commit.version, model: run.model)) }
    } catch is FakeCommitLog.Failure {
      try agree(answer == .failure, "a commit failed without cause")
      run.model = before
    }
  }

  private mutating func checkHead() throws {
    let version = graph.holdHead()
    try agree(version.number == graph.head, "the head's number")
    try agree(pending.allSatisfy { $0.number > version.number }, "a pending version is the head")
    try head.check(version.contents, random: &run.random)
    version.contents.checkInvariants()
  }

  /// Makes everything durable, lets everything go, and returns the number of blocks that the head needs.
  mutating func settle() throws -> Int {
    if let last = pending.last { graph.didBecomeDurable(through: last.number) }
    pending = []
    head = run.model
    releaseAll()
    return graph.allocatedBlockCount
  }

  mutating func releaseAll() {
    held = []
    graph.checkInvariants()
  }

  /// The log fails for good.
  mutating func lose() throws {
    log.answer(.pending)
    try checkHeld()
    run.note("lose durability")
    graph.didLoseDurability(FakeCommitLog.Failure())
    for one in pending { try agree(outcomes[one.number] == false, "\(one.number) was not lost") }
    pending = []
    run.model = head
    try checkHead()
    try agree(graph.head == graph.tip, "head and tip differ after a loss")
    try agree(graph.head > lastNumber || outcomes[lastNumber] != false, "version numbers went back")
    try checkHeld()
    // Appends into leaves that discarded versions share must leave those alone.
    for _ in 0..<6 {
      let writer = run.enter()
      for _ in 0..<6 { try run.operate(writer) }
      run.insert(writer, GraphModelSchema.thing, count: 3)
      run.insert(writer, GraphModelSchema.listing, count: 3)
      try checkHeld()
      do {
        _ = try graph.commit()
        throw GraphModelFailure(description: "a commit succeeded after the loss")
      } catch is FakeCommitLog.Failure {}
      graph.gate.leave()
      run.model = head
      try checkHeld()
      try checkHead()
    }
  }

  private mutating func checkHeld() throws {
    for one in held {
      try one.model.check(one.version.contents, random: &run.random)
      one.version.contents.checkInvariants()
    }
  }
}
