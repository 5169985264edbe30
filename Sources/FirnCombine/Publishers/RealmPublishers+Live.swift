#if Publishers
internal import Dispatch
public import Firn

extension RealmPublishers {
  /// Sends what observers of a live value or of live groups are told, the first time as it is.
  ///
  /// While nothing is demanded, changes are merged into one; nothing is sent when all is as it was. It never finishes. Made by
  /// `valuePublisher`, `collectionPublisher` and `changesetPublisher`.
  @frozen
  public struct Live<Output>: Publisher, ObservingPublisher {
    public typealias Failure = Never

    let observed: _Observed<Output>
    let queue: DispatchQueue?

    init(_ observed: _Observed<Output>, on queue: DispatchQueue? = nil) {
      self.observed = observed
      self.queue = queue
    }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Output, Downstream.Failure == Never {
      observed.observe(Output.self, nil, on: queue, receiver.gate) { _ = receiver.receive($0) }
    }

    /// Begins to observe. Traps where observing does.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> LiveWithToken<Output, T> {
      LiveWithToken(self, TokenPlace(object, keyPath))
    }

    /// Observes on a serial queue, with what the realm of that queue has. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Live<Output> {
      Live(observed, on: serialQueue(of: scheduler))
    }
  }

  /// ``Live`` that saves its token.
  public final class LiveWithToken<Output, T>: Publisher {
    public typealias Failure = Never

    private let upstream: Live<Output>
    private var place: TokenPlace<T>

    init(_ upstream: Live<Output>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.start(subscriber) { place.save($0) }
    }

    /// Observes on a serial queue. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> LiveWithToken<Output, T> {
      LiveWithToken(upstream.subscribe(on: scheduler), place)
    }
  }
}

#endif
