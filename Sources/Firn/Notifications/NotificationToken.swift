internal import FirnEngine
internal import Synchronization

/// Keeps an observer registered, and its realm open.
///
/// Delivery ends with ``invalidate()``, or when the last reference to the token goes. Both are possible on any thread;
/// where the observer is called, no call starts after that. Tokens are equal when they are the same instance.
public final class NotificationToken: Sendable {
  // State   guarded by
  // state   a lock of `locks`, which all tokens share: there may be very many
  @exclusivity(unchecked) private nonisolated(unsafe) var state: State
  private static let locks = SharedLocks()

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    Self.locks.withLock(of: self) { body(&state) }
  }

  private enum State {
    /// The observer is on its way to the queue or actor it will belong to.
    case pending
    case active(RealmInstance, Observer)
    case ended
  }

  /// - Parameter isPending: Whether an observer follows with ``activate(_:_:)``; without one the token is inert.
  init(isPending: Bool) { state = isPending ? .pending : .ended }

  /// Makes a token that observes nothing, to stand where one is wanted.
  public convenience init() { self.init(isPending: false) }

  init(_ instance: RealmInstance, _ observer: Observer) { state = .active(instance, observer) }

  deinit { end() }

  /// Ends delivery.
  ///
  /// - Returns: Whether it had not ended before.
  /// - Complexity: O(1), and what the last subscriber of a query leaves to free.
  @discardableResult
  public func invalidate() -> Bool { end() }

  /// Whether ``invalidate()`` has not been called yet.
  var isEnded: Bool { withState { if case .ended = $0 { true } else { false } } }

  /// Ties the token to an observer. False when it ended before.
  func activate(_ instance: RealmInstance, _ observer: Observer) -> Bool {
    withState { state in
      guard case .pending = state else { return false }
      state = .active(instance, observer)
      return true
    }
  }

  /// The observer and its realm; nil before it is registered and after it ended.
  var active: (instance: RealmInstance, observer: Observer)? {
    withState { if case .active(let instance, let observer) = $0 { (instance, observer) } else { nil } }
  }

  @discardableResult
  private func end() -> Bool {
    let old = withState { state in
      defer { state = .ended }
      return state
    }
    switch old {
    case .ended: return false
    case .pending: return true
    case .active(let instance, let observer):
      observer.end()
      instance.observerDidEnd(observer)
      return true
    }
  }
}

extension NotificationToken: Hashable {
  public static func == (lhs: NotificationToken, rhs: NotificationToken) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Somebody to be told of changes. The token owns it, the realm only knows it.
class Observer {
  private let isRunning = Atomic<Bool>(true)
  /// Whether the observer is in the queue of those to be called.
  @exclusivity(unchecked) final var isQueued = false
  /// Where its realm keeps it, if it is of data.
  final var place: Int32 = -1
  /// Says when it may be called; nil for always. Set before anything can be delivered to it.
  @exclusivity(unchecked) final var gate: DeliveryGate?

  /// Whether it may still be called. Any thread.
  final var isActive: Bool { isRunning.load(ordering: .acquiring) }

  /// Whether the observer wants to be called just now.
  final var isGateOpen: Bool { gate?.isOpen ?? true }

  final func end() { isRunning.store(false, ordering: .releasing) }
}

/// Is told that the realm moved, not what changed.
final class RealmObserver: Observer {
  let body: NotificationBlock
  /// Whether its gate was closed when it was to be called.
  @exclusivity(unchecked) var hasMissed = false
  /// The version that it was registered at.
  @exclusivity(unchecked) var firstNumber: UInt64 = 0
  /// The causes of the commits that it is to be told of next.
  @exclusivity(unchecked) private var causes: [Realm.Cause] = []

  init(_ body: @escaping NotificationBlock) { self.body = body }

  func addCauses(_ later: [Realm.Cause]) {
    if later.isEmpty { return }
    causes.merge(later.filter { $0.version > firstNumber })
  }

  func takeCauses() -> [Realm.Cause] {
    defer { causes = [] }
    return causes
  }
}
