internal import FirnEngine

extension Realm {
  /// Opens a database for an actor. Code isolated to the actor may use the realm; the main actor's is the main thread's.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    try await self.init(Store.open(configuration).realm(.to(actor), configuration))
  }

  /// Opens a database for the main actor.
  @MainActor
  public init(configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior) async throws {
    try await self.init(Store.open(configuration).realm(.mainThread, configuration))
  }

  /// Opens a database for the actor that calls.
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation actor: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    Realm(try await Store.open(configuration).realm(.to(actor), configuration))
  }

  /// Kept for source compatibility; nothing is downloaded.
  public enum OpenBehavior: Sendable {
    /// Opens at once.
    case never
    /// Opens at once, too.
    case always
    /// Opens at once, too.
    case once
  }

  /// Runs `block` in a write transaction without blocking a thread.
  ///
  /// Moves to the newest version and delivers due notifications, suspends until the writers before this one are done, in
  /// order of arrival, runs the block synchronously where the caller is isolated, and suspends again until the commit is
  /// durable. Works on every realm that may be written here. When the block throws, everything it wrote is undone. When
  /// it commits or cancels by itself, nothing more happens.
  ///
  /// - Returns: What the block returns.
  /// - Throws: What the block throws; `CancellationError` when the task is cancelled before the block starts;
  ///   ``Realm/Error`` when the store was closed or the commit could not be made durable.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation actor: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: () throws -> Result
  ) async throws -> Result {
    instance.checkMayWrite()
    instance.use?.enter(CallSite(function: "Realm.asyncWrite", file: file, line: line))
    defer { instance.use?.leave() }
    let store = instance.store
    try Task.checkCancellation()
    try store.checkIsOpen()
    instance.beginAsyncOperation()
    defer { instance.endAsyncOperation() }
    instance.refresh()
    try await GateEntry.enter(store, deadline: nil, actor)
    guard store.acceptsQueuedWrites else {
      store.graph.gate.leave()
      throw Error.storeClosed(store)
    }
    instance.startWriting()
    let result: Result
    do {
      result = try block()
    } catch {
      if instance.isInWriteTransaction { instance.cancelWrite() }
      throw error
    }
    guard instance.isInWriteTransaction else { return result }
    if let pending = try instance.startCommit() {
      do {
        try await store.makeDurable(pending, actor)
      } catch {
        instance.didLoseCommit()
        throw error
      }
    }
    instance.finishCommit()
    return result
  }

  /// Moves to the newest version, whatever ``autorefresh`` says, and delivers the notifications that are due.
  ///
  /// - Returns: Whether the realm reached the version that was the newest at the time of the call. False at once when
  ///   there is nothing new, inside a write transaction and for a frozen realm; false when the task is cancelled.
  @discardableResult
  public func asyncRefresh(
    _isolation actor: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) async -> Bool {
    if instance.isFrozen { return false }
    instance.use?.enter(CallSite(function: "Realm.asyncRefresh", file: file, line: line))
    defer { instance.use?.leave() }
    if instance.isInWriteTransaction || !instance.canAdvance { return false }
    let target = instance.store.graph.head
    while !Task.isCancelled {
      instance.refresh()
      if let version = instance.version, version.number >= target { return true }
      // Asked from inside of a notification: the delivery ends first.
      await Task.yield()
    }
    return false
  }

  /// Whether an `asyncWrite(_:)` of this realm has not ended yet.
  public var isPerformingAsynchronousWriteOperations: Bool { instance.asyncOperationCount > 0 }
}
