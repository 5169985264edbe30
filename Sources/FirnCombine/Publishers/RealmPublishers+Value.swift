#if Publishers
internal import Dispatch
public import Firn

extension RealmPublishers {
  /// Sends an object or a collection whenever it changed.
  ///
  /// A collection is sent at first as well, at the next turn of its run loop or queue. A publisher of an object finishes when
  /// the object is deleted; one of a collection never does. While nothing is demanded, changes are merged into one.
  @frozen
  public struct Value<Subscribable: RealmSubscribable>: Publisher, ObservingPublisher
  where Subscribable: ThreadConfined {
    public typealias Output = Subscribable
    public typealias Failure = any Error

    let subscribable: Subscribable
    let keyPaths: [String]?
    let queue: DispatchQueue?

    init(_ subscribable: Subscribable, _ keyPaths: [String]?, on queue: DispatchQueue? = nil) {
      checkIsManaged(subscribable)
      self.subscribable = subscribable
      self.keyPaths = keyPaths
      self.queue = queue
    }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Output, Downstream.Failure == Failure {
      subscribable._observe(keyPaths, on: queue, receiver)
    }

    /// Begins to observe. Traps where observing does.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      start(subscriber)
    }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`. Key paths are not taken over.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> ValueWithToken<Subscribable, T> {
      ValueWithToken(Value(subscribable, nil, on: queue), TokenPlace(object, keyPath))
    }

    /// Observes on a serial queue, with what the realm of that queue has. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Value<Subscribable> {
      Value(subscribable, keyPaths, on: serialQueue(of: scheduler))
    }

    /// Hands values over to a scheduler. What is gone there is left out.
    public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> { Handover(self, on: scheduler) }
  }

  /// ``Value`` that saves its token.
  public final class ValueWithToken<Subscribable: RealmSubscribable, T>: Publisher where Subscribable: ThreadConfined {
    public typealias Output = Subscribable
    public typealias Failure = any Error

    private let upstream: Value<Subscribable>
    private var place: TokenPlace<T>

    init(_ upstream: Value<Subscribable>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.start(subscriber) { place.save($0) }
    }

    /// Observes on a serial queue. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ValueWithToken<Subscribable, T> {
      ValueWithToken(upstream.subscribe(on: scheduler), place)
    }

    /// Hands values over to a scheduler. What is gone there is left out.
    public func receive<S: Scheduler>(on scheduler: S) -> Handover<ValueWithToken, S> { Handover(self, on: scheduler) }
  }
}

#endif
