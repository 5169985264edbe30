internal import FirnEngine

extension Realm {
  /// Runs `block` in a write transaction without blocking a thread.
  ///
  /// Moves to the newest version and delivers due notifications, suspends until it is its turn, runs the block
  /// synchronously where the caller is isolated, and suspends again until the commit is durable. Works on every realm
  /// that may be written here. When the block throws, everything it wrote is undone. When it commits or cancels by itself,
  /// nothing more happens.
  ///
  /// The realm of an actor is written in this way by code that is isolated to the same actor, and by code that is
  /// isolated to none: then the block runs on the realm's actor, while the caller waits. Code of another actor traps,
  /// because that actor does not wait, and the block may use what belongs to it. There give the block a parameter,
  /// `asyncWrite { realm in … }`: it runs on the realm's actor, and may use nothing of the caller's.
  ///
  /// Turns are in order of arrival, except that writers that block a thread may pass a task that was resumed for its turn
  /// until it runs, since it may need their thread for that. Once it was passed sixteen times in a row it keeps its thread
  /// until the transaction ends that it finds then: nobody passes it any more.
  ///
  /// - Parameters:
  ///   - author: Who writes; see ``write(withoutNotifying:author:metadata:file:line:_:)``.
  ///   - metadata: Anything else to be told and recorded with the commit.
  ///   - block: What writes.
  /// - Returns: What the block returns.
  /// - Throws: What the block throws; `CancellationError` when the task is cancelled before the block starts;
  ///   ``Realm/Error`` when the store was closed, author or metadata are too long, or the commit could not be made durable.
  @discardableResult
  public func asyncWrite<Result>(
    author: String? = nil, metadata: [String: String] = [:],
    _isolation actor: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: () throws -> Result
  ) async throws -> Result {
    let site = CallSite(function: "Realm.asyncWrite", file: file, line: line)
    let note = CommitNote(author: author, metadata: metadata)
    if actor == nil, let home = instance.confinement.home {
      let instance = Handover(instance)
      return try await withoutActuallyEscaping(block) { block in
        // Isolates this closure as the caller is.
        _ = actor
        // Nobody but the caller has what the block uses, and the caller waits.
        let block = Handover(block)
        return try await Self.write(on: home, instance, site, note, { _ in try block.value() }, { $0 })
      }.value
    }
    instance.confinement.checkWrites(from: actor, file, line)
    return try await performAsyncWrite(site, note, actor, { _ in try block() }, { $0 })
  }

  /// Runs `block` in a write transaction on the realm's actor, wherever it is called from, and freezes the object or
  /// collection that it returns.
  ///
  ///     let flight = try await realm.asyncWrite { realm in
  ///         realm.create(Flight.self, value: ["id": "LH400"])
  ///     }
  ///
  /// The block gets the realm as a parameter, because it leaves the caller, with all that it captures: an unmanaged object
  /// is not to be used by the caller afterwards. A realm that belongs to no actor is written where the caller is.
  ///
  /// Otherwise the same as the form whose block has no parameter.
  @discardableResult
  public func asyncWrite<Live: _FrozenAfterWriting>(
    author: String? = nil, metadata: [String: String] = [:],
    _isolation caller: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Live
  ) async throws -> Frozen<Live> {
    let note = CommitNote(author: author, metadata: metadata)
    return try await writeAtHome(note, caller, file, line, block) { Frozen(alreadyFrozen: $0._frozenAfterWriting()) }
  }

  /// Runs `block` in a write transaction on the realm's actor, wherever it is called from, and freezes the object or
  /// collection that it returns, if it returns one.
  ///
  /// Otherwise the same as the form for those that always return one.
  @discardableResult
  @_disfavoredOverload
  public func asyncWrite<Live: _FrozenAfterWriting>(
    author: String? = nil, metadata: [String: String] = [:],
    _isolation caller: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> Live?
  ) async throws -> Frozen<Live>? {
    let note = CommitNote(author: author, metadata: metadata)
    return try await writeAtHome(note, caller, file, line, block) {
      $0.map { Frozen(alreadyFrozen: $0._frozenAfterWriting()) }
    }
  }

  /// Runs `block` in a write transaction on the realm's actor, wherever it is called from, and returns what it returns.
  ///
  /// Otherwise the same as the form for objects, which freezes them.
  @discardableResult
  @_disfavoredOverload
  public func asyncWrite<Result>(
    author: String? = nil, metadata: [String: String] = [:],
    _isolation caller: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: sending (Realm) throws -> sending Result
  ) async throws -> sending Result {
    let note = CommitNote(author: author, metadata: metadata)
    return try await writeAtHome(note, caller, file, line, block) { $0 }
  }

  /// Whether anything that was asked for with ``writeAsync(author:metadata:file:line:_:onComplete:)`` and the like, or an
  /// `asyncWrite(_:)`, has not ended yet: until the last callback has returned.
  public var isPerformingAsynchronousWriteOperations: Bool { instance.asyncOperationCount > 0 }

  /// Goes to the realm's actor, if it has one, and writes there.
  ///
  /// - Parameter finish: Makes of the block's result what has nothing to do with the actor.
  private func writeAtHome<Output, Result>(
    _ note: CommitNote, _ caller: isolated (any Actor)?, _ file: StaticString, _ line: UInt,
    _ block: sending (Realm) throws -> Output, _ finish: @Sendable (Output) -> Result
  ) async throws -> sending Result {
    let site = CallSite(function: "Realm.asyncWrite", file: file, line: line)
    return try await Self.write(
      on: instance.confinement.home ?? caller, Handover(instance), site, note, block, finish
    ).value
  }

  private static func write<Output, Result>(
    on actor: isolated (any Actor)?, _ instance: Handover<RealmInstance>, _ site: CallSite,
    _ note: CommitNote,
    _ block: sending (Realm) throws -> Output, _ finish: @Sendable (Output) -> Result
  ) async throws -> Handover<Result> {
    Handover(try await Realm(instance.value).performAsyncWrite(site, note, actor, block, finish))
  }

  /// Writes where the caller is isolated.
  ///
  /// - Parameter finish: What to make of the block's result, at the version that was committed.
  private func performAsyncWrite<Output, Result>(
    _ site: CallSite, _ note: CommitNote, _ actor: isolated (any Actor)?, _ block: (Realm) throws -> Output,
    _ finish: (Output) -> Result
  ) async throws -> Result {
    instance.checkMayWrite(site)
    instance.use?.enter(site)
    defer { instance.use?.leave() }
    let store = instance.store
    try Task.checkCancellation()
    try store.checkIsOpen()
    instance.beginAsyncOperation()
    defer { instance.endAsyncOperation() }
    instance.refresh()
    let outcome: BlockOutcome<Result>
    do {
      outcome = try await store.enterGate(site, actor) { _ in
        defer { instance.leaveRole() }
        guard store.acceptsQueuedWrites else {
          store.graph.gate.leave()
          throw Error.storeClosed(store)
        }
        return try instance.runBlock(note, block, finish)
      }
    } catch {
      instance.tracking?.tell()
      // If the version that the transaction was based on is lost, the realm shows what is there instead.
      if let pending = instance.pendingVersion { try? await settle(pending, actor) }
      throw error
    }
    instance.tracking?.tell()
    if let pending = outcome.pending { try await settle(pending, actor) }
    if outcome.didCommit { instance.finishCommit() }
    return outcome.result
  }

  private func settle(_ version: UInt64, _ actor: isolated (any Actor)?) async throws {
    do {
      try await instance.store.makeDurable(version, actor)
    } catch {
      instance.didLoseCommit()
      throw error
    }
  }
}

extension Confinement {
  /// The actor that the realm belongs to.
  fileprivate var home: (any Actor)? {
    switch self {
    case .mainThread: MainActor.shared
    case .actor(let actor): actor
    case .thread, .queue, .unbound, .writeBlock, .frozen: nil
    }
  }

  /// Traps when the realm belongs to another actor than the one that the caller is isolated to.
  fileprivate func checkWrites(from caller: (any Actor)?, _ file: StaticString, _ line: UInt) {
    guard let caller, let home, home === MainActor.shared ? !Self.isMain : caller !== home else { return }
    fatalError(
      "\(file):\(line): asyncWrite was called by \(Self.name(caller)) on a realm of \(Self.name(home)). Call it there, "
        + "or give the block a parameter, 'asyncWrite { realm in … }', to have it run there.")
  }

  private static func name(_ actor: any Actor) -> String {
    actor === MainActor.shared ? "the main actor" : "the actor '\(type(of: actor))'"
  }
}
