internal import FirnEngine
internal import Foundation

/// Takes something that is not `Sendable` to where it will be used from then on.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// What is to be observed, for messages.
struct ObservationTarget {
  let type: Any.Type
  /// Where the caller called.
  let site: CallSite?
  /// Whether the call can name a queue or actor.
  var takesPlace = true

  init(_ type: Any.Type) {
    self.type = type
    site = nil
  }

  init(_ type: Any.Type, file: StaticString, line: UInt) {
    self.type = type
    site = CallSite(function: "observe", file: file, line: line)
  }

  var name: String { "\(type)" }
}

extension RealmInstance {
  /// Traps where observers cannot be registered.
  ///
  /// - Parameter elsewhere: Whether the observer will belong to a queue or actor that was named.
  private func checkCanObserve(_ target: ObservationTarget, elsewhere: Bool) {
    let site = target.site
    if isFrozen {
      Self.trap(
        site,
        "Frozen Realms do not change and do not have change notifications (\(target.name)). Observe what thaw() returns."
      )
    }
    if store.configuration.readOnly {
      Self.trap(
        site,
        "Read-only Realms do not change and do not have change notifications (\(target.name)). Open the database without "
          + "Configuration.readOnly to observe it.")
    }
    if isReleased { openVersion() }
    switch confinement {
    case .unbound, .writeBlock:
      if !elsewhere { trapWithoutPlace(target) }
    default:
      if !elsewhere { checkPlace(target.name, site) }
    }
    if let writer, writer.hasChanges {
      Self.trap(
        site,
        "Cannot register notification blocks after making changes in a write transaction (\(target.name)). Observe before "
          + "the first change, or after the transaction.")
    }
  }

  @inline(never)
  private func trapWithoutPlace(_ target: ObservationTarget) -> Never {
    Self.trap(
      target.site,
      "Can only add notification blocks from within runloops, queues or actors (\(target.name)): the realm belongs to "
        + "\(confinement.owningPlace), where nothing could be delivered. "
        + (target.takesPlace
          ? "Name a serial queue or an actor with `on:`."
          : "Open it for an actor with Realm(actor:), or on a serial queue with Realm(queue:), and observe it there."))
  }

  /// Registers an observer with this realm, or with the realm of a queue.
  ///
  /// - Parameters:
  ///   - gate: Says when the observer may be called; nil for always.
  ///   - register: Makes the observer and registers it with the realm it is given. The version is the one that this realm
  ///     shows now, if another realm is given. Nil when what was to be observed does not exist there.
  func observe(
    _ target: ObservationTarget, on queue: DispatchQueue?, gate: DeliveryGate? = nil,
    _ register: @escaping (RealmInstance, Version?) -> Observer?
  ) -> NotificationToken {
    checkCanObserve(target, elsewhere: queue != nil)
    guard let queue else {
      guard let observer = register(self, nil) else { return NotificationToken(isPending: false) }
      observer.gate = gate
      return NotificationToken(self, observer)
    }
    let confinement = Confinement.to(queue, target.site)
    let token = NotificationToken(isPending: true)
    let work = Handover(register)
    let store = store
    let version = heldVersion()
    // The first change may have begun before the observer is there.
    let notes = store.graph.followNotes(from: version.number)
    queue.async { [weak token] in
      guard let token else { return }
      withExtendedLifetime(notes) { Self.register(work.value, with: token, store, confinement, version, gate) }
    }
    return token
  }

  /// Registers an observer with the realm of an actor. Returns when it is registered.
  func observe<A: Actor>(
    _ target: ObservationTarget, on actor: A, _ isolation: isolated (any Actor)? = #isolation,
    _ register: @escaping (RealmInstance, Version?) -> Observer?
  ) async -> NotificationToken {
    checkCanObserve(target, elsewhere: true)
    if Task.isCancelled { return NotificationToken(isPending: false) }
    let token = NotificationToken(isPending: true)
    let version = heldVersion()
    let notes = store.graph.followNotes(from: version.number)
    await Self.register(Handover(register), with: token, store, version, on: actor)
    withExtendedLifetime(notes) {}
    return token
  }

  private static func register(
    _ work: Handover<(RealmInstance, Version?) -> Observer?>, with token: NotificationToken, _ store: Store,
    _ version: Version, on actor: isolated any Actor
  ) {
    register(work.value, with: token, store, actor === MainActor.shared ? .mainThread : .actor(actor), version)
  }

  private static func register(
    _ register: (RealmInstance, Version?) -> Observer?, with token: NotificationToken, _ store: Store,
    _ confinement: Confinement, _ version: Version, _ gate: DeliveryGate? = nil
  ) {
    guard !token.isEnded, let instance = try? store.realm(confinement) else { return }
    if instance.version.unsafelyUnwrapped.number < version.number { instance.refresh() }
    guard let observer = register(instance, version) else { return }
    observer.gate = gate
    if token.activate(instance, observer) { return }
    observer.end()
    instance.observerDidEnd(observer)
  }
}

extension StoreSchema {
  /// The components of key paths in their string form.
  static func components(_ keyPaths: [String]) -> [[String]] {
    keyPaths.map { path in
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if names.contains("") { fatalError("Invalid key path '\(path)': a property name is missing.") }
      return names
    }
  }

  /// The same for key paths that may be left out.
  static func components(_ keyPaths: [String]?) -> [[String]]? { keyPaths.map { components($0) } }

  /// The components of typed key paths, of which a computed one may read several properties.
  static func components(_ keyPaths: [AnyKeyPath], of type: ObjectBase.Type) -> [[String]] {
    keyPaths.flatMap { path in
      let reads = tracedPath(of: path, on: type).reads
      if reads.isEmpty {
        fatalError("Invalid key path \(path): it does not lead to a persisted property of '\(type.className())'.")
      }
      return reads.map(\.names)
    }
  }
}
