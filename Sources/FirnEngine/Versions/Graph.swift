internal import Synchronization

/// A versioned graph of tables: many readers, one writer, and neither waits for the other.
///
/// A commit makes a new immutable version. The newest one is the *tip*, on which the next writer builds; the newest one
/// that is durable is the *head*, which readers see. Without a commit log they are the same.
///
/// State              guarded by        written by                  read by
/// state              its lock          commit, pin, log callbacks  everybody
/// writer             gate              whoever entered the gate    the same
/// keys of refusals   gate              whoever entered the gate    the same
/// headNumber         atomic            publishing, in `state`      everybody
/// demands            atomic            in `state`                  commit, isDurable
///
/// Blocks that no version shows are freed in the gate: by each commit, and after the release of the last reference to a
/// version, at once or when the one inside leaves.
package final class Graph: Sendable {
  package let layout: GraphLayout
  package let gate = WriterGate()
  let writer: Writer
  private let state: Lock<GraphState>
  private let headNumber: Atomic<UInt64>
  /// Set once, in the gate, by whoever made the graph.
  private nonisolated(unsafe) var log: (any CommitLog)?
  private let byteCount = Atomic<Int>(0)
  private let highestByteCount = Atomic<Int>(0)
  private let mappedByteCount = Atomic<Int>(0)
  /// Whether a follower wants change sets (bit 0) and whether the log has failed (bit 1): what a commit asks first.
  /// Written under the lock of `state`; a commit that misses a new follower makes it compare versions.
  private let demands = Atomic<UInt64>(0)

  /// - Parameter seed: Random and secret in a server; see ``HashSeed``.
  package init(
    schema: [TableDescription], seed: HashSeed, log: (any CommitLog)? = nil, poisonsFreedBlocks: Bool = false
  ) {
    layout = GraphLayout(schema: schema, seed: seed)
    writer = Writer(layout: layout, store: BlockStore(poisonsFreedBlocks: poisonsFreedBlocks))
    self.log = log
    state = Lock(GraphState(ledger: VersionLedger(version: 1, root: writer.root, stamp: 0)))
    headNumber = Atomic(1)
    gate.onAsked = { [unowned self] in freeSoon() }
  }

  /// A graph whose first version is the one that the loader has finished. Takes over the loader, which serves once.
  package init(loaded loader: GraphLoader, log: (any CommitLog)? = nil) {
    let loaded = loader.takeResult()
    layout = loader.layout
    writer = Writer(
      layout: layout, store: loaded.store, root: loaded.root, nextKeys: loaded.nextKeys,
      suspects: loaded.suspects)
    self.log = log
    var state = GraphState(ledger: VersionLedger(version: loaded.version, root: loaded.root, stamp: 0))
    state.lastNumber = loaded.version
    self.state = Lock(state)
    headNumber = Atomic(loaded.version)
    byteCount.store(loaded.store.allocatedByteCount, ordering: .relaxed)
    highestByteCount.store(loaded.store.allocatedByteCount, ordering: .relaxed)
    mappedByteCount.store(loaded.store.mappedByteCount, ordering: .relaxed)
    gate.onAsked = { [unowned self] in freeSoon() }
  }

  /// The limits for commits. The caller has entered the gate, or is a test alone with the graph.
  package var limits: GraphLimits {
    get { writer.store.limits }
    set { writer.store.limits = newValue }
  }

  /// The number of the newest version that readers see. Costs one atomic load.
  @inline(__always)
  package var head: UInt64 { headNumber.load(ordering: .acquiring) }

  /// Says where commits go from now on; those before it were there already. The caller has entered the gate.
  package func setLog(_ log: any CommitLog) { self.log = log }

  /// The key that the next row of each table gets. The caller has entered the gate.
  package var nextKeys: [UInt64] { (0..<layout.visibleCount).map { writer.nextKey(of: TableID($0)).rawValue } }

  /// The keys as they were before the first of the transactions that the log has refused since the last one that it took;
  /// nil if there is none. A log that failed may have written it all the same. The caller has entered the gate.
  package private(set) nonisolated(unsafe) var nextKeysBeforeRefusal: [UInt64]?

  /// The number under which others know what a version shows: that of the commit.
  ///
  /// Its own, but for the version that reversed what a failed log lost. No log knows that one, so a later process gives its
  /// number to something else: it counts as the commit before those that were lost. One or two atomic loads.
  package func commitNumber(of number: UInt64) -> UInt64 {
    if demands.load(ordering: .acquiring) & 2 == 0 { return number }
    return state.withLock { state in
      guard let reversal = state.reversal, reversal.number == number else { return number }
      return reversal.head
    }
  }

  /// Notes that the content of version `number` was saved under that number, though the log has failed.
  package func didSave(_ number: UInt64) {
    state.withLock { if $0.reversal?.number == number { $0.reversal = nil } }
  }

  // MARK: Holding versions

  /// Holds the newest version that readers see.
  package func holdHead() -> Version {
    let (number, root) = state.withLock { state -> (UInt64, UInt) in
      let pinned = state.ledger.pinHead()
      return (pinned.version, UInt(bitPattern: pinned.root))
    }
    return Version(graph: self, number: number, root: UnsafeRawPointer(bitPattern: root).unsafelyUnwrapped)
  }

  /// Holds a version again that is still held by somebody, or the tip.
  package func hold(_ number: UInt64) -> Version? {
    let root = state.withLock { state in state.ledger.pin(number).map { UInt(bitPattern: $0) } }
    guard let root else { return nil }
    return Version(graph: self, number: number, root: UnsafeRawPointer(bitPattern: root).unsafelyUnwrapped)
  }

  /// Holds the version that shows `root`, which must be held by somebody during the call.
  package func hold(root: UnsafeRawPointer) -> Version {
    let address = UInt(bitPattern: root)
    let number = state.withLock {
      $0.ledger.pin(root: UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
    guard let number else { fatalError("A version was to be held that nobody holds.") }
    return Version(graph: self, number: number, root: root)
  }

  /// Holds the version that the next writer builds on. The caller is in the gate, so it stays the tip.
  package func holdTip() -> Version {
    let (number, root) = state.withLock { state -> (UInt64, UInt) in
      let pinned = state.ledger.pinNewest()
      return (pinned.version, UInt(bitPattern: pinned.root))
    }
    return Version(graph: self, number: number, root: UnsafeRawPointer(bitPattern: root).unsafelyUnwrapped)
  }

  func unpin(_ number: UInt64) {
    let isFreeable = state.withLock { $0.ledger.unpin(number) }
    if isFreeable { freeSoon() }
  }

  /// Frees what no version shows any more, or has it done when the one inside of the gate leaves.
  private func freeSoon() {
    if !gate.tryEnterOrAsk() { return }
    collect()
    gate.leave()
  }

  /// Frees what no version shows any more. The caller is in the gate.
  private func collect() {
    let writer = self.writer
    state.withLock { state in
      if state.ledger.hasFreeable { state.ledger.takeFreeable(into: &writer.freeable) }
    }
    freeCollected()
  }

  private func freeCollected() {
    writer.freeCollected()
    writer.store.returnFreeMemory()
    let count = writer.store.allocatedByteCount
    byteCount.store(count, ordering: .relaxed)
    if count > highestByteCount.load(ordering: .relaxed) { highestByteCount.max(count, ordering: .relaxed) }
    mappedByteCount.store(writer.store.mappedByteCount, ordering: .relaxed)
  }

  /// Lets go of a reference to a version, and frees what nobody shows any more. The caller is in the gate.
  package func letGo(_ version: inout Version?) {
    if isKnownUniquelyReferenced(&version), let last = version {
      last.isPinned = false
      let writer = self.writer
      let number = last.number
      state.withLock { state in
        state.ledger.unpin(number)
        if state.ledger.hasFreeable { state.ledger.takeFreeable(into: &writer.freeable) }
      }
      freeCollected()
    }
    version = nil
  }

  /// Takes the memory of changes that the caller has no use for any more. The caller is in the gate.
  package func recycle(_ changes: inout ChangeSet?) {
    guard let spent = changes else { return }
    changes = nil
    writer.spareChanges = spent
  }

  /// Bytes of blocks in use after the last commit or release of a version. Never waits.
  package var lastByteCount: Int { byteCount.load(ordering: .relaxed) }

  /// The most that ``lastByteCount`` was after a commit since the graph was made or ``restartPeak()`` was called.
  package var peakByteCount: Int { highestByteCount.load(ordering: .relaxed) }

  /// Begins a new peak and returns the one until now. The caller has entered the gate.
  package func restartPeak() -> Int {
    defer { highestByteCount.store(lastByteCount, ordering: .relaxed) }
    return peakByteCount
  }

  /// Makes the peak at least as high as an earlier one.
  package func raisePeak(to byteCount: Int) { highestByteCount.max(byteCount, ordering: .relaxed) }

  /// Memory taken from the system for blocks and not given back, at the same moment. Never waits.
  package var lastMappedByteCount: Int { mappedByteCount.load(ordering: .relaxed) }

  /// The versions that are held, oldest first, with the bytes that letting each go would free.
  package var heldVersions: [HeldVersion] {
    state.withLock { state in
      state.ledger.held.map {
        HeldVersion(number: $0.version, stamp: $0.stamp, holders: $0.pinCount, freeableByteCount: $0.deadByteCount)
      }
    }
  }

  // MARK: Writing

  /// Starts a transaction. The caller has entered the gate, and leaves it after `commit` or `cancel`.
  package func begin() -> Writer {
    let (version, root) = state.withLock { state -> (UInt64, UInt) in
      state.lastNumber += 1
      return (state.lastNumber, UInt(bitPattern: state.ledger.newest.root))
    }
    writer.begin(version: version, root: UnsafeMutableRawPointer(bitPattern: root).unsafelyUnwrapped)
    return writer
  }

  /// Starts a transaction whose version has a number of the caller's choice, greater than all before. The caller has
  /// entered the gate.
  ///
  /// It may break unique indexes, which another one may mend, and leave ordered indexes to ``finishReplaying()``.
  package func begin(replaying number: UInt64) -> Writer {
    let root = state.withLock { state -> UInt in
      if number <= state.lastNumber { fatalError("Version \(number) comes after version \(state.lastNumber).") }
      state.lastNumber = number
      return UInt(bitPattern: state.ledger.newest.root)
    }
    writer.begin(version: number, root: UnsafeMutableRawPointer(bitPattern: root).unsafelyUnwrapped)
    writer.isReplaying = true
    return writer
  }

  /// Completes the newest version after the last transaction was replayed, before anybody sees it. Enters the gate.
  ///
  /// Throws ``UniqueViolation`` when what was loaded and replayed breaks a unique index.
  package func finishReplaying() throws {
    enterGateBlocking()
    defer { gate.leave() }
    writer.buildDroppedIndexes()
    if let violation = writer.uniqueViolation { throw violation }
  }

  /// Starts a transaction like ``begin()`` if `tip` is what it builds on; else nil.
  package func begin(on tip: UInt64) -> Writer? {
    let (version, root) = state.withLock { state -> (UInt64, UInt) in
      let newest = state.ledger.newest
      if newest.version != tip { return (0, 0) }
      state.lastNumber += 1
      return (state.lastNumber, UInt(bitPattern: newest.root))
    }
    guard let root = UnsafeMutableRawPointer(bitPattern: root) else { return nil }
    writer.begin(version: version, root: root)
    return writer
  }

  /// Ends the running transaction if it wrote nothing and nobody has to be told. False when it has to be committed.
  package func endUnchanged() -> Bool {
    guard writer.wroteNothing else { return false }
    writer.finish()
    return true
  }

  /// The number of the version that the next writer builds on.
  package var tip: UInt64 { state.withLock { $0.ledger.newest.version } }

  /// Publishes what the running transaction wrote.
  ///
  /// Throws what the commit log throws, ``DeletionDenied``, ``UniqueViolation`` and ``LimitExceeded``; the transaction is
  /// cancelled then. A pending commit is not visible yet: wait with ``whenDurable(_:_:)``.
  ///
  /// - Parameters:
  ///   - stamp: A time of the caller's choice, to tell how old a held version is.
  ///   - note: What the log records beside the changes.
  ///   - replayed: The number under which the version is published, not below that of the transaction; for replaying
  ///     several commits in one transaction.
  package func commit(stamp: UInt64 = 0, note: CommitNote = CommitNote(), as replayed: UInt64? = nil) throws -> Commit {
    let writer = self.writer
    let demands = self.demands.load(ordering: .acquiring)
    if demands & 2 != 0, let failure = state.withLock({ $0.failure }) {
      cancel()
      throw failure
    }
    writer.flushLinks()
    writer.settleOrdered()
    if let refusal = writer.refusal {
      cancel()
      throw LimitExceeded(description: refusal)
    }
    if !writer.isReplaying, let violation = writer.uniqueViolation {
      cancel()
      throw violation
    }
    if let denial = writer.deletionDenied {
      cancel()
      throw denial
    }
    var changes: ChangeSet?
    if log != nil || demands & 1 != 0 { changes = writer.makeChangeSet() }
    writer.compact()
    // Compaction deletes nothing, and deleting the rows of vanished values buffers nothing.
    let number = replayed ?? writer.version
    var isPending = false
    if let log {
      do {
        // The newest version stays in the ledger until this one is published.
        let previous = state.withLock { UInt(bitPattern: $0.ledger.newest.root) }
        let answer = try log.append(
          LoggedCommit(
            version: number, note: note, changes: changes.unsafelyUnwrapped,
            previous: GraphContents(root: UnsafeRawPointer(bitPattern: previous).unsafelyUnwrapped, layout: layout),
            contents: writer.contents, writer: .passUnretained(writer)))
        if case .pending = answer { isPending = true }
        if nextKeysBeforeRefusal != nil { nextKeysBeforeRefusal = nil }
      } catch {
        if nextKeysBeforeRefusal == nil {
          nextKeysBeforeRefusal = (0..<layout.visibleCount).map { writer.newKeys(of: TableID($0)).lowerBound }
        }
        cancel()
        throw error
      }
    }
    writer.finish()
    let root = UInt(bitPattern: writer.root)
    let ready: [DurabilityWaiter] = state.withLock { state in
      let root = UnsafeMutableRawPointer(bitPattern: root).unsafelyUnwrapped
      state.lastNumber = max(state.lastNumber, number)
      state.history.append(changes, note, version: number)
      let retired = state.trail == nil ? 0 : writer.store.retired.reduce(0) { $0 + $1.blockSize }
      // The log may have reached the disk before we got here.
      if isPending, number > state.durableThrough {
        state.ledger.publishPending(version: number, root: root, taking: &writer.store.retired, stamp: stamp)
        _ = state.ledger.pin(number)
        if state.trail != nil { state.extendTrail(to: number, retiring: retired) }
        return []
      }
      isPending = false
      state.ledger.publish(version: number, root: root, taking: &writer.store.retired, stamp: stamp)
      headNumber.store(number, ordering: .releasing)
      _ = state.ledger.pin(number)
      if state.trail != nil { state.extendTrail(to: number, retiring: retired) }
      if state.ledger.hasFreeable { state.ledger.takeFreeable(into: &writer.freeable) }
      return state.takeWaiters(through: number)
    }
    freeCollected()
    for waiter in ready { waiter.body(nil) }
    let version = Version(
      graph: self, number: number, root: UnsafeRawPointer(bitPattern: root).unsafelyUnwrapped)
    return Commit(version: version, isPending: isPending)
  }

  /// Gives up what the running transaction wrote.
  package func cancel() {
    let root = state.withLock { UInt(bitPattern: $0.ledger.newest.root) }
    writer.cancel(to: UnsafeMutableRawPointer(bitPattern: root).unsafelyUnwrapped)
  }

  // MARK: Durability

  /// Whether a version is durable: false while that is undecided, and when it was lost. An atomic load or two unless the
  /// log has failed.
  package func isDurable(_ number: UInt64) -> Bool {
    if number > head { return false }
    // What replaces lost versions comes after them.
    if demands.load(ordering: .acquiring) & 2 == 0 { return true }
    return !state.withLock { state in state.discarded.contains { $0.versions.contains(number) } }
  }

  /// Calls `body` once `number` is durable (nil) or lost (the error), at once if that is decided already.
  package func whenDurable(_ number: UInt64, _ body: @escaping @Sendable ((any Error)?) -> Void) {
    let decided: DurabilityOutcome? = state.withLock { state in
      if let lost = state.discarded.first(where: { $0.versions.contains(number) }) { return .lost(lost.error) }
      if number <= state.ledger.head.version { return .durable }
      state.waiters.append(DurabilityWaiter(number: number, body: body))
      return nil
    }
    switch decided {
    case .durable: body(nil)
    case .lost(let error): body(error)
    case nil: break
    }
  }

  /// The log reached the disk up to and including `number`.
  package func didBecomeDurable(through number: UInt64) {
    let (ready, isFreeable): ([DurabilityWaiter], Bool) = state.withLock { state in
      state.durableThrough = max(state.durableThrough, number)
      // A commit that is not published yet will find itself durable.
      let head = min(number, state.ledger.newest.version)
      guard head > state.ledger.head.version else { return ([], false) }
      state.ledger.advanceHead(to: head)
      headNumber.store(head, ordering: .releasing)
      return (state.takeWaiters(through: head), state.ledger.hasFreeable)
    }
    if isFreeable { freeSoon() }
    for waiter in ready { waiter.body(nil) }
  }

  /// The log failed: every commit above the head is discarded, and later commits throw `error`.
  ///
  /// A new version with the head's content becomes tip and head. Blocks while a transaction runs; must not be called by
  /// the thread that runs it.
  package func didLoseDurability(_ error: any Error) {
    enterGateBlocking()
    collect()
    let head = state.withLock { $0.ledger.head.version }
    let born = writer.store.blocks(bornAfter: head).map { UInt(bitPattern: $0) }
    let lost: [DurabilityWaiter] = state.withLock { state in
      state.failure = error
      demands.bitwiseOr(2, ordering: .releasing)
      guard state.ledger.hasPending else { return [] }
      let head = state.ledger.head.version
      let discarded = (head + 1)...state.ledger.newest.version
      state.lastNumber += 1
      state.ledger.reverse(
        to: state.lastNumber, born: born.map { UnsafeMutableRawPointer(bitPattern: $0).unsafelyUnwrapped }, stamp: 0)
      state.history.discard(discarded)
      state.history.append(nil, CommitNote(), version: state.lastNumber)
      state.replaceInTrail(discarded, by: state.lastNumber)
      state.discarded.append((discarded, error))
      state.reversal = (state.lastNumber, head)
      headNumber.store(state.lastNumber, ordering: .releasing)
      let lost = state.waiters
      state.waiters = []
      return lost
    }
    writer.root = state.withLock { UnsafeSendableBlock($0.ledger.newest.root) }.block
    collect()
    gate.leave()
    for waiter in lost { waiter.body(error) }
  }

  /// Enters the gate, blocking the thread until it is its turn. Traps when the thread is inside already.
  package func enterGateBlocking(
    function: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    gate.enter(GateHolder(CallSite(function: function, file: file, line: line)))
  }

  // MARK: Changes between versions

  /// Starts to keep what commits change, and their notes, for somebody who has seen everything up to `number`.
  package func followChanges(from number: UInt64) -> ChangeFollower {
    let id = state.withLock { state in
      demands.bitwiseOr(1, ordering: .releasing)
      return state.history.add(.changesAndNotes, from: number)
    }
    return ChangeFollower(graph: self, id: id)
  }

  /// Starts to keep the notes of commits, for somebody who has seen everything up to `number`. Costs only commits that have
  /// one.
  package func followNotes(from number: UInt64) -> NoteFollower {
    NoteFollower(graph: self, id: state.withLock { $0.history.add(.notes, from: number) })
  }

  func moveFollower(_ id: Int, to number: UInt64?) {
    state.withLock { state in
      state.history.move(id, to: number)
      if !state.history.isWanted { demands.bitwiseAnd(~1, ordering: .releasing) }
    }
  }

  /// The net effect of all commits after `old` up to `new`.
  ///
  /// From the kept change sets if they reach back that far, else by comparing the two versions, which costs what differs
  /// between them.
  package func changes(from old: Version, to new: Version) -> ChangeSet {
    net(state.withLock { $0.history.changes(after: old.number, through: new.number) }, old, new)
  }

  /// - Parameter follower: Who has seen everything up to `new` with the result.
  func changes(
    from old: Version, to new: Version, moving follower: Int
  ) -> (changes: ChangeSet, noted: [NotedCommit]) {
    let (oldNumber, newNumber) = (old.number, new.number)
    let (kept, noted) = state.withLock { $0.history.take(follower, after: oldNumber, through: newNumber) }
    return (net(kept, old, new), noted)
  }

  /// Which of the commits after `old` up to `new` have a note, as far as notes are kept.
  package func noted(after old: UInt64, through new: UInt64) -> [NotedCommit] {
    state.withLock { $0.history.noted(after: old, through: new) }
  }

  func noted(after old: UInt64, through new: UInt64, moving follower: Int) -> [NotedCommit] {
    state.withLock { state in
      defer { state.history.move(follower, to: new) }
      return state.history.noted(after: old, through: new)
    }
  }

  private func net(_ kept: KeptChanges, _ old: Version, _ new: Version) -> ChangeSet {
    switch kept {
    case .unknown: return Version.withContents(of: old, new) { ChangeSet(from: $0, to: $1) }
    case .one(let changes): return changes
    case .several(let sets):
      guard var merged = sets.first else { return ChangeSet(tableCount: layout.visibleCount) }
      for changes in sets.dropFirst() { merged.merge(changes) }
      return merged
    }
  }

  /// Starts to hold each version, for somebody who wants to see all of them. There must be no other one.
  ///
  /// - Parameter byteCountMax: How many bytes versions may keep that have not been taken; beyond it they are let go.
  package func followVersions(byteCountMax: Int) -> VersionFollower {
    state.withLock { state in
      if state.trail != nil { fatalError("The versions of a graph are followed twice.") }
      state.trail = VersionTrail(byteCountMax: byteCountMax)
    }
    return VersionFollower(graph: self)
  }

  func takeTrail() -> (versions: [VersionFollower.Followed], hasGap: Bool) {
    let (taken, hasGap) = state.withLock { state in
      guard let taken = state.trail?.take(through: state.ledger.head.version) else {
        return ([(UInt64, Int, UInt)](), false)
      }
      let versions = taken.versions.compactMap { entry in
        state.ledger.root(of: entry.number).map { (entry.number, entry.retiredByteCount, UInt(bitPattern: $0)) }
      }
      return (versions, taken.hasGap)
    }
    let versions = taken.map { number, retiredByteCount, root in
      VersionFollower.Followed(
        version: Version(graph: self, number: number, root: UnsafeRawPointer(bitPattern: root).unsafelyUnwrapped),
        retiredByteCount: retiredByteCount)
    }
    return (versions, hasGap)
  }

  func endTrail() {
    let isFreeable = state.withLock { state in
      for version in state.trail?.versions ?? [] { state.ledger.unpin(version) }
      state.trail = nil
      return state.ledger.hasFreeable
    }
    if isFreeable { freeSoon() }
  }

  /// Bytes of blocks in use.
  ///
  /// Enters the gate, so it waits for a running transaction.
  package var allocatedByteCount: Int {
    enterGateBlocking()
    defer { gate.leave() }
    return writer.store.allocatedByteCount
  }

  /// Blocks in use. Enters the gate.
  package var allocatedBlockCount: Int {
    enterGateBlocking()
    defer { gate.leave() }
    return writer.store.allocatedBlockCount
  }

  /// Traps unless the memory and the list of versions are sound. Enters the gate.
  package func checkInvariants() {
    enterGateBlocking()
    defer { gate.leave() }
    writer.store.checkInvariants()
    state.withLock { $0.ledger.checkInvariants() }
  }
}

/// What became of a commit.
package struct Commit: Sendable {
  package let version: Version
  /// Whether it still has to become durable before others see it.
  package let isPending: Bool
}

/// A held version, for listing.
package struct HeldVersion: Sendable {
  package let number: UInt64
  /// The stamp that was passed at its commit.
  package let stamp: UInt64
  package let holders: Int
  package let freeableByteCount: Int
}

struct GraphState {
  var ledger: VersionLedger
  /// The highest version number ever given out; numbers of cancelled and discarded versions are not used again.
  var lastNumber: UInt64 = 1
  var history = ChangeHistory()
  /// Versions that somebody wants to see one by one.
  var trail: VersionTrail?
  var waiters: [DurabilityWaiter] = []
  /// What the log said last of how far it reached the disk.
  var durableThrough: UInt64 = 0
  /// Versions that a failing log discarded.
  var discarded: [(versions: ClosedRange<UInt64>, error: any Error)] = []
  /// The version that took the place of these, and the one whose content it shows, unless it was saved.
  var reversal: (number: UInt64, head: UInt64)?
  /// Why no further commit is taken.
  var failure: (any Error)?

  init(ledger: VersionLedger) { self.ledger = ledger }

  /// Holds the version published last for the trail.
  mutating func extendTrail(to version: UInt64, retiring byteCount: Int) {
    _ = ledger.pin(version)
    for dropped in trail?.append(version, retiring: byteCount) ?? [] { ledger.unpin(dropped) }
  }

  /// Versions were discarded, and one took their place.
  mutating func replaceInTrail(_ discarded: ClosedRange<UInt64>, by version: UInt64) {
    guard let dropped = trail?.discard(discarded) else { return }
    for version in dropped { ledger.unpin(version) }
    extendTrail(to: version, retiring: 0)
  }

  mutating func takeWaiters(through number: UInt64) -> [DurabilityWaiter] {
    if waiters.isEmpty { return [] }
    let ready = waiters.filter { $0.number <= number }
    waiters.removeAll { $0.number <= number }
    return ready
  }
}

struct DurabilityWaiter: Sendable {
  let number: UInt64
  let body: @Sendable ((any Error)?) -> Void
}

private enum DurabilityOutcome {
  case durable
  case lost(any Error)
}

private struct UnsafeSendableBlock: @unchecked Sendable {
  let block: Block

  init(_ block: Block) { self.block = block }
}
