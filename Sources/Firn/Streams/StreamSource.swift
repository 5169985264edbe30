internal import FirnEngine
internal import FirnReactive

/// What is to be observed for a ``ChangeStream``, and how. Each instance may be subscribed to any number of times.
final class StreamSource<Content: Sendable, Delta: Sendable>: @unchecked Sendable {
  let store: Store
  /// Names what is observed, for statistics.
  let name: String
  /// What equal sources have in common, in the realm of the hub; nil for what is like nothing else.
  private let identity: (RealmInstance) -> AnyHashable?
  private let open: (StreamHub, StreamKey, ChangeDelivery) -> StreamLog<Content, Delta>

  /// Calls it once with nothing, then with what happened, each time with a way to the content as it is then; nil when it is
  /// gone.
  typealias Tell<Observed> = (Observed?, @escaping () -> Content?) -> Void

  /// - Parameters:
  ///   - observe: Registers an observer with a realm and returns it, or nil when there is nothing to observe. Called on the
  ///     queue of the hub, and only there.
  ///   - delta: What happened, for subscribers.
  init<Observed: WeighedSpan>(
    _ store: Store, _ name: String, identity: @escaping (RealmInstance) -> AnyHashable?,
    observe: @escaping (RealmInstance, @escaping Tell<Observed>) -> Observer?,
    delta: @escaping (Observed) -> Delta
  ) {
    self.store = store
    self.name = name
    self.identity = identity
    open = { hub, key, delivery in
      let realm = hub.realm
      let log = SpanLog<Observed, Content, Delta>(key, name, delivery, hub, delta)
      let observer = observe(realm) { [unowned log, unowned realm] span, content in
        log.tell(span, Realm(realm).causes, content)
      }
      (observer as? DataObserver)?.tellsEnd = true
      if let observer { log.token = NotificationToken(realm, observer) } else { log.tell(nil, []) { nil } }
      return log
    }
  }

  /// What subscriptions to it have in common with those to equal sources.
  func key(in realm: RealmInstance, _ delivery: ChangeDelivery) -> StreamKey {
    StreamKey(
      source: identity(realm) ?? AnyHashable(ObjectIdentifier(self)),
      kind: ObjectIdentifier(StreamLog<Content, Delta>.self),
      isEveryCommit: delivery == .everyCommit)
  }

  /// Begins to observe. What is gone has a log that says so.
  func makeLog(in hub: StreamHub, _ key: StreamKey, _ delivery: ChangeDelivery) -> StreamLog<Content, Delta> {
    open(hub, key, delivery)
  }
}

/// What subscriptions that share a log have in common.
struct StreamKey: Hashable {
  let source: AnyHashable
  let kind: ObjectIdentifier
  let isEveryCommit: Bool
}

/// A span that knows roughly how much there is to tell.
protocol WeighedSpan: Span {
  /// Numbers or names that it consists of.
  var weight: Int { get }
}

extension ThreadConfined {
  /// What a subscriber gets: frozen in the version that its realm shows; nil when it is gone.
  func frozenUnlessGone() -> Frozen<Self>? { isInvalidated ? nil : Frozen(alreadyFrozen: freeze()) }
}

extension RealmInstance {
  /// Traps where a stream of changes would begin with what is not committed.
  func checkCanStream(_ name: String) {
    if isWritingHere {
      fatalError(
        "Changes of \(name) were asked for in a write transaction. Ask before it begins, or when it is committed.")
    }
  }
}
