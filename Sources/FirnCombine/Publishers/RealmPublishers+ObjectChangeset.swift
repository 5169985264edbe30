#if Publishers
internal import Dispatch
public import Firn

extension RealmPublishers {
  /// Sends what was written to an object, and finishes when it is deleted.
  ///
  /// There is no first value. While nothing is demanded, changes are merged: values before are those before the first of
  /// them.
  @frozen
  public struct ObjectChangeset<O: ThreadConfined>: Publisher, ObservingPublisher {
    public typealias Output = ObjectChange<O>
    public typealias Failure = Never

    @usableFromInline typealias Observe = (
      _ keyPaths: [String]?, _ queue: DispatchQueue?, DeliveryGate?, @escaping (ObjectChange<O>) -> Void
    ) -> NotificationToken

    let observe: Observe
    let keyPaths: [String]?
    let queue: DispatchQueue?

    init(_ keyPaths: [String]?, on queue: DispatchQueue? = nil, _ observe: @escaping Observe) {
      self.observe = observe
      self.keyPaths = keyPaths
      self.queue = queue
    }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Output, Downstream.Failure == Never {
      observe(keyPaths, queue, receiver.gate) { change in
        if case .deleted = change {
          receiver.receive(completion: .finished)
        } else {
          _ = receiver.receive(change)
        }
      }
    }

    /// Begins to observe. Traps where observing does.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`. Key paths are not taken over.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> ObjectChangesetWithToken<O, T> where O: Object {
      ObjectChangesetWithToken(ObjectChangeset(nil, on: queue, observe), TokenPlace(object, keyPath))
    }

    /// Observes on a serial queue, with the object that the realm of that queue has. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangeset<O> {
      ObjectChangeset(keyPaths, on: serialQueue(of: scheduler), observe)
    }

    /// Hands changes over to a scheduler. Those of an object that is gone there are left out.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<ObjectChangeset, O, S> {
      DeferredHandoverObjectChangeset(self, on: scheduler)
    }
  }

  /// ``ObjectChangeset`` that saves its token.
  public final class ObjectChangesetWithToken<O: Object, T>: Publisher {
    public typealias Output = ObjectChange<O>
    public typealias Failure = Never

    private let upstream: ObjectChangeset<O>
    private var place: TokenPlace<T>

    init(_ upstream: ObjectChangeset<O>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.start(subscriber) { place.save($0) }
    }

    /// Observes on a serial queue. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangesetWithToken<O, T> {
      ObjectChangesetWithToken(upstream.subscribe(on: scheduler), place)
    }

    /// Hands changes over to a scheduler. Those of an object that is gone there are left out.
    public func receive<S: Scheduler>(
      on scheduler: S
    ) -> DeferredHandoverObjectChangeset<ObjectChangesetWithToken, O, S> {
      DeferredHandoverObjectChangeset(self, on: scheduler)
    }
  }
}

#endif
