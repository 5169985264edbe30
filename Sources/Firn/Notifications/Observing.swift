internal import FirnEngine
internal import Foundation

/// Takes something that is not `Sendable` to where it will be used from then on.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension RealmInstance {
  /// Traps where observers cannot be registered.
  ///
  /// - Parameter elsewhere: Whether the observer will belong to a queue or actor that was named.
  private func checkCanObserve(elsewhere: Bool) {
    if isFrozen { fatalError("Frozen Realms do not change and do not have change notifications.") }
    switch confinement {
    case .unbound, .writeBlock:
      if !elsewhere {
        fatalError(
          "Can only add notification blocks from within runloops, queues or actors: this Realm is bound to none of "
            + "them. Say where to deliver with `on:`, or iterate over `changes`.")
      }
    default:
      if !elsewhere, !confinement.allowsMutationHere(owner: owner) {
        fatalError("Realm accessed from incorrect thread.")
      }
    }
    if let writer, writer.hasChanges {
      fatalError("Cannot register notification blocks after making changes in a write transaction.")
    }
  }

  /// Registers an observer with this realm, or with the realm of a queue.
  ///
  /// - Parameter register: Makes the observer and registers it with the realm it is given. The version is the one that
  ///   this realm shows now, if another realm is given. Nil when what was to be observed does not exist there.
  func observe(
    on queue: DispatchQueue?, _ register: @escaping (RealmInstance, Version?) -> Observer?
  ) -> NotificationToken {
    checkCanObserve(elsewhere: queue != nil)
    guard let queue else {
      guard let observer = register(self, nil) else { return NotificationToken(isPending: false) }
      return NotificationToken(self, observer)
    }
    let confinement = Confinement.observing(on: queue)
    let token = NotificationToken(isPending: true)
    let work = Handover(register)
    let store = store
    let version = heldVersion()
    queue.async { [weak token] in
      guard let token else { return }
      Self.register(work.value, with: token, store, confinement, version)
    }
    return token
  }

  /// Registers an observer with the realm of an actor. Returns when it is registered.
  func observe<A: Actor>(
    on actor: A, _ isolation: isolated (any Actor)? = #isolation,
    _ register: @escaping (RealmInstance, Version?) -> Observer?
  ) async -> NotificationToken {
    checkCanObserve(elsewhere: true)
    if Task.isCancelled { return NotificationToken(isPending: false) }
    let token = NotificationToken(isPending: true)
    await Self.register(Handover(register), with: token, store, heldVersion(), on: actor)
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
    _ confinement: Confinement, _ version: Version
  ) {
    guard !token.isEnded, let instance = try? store.realm(confinement) else { return }
    if instance.version.unsafelyUnwrapped.number < version.number { instance.refresh() }
    guard let observer = register(instance, version) else { return }
    _ = token.activate(instance, observer)
  }
}

extension Confinement {
  /// Where an observer on a queue belongs. Traps for queues known to be concurrent.
  fileprivate static func observing(on queue: DispatchQueue) -> Confinement {
    if queue === DispatchQueue.main { return .mainThread }
    if queue.label.hasPrefix("com.apple.root.") {
      fatalError("Invalid queue '\(queue.label)': Realms can only be confined to serial queues or the main queue.")
    }
    return .queue(queue)
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

  /// The components of typed key paths.
  static func components(_ keyPaths: [AnyKeyPath], of type: ObjectBase.Type) -> [[String]] {
    keyPaths.map { path in
      let names = propertyNames(of: path, on: type)
      if names.isEmpty {
        fatalError("Invalid key path \(path): it does not lead to a persisted property of '\(type.className())'.")
      }
      return names
    }
  }
}

extension KeyPathFilter {
  /// The filter of an observer; no key paths means no filter.
  static func make(_ names: [[String]]?, _ table: Int, _ store: Store, followsLinks: Bool) -> KeyPathFilter {
    guard let names, !names.isEmpty else {
      return KeyPathFilter(everythingIn: table, store.graph.layout, followsLinks: followsLinks)
    }
    return KeyPathFilter(names, in: table, store)
  }
}
