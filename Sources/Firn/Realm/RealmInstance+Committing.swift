internal import FirnDurability
internal import FirnEngine

/// The ends of a transaction: committed or cancelled.
extension RealmInstance {
  /// Commits, leaves the writer's role and waits until the commit is durable.
  func commitWrite(
    withoutNotifying tokens: [NotificationToken] = [], note: CommitNote = CommitNote(), _ site: CallSite? = nil
  ) throws {
    let commit: Commit?
    defer { tracking?.tell() }
    do {
      defer { leaveRole() }
      commit = try endByCommitting(note, site, skipping: tokens)
    } catch {
      try? settle()
      throw error
    }
    guard let commit else {
      // Nothing new to see: this realm stays at its version, and the others have it or will have it.
      try settle()
      notifications?.didCommit(skipping: tokens)
      asyncWrites?.finishCommits()
      return
    }
    if commit.isPending { try waitUntilDurable(commit.version.number) }
    notifications?.didCommit(skipping: tokens)
    store.didCommit(by: self)
    asyncWrites?.finishCommits()
  }

  /// Starts to commit what must not wait for durability on a thread; see `finishCommit`. The caller leaves the role.
  ///
  /// - Returns: The version that has to become durable yet.
  func startCommit(_ note: CommitNote = CommitNote(), _ site: CallSite? = nil) throws -> UInt64? {
    guard let commit = try endByCommitting(note, site) else { return pendingVersion }
    return commit.isPending ? commit.version.number : nil
  }

  /// The one way into a commit: ends the transaction, which is cancelled when this throws. The caller leaves the role.
  /// Nil if nothing was written.
  private func endByCommitting(
    _ note: CommitNote = CommitNote(), _ site: CallSite? = nil, skipping tokens: [NotificationToken] = []
  ) throws -> Commit? {
    let writer = requireWriter(.ending("commit", store, site))
    if let refusal = writer.refusal ?? note.fault {
      cancel(writer)
      throw Realm.Error(.invalidInput, refusal)
    }
    (tokens.isEmpty ? notifications : observers())?.willCommit(skipping: tokens)
    if store.graph.endUnchanged() {
      endWriting()
      return nil
    }
    return try publish(writer, note)
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
    tracking?.tell()
  }

  /// Commits and shows the new version. The transaction is cancelled when this throws.
  private func publish(_ writer: Writer, _ note: CommitNote) throws -> Commit {
    if let denied = writer.deletionDenied {
      let failure = error(denied)
      cancel(writer)
      throw failure
    }
    if let violation = writer.uniqueViolation {
      cancel(writer)
      throw Realm.Error(violation)
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
      didCancel()
      throw Realm.Error.wrapping(error)
    }
    endWriting()
    var old = version
    // Other threads may have made accessors of rows after these were deleted in the transaction.
    let losesRows = Version.withContents(of: old.unsafelyUnwrapped, commit.version) { $1.isMissingRows(of: $0) }
    show(commit.version, mayLoseRows: losesRows, onlyMadeAway: true)
    store.graph.letGo(&old)
    return commit
  }

  private func waitUntilDurable(_ number: UInt64) throws {
    guard let error = waitForOutcome(of: number) else { return }
    didLoseCommit()
    throw Realm.Error.wrapping(error)
  }

  /// Blocks the thread until a version is durable, or lost: then the error is why.
  func waitForOutcome(of number: UInt64) -> (any Error)? {
    // Whoever waits does the work, if nobody is doing it yet.
    store.durable?.flush(through: number)
    let semaphore = Semaphore()
    let failure = Lock<(any Error)?>(nil)
    store.graph.whenDurable(number) { error in
      failure.withLock { $0 = error }
      semaphore.signal()
    }
    semaphore.wait()
    return failure.withLock { $0 }
  }

  /// The commit made last is lost: shows what is there instead.
  func didLoseCommit() {
    // Objects of a write block may be read at home on a thread that this one cannot wait for.
    if case .writeBlock = confinement { return }
    advance(to: store.graph.holdHead())
    tracking?.tell()
  }

  func cancelWrite(_ site: CallSite? = nil) {
    endByCancelling(site)
    leaveRole()
    defer { tracking?.tell() }
    // If it is lost, the realm shows what is there instead; there is nothing else to tell.
    try? settle()
  }

  /// Undoes what was written. The caller leaves the role.
  func endByCancelling(_ site: CallSite? = nil) { cancel(requireWriter(.ending("cancel", store, site))) }

  private func cancel(_ writer: Writer) {
    // Rows added in the transaction vanish.
    version.unsafelyUnwrapped.withContents {
      keepLastValues(from: writer.contents, to: $0, evenWithoutDeletions: true)
    }
    store.graph.cancel()
    didCancel()
  }

  private func didCancel() {
    endWriting()
    setHomeRoot(version.unsafelyUnwrapped.root)
    bumpEpoch()
    tracking?.didCancel()
    notifications?.didCancel()
  }
}
