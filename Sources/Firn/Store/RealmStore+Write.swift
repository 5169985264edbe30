internal import FirnEngine

// The compiler chooses among these forms by what a block returns. Those for objects and collections go first, because the
// others would take them as well. An object can stand for an optional one, so the form for optionals comes after that.
// They are constrained by a protocol: by a superclass, the result of a block of several statements would be taken for that.

/// What a write block may return though it is live, because ``RealmStore`` freezes it: objects and collections. Not to be
/// conformed to.
public protocol _FrozenAfterWriting: SendableMetatype {
  /// What the object or collection is like after the transaction.
  func _frozenAfterWriting() -> Self
}

extension CollectionBase {
  /// Traps for an unmanaged collection that a write block returned.
  final func _checkIsManagedAfterWriting() {
    if _instance != nil { return }
    fatalError(
      "An unmanaged \(type(of: self)) was returned from the block of RealmStore.write, which freezes collections. Return "
        + "one of an object of the block's realm, or what is in it: Array(list), or a dictionary of a map's entries.")
  }
}

extension RealmStore {
  /// Runs `block` in a write transaction, and freezes the object or collection that it returns.
  ///
  ///     let flight = try await store.write { realm in
  ///         realm.create(Flight.self, value: ["id": "LH400"])
  ///     }
  ///     print(flight.id)  // flight is a Frozen<Flight>
  ///
  /// Suspends until it is its turn, and again until the commit is durable. The block itself runs synchronously, on one
  /// thread, with a realm of its own that shows the newest version. When the block throws, everything it wrote is undone
  /// and the error is rethrown. A block that commits or cancels by itself ends the transaction; nothing more happens.
  ///
  /// Turns are in order of arrival, except that writers that block a thread may pass a task that was resumed for its turn
  /// until it runs, since it may need their thread for that. Once it was passed sixteen times in a row it keeps its thread
  /// until the transaction ends that it finds then: nobody passes it any more. The block may run on the thread of the task
  /// that wrote before, and has the task-local values of its own.
  ///
  /// A block that writes to another database, which blocks its thread, waits for ever when another one does that in the
  /// opposite order; a wait of more than ten seconds is logged. Waiting for a transaction that the same task has opened traps.
  ///
  /// The block takes with it what it captures: an unmanaged object is not to be used by the caller afterwards, which the
  /// compiler checks.
  ///
  /// - Parameters:
  ///   - deadline: When to give up waiting. A block that has started runs to its end.
  ///   - author: Who writes, for observers (``Realm/causes``) and the record of the commit; see <doc:History>. At most
  ///     4,096 bytes. Nobody when it is empty.
  ///   - metadata: Anything else to be told and recorded with the commit. At most 65,536 bytes.
  /// - Returns: What the block returns, in the version that it committed. Traps when that is unmanaged, or was deleted.
  /// - Throws: What the block throws; `CancellationError` when the task is cancelled before the block starts;
  ///   ``Realm/Error`` `.deadlineExceeded`, `.storeClosed`, or why the commit could not be made durable.
  @discardableResult
  public func write<Live: _FrozenAfterWriting>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Live
  ) async throws -> Frozen<Live> {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { Frozen(alreadyFrozen: $0._frozenAfterWriting()) }
  }

  /// Runs `block` in a write transaction, and freezes the object or collection that it returns, if it returns one.
  ///
  /// Otherwise the same as the form for those that always return one.
  @discardableResult
  @_disfavoredOverload
  public func write<Live: _FrozenAfterWriting>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Live?
  ) async throws -> Frozen<Live>? {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { $0.map { Frozen(alreadyFrozen: $0._frozenAfterWriting()) } }
  }

  /// Runs `block` in a write transaction, and freezes the objects that it returns.
  ///
  /// Otherwise the same as the form for one object.
  @discardableResult
  public func write<Live: _FrozenAfterWriting>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> [Live]
  ) async throws -> [Frozen<Live>] {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { $0.map { Frozen(alreadyFrozen: $0._frozenAfterWriting()) } }
  }

  /// Runs `block` in a write transaction, and returns the value that it returns.
  ///
  /// Otherwise the same as the form for objects, which freezes them.
  @discardableResult
  @_disfavoredOverload
  public func write<Result: Sendable>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Result
  ) async throws -> Result {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { $0 }
  }

  /// Runs `block` in a write transaction, and returns the values of a lazy sequence, such as `map` makes of results, as an
  /// array: in the version that the block committed.
  ///
  /// Otherwise the same as the form for objects, which freezes them.
  @discardableResult
  @_disfavoredOverload
  public func write<Lazy: LazySequenceProtocol>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Lazy
  ) async throws -> [Lazy.Element] where Lazy.Element: Sendable {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { Array($0) }
  }

  /// Runs `block` in a write transaction, and returns what it returns: something that is not `Sendable`, and has nothing
  /// to do with the block's realm.
  ///
  /// Live objects must not leave the block in this way, which the compiler checks as far as it can: return an object, a
  /// collection or an array of objects itself, and it will be frozen, or return keys or copies. One that does leave stays
  /// readable, and shows the version that the block committed.
  ///
  /// Otherwise the same as the form for objects, which freezes them.
  @discardableResult
  @_disfavoredOverload
  public func write<Result>(
    deadline: ContinuousClock.Instant? = nil, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> sending Result
  ) async throws -> Result {
    let request = WriteRequest(deadline, author, metadata, file, line)
    return try await perform(request, block) { $0 }
  }
}

/// What is asked for beside the block of a write.
private struct WriteRequest {
  let deadline: ContinuousClock.Instant?
  let note: CommitNote
  let site: CallSite

  init(
    _ deadline: ContinuousClock.Instant?, _ author: String?, _ metadata: [String: String], _ file: StaticString,
    _ line: UInt
  ) {
    self.deadline = deadline
    note = CommitNote(author: author, metadata: metadata)
    site = CallSite(function: "RealmStore.write", file: file, line: line)
  }
}

extension RealmStore {
  /// Runs a block in its turn.
  ///
  /// - Parameter finish: What to make of the block's result, at the version that was committed.
  private func perform<Output, Result>(
    _ request: WriteRequest, _ block: (Realm) throws -> Output, _ finish: (Output) -> Result
  ) async throws -> Result {
    try store.checkIsOpen()
    if store.configuration.readOnly {
      throw Realm.Error(.fail, "The store \(configuration.name) was opened for reading only.")
    }
    let (result, pending) = try await store.enterGate(
      request.site, deadline: request.deadline, isMovable: true
    ) { relay in
      guard store.acceptsQueuedWrites else {
        store.graph.gate.leave()
        throw Realm.Error.storeClosed(store)
      }
      return try runBlock(request.note, relay, block, finish)
    }
    if let pending {
      try await store.makeDurable(pending)
      store.didCommit(by: nil)
    }
    return result
  }

  /// Runs a write block on the calling thread, which has the writer's role, leaves it, and runs those who are next. The
  /// number of the commit if it has to become durable yet.
  private func runBlock<Output, Result>(
    _ note: CommitNote, _ relay: GateRelay?, _ block: (Realm) throws -> Output, _ finish: (Output) -> Result
  ) throws -> (result: Result, pending: UInt64?) {
    let gate = store.graph.gate
    var instance = takeBlockRealm()
    var isVisible = false
    defer {
      let departure = instance.takeRole() ? gate.beginLeaving(relay) : nil
      if isVisible { instance.finishCommit() }
      instance.isBlockOver = true
      if isKnownUniquelyReferenced(&instance), instance.notifications == nil { putBlockRealm(instance) }
      if let departure { gate.finishLeaving(departure) }
    }
    instance.wakeForWriteBlock()
    let outcome = try instance.runBlock(note, block, finish)
    isVisible = outcome.didCommit && outcome.pending == nil
    return (outcome.result, outcome.pending)
  }
}
