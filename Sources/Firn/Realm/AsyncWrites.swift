internal import FirnDurability
internal import FirnEngine

/// The writes of one realm that were asked for with callbacks: those that have not begun, and those whose outcome has not
/// been reported.
///
/// They advance in *turns*, which the confinement of the realm schedules. A turn reports what has become durable, and
/// does one write:
///
///     asked for ──turn──▶ has the role ──▶ committed ──log──▶ durable, or lost ──turn──▶ reported
///         └──somebody writes: waits at the gate──call──▶ turn
///
/// Whoever is called at the gate gives its place up at once, and only then schedules a turn: a run loop may never turn
/// again, and nobody is to wait for that. The turn takes the role where it can and else blocks its thread for it, as
/// every writer of a thread does.
///
/// Keeps the realm open while there is anything left to do. Belongs to its realm, and is used where that is confined.
final class AsyncWrites {
  struct Begin {
    let site: CallSite
    let block: () -> Void
    /// Commits after the block, with such a note; otherwise the block does, or it is undone.
    let note: CommitNote?
    var onComplete: ((any Error)?) -> Void
  }

  private struct Commit {
    /// What has to become durable; nil when nothing has to.
    let version: UInt64?
    /// Why it was refused.
    let failure: (any Error)?
    var onComplete: ((any Error)?) -> Void
    /// Whether observers are still to be told.
    let isToBeFinished: Bool
    /// Whether it may become durable, and be told of, together with later ones.
    var allowsGrouping = false
    /// Whether it counts as an operation.
    let isOperation: Bool
  }

  private unowned(unsafe) let instance: RealmInstance
  private let turns: AsyncWriteTurns
  /// Begins and commits are numbered together. The part that fits is the id of a write.
  private var lastNumber: UInt64 = 0
  private var begins = GateLine<Begin>()
  private var commits = GateLine<Commit>()
  private var isAtGate = false
  /// Whether the log was asked for the outcome of the first commit.
  private var isWatching = false
  private var isReporting = false
  private var isCompleting = false
  /// Commits that wait for others to be made durable with them.
  private var groupedCount = 0
  private var idleCallbacks: [() -> Void] = []
  private var keepsRealm = false

  /// So many commits become durable together at most.
  private static let groupMax = 20

  init(_ instance: RealmInstance) {
    self.instance = instance
    turns = AsyncWriteTurns(instance)
  }

  deinit {
    if begins.count == 0 { return }
    Log.warning(
      "\(begins.count) asynchronous writes were dropped: the run loop or queue that they were to run on is gone.")
  }

  // MARK: Asking

  func add(_ begin: Begin) -> AsyncTransactionId {
    checkIsNotCompleting("begin a write transaction", begin.site)
    instance.beginAsyncOperation()
    if !instance.store.isOpen { return AsyncTransactionId(truncatingIfNeeded: refuse(begin)) }
    let number = nextNumber()
    begins.append(begin, number)
    keepRealm()
    if !isAtGate { turns.schedule() }
    return AsyncTransactionId(truncatingIfNeeded: number)
  }

  /// Commits the open transaction. The caller has checked that it may.
  func commit(
    _ note: CommitNote, allowsGrouping: Bool, _ site: CallSite, _ onComplete: @escaping ((any Error)?) -> Void
  ) -> AsyncTransactionId {
    checkIsNotCompleting("commit a write transaction", site)
    instance.beginAsyncOperation()
    return AsyncTransactionId(
      truncatingIfNeeded: endByCommitting(note, allowsGrouping: allowsGrouping, site, onComplete))
  }

  func checkIsNotCompleting(_ what: String, _ site: CallSite?) {
    if !isCompleting { return }
    RealmInstance.trap(
      site,
      "Can't \(what) from inside a commit completion callback. Do it in a block that is called later, or in a complete "
        + "synchronous write.")
  }

  /// Takes a write back that has not begun, or keeps the completion of a commit from being called.
  func cancel(_ id: AsyncTransactionId) {
    var number = lastNumber & ~UInt64(UInt32.max) | UInt64(id)
    if number > lastNumber { number &-= 1 << 32 }
    if begins[number] != nil {
      begins.remove(number)
      instance.endAsyncOperation()
      flushGroupIfLast()
      checkIdle()
    } else if var commit = commits[number] {
      commit.onComplete = { _ in }
      commits[number] = commit
    }
  }

  /// Takes back everything that has not begun.
  func cancelBegins() {
    while let (number, _) = begins.first {
      begins.remove(number)
      instance.endAsyncOperation()
    }
    flushGroupIfLast()
    checkIdle()
  }

  /// Calls `body` when nothing is left to do, at once if that is so.
  func whenIdle(_ body: @escaping () -> Void) {
    idleCallbacks.append(body)
    checkIdle()
  }

  private func keepRealm() {
    if !keepsRealm { keepsRealm = KeptRealms.keep(instance, for: .asyncWrites) }
  }

  /// The caller refers to the realm.
  private func checkIdle() {
    if begins.count + commits.count > 0 { return }
    let callbacks = idleCallbacks
    idleCallbacks = []
    if keepsRealm {
      keepsRealm = false
      KeptRealms.letGo(instance, for: .asyncWrites)
    }
    for callback in callbacks { callback() }
  }

  private func nextNumber() -> UInt64 {
    lastNumber &+= 1
    // 0 is no id.
    if UInt32(truncatingIfNeeded: lastNumber) == 0 { lastNumber &+= 1 }
    return lastNumber
  }

  // MARK: Turns

  func turn() {
    // A block for the keys of sections serves the run loop.
    if let observers = instance.notifications, observers.isMoving { return observers.miss(.turn) }
    let told = turns.begin()
    if told.wasCalled { isAtGate = false }
    if told.decided != nil { isWatching = false }
    report(told.decided)
    writeNext(wasCalled: told.wasCalled)
    flushGroupIfLast()
    if (begins.count > 0 && !isAtGate && !isHeldBack) || (commits.first?.element).map({ isDecided($0) }) == true {
      turns.schedule()
    }
    watch()
    checkIdle()
  }

  /// A turn that could not be taken when it came is taken soon.
  func scheduleAgain() { turns.scheduleAgain() }

  /// Whether the next write has to wait, since observers have not been told of the one before. They are told when that
  /// is durable, and the realm has to show its version then.
  private var isHeldBack: Bool {
    guard let first = commits.first?.element, instance.notifications?.isEmpty == false else { return false }
    return first.isToBeFinished && !first.allowsGrouping && !isDecided(first)
  }

  private func writeNext(wasCalled: Bool) {
    guard !isAtGate, !isHeldBack, let site = begins.first?.element.site else { return }
    if let observers = instance.notifications, observers.isDelivering {
      observers.deliverRest()
    } else {
      instance.refresh()
    }
    guard enter(site, wasCalled: wasCalled) else {
      flushGroup()
      return
    }
    // What was delivered may have taken it back.
    guard let (number, begin) = begins.first else { return instance.store.graph.gate.leave() }
    begins.remove(number)
    guard instance.store.acceptsQueuedWrites else {
      instance.store.graph.gate.leave()
      refuse(begin)
      return
    }
    instance.startWriting()
    begin.block()
    if let note = begin.note {
      endByCommitting(note, allowsGrouping: false, begin.site, begin.onComplete)
    } else {
      if instance.isInWriteTransaction { undo() }
      instance.endAsyncOperation()
    }
  }

  /// The store was closed before it was the turn of a write.
  @discardableResult
  private func refuse(_ begin: Begin) -> UInt64 {
    let store = instance.store
    if begin.note == nil {
      Log.warning("\(begin.site) came too late: the store \(store.configuration.name) was closed.")
    }
    return append(
      Commit(
        version: nil, failure: Realm.Error.storeClosed(store), onComplete: begin.onComplete,
        isToBeFinished: false, isOperation: true))
  }

  /// Takes the writer's role. False when the turn is over, and another one follows when the gate calls.
  private func enter(_ site: CallSite, wasCalled: Bool) -> Bool {
    let gate = instance.store.graph.gate
    let holder = GateHolder(site)
    if wasCalled ? gate.tryEnter(holder) : gate.enterWithoutWaiting(holder) { return true }
    // A transaction that is open here would not end while the thread is blocked.
    if wasCalled, !instance.isInWriteTransaction, !gate.isHeld(in: Confinement.homesHere()) {
      gate.enter(holder, homes: { Confinement.homesHere() })
      return true
    }
    let waiter = AsyncWriteWaiter(turns, gate)
    guard let ticket = gate.enter(holder, orSuspend: waiter, isMovable: false) else { return true }
    isAtGate = true
    waiter.start(ticket)
    return false
  }

  // MARK: Committing

  @discardableResult
  private func endByCommitting(
    _ note: CommitNote, allowsGrouping: Bool, _ site: CallSite, _ onComplete: @escaping ((any Error)?) -> Void
  ) -> UInt64 {
    var version: UInt64?
    var failure: (any Error)?
    do {
      defer { instance.leaveRole() }
      version = try instance.startCommit(note, site)
    } catch {
      (version, failure) = (instance.pendingVersion, error)
    }
    let isVisible = failure == nil && version == nil
    if isVisible { instance.finishCommit() } else { instance.tracking?.tell() }
    if version != nil { askForDurability(allowsGrouping: allowsGrouping) }
    return append(
      Commit(
        version: version, failure: failure, onComplete: onComplete, isToBeFinished: failure == nil && !isVisible,
        allowsGrouping: allowsGrouping, isOperation: true))
  }

  /// Undoes a transaction that nobody ended. What it was based on may get lost yet.
  private func undo() {
    instance.endByCancelling()
    instance.leaveRole()
    instance.tracking?.tell()
    guard let version = instance.pendingVersion else { return }
    askForDurability(allowsGrouping: false)
    append(
      Commit(
        version: version, failure: nil, onComplete: { _ in }, isToBeFinished: false, isOperation: false))
  }

  @discardableResult
  private func append(_ commit: Commit) -> UInt64 {
    let number = nextNumber()
    commits.append(commit, number)
    keepRealm()
    if isDecided(commit) { turns.schedule() } else { watch() }
    return number
  }

  private func askForDurability(allowsGrouping: Bool) {
    groupedCount += 1
    if !allowsGrouping || groupedCount >= Self.groupMax { flushGroup() } else { flushGroupIfLast() }
  }

  /// Nobody follows with whom the grouped commits could become durable.
  private func flushGroupIfLast() {
    if begins.count == 0 { flushGroup() }
  }

  private func flushGroup() {
    if groupedCount == 0 { return }
    groupedCount = 0
    instance.store.durable?.flushSoon()
  }

  // MARK: Reporting

  /// False also for a version that is lost, which the log tells.
  private func isDecided(_ commit: Commit) -> Bool { commit.version.map { instance.store.graph.isDurable($0) } ?? true }

  /// Has a turn scheduled when the outcome of the first commit is known.
  private func watch() {
    guard !isWatching, let first = commits.first?.element, let version = first.version else { return }
    // It may have been decided since the caller looked.
    if isDecided(first) { return turns.schedule() }
    isWatching = true
    instance.store.graph.whenDurable(version) { [turns] error in turns.schedule { $0.decided = (version, error) } }
  }

  /// Reports all commits whose outcome is known.
  private func report(_ decided: (version: UInt64, error: (any Error)?)?) {
    if isReporting { return }
    while let (number, first) = commits.first {
      let loss = first.version.flatMap { $0 == decided?.version ? decided?.error : nil }
      if loss == nil, !isDecided(first) { return }
      commits.remove(number)
      report(first, loss)
    }
  }

  /// Waits on the thread until all commits that were made are durable or lost, and reports them.
  func finishCommits() {
    if isReporting { return }
    while let (number, first) = commits.first {
      let loss = isDecided(first) ? nil : first.version.flatMap { instance.waitForOutcome(of: $0) }
      commits.remove(number)
      report(first, loss)
    }
    checkIdle()
  }

  private func report(_ commit: Commit, _ loss: (any Error)?) {
    isReporting = true
    if loss != nil {
      // A transaction that has begun since is based on what is there instead.
      if !instance.isInWriteTransaction { instance.didLoseCommit() }
    } else if commit.isToBeFinished {
      instance.finishCommit()
    }
    isCompleting = true
    commit.onComplete((commit.failure ?? loss).map { Realm.Error.wrapping($0) })
    isCompleting = false
    isReporting = false
    if commit.isOperation { instance.endAsyncOperation() }
  }
}
