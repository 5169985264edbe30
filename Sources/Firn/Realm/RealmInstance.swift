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
  /// Which task uses the realm; for unbound realms.
  let use: TaskUse?
  @exclusivity(unchecked) var autorefresh = true
  @exclusivity(unchecked) private(set) var isInvalidated = false
  /// The policy of the objects that are being added because something links to them; nil when nothing is being added.
  @exclusivity(unchecked) var linkPolicy: Realm.UpdatePolicy?
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
      endWriting()
      store.graph.gate.leave()
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
      if !evenWithoutDeletions,
        TableRoot.deletionCount(old.tableRoot(table)) == TableRoot.deletionCount(new.tableRoot(table))
      {
        continue
      }
      handle.accessors.setLastValues { key in
        let key = RowKey(key)
        guard !new.contains(key, in: table), let location = old.locate(key, in: table) else { return nil }
        return RowCopy.make(location, in: old, table: table)
      }
    }
  }

  /// Copies a row that is about to be deleted for its live accessors.
  func keepLastValues(of key: RowKey, _ handle: TableHandle, in snapshot: Snapshot) {
    withLiveAccessors(handle.layout.index) { accessors in
      guard let location = snapshot.locate(key, in: handle.table) else { return }
      accessors.setLastValues(of: key.rawValue) { RowCopy.make(location, in: snapshot, table: handle.table) }
    }
  }

  /// Called on any thread after somebody else committed.
  func headDidChange() {
    let isFirst = pending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
    guard isFirst else { return }
    let scheduled = confinement.schedule { [store, number] in store.openRealm(number)?.advanceAndNotify() }
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

  /// The writer, or a trap that names the rule.
  func requireWriter(_ action: @autoclosure () -> String) -> Writer {
    guard let writer else { fatalError(action()) }
    if !isWritingHere {
      guard isConfinedHere else { fatalError("Realm accessed from incorrect thread.") }
      // A queue went on with its transaction on another thread.
      RealmContext.setWritingThread(context, firn_thread_pointer())
    }
    return writer
  }

  func checkCanWrite() {
    checkMayWrite()
    if writer != nil { fatalError("The Realm is already in a write transaction") }
    if !store.isOpen { fatalError("The store \(store.configuration.name) was closed.") }
  }

  /// Traps unless this is a place where the realm may be written.
  func checkMayWrite() {
    if isFrozen { fatalError("Can't perform transactions on a frozen Realm.") }
    if store.configuration.readOnly { fatalError("Can't perform transactions on read-only Realms.") }
    if !confinement.allowsMutationHere(owner: owner) { fatalError("Realm accessed from incorrect thread.") }
    if isBlockOver { fatalError("The realm of a write block was used for writing after the block had returned.") }
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

  /// Takes the writer's role, blocking the thread until it is free.
  func beginWrite() {
    checkCanWrite()
    do { try checkVersionCount() } catch { fatalError(error.localizedDescription) }
    // A callback that writes: those after it are called before, at the version of their change.
    if let notifications, notifications.isDelivering {
      notifications.deliverRest()
    } else {
      notifications?.willEnterGate()
      refresh()
    }
    store.graph.enterGateBlocking()
    notifications?.didEnterGate()
    startWriting()
  }

  /// Starts the transaction; the caller has the writer's role.
  func startWriting() {
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

  /// Commits, leaves the writer's role and waits until the commit is durable.
  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    let writer = requireWriter("Can't commit a non-existing write transaction")
    try checkRefusal(writer)
    (tokens.isEmpty ? notifications : observers())?.willCommit(skipping: tokens)
    if store.graph.endUnchanged() {
      // Nothing new to see: this realm stays at its version, and the others have it or will have it.
      endWriting()
      store.graph.gate.leave()
      try settle()
      notifications?.didCommit(skipping: tokens)
      return
    }
    let commit = try publishWrite(writer)
    if commit.isPending { try waitUntilDurable(commit.version.number) }
    notifications?.didCommit(skipping: tokens)
    store.didCommit(by: self)
  }

  /// Starts to commit what must not wait for durability on a thread; see `finishCommit`.
  ///
  /// - Returns: The version that has to become durable yet.
  func startCommit(_ note: CommitNote = CommitNote()) throws -> UInt64? {
    let writer = requireWriter("Can't commit a non-existing write transaction")
    try checkRefusal(writer)
    notifications?.willCommit(skipping: [])
    if store.graph.endUnchanged() {
      endWriting()
      store.graph.gate.leave()
      return pendingVersion
    }
    let commit = try publishWrite(writer, note)
    return commit.isPending ? commit.version.number : nil
  }

  /// Cancels a transaction that wrote what must not be stored.
  private func checkRefusal(_ writer: Writer) throws {
    guard let refusal = writer.refusal else { return }
    cancelWrite()
    throw Realm.Error(.invalidInput, refusal)
  }

  /// The realm's version if it is not durable yet.
  private var pendingVersion: UInt64? {
    let number = version.unsafelyUnwrapped.number
    return number > store.graph.head ? number : nil
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

  /// Commits, shows the new version and leaves the writer's role.
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
      cancelWrite()
      throw error
    }
    do {
      commit = try store.graph.commit(stamp: Clock.now, note: note)
    } catch {
      didCancel(writer)
      store.graph.gate.leave()
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
    store.graph.gate.leave()
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

  func cancelWrite() {
    let writer = requireWriter("Can't cancel a non-existing write transaction")
    cancel(writer)
    // If it is lost, the realm shows what is there instead; there is nothing else to tell.
    try? settle()
  }

  private func cancel(_ writer: Writer) {
    // Rows added in the transaction vanish.
    keepLastValues(from: writer.snapshot, to: version.unsafelyUnwrapped.snapshot, evenWithoutDeletions: true)
    store.graph.cancel()
    didCancel(writer)
    store.graph.gate.leave()
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
