internal import FirnEngine

extension Realm {
  /// Opens a database for an actor. Code isolated to the actor may use the realm; the main actor's is the main thread's.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    try await self.init(Store.open(configuration).realm(.to(actor), configuration))
  }

  /// Opens a database for the main actor.
  ///
  /// This is the initialiser that the compiler takes in asynchronous code, where it therefore asks for `await`. For a realm
  /// of another actor name the actor, or call `Realm.open(configuration:)`. At the top level of a program write `try Realm()`,
  /// which is the same realm. For one that belongs
  /// to the current task write `try Realm(configuration: configuration, queue: nil)`.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    try await self.init(Store.open(configuration).realm(.mainThread, configuration))
  }

  /// Opens a database for the actor that calls, or for the current task where code belongs to no actor.
  ///
  /// The initialiser of an actor may call it once all other properties have values:
  ///
  ///     actor Desk {
  ///         private var realm: Realm!
  ///         init() async throws { realm = try await Realm.open() }
  ///     }
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation actor: isolated (any Actor)? = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    // An isolation that cannot be nil stops the compiler (6.3) in initialisers of actors.
    let confinement = actor.map { Confinement.to($0) } ?? .unbound
    return Realm(try await Store.open(configuration).realm(confinement, configuration))
  }

  /// Kept for source compatibility; nothing is downloaded.
  @frozen public enum OpenBehavior: Sendable {
    /// Opens at once.
    case never
    /// Opens at once, too.
    case always
    /// Opens at once, too.
    case once
  }

  /// Moves to the newest version, whatever ``autorefresh`` says, and delivers the notifications that are due. A realm
  /// of another queue, of the main thread or of an actor does so there.
  ///
  /// - Returns: Whether the realm reached the version that was the newest at the time of the call. False at once when
  ///   there is nothing new, inside a write transaction, after ``invalidate(file:line:)`` and for a frozen realm; false when
  ///   the task is cancelled.
  @discardableResult
  public func asyncRefresh(
    _isolation actor: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) async -> Bool {
    if instance.isFrozen { return false }
    if instance.belongsElsewhere { return await instance.refreshAtHome() }
    instance.use?.enter(CallSite(function: "Realm.asyncRefresh", file: file, line: line))
    defer { instance.use?.leave() }
    if instance.isInWriteTransaction || instance.isReleased || !instance.canAdvance { return false }
    let target = instance.store.graph.head
    while !Task.isCancelled {
      instance.refresh()
      if let version = instance.version, version.number >= target { return true }
      // Asked from inside of a notification: the delivery ends first.
      await Task.yield()
    }
    return false
  }
}

extension RealmInstance {
  /// Whether the realm belongs to a place that runs what is scheduled, and the caller is somewhere else.
  fileprivate var belongsElsewhere: Bool {
    switch confinement {
    case .queue, .mainThread: !isConfinedHere
    case .actor: !confinement.isOfCurrentActor
    case .thread, .unbound, .writeBlock, .frozen: false
    }
  }

  /// Refreshes where the realm belongs: whether it was behind, and is not any more.
  fileprivate func refreshAtHome() async -> Bool {
    let target = store.graph.head
    return await withCheckedContinuation { continuation in
      let isScheduled = confinement.schedule { [self] in
        let isBehind = !isInWriteTransaction && !isReleased && version.unsafelyUnwrapped.number < target
        if isBehind { refresh() }
        continuation.resume(returning: isBehind && version.unsafelyUnwrapped.number >= target)
      }
      if !isScheduled { continuation.resume(returning: false) }
    }
  }
}
