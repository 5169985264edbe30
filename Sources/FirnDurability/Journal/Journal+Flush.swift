internal import Dispatch
internal import FirnEngine
internal import Glibc
internal import Synchronization

extension Journal {
  /// Returns once every commit up to `version`, which was appended before, is on disk; throws when it is lost.
  ///
  /// Must not be called in the writer's gate. `didBecomeDurable` has been called when this returns.
  package func flush(through version: UInt64) throws {
    let (mustLead, waiter): (Bool, FlushWaiter?) = try flushing.withLock { flush in
      if version <= flush.durable { return (false, nil) }
      if let failure = flush.failure { throw failure }
      if version > flush.appended { fatalError("Commit \(version) is to be durable but was never appended.") }
      if !flush.isLeading {
        flush.isLeading = true
        return (true, nil)
      }
      let waiter = FlushWaiter(version: version, isInGate: false)
      flush.waiters.append(waiter)
      return (false, waiter)
    }
    if mustLead { return try lead() }
    guard let waiter else { return }
    // A leader that could not write may be waiting for the transaction that is open.
    switch WorkThreads.lending({ waiter.wait() }) {
    case .durable: return
    case .lost(let error): throw error
    case .lead: try lead()
    }
  }

  /// Makes everything that was appended durable, on another thread.
  package func flushSoon() {
    let mustLead = flushing.withLock { flush in
      flush.isTimerSet = false
      if flush.failure != nil || flush.appended == flush.durable { return false }
      flush.wanted = flush.appended
      if flush.isLeading { return false }
      flush.isLeading = true
      return true
    }
    if mustLead { leadOnQueue() }
  }

  /// The same as ``flush(through:)`` for the writer inside its gate: another thread leads, since whom it tells may want
  /// the gate.
  func waitInGate(through version: UInt64) throws {
    let waiter = FlushWaiter(version: version, isInGate: true)
    let mustLead: Bool? = try flushing.withLock { flush in
      if version <= flush.durable { return nil }
      if let failure = flush.failure { throw failure }
      flush.waiters.append(waiter)
      if flush.isLeading { return false }
      flush.isLeading = true
      return true
    }
    guard let mustLead else { return }
    if mustLead { leadOnQueue() }
    if case .lost(let error) = waiter.wait() { throw error }
  }

  // MARK: Leading

  private func leadOnQueue() { leaderQueue.async { try? self.lead() } }

  /// Writes and synchronizes all that is pending, tells everybody, and passes the leadership on. The caller has it.
  private func lead() throws {
    gatherGroup()
    var (through, commitCount, chunks, segments) = flushing.withLock { flush in
      swap(&flush.pending, &writing)
      let taken = (flush.appended, flush.pendingCommitCount, flush.chunks, flush.unsynchronized)
      flush.chunks.removeAll(keepingCapacity: true)
      flush.unsynchronized.removeAll(keepingCapacity: true)
      flush.pendingCommitCount = 0
      return taken
    }
    let syncCount: Int
    let began = Journal.nanoseconds()
    do throws(DiskError) {
      syncCount = try write(chunks, &segments)
    } catch {
      throw fail(.durabilityLost(error))
    }
    // After the sync: whoever has opened the store since, or opens what the path leads to, cannot miss what is
    // acknowledged now.
    do throws(StoreError) { try storeLock?.checkPlace() } catch { throw fail(error) }
    group.syncNanoseconds = Journal.nanoseconds() &- began
    chunks.removeAll()
    writing.removeAll(keptCapacityMax: 4 << 20)
    durable.max(through, ordering: .releasing)
    storeLock?.setDurable(through: through)
    let (served, hooks) = flushing.withLock { flush in
      // A write by the writer itself may have failed meanwhile; what this sync covered is durable all the same.
      flush.durable = max(flush.durable, through)
      flush.statistics.syncCount += syncCount
      return (flush.takeServed(), self.hooks)
    }
    for waiter in served where waiter.isInGate { waiter.wake(.durable) }
    telling { hooks.didBecomeDurable(through) }
    group.commitCount = commitCount
    passOn()
    for waiter in served where !waiter.isInGate { waiter.wake(.durable) }
    proveWhenIdle()
  }

  /// Waits for the commits that were served together the last time: they may be on their way again, and a sync that takes
  /// them along is worth more than one that begins at once. At most a quarter of what a sync takes, and only if there was
  /// more than one.
  private func gatherGroup() {
    if group.commitCount <= 1 { return }
    let deadline = Journal.nanoseconds() &+ group.syncNanoseconds / 4
    while flushing.withLock({ $0.pendingCommitCount }) < group.commitCount, Journal.nanoseconds() < deadline {
      sched_yield()
    }
  }

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Writes the chunks in order. A segment is synchronized before the next one is written to.
  private func write(_ chunks: [PendingChunk], _ segments: inout [Segment]) throws(DiskError) -> Int {
    var syncCount = 0
    for chunk in chunks {
      if let last = segments.last, last !== chunk.segment {
        for segment in segments { try segment.file.synchronizeData() }
        syncCount += segments.count
        segments.removeAll()
      }
      let result = writing.withBytes { bytes in
        Result { () throws(DiskError) in
          try chunk.segment.file.write(
            UnsafeRawBufferPointer(rebasing: bytes[chunk.start..<chunk.start + chunk.byteCount]), at: chunk.offset)
        }
      }
      try result.get()
      if segments.isEmpty { segments.append(chunk.segment) }
    }
    for segment in segments { try segment.file.synchronizeData() }
    return syncCount + segments.count
  }

  /// Makes somebody else leader if there is anything to do.
  func passOn() {
    enum Next {
      case nobody, queue
      case waiter(FlushWaiter)
    }
    let (next, failure, lost): (Next, StoreError?, [FlushWaiter]) = flushing.withLock { flush in
      if let failure = flush.failure {
        defer { flush.waiters = [] }
        return (.nobody, failure, flush.waiters)
      }
      if let index = flush.waiters.firstIndex(where: { !$0.isInGate }) {
        return (.waiter(flush.waiters.remove(at: index)), nil, [])
      }
      if !flush.waiters.isEmpty || flush.wanted > flush.durable { return (.queue, nil, []) }
      flush.isLeading = false
      return (.nobody, nil, [])
    }
    switch next {
    case .nobody: break
    case .queue: leadOnQueue()
    case .waiter(let waiter): waiter.wake(.lead)
    }
    if let failure { for waiter in lost { waiter.wake(.lost(failure)) } }
  }

  // MARK: Failing

  /// The leader could not write. It stays leader for good, so that nobody tries again.
  func fail(_ error: StoreError) -> StoreError {
    let earlier: StoreError? = flushing.withLock { flush in
      defer { flush.failure = flush.failure ?? error }
      return flush.failure
    }
    // The writer came first, and whoever tells of that wakes all.
    if let earlier { return earlier }
    tellLoss(error)
    return error
  }

  /// Takes no more commits, because of something that the leader does not know of.
  func stop(_ error: StoreError) {
    let isFirst = flushing.withLock { flush in
      defer { flush.failure = flush.failure ?? error }
      return flush.failure == nil
    }
    // The caller may have the gate, which the hook may want.
    if isFirst { leaderQueue.async { self.tellLoss(error) } }
  }

  /// Tells everybody that waits, first those who hold the gate that the hook may want.
  func tellLoss(_ error: StoreError) {
    let (waiters, hooks) = flushing.withLock { flush in
      let waiters = flush.waiters
      flush.waiters = []
      flush.chunks = []
      flush.pending.removeAll(keptCapacityMax: 0)
      return (waiters, self.hooks)
    }
    for waiter in waiters where waiter.isInGate { waiter.wake(.lost(error)) }
    telling { hooks.didLoseDurability(error) }
    for waiter in waiters where !waiter.isInGate { waiter.wake(.lost(error)) }
  }
}

extension StoreError {
  /// A call failed without which nobody knows whether commits are on disk.
  static func durabilityLost(_ error: DiskError) -> StoreError {
    StoreError(
      .durabilityLost,
      "The journal could not be written: \(error.description). Commits that were not acknowledged are taken back, and "
        + "no more are taken. Mend the disk or make room, and open the store again; what was acknowledged is there.",
      path: error.path)
  }
}
