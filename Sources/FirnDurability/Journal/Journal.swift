internal import Dispatch
package import FirnEngine
internal import Glibc
internal import Synchronization

/// The commits after the last checkpoint, on disk in the order they were made.
///
/// Under `.everyCommit` appending a commit only encodes it; ``flush(through:)``, called after the writer has let the next
/// one in, makes it durable together with all others that wait. Whoever finds nobody writing writes for all (a lone
/// committer thus never waits for another thread); ``flushSoon()`` does so on a queue. Under the other durabilities a
/// commit is given to the system at once, and synchronized later.
///
/// After the first failed write or sync nothing more is written, and every append and flush throws `.durabilityLost`.
///
/// State           guarded by           written by
/// appendSide      appending            append (a role rather than a lock: it is held while a commit is encoded), roll
/// flushSide       flushing             everybody, for a few lines
/// writing, group  leadership           the leader
/// durable         atomic               the leader
/// hooks           flushing             connect, disconnect
/// prepared        its lock             the preparing queue
/// tellers         its lock             whoever calls hooks
///
/// `appending` is taken before `flushing`; no callback is called under either.
package final class Journal: CommitLog, @unchecked Sendable {
  package typealias Encode = @Sendable (LoggedCommit, inout ByteWriter) -> Void

  package let configuration: JournalConfiguration
  let fileSystem: any FileSystem
  let storeLock: StoreLock?
  let stream: FrameStream
  let encode: Encode
  let didGrow: @Sendable (Int) -> Void
  let appending: Guarded<AppendSide>
  let flushing: Guarded<FlushSide>
  let durable: Atomic<UInt64>
  var hooks = JournalHooks()
  /// What the leader is writing.
  var writing = ByteWriter()
  /// What the last sync made durable together.
  var group = FlushGroup()
  let prepared = Lock<Segment?>(nil)
  /// The threads that are calling hooks.
  private let tellers = Lock<[UInt]>([])
  let leaderQueue = DispatchQueue(label: "firn.journal.leader", qos: .userInitiated)
  let preparingQueue = DispatchQueue(label: "firn.journal.prepare", qos: .utility)

  /// Goes on behind `position`. What was read before is on disk already, see ``JournalPosition/secure(in:)``. The first commit
  /// allots a segment.
  ///
  /// - Parameters:
  ///   - storeLock: Told after each sync what is durable.
  ///   - didGrow: Told how many bytes more there are on disk: after each commit those of its frames, and the rest of
  ///     the segment that they did not fit into. Must return at once.
  ///   - encode: Appends the payload of a commit. Called by the writer.
  package init(
    _ configuration: JournalConfiguration, after position: JournalPosition, in fileSystem: any FileSystem,
    storeLock: StoreLock? = nil, didGrow: @escaping @Sendable (Int) -> Void = { _ in }, encode: @escaping Encode
  ) throws(StoreError) {
    self.configuration = configuration
    self.fileSystem = fileSystem
    self.storeLock = storeLock
    self.encode = encode
    self.didGrow = didGrow
    stream = FrameStream(
      storeID: configuration.storeID, epoch: configuration.epoch, isSealed: configuration.key != nil,
      formatVersion: configuration.hasOldValues
        ? JournalFormat.formatVersionWithTime : JournalFormat.formatVersion)
    do throws(DiskError) {
      let folder = configuration.folder
      if try !fileSystem.exists(folder) { try fileSystem.createFolder(folder) }
      try fileSystem.synchronizeFolder(fileSystem.folder(of: folder))
      try fileSystem.synchronizeFolder(folder)
      // What cannot be removed does no harm.
      for path in position.emptyPaths + position.supersededPaths { try? fileSystem.remove(path) }
    } catch {
      throw StoreError(error)
    }
    appending = Guarded(AppendSide(position))
    flushing = Guarded(FlushSide(version: position.version))
    durable = Atomic(position.version)
  }

  /// Says whom to tell. To be called before the first append.
  ///
  /// - Parameters:
  ///   - didBecomeDurable: Called in ascending order after each sync, before the threads that wait for it return.
  ///   - didLoseDurability: Called once, before the threads whose commits are lost return; may enter the writer's gate.
  package func connect(
    didBecomeDurable: @escaping @Sendable (UInt64) -> Void,
    didLoseDurability: @escaping @Sendable (StoreError) -> Void
  ) {
    flushing.withLock { _ in
      hooks = JournalHooks(didBecomeDurable: didBecomeDurable, didLoseDurability: didLoseDurability)
    }
  }

  /// Tells nobody any more. The graph refers to its log, which must not keep the graph for good.
  package func disconnect() { flushing.withLock { _ in hooks = JournalHooks() } }

  /// Whether this thread is calling hooks, so that it must not wait for the journal.
  var isTellingHere: Bool { tellers.withLock { $0.contains(UInt(pthread_self())) } }

  /// Calls hooks in `body`.
  func telling(_ body: () -> Void) {
    let thread = UInt(pthread_self())
    tellers.withLock { $0.append(thread) }
    defer {
      tellers.withLock { tellers in
        if let index = tellers.lastIndex(of: thread) { tellers.remove(at: index) }
      }
    }
    body()
  }

  /// Every commit up to this one is on disk.
  package var durableThrough: UInt64 { durable.load(ordering: .acquiring) }

  package var statistics: JournalStatistics {
    var statistics = flushing.withLock { $0.statistics }
    appending.withLock { side in
      let prepared = prepared.withLock { $0?.byteCount }
      statistics.byteCount = side.neededByteCount
      statistics.allottedByteCount = side.extents.reduce(prepared ?? 0) { $0 + $1.allottedByteCount }
      let needed = side.extents.filter { $0.sequence >= side.firstNeeded }
      statistics.neededSegmentCount = needed.count
      statistics.neededAllottedByteCount = needed.reduce(0) { $0 + $1.allottedByteCount }
      statistics.segmentCount = side.extents.count + (prepared == nil ? 0 : 1)
    }
    return statistics
  }

  /// Makes everything durable and takes no more commits. Afterwards nothing touches the files any more, even if this throws.
  ///
  /// Must not be called by what ``connect(didBecomeDurable:didLoseDurability:)`` was given, nor in the writer's gate.
  package func close() throws {
    let last = appending.withLock { side in
      side.isClosed = true
      return side.version
    }
    defer {
      settle()
      disconnect()
    }
    do {
      try flush(through: last)
    } catch {
      discardPrepared()
      throw error
    }
    discardPrepared()
    proveDurable(isClosing: true)
    appending.withLock { $0.leave() }
    cutSegments()
  }

  /// Whether a write or sync failed, so that nothing more is written.
  package var hasFailed: Bool { flushing.withLock { $0.failure?.code == .durabilityLost } }

  /// A checkpoint has everything up to `version`, though the journal may have failed to take it.
  package func didSave(through version: UInt64) {
    durable.max(version, ordering: .releasing)
    flushing.withLock { flush in
      flush.durable = max(flush.durable, version)
      flush.appended = max(flush.appended, version)
    }
    storeLock?.setDurable(through: durableThrough)
  }

  /// Returns once what was going on in the background is over.
  package func settle() {
    preparingQueue.sync {}
    leaderQueue.sync {}
  }
}

struct FlushGroup {
  var commitCount = 1
  var syncNanoseconds: UInt64 = 0
}

struct JournalHooks {
  var didBecomeDurable: @Sendable (UInt64) -> Void = { _ in }
  var didLoseDurability: @Sendable (StoreError) -> Void = { _ in }
}
