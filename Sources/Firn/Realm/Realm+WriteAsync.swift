internal import FirnEngine

/// Stands for an asynchronous write or commit of a realm; never 0. Begins and commits of a realm are numbered together.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Asks for a write transaction that runs `block` later, and commits.
  ///
  /// Returns at once. The block is called where the realm is confined, when it is the turn of this write and the writes
  /// that this realm was asked for before have been done. It must leave the transaction open. In a task, prefer
  /// `asyncWrite(_:)`.
  ///
  /// Needs a place where blocks can be called: the main thread, a queue, an actor, or a thread inside of its run loop. The
  /// realm stays open until everything it was asked for is done. When ``RealmStore/close()`` is called, what was asked for
  /// before is still done on queues and actors; what comes later completes with `.storeClosed`, and its block is not
  /// called.
  ///
  /// - Parameters:
  ///   - author: Who writes; see ``write(withoutNotifying:author:metadata:file:line:_:)``.
  ///   - metadata: Anything else to be told and recorded with the commit.
  ///   - block: What writes.
  ///   - onComplete: Called in the same place once the commit is durable, with nil, or with why there is none. It may write
  ///     synchronously, but not ask for asynchronous writes. A failure that nobody takes is logged.
  /// - Returns: What ``cancelAsyncWrite(_:file:line:)`` takes.
  /// - Complexity: O(1), and a turn of the run loop or queue for each write.
  @discardableResult
  public func writeAsync(
    author: String? = nil, metadata: [String: String] = [:], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping () -> Void,
    onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let site = CallSite(function: "Realm.writeAsync", file: file, line: line)
    return instance.asyncWritesHere(site).add(
      AsyncWrites.Begin(
        site: site, block: block, note: CommitNote(author: author, metadata: metadata),
        onComplete: Self.completion(onComplete, site)))
  }

  /// Asks for a write transaction that runs `asyncWriteBlock` later, which ends it.
  ///
  /// The same as ``writeAsync(author:metadata:file:line:_:onComplete:)``, but for the end: the block calls
  /// ``commitAsyncWrite(allowGrouping:author:metadata:file:line:_:)``, or ends the transaction like a synchronous one. What it leaves open
  /// is undone.
  @discardableResult
  public func beginAsyncWrite(
    file: StaticString = #fileID, line: UInt = #line, _ asyncWriteBlock: @escaping () -> Void
  ) -> AsyncTransactionId {
    let site = CallSite(function: "Realm.beginAsyncWrite", file: file, line: line)
    return instance.asyncWritesHere(site).add(
      AsyncWrites.Begin(site: site, block: asyncWriteBlock, note: nil, onComplete: { _ in }))
  }

  /// Commits the open write transaction without waiting for the disk.
  ///
  /// This realm shows what was written at once, others when it is durable. Observers are told as of any other commit. Also
  /// ends a synchronous transaction. A synchronous commit on this realm completes the asynchronous ones before it returns.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether the commit may wait for up to 19 more that this realm was asked for, to become durable
  ///     with them at one cost.
  ///   - author: Who writes; see ``write(withoutNotifying:author:metadata:file:line:_:)``.
  ///   - metadata: Anything else to be told and recorded with the commit.
  ///   - onComplete: Called where the realm is confined, in the order of commits, once this one is durable, with nil, or
  ///     with why there is none; everything written is undone then. It may write synchronously, but not ask for
  ///     asynchronous writes. A failure that nobody takes is logged.
  /// - Returns: What ``cancelAsyncWrite(_:file:line:)`` takes.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let site = CallSite(function: "Realm.commitAsyncWrite", file: file, line: line)
    return instance.asyncWritesHere(site).commit(
      CommitNote(author: author, metadata: metadata), allowsGrouping: allowGrouping, site,
      Self.completion(onComplete, site))
  }

  /// Takes back an asynchronous write that has not begun: neither its block nor its completion is called. Of a commit the
  /// completion is not called, and nothing else changes. Ids of what is over, and of nothing, are ignored.
  ///
  /// Never throws; `throws` is there for source compatibility.
  public func cancelAsyncWrite(
    _ asyncTransactionId: AsyncTransactionId, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let site = CallSite(function: "Realm.cancelAsyncWrite", file: file, line: line)
    instance.checkPlace("database \(configuration.name)", site)
    instance.asyncWrites?.cancel(asyncTransactionId)
  }

  private static func completion(
    _ onComplete: ((Swift.Error?) -> Void)?, _ site: CallSite
  ) -> (Swift.Error?) -> Void {
    onComplete ?? { error in
      if let error { Log.error("\(site) failed: \(error.localizedDescription)") }
    }
  }
}

extension RealmInstance {
  /// Suspends until all that was asked for is done, if a queue or an actor does it: threads may never turn their run loop.
  func asyncWritesEnd() async {
    switch confinement {
    case .queue, .actor: break
    case .mainThread, .thread, .unbound, .writeBlock, .frozen: return
    }
    if asyncOperationCount == 0 { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isScheduled = confinement.schedule { [self] in
        if let asyncWrites { asyncWrites.whenIdle { continuation.resume() } } else { continuation.resume() }
      }
      if !isScheduled { continuation.resume() }
    }
  }

  /// The asynchronous writes of the realm, made when they are first needed. Traps where it cannot write so.
  fileprivate func asyncWritesHere(_ site: CallSite) -> AsyncWrites {
    checkMayWrite(site)
    if !confinement.canSchedule {
      Self.trap(
        site,
        "Cannot schedule an asynchronous write: nothing runs blocks for the realm, which belongs to "
          + "\(confinement.owningPlace) (database \(store.configuration.name)). Make sure you are running from inside a run "
          + "loop, open the realm for a queue or an actor, or use asyncWrite or RealmStore.write.")
    }
    if let asyncWrites { return asyncWrites }
    let new = AsyncWrites(self)
    asyncWrites = new
    return new
  }
}
