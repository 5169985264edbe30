internal import CFirn
internal import FirnEngine

/// Transactions, from the writer's role to the end of the writer.
extension RealmInstance {
  /// Only for the thread of the realm, or that of its transaction.
  var isInWriteTransaction: Bool { writer != nil }

  /// Whether the calling thread reads what a transaction has written so far. From any thread: those that are elsewhere read
  /// what was committed.
  var isReadingTransaction: Bool { !isFrozen && isHomeForReading && writer != nil }

  /// What adds objects in a transaction.
  var walk: AddingWalk {
    if let madeWalk { return madeWalk }
    let walk = AddingWalk()
    madeWalk = walk
    return walk
  }

  /// The writer, or a trap that names the rule. Inlined, so that nobody counts references to the writer for it.
  @inline(__always)
  func requireWriter(_ attempt: @autoclosure () -> WriteAttempt) -> Writer {
    if isWritingHere, let writer { return writer }
    return requireWriterElsewhere(attempt)
  }

  @inline(never)
  private func requireWriterElsewhere(_ attempt: () -> WriteAttempt) -> Writer {
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
    try store.checkIsOpen()
    try checkVersionCount()
    try beginWrite(GateHolder(site))
  }

  /// The same for a transaction that stays open. Until it ends it keeps the realm alive, which may be asked for again.
  func beginOpenWrite(_ site: CallSite) {
    checkCanWrite(site)
    do {
      try store.checkIsOpen()
      try checkVersionCount()
      try beginWrite(GateHolder(site, home: confinement.transactionHome))
    } catch {
      Self.trap(site, error.localizedDescription)
    }
    isKept = KeptRealms.keep(self, for: .transaction)
  }

  private func beginWrite(_ holder: GateHolder) throws {
    // A callback that writes: those after it are called before, at the version of their change.
    if let notifications, notifications.isDelivering {
      notifications.deliverRest()
    } else {
      notifications?.willEnterGate()
      refresh()
    }
    store.graph.gate.enter(holder, homes: { Confinement.homesHere() })
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
    store.writerWatch.didBegin()
    RealmContext.setReleased(context, false)
    let graph = store.graph
    let writer: Writer
    if let begun = graph.begin(on: version.unsafelyUnwrapped.number) {
      writer = begun
    } else {
      advance(to: graph.holdTip())
      notifications?.didMove()
      writer = graph.begin()
    }
    writer.client.epochWord = RealmContext.word(context, RealmContext.epochOffset)
    writer.client.rootWord = (context + RealmContext.rootOffset).assumingMemoryBound(to: UnsafeRawPointer.self)
    writer.client.skipsEqualWrites = store.configuration.skipsEqualWrites
    // Without the version, accessors store nothing by themselves, and the writer compares.
    if !writer.client.skipsEqualWrites {
      context.storeBytes(of: writer.version, toByteOffset: RealmContext.writeVersionOffset, as: UInt64.self)
    }
    RealmContext.setWritingThread(context, firn_thread_pointer())
    if graph.layout.hasLinkKinds {
      writer.client.willDelete = { [unowned(unsafe) self, unowned(unsafe) writer] table, keys in
        self.prepareDeletion(of: keys, in: table, writer)
      }
    }
    self.writer = writer
    store.didBeginWriting(self)
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

  /// The transaction is over.
  func endWriting() {
    store.willEndWriting()
    context.storeBytes(of: .max, toByteOffset: RealmContext.writeVersionOffset, as: UInt64.self)
    writer?.client = WriterClient()
    writer = nil
    RealmContext.setWritingThread(context, nil)
    if isKept {
      isKept = false
      KeptRealms.letGo(self, for: .transaction)
    }
  }

  /// Asynchronous writes that have been asked for and have not ended.
  var asyncOperationCount: Int { asyncOperations.withLock { $0 } }

  func beginAsyncOperation() { asyncOperations.withLock { $0 += 1 } }

  func endAsyncOperation() { asyncOperations.withLock { $0 -= 1 } }
}
