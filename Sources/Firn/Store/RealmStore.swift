internal import CFirn
internal import FirnDurability
internal import FirnEngine
internal import Foundation

/// An open database, for servers: shared by all threads and tasks, unlike a ``Realm``.
///
///     let store = try await RealmStore.open(configuration)
///     try await store.write { realm in
///         realm.add(Flight(value: ["id": "LH400"]))
///     }
///     let late = store.freeze().objects(Flight.self).where { $0.delay > 30 }
///
/// Keeps the database open, one in memory also alive, until it is closed or released. All instances of one
/// configuration share one database.
public final class RealmStore: Sendable {
  let store: Store
  /// A realm for the next write block, which holds no version. Not kept by the store, because it keeps the store.
  private let idleRealm = Guarded<RealmInstance?>(nil)

  private init(_ store: Store) {
    self.store = store
    store.addHandle()
  }

  deinit { store.removeHandle() }

  /// Opens a database, or joins the one that is open under the configuration's name.
  ///
  /// - Throws: ``Realm/Error`` when the models are not sound, or the database cannot be opened.
  public static func open(_ configuration: Realm.Configuration) async throws -> RealmStore {
    let store = try await Store.open(configuration)
    try store.checkJoining(configuration)
    return RealmStore(store)
  }

  /// The configuration that the database was opened with.
  public var configuration: Realm.Configuration { store.configuration }

  /// Whether the store takes writes: until ``close()`` is called.
  public var isOpen: Bool { store.isOpen }

  // MARK: Reading

  /// The live realm of the current thread, or an unbound one of the current task, as `Realm(configuration:)` gives it.
  ///
  /// - Throws: ``Realm/Error`` `.storeClosed`.
  public func realm() throws -> Realm { Realm(try store.realm(.here())) }

  /// The newest version, for use on any thread, for as long as wanted.
  ///
  /// Works on a closed store too. The version's memory is kept as long as anything frozen of it exists.
  ///
  /// - Complexity: O(1).
  public func freeze() -> FrozenRealm { FrozenRealm(store.frozenHead()) }

  // MARK: Closing

  /// Closes the database for everybody in the process: all handles that ``open(_:)`` gave for it, and all realms, are
  /// closed with this one. A part of a program that only stops using it lets go of its handle instead.
  ///
  /// New writes are refused from now on with `.storeClosed`; those already waiting are still done, but for those that
  /// ``Realm/writeAsync(author:metadata:file:line:_:onComplete:)`` was asked for on realms of threads, the main one too. Returns when they are,
  /// and when what they caused has been delivered to observers on queues and actors. What exists of realms and frozen
  /// values stays readable. Opening the same configuration again opens another database. Closing twice is the same as
  /// closing once. A database in files is brought onto the disk, with a checkpoint, and may then be opened by another
  /// process.
  ///
  /// - Throws: ``Realm/Error`` when the files could not be written. The store is closed all the same.
  public func close() async throws {
    guard store.setStatus(.closing, from: .open) else {
      await store.waitUntilClosed()
      return
    }
    for realm in store.openRealms { await realm.asyncWritesEnd() }
    // Everybody who was in the queue before is done when it is our turn. A task of its own cannot be cancelled.
    try await Task { [store] in
      try await store.enterGate(CallSite(function: "RealmStore.close", file: #fileID, line: #line)) { _ in
        _ = store.setStatus(.closed, from: .closing)
        store.graph.gate.leave()
      }
    }.value
    for realm in store.openRealms {
      switch realm.confinement {
      case .queue, .actor:
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          if !realm.confinement.schedule({ continuation.resume() }) { continuation.resume() }
        }
      case .mainThread, .thread, .unbound, .writeBlock, .frozen: break
      }
    }
    await store.finishStreams()
    var failure: (any Error)?
    if let durable = store.durable {
      do {
        try await WorkThreads.files.runWithoutFail { try durable.close() }
      } catch {
        failure = Realm.Error.wrapping(error)
      }
    }
    store.leaveOpenStores()
    store.didClose()
    Log.detail("Closed the database \(configuration.name).")
    if let failure { throw failure }
  }

  // MARK: Files

  /// What opening the database found in its files; nil for one in memory.
  public var lastOpenReport: OpenReport? { store.durable.map { OpenReport($0.opening) } }

  /// Folds the journal into the snapshot: everything committed so far is in it, and on disk, when this returns.
  ///
  /// Runs in the background; reading and writing go on. It begins when no write transaction is open. All calls that
  /// come meanwhile share the next one. Also happens by itself, see ``Realm/Configuration/checkpoints``. Nil for a
  /// database in memory.
  ///
  /// Also works after `.durabilityLost`, when the disk has room or works again: under the durabilities `.interval` and
  /// `.onCheckpoint` it saves the commits that are visible, but not on disk. The store takes no more of them either way:
  /// close it, and open it again.
  ///
  /// - Throws: ``Realm/Error`` when a file cannot be written. The database stays as it was; see
  ///   ``StoreStatistics/Files/lastCheckpointFailure``.
  /// - Complexity: O(what changed since the last checkpoint), from time to time O(everything).
  @discardableResult
  public func checkpoint() async throws -> CheckpointReport? {
    try store.checkIsOpen()
    guard let durable = store.durable else { return nil }
    do {
      return CheckpointReport(try await durable.checkpointInTurn())
    } catch {
      throw Realm.Error.wrapping(error)
    }
  }
}

extension RealmStore {
  /// A realm for a write block.
  func takeBlockRealm() -> RealmInstance {
    let idle = idleRealm.withLock { idle -> RealmInstance? in
      defer { idle = nil }
      return idle
    }
    return idle ?? RealmInstance(store: store, confinement: .writeBlock)
  }

  /// Keeps a realm that nobody else refers to for the next block.
  func putBlockRealm(_ realm: RealmInstance) {
    realm.sleepAfterWriteBlock()
    let old = idleRealm.withLock { idle -> RealmInstance? in
      defer { idle = realm }
      return idle
    }
    withExtendedLifetime(old) {}
  }
}
