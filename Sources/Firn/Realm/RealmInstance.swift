internal import CFirn
internal import FirnDurability
internal import FirnEngine
internal import Foundation
internal import Glibc
internal import Synchronization

/// What a ``Realm`` refers to: a version of the store that a thread, queue, actor or task looks at.
///
/// State                  guarded by
/// handles                atomic
/// context, owner         see `RealmContext`; changed only while nobody else refers to the realm
/// version, writing,      the confinement: only code that may write to the realm touches them
/// hasRole, isKept,
/// notifications
/// pending, frozenRealm,  their locks
/// asyncOperations
final class RealmInstance: @unchecked Sendable {
  let store: Store
  /// Tells the realms of the process apart; never used again.
  let number: UInt64
  let confinement: Confinement
  let isFrozen: Bool
  let context: UnsafeMutableRawPointer
  /// The home thread: reads through the caches of accessors.
  @exclusivity(unchecked) private(set) var owner: UnsafeMutableRawPointer?
  let trace: PathTrace?

  /// The version that the realm shows; inside a transaction, the one it is based on.
  @exclusivity(unchecked) private(set) var version: Version?
  /// The writer of the running transaction. Which thread runs it stands in the context.
  @exclusivity(unchecked) private(set) var writer: Writer?
  /// Whether the writer's role was taken for this realm and not left yet.
  @exclusivity(unchecked) private var hasRole = false
  /// Whether the open transaction keeps the realm alive.
  @exclusivity(unchecked) private var isKept = false
  /// Which task uses the realm; for unbound realms.
  let use: TaskUse?
  @exclusivity(unchecked) var autorefresh = true
  @exclusivity(unchecked) private(set) var isInvalidated = false
  /// Adds objects; made when it is first asked for. Touched by whoever may write.
  @exclusivity(unchecked) private var madeWalk: AddingWalk?
  /// Whether the block of a `.writeBlock` realm has returned. Its objects stay readable, but nothing more is written.
  @exclusivity(unchecked) var isBlockOver = false
  /// Observers of this realm; made with the first one.
  @exclusivity(unchecked) var notifications: RealmObservers?

  /// The class of the object added last, and its handle. Touched by whoever may write.
  @exclusivity(unchecked) var lastAdded: (type: ObjectIdentifier, handle: Unmanaged<TableHandle>)?

  /// Retained handles by table, each made when it is first asked for.
  private let handles: HandleTable
  private let pending = Lock(false)
  private let asyncOperations = Lock(0)
  /// The frozen realm made last. It holds the version that this realm holds anyway, and is let go with it.
  private let frozenRealm = Lock<RealmInstance?>(nil)
  private let hasFrozenRealm = Atomic<Bool>(false)
  /// Whether the store tells this realm of commits. Set before the realm is handed out.
  @exclusivity(unchecked) var isListed = false

  init(store: Store, confinement: Confinement, version: Version? = nil, trace: PathTrace? = nil) {
    self.store = store
    self.confinement = confinement
    if case .frozen = confinement { isFrozen = true } else { isFrozen = false }
    self.trace = trace
    let version = version ?? store.graph.holdHead()
    self.version = version
    owner = confinement.owner
    if case .unbound = confinement { use = TaskUse() } else { use = nil }
    context = RealmContext.make(owner: owner, root: version.snapshot.root)
    handles = HandleTable(count: 2 * store.graph.layout.visibleCount)
    number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    if case .queue(let queue) = confinement {
      queue.setSpecific(key: Confinement.queueKey, value: ObjectIdentifier(queue))
    }
  }

  deinit {
    if writer != nil {
      store.graph.cancel()
      // Whatever kept the realm has let it go.
      isKept = false
      endWriting()
      leaveRole()
      Log.warning("A realm was released inside a write transaction, which is cancelled.")
    }
    store.didClose(self, confinement.key)
    handles.deallocate()
    context.deallocate()
  }

  // MARK: Reading

  /// The handle of a table of the schema, or one by its number.
  @inline(__always)
  func handle(_ number: Int) -> TableHandle { handles[number] ?? makeHandle(number) }

  /// The handle whose accessors are of the table's class, or ``DynamicObject``.
  func handle(_ table: Int, isDynamic: Bool) -> TableHandle { handle(isDynamic ? table + handles.count / 2 : table) }

  /// Calls `body` with the accessors that exist for a table, if there are any.
  @inline(__always)
  func withLiveAccessors(_ table: Int, _ body: (LiveAccessors) -> Void) {
    if let handle = handles[table], handle.accessors.count > 0 { body(handle.accessors) }
    if let handle = handles[table + handles.count / 2], handle.accessors.count > 0 { body(handle.accessors) }
  }

  /// The handle of a table, if anybody has asked for it.
  func existingHandle(_ table: Int) -> TableHandle? { table < handles.count ? handles[table] : nil }

  @inline(never)
  private func makeHandle(_ number: Int) -> TableHandle {
    let layout = store.graph.layout
    let table = number % layout.visibleCount
    return handles.set(
      number, TableHandle(instance: self, layout: layout.tables[table], model: store.model(table), number: number))
  }

  /// The handle of a table as mixed values call it: that of its class, or by name only when that is wanted or the process
  /// does not have the class. Nil when there is no such table.
  func handle(numbered number: UInt32, isDynamic: Bool) -> TableHandle? {
    let layout = store.graph.layout
    guard let table = layout.table(number: number), !layout.isNested(table) else { return nil }
    return handle(table.index, isDynamic: isDynamic || table.index >= store.schema.models.count)
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// The handle of a class, or nil when the realm's schema does not have it.
  func handle(_ type: ObjectBase.Type) -> TableHandle? {
    store.schema.index(of: type).map { handle($0) }
  }

  /// Whether the calling thread may use what the home thread caches.
  var isHomeForReading: Bool {
    owner == firn_thread_pointer() || isWritingHere
  }

  /// Whether the calling thread runs the realm's write transaction.
  var isWritingHere: Bool { RealmContext.isWritingHere(context) }

  /// The root that the calling thread, at home or in its transaction, or any thread of a frozen realm, reads.
  var rootForReading: UnsafeRawPointer {
    context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
  }

  /// Calls `body` with the content that the calling thread may see; away from home that is the last committed version,
  /// held during the call.
  func read<Result>(_ body: (Snapshot) throws -> Result) rethrows -> Result {
    if isFrozen || isHomeForReading {
      return try body(Snapshot(root: rootForReading, layout: store.graph.layout))
    }
    let version = heldVersion()
    return try withExtendedLifetime(version) { try body(version.snapshot) }
  }

  /// Calls `body` with the last committed version, which is kept only by announcing the thread as a reader.
  ///
  /// Cheaper than `read`, but the realm cannot advance meanwhile: `body` must be short, call no code of users and not
  /// read through this function or an accessor again. Not for frozen realms, nor at home.
  func readBriefly<Result>(_ body: (Snapshot) throws -> Result) rethrows -> Result {
    let reader = firn_reader_get().unsafelyUnwrapped
    firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
    defer { firn_reader_end(reader) }
    return try body(Snapshot(root: RealmContext.awayRoot(context), layout: store.graph.layout))
  }

  /// The last committed version that this realm shows, held.
  func heldVersion() -> Version {
    if isFrozen || isHomeForReading || isConfinedHere { return version.unsafelyUnwrapped }
    // Away from home the field may change under our eyes: take the number from the context instead.
    let reader = firn_reader_get().unsafelyUnwrapped
    firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
    defer { firn_reader_end(reader) }
    let root = RealmContext.awayRoot(context)
    return store.graph.hold(root: root)
  }

  /// Whether the caller is known to be where the realm may be written.
  var isConfinedHere: Bool {
    switch confinement {
    case .mainThread, .thread, .writeBlock, .queue: confinement.allowsMutationHere(owner: owner)
    case .actor, .unbound, .frozen: false
    }
  }

  // MARK: Freezing

  /// A frozen realm of the version that this one shows to the calling thread.
  func frozen() -> RealmInstance {
    let version = heldVersion()
    return frozenRealm.withLock { cached in
      if let cached, cached.version.unsafelyUnwrapped.number == version.number { return cached }
      let new = RealmInstance(store: store, confinement: .frozen, version: version)
      // A thread that was overtaken by the realm must not make it keep the old version.
      hasFrozenRealm.store(true, ordering: .sequentiallyConsistent)
      if RealmContext.awayRoot(context) == version.snapshot.root { cached = new }
      return new
    }
  }

  // MARK: Moving on

  /// Whether there is a version that the realm does not show yet.
  var canAdvance: Bool { store.graph.head != version.unsafelyUnwrapped.number }

  /// Shows another version from now on.
  func advance(to new: Version) {
    let old = version.unsafelyUnwrapped
    if new.number == old.number { return }
    RealmContext.setAdvancing(context, true)
    RealmContext.setAwayRoot(context, new.snapshot.root)
    firn_reader_wait(UInt64(UInt(bitPattern: context)))
    keepLastValues(from: old.snapshot, to: new.snapshot)
    context.storeBytes(of: new.snapshot.root, toByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    bumpEpoch()
    version = new
    RealmContext.setAdvancing(context, false)
    dropFrozen()
  }

  private func dropFrozen() {
    if !hasFrozenRealm.load(ordering: .sequentiallyConsistent) { return }
    let old: RealmInstance? = frozenRealm.withLock { cached in
      defer { cached = nil }
      hasFrozenRealm.store(false, ordering: .sequentiallyConsistent)
      return cached
    }
    withExtendedLifetime(old) {}
  }

  func bumpEpoch() { RealmContext.word(context, RealmContext.epochOffset).pointee &+= 1 }

  /// Copies the rows of live accessors that are in `old` but not in `new`.
  private func keepLastValues(
    from old: Snapshot, to new: Snapshot, evenWithoutDeletions: Bool = false, onlyMadeAway: Bool = false
  ) {
    for index in 0..<handles.count {
      guard let handle = handles[index], handle.accessors.count > 0 else { continue }
      if !handle.accessors.takeWereMadeAway(), onlyMadeAway { continue }
      let table = handle.table
      // Deletions of rows that `old` has not count as well; less than none are those that were reversed.
      let deletionCount = Int(
        truncatingIfNeeded: TableRoot.deletionCount(new.tableRoot(table))
          &- TableRoot.deletionCount(old.tableRoot(table)))
      if !evenWithoutDeletions, deletionCount == 0 { continue }
      handle.accessors.setLastValues(
        from: old, to: new, table, deletionCount: evenWithoutDeletions ? nil : deletionCount)
    }
  }

  /// Copies rows that are about to be deleted for their live accessors.
  func keepLastValues(of keys: [RowKey], in table: TableID, _ snapshot: Snapshot) {
    withLiveAccessors(table.index) { $0.setLastValues(of: keys, in: snapshot, table) }
  }

  /// Called on any thread after somebody else committed.
  func headDidChange() {
    let isFirst = pending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
    guard isFirst else { return }
    // Perhaps nobody ever serves the run loop or queue.
    let scheduled = confinement.schedule { [weak store, number] in store?.openRealm(number)?.advanceAndNotify() }
    if !scheduled { pending.withLock { $0 = false } }
  }

  /// The scheduled part of autorefresh. Runs where the realm is confined.
  private func advanceAndNotify() {
    pending.withLock { $0 = false }
    if writer != nil { return }
    if autorefresh { _ = refresh() } else { notifications?.didBecomeStale() }
  }

  /// Shows the newest version and delivers what observers have not seen. True when the version changed.
  @discardableResult
  func refresh() -> Bool {
    if isFrozen || writer != nil || isBlockOver { return false }
    if let notifications, notifications.isDelivering { return false }
    let advances = canAdvance
    if advances { advance(to: store.graph.holdHead()) }
    notifications?.deliver(didAdvance: advances)
    return advances
  }

  // MARK: Writing

  var isInWriteTransaction: Bool { writer != nil }

  /// What adds objects in a transaction.
  var walk: AddingWalk {
    if let madeWalk { return madeWalk }
    let walk = AddingWalk(self)
    madeWalk = walk
    return walk
  }

  /// The writer, or a trap that names the rule.
  func requireWriter(_ attempt: @autoclosure () -> WriteAttempt) -> Writer {
    if isWritingHere, let writer { return writer }
    // Asked before anything of the realm is looked at, which another thread may be changing.
    if !isFrozen, !isBlockOver, !confinement.allowsMutationHere(owner: owner) {
      trapForPlace(attempt().subject, attempt().site)
    }
    guard let writer else { trapOutsideOfTransaction(attempt()) }
    guard isConfinedHere || confinement.isOfCurrentActor else { trapForPlace(attempt().subject, attempt().site) }
    // A queue or actor went on with its transaction on another thread.
    RealmContext.setWritingThread(context, firn_thread_pointer())
    return writer
  }

  /// Throws when there are more versions than the configuration allows.
  func checkVersionCount() throws {
    guard let maximum = store.configuration.maximumNumberOfActiveVersions else { return }
    let count = store.graph.heldVersions.count
    if count > maximum {
      throw Realm.Error(
        .fail,
        "Number of active versions (\(count)) in the Realm exceeded the limit of \(maximum). Release frozen values and "
          + "realms that show old versions, or let realms refresh.")
    }
  }

  /// Takes the writer's role for a function that leaves it again, blocking the thread until it is free.
  ///
  /// - Throws: When there are too many versions, or the store was closed meanwhile.
  func beginWrite(_ site: CallSite) throws {
    checkCanWrite(site)
    try checkVersionCount()
    try beginWrite(GateHolder(site))
  }

  /// The same for a transaction that stays open. Until it ends it keeps the realm alive, which may be asked for again.
  func beginOpenWrite(_ site: CallSite) {
    checkCanWrite(site)
    do {
      try checkVersionCount()
      try beginWrite(GateHolder(site, home: confinement.transactionHome))
    } catch {
      Self.trap(site, error.localizedDescription)
    }
    isKept = KeptRealms.keep(self)
  }

  private func beginWrite(_ holder: GateHolder) throws {
    // A callback that writes: those after it are called before, at the version of their change.
    if let notifications, notifications.isDelivering {
      notifications.deliverRest()
    } else {
      notifications?.willEnterGate()
      refresh()
    }
    store.graph.gate.enter(
      holder, homes: { Confinement.homesHere() }, longWait: .warning(holder.site, store.configuration.name))
    notifications?.didEnterGate()
    if !store.acceptsQueuedWrites {
      store.graph.gate.leave()
      throw Realm.Error.storeClosed(store)
    }
    startWriting()
  }

  /// Starts the transaction; the caller has the writer's role.
  func startWriting() {
    hasRole = true
    let graph = store.graph
    let writer: Writer
    if let begun = graph.begin(on: version.unsafelyUnwrapped.number) {
      writer = begun
    } else {
      advance(to: graph.holdTip())
      writer = graph.begin()
    }
    writer.epochWord = RealmContext.word(context, RealmContext.epochOffset)
    writer.rootWord = (context + RealmContext.rootOffset).assumingMemoryBound(to: UnsafeRawPointer.self)
    writer.skipsEqualWrites = store.configuration.skipsEqualWrites
    // Without the version, accessors store nothing by themselves, and the writer compares.
    if !writer.skipsEqualWrites {
      context.storeBytes(of: writer.version, toByteOffset: RealmContext.writeVersionOffset, as: UInt64.self)
    }
    RealmContext.setWritingThread(context, firn_thread_pointer())
    if graph.layout.hasLinkKinds {
      writer.willDelete = { [unowned(unsafe) self, unowned(unsafe) writer] table, keys in
        self.prepareDeletion(of: keys, in: table, writer)
      }
    }
    self.writer = writer
  }

  /// Gives up the writer's role, which somebody else leaves then. False if it was left already.
  func takeRole() -> Bool {
    defer { hasRole = false }
    return hasRole
  }

  /// Leaves the writer's role, if that has not been done.
  func leaveRole() {
    if takeRole() { store.graph.gate.leave() }
  }

  /// Commits, leaves the writer's role and waits until the commit is durable.
  func commitWrite(withoutNotifying tokens: [NotificationToken] = [], _ site: CallSite? = nil) throws {
    let writer = requireWriter(.ending("commit", store, site))
    let commit: Commit?
    do {
      defer { leaveRole() }
      commit = try endByCommitting(writer, skipping: tokens)
    } catch {
      try? settle()
      throw error
    }
    guard let commit else {
      // Nothing new to see: this realm stays at its version, and the others have it or will have it.
      try settle()
      notifications?.didCommit(skipping: tokens)
      return
    }
    if commit.isPending { try waitUntilDurable(commit.version.number) }
    notifications?.didCommit(skipping: tokens)
    store.didCommit(by: self)
  }

  /// Starts to commit what must not wait for durability on a thread; see `finishCommit`. The caller leaves the role.
  ///
  /// - Returns: The version that has to become durable yet.
  func startCommit(_ note: CommitNote = CommitNote()) throws -> UInt64? {
    let writer = requireWriter(.ending("commit", store, nil))
    guard let commit = try endByCommitting(writer, note) else { return pendingVersion }
    return commit.isPending ? commit.version.number : nil
  }

  /// Ends the transaction: it is cancelled when this throws. The caller leaves the role. Nil if nothing was written.
  private func endByCommitting(
    _ writer: Writer, _ note: CommitNote = CommitNote(), skipping tokens: [NotificationToken] = []
  ) throws -> Commit? {
    if let refusal = writer.refusal {
      cancel(writer)
      throw Realm.Error(.invalidInput, refusal)
    }
    (tokens.isEmpty ? notifications : observers())?.willCommit(skipping: tokens)
    if store.graph.endUnchanged() {
      endWriting()
      return nil
    }
    return try publishWrite(writer, note)
  }

  /// The realm's version if it is not durable yet, or was lost.
  var pendingVersion: UInt64? {
    let number = version.unsafelyUnwrapped.number
    return store.graph.isDurable(number) ? nil : number
  }

  /// Waits until a version of somebody else that a transaction was based on is durable, since the realm shows it now.
  private func settle() throws {
    if let pendingVersion { try waitUntilDurable(pendingVersion) }
  }

  /// What follows when a commit is durable.
  func finishCommit() {
    notifications?.didCommit(skipping: [])
    store.didCommit(by: self)
  }

  /// Commits and shows the new version. The transaction is cancelled when this throws.
  private func publishWrite(_ writer: Writer, _ note: CommitNote = CommitNote()) throws -> Commit {
    if let denied = writer.deletionDenied {
      let failure = error(denied)
      cancel(writer)
      throw failure
    }
    let commit: Commit
    do {
      try checkVersionCount()
    } catch {
      cancel(writer)
      throw error
    }
    do {
      commit = try store.graph.commit(stamp: Clock.now, note: note)
    } catch {
      didCancel(writer)
      throw Realm.Error.wrapping(error)
    }
    endWriting()
    context.storeBytes(
      of: commit.version.snapshot.root, toByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    var old = version
    let (before, after) = (old.unsafelyUnwrapped.snapshot, commit.version.snapshot)
    let losesRows = after.isMissingRows(of: before)
    if losesRows { RealmContext.setAdvancing(context, true) }
    RealmContext.setAwayRoot(context, after.root)
    firn_reader_wait(UInt64(UInt(bitPattern: context)))
    // Other threads may have made accessors of rows after these were deleted in the transaction.
    if losesRows { keepLastValues(from: before, to: after, onlyMadeAway: true) }
    version = commit.version
    if losesRows { RealmContext.setAdvancing(context, false) }
    dropFrozen()
    store.graph.letGo(&old)
    return commit
  }

  private func waitUntilDurable(_ number: UInt64) throws {
    // Whoever waits does the work, if nobody is doing it yet.
    store.durable?.flush(through: number)
    let semaphore = Semaphore()
    let failure = Lock<(any Error)?>(nil)
    store.graph.whenDurable(number) { error in
      failure.withLock { $0 = error }
      semaphore.signal()
    }
    semaphore.wait()
    if let error = failure.withLock({ $0 }) {
      didLoseCommit()
      throw Realm.Error.wrapping(error)
    }
  }

  /// The commit made last is lost: shows what is there instead.
  func didLoseCommit() {
    // Objects of a write block may be read at home on a thread that this one cannot wait for.
    if case .writeBlock = confinement { return }
    advance(to: store.graph.holdHead())
  }

  func cancelWrite(_ site: CallSite? = nil) {
    endByCancelling(site)
    leaveRole()
    // If it is lost, the realm shows what is there instead; there is nothing else to tell.
    try? settle()
  }

  /// Undoes what was written. The caller leaves the role.
  func endByCancelling(_ site: CallSite? = nil) { cancel(requireWriter(.ending("cancel", store, site))) }

  private func cancel(_ writer: Writer) {
    // Rows added in the transaction vanish.
    keepLastValues(from: writer.snapshot, to: version.unsafelyUnwrapped.snapshot, evenWithoutDeletions: true)
    store.graph.cancel()
    didCancel(writer)
  }

  private func didCancel(_ writer: Writer) {
    endWriting()
    context.storeBytes(
      of: version.unsafelyUnwrapped.snapshot.root, toByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    bumpEpoch()
    notifications?.didCancel()
  }

  private func endWriting() {
    context.storeBytes(of: .max, toByteOffset: RealmContext.writeVersionOffset, as: UInt64.self)
    writer?.epochWord = nil
    writer?.rootWord = nil
    writer?.willDelete = nil
    writer?.skipsEqualWrites = false
    writer = nil
    RealmContext.setWritingThread(context, nil)
    if isKept {
      isKept = false
      KeptRealms.letGo(self)
    }
  }

  /// Asynchronous writes that have been asked for and have not ended.
  var asyncOperationCount: Int { asyncOperations.withLock { $0 } }

  func beginAsyncOperation() { asyncOperations.withLock { $0 += 1 } }

  func endAsyncOperation() { asyncOperations.withLock { $0 -= 1 } }

  // MARK: Write blocks

  /// Makes a realm that nobody else refers to the calling thread's, at the tip. The caller has the writer's role.
  func wakeForWriteBlock() {
    let tip = store.graph.holdTip()
    version = tip
    owner = firn_thread_pointer()
    context.storeBytes(of: owner, as: UnsafeMutableRawPointer?.self)
    context.storeBytes(of: tip.snapshot.root, toByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    RealmContext.setAwayRoot(context, tip.snapshot.root)
    bumpEpoch()
    isBlockOver = false
  }

  /// Lets the version go until the realm is used again. Nobody else refers to it.
  func sleepAfterWriteBlock() {
    dropFrozen()
    version = nil
  }
}

/// The time that versions are stamped with: nanoseconds of a clock that only goes forward.
enum Clock {
  /// Precise to some milliseconds, which is enough for the age of a version and costs no look at the hardware.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
