public import Dispatch
internal import FirnEngine
public import Foundation

/// A handle on an open database, for one thread, queue, actor or task.
///
/// A realm shows one version of the database until it refreshes: at the next turn of its run loop, queue or actor after
/// a commit elsewhere, at `refresh()`, and at the start of each write. Copies of a realm are the same realm, and
/// opening the same configuration again in the same place gives the same realm.
///
/// Realms are not Sendable: open one where it is needed, or pass frozen values and a ``RealmStore`` around.
///
/// A realm opened inside a task, away from the main thread and without `actor:`, belongs to that task: it is never
/// shared, stays at its version until it is refreshed or written to, and may be used by one task at a time.
public struct Realm: Equatable {
  let instance: RealmInstance

  init(_ instance: RealmInstance) { self.instance = instance }

  // MARK: Opening

  /// Opens the default configuration.
  ///
  /// - Parameter queue: A serial queue that the realm belongs to and on which this is called; without one the realm
  ///   belongs to the current thread.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a database, or joins the one that is open under the configuration's name.
  ///
  /// - Throws: ``Realm/Error`` when the models are not sound, or the database cannot be opened.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    let store = try Store.open(configuration)
    if let queue {
      try self.init(store.realm(Self.confinement(to: queue), configuration))
    } else {
      try self.init(store.realm(.here(), configuration))
    }
  }

  /// Opens the database in a file.
  public init(fileURL: URL) throws {
    try self.init(configuration: Configuration(fileURL: fileURL))
  }

  private static func confinement(to queue: DispatchQueue) -> Confinement {
    let confinement = Confinement.to(queue, nil)
    if case .queue = confinement { queue.setSpecific(key: Confinement.queueKey, value: ObjectIdentifier(queue)) }
    if !confinement.allowsMutationHere(owner: nil) {
      fatalError(
        "Realm opened from incorrect dispatch queue: it is to belong to '\(queue.label)', and this is "
          + "\(Confinement.placeHere). Open it in a block that runs on that queue.")
    }
    return confinement
  }

  /// The same realm: the same underlying instance, or the same version if both are frozen.
  public static func == (lhs: Realm, rhs: Realm) -> Bool {
    lhs.instance === rhs.instance
      || (lhs.isFrozen && rhs.isFrozen && lhs.instance.store === rhs.instance.store
        && lhs.instance.version?.number == rhs.instance.version?.number)
  }

  /// The configuration that the database was opened with.
  public var configuration: Configuration { instance.store.configuration }

  // MARK: Versions

  /// Whether the realm moves to new versions by itself: at the next turn of its run loop, queue or actor after a commit
  /// elsewhere. True at first.
  public var autorefresh: Bool {
    get { !instance.isFrozen && instance.autorefresh }
    nonmutating set {
      if instance.isFrozen {
        if newValue { fatalError("Auto-refresh cannot be enabled for frozen Realms.") }
        return
      }
      instance.autorefresh = newValue
    }
  }

  /// Moves to the newest version and delivers the notifications that are due, before it returns.
  ///
  /// - Returns: Whether the realm moved, or had been invalidated. False for a frozen realm, inside a write transaction and
  ///   inside a notification.
  @discardableResult
  public func refresh(file: StaticString = #fileID, line: UInt = #line) -> Bool {
    let site = CallSite(function: "Realm.refresh", file: file, line: line)
    if !instance.isFrozen { instance.checkPlace("database \(configuration.name)", site) }
    guard let use = instance.use else { return instance.refresh() }
    use.enter(site)
    defer { use.leave() }
    return instance.refresh()
  }

  /// Whether the realm is frozen: it shows one version for ever, from any thread.
  public var isFrozen: Bool { instance.isFrozen }

  /// The version that the realm shows, for use on any thread. Inside a write transaction, the version it started from.
  ///
  /// - Complexity: O(1). The version's memory is kept as long as anything frozen of it exists.
  public func freeze() -> Realm {
    isFrozen ? self : Realm(instance.frozen())
  }

  /// A live realm of the same database: inside a write transaction the one that writes, else that of the current
  /// thread, or of the actor that the caller is isolated to, if one is open for it.
  public func thaw() -> Realm {
    guard isFrozen else { return self }
    do {
      return Realm(try instance.store.realmForThawing())
    } catch {
      fatalError("A frozen realm could not be thawed: \(error.localizedDescription)")
    }
  }

  // MARK: Writing

  /// Whether a write transaction is open on this realm.
  public var isInWriteTransaction: Bool { instance.isInWriteTransaction }

  /// Runs `block` in a write transaction.
  ///
  /// Waits until no other writer is active, moves to the newest version and delivers due notifications before it calls
  /// the block. When the block throws, everything it wrote is undone and the error is rethrown. When it cancels or
  /// commits by itself, nothing more happens.
  ///
  /// Writers take turns in order of arrival, except that a thread need not wait for a task that is suspended until its
  /// turn (`RealmStore.write`, `asyncWrite(_:)`): such a task may be passed after it was resumed, until it runs. Waiting
  /// inside another write block on the same thread would never end, and traps with both places. A wait of more than ten
  /// seconds is logged, with the place that is waited for.
  ///
  /// Writing to another database inside of the block is possible. All who do that must begin with the same database: two
  /// threads that do it in opposite order wait for each other for ever.
  ///
  /// - Parameters:
  ///   - tokens: Observers of this realm that are not told of this commit.
  ///   - author: Who writes, for observers (``causes``) and the record of the commit; see <doc:History>. At most 4,096
  ///     bytes. Nobody when it is empty.
  ///   - metadata: Anything else to be told and recorded with the commit. At most 65,536 bytes.
  /// - Returns: What the block returns.
  /// - Throws: What the block throws; ``Realm/Error`` when the store was closed, when there are too many versions (see
  ///   ``Configuration/maximumNumberOfActiveVersions``), author or metadata are too long, or the commit could not be made
  ///   durable.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line,
    _ block: () throws -> Result
  ) throws -> Result {
    try instance.store.checkIsOpen()
    let use = instance.use
    let site = CallSite(function: "Realm.write", file: file, line: line)
    use?.enter(site)
    defer { use?.leave() }
    try instance.beginWrite(site)
    let result: Result
    do {
      result = try block()
    } catch {
      if instance.isInWriteTransaction { instance.cancelWrite() }
      throw error
    }
    if instance.isInWriteTransaction {
      try instance.commitWrite(withoutNotifying: tokens, note: CommitNote(author: author, metadata: metadata))
    }
    return result
  }

  /// Starts a write transaction, blocking the thread until no other writer is active.
  ///
  /// The realm is kept open until the transaction ends, so another instance for the same thread, queue or actor may commit
  /// it. A task must not suspend meanwhile: others may wait on the thread that it would have to go on with. If it goes on with
  /// another thread all the same, writing in the transaction of a realm that belongs to a task traps.
  @available(*, noasync, message: "Use asyncWrite, or RealmStore.write.")
  public func beginWrite(file: StaticString = #fileID, line: UInt = #line) {
    instance.beginOpenWrite(CallSite(function: "Realm.beginWrite", file: file, line: line))
  }

  /// Commits the write transaction.
  ///
  /// - Parameters:
  ///   - tokens: Observers of this realm that are not told of this commit.
  ///   - author: Who writes; see ``write(withoutNotifying:author:metadata:file:line:_:)``.
  ///   - metadata: Anything else to be told and recorded with the commit.
  /// - Throws: ``Realm/Error`` when author or metadata are too long, or the commit could not be made durable; everything
  ///   written is undone then.
  @available(*, noasync, message: "Use asyncWrite, or RealmStore.write.")
  public func commitWrite(
    withoutNotifying tokens: [NotificationToken] = [], author: String? = nil, metadata: [String: String] = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let site = CallSite(function: "Realm.commitWrite", file: file, line: line)
    try instance.commitWrite(
      withoutNotifying: tokens, note: CommitNote(author: author, metadata: metadata), site)
  }

  /// Undoes everything written since `beginWrite`. Objects added since then are invalidated.
  @available(*, noasync, message: "Throw from the block of asyncWrite, or of RealmStore.write.")
  public func cancelWrite(file: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(function: "Realm.cancelWrite", file: file, line: line)
    instance.asyncWrites?.checkIsNotCompleting("cancel a write transaction", site)
    instance.cancelWrite(site)
  }
}
