#if Publishers
public import Firn

extension RealmPublishers {
  /// Tells that an object or a collection changed, after the commit was delivered.
  ///
  /// The first value of a collection comes with the first call of its observer. A publisher of an object finishes when the
  /// object is deleted. Traps when it is subscribed to and the thing is unmanaged, deleted or frozen.
  @frozen
  public struct WillChange<Collection: RealmSubscribable>: Publisher, ObservingPublisher
  where Collection: ThreadConfined {
    public typealias Output = Void
    public typealias Failure = Never

    let collection: Collection

    init(_ collection: Collection) { self.collection = collection }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Void, Downstream.Failure == Never {
      collection._observe(nil, receiver)
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> WillChangeWithToken<Collection, T> {
      WillChangeWithToken(self, TokenPlace(object, keyPath))
    }
  }

  /// ``WillChange`` that saves its token.
  public final class WillChangeWithToken<Collection: RealmSubscribable, T>: Publisher where Collection: ThreadConfined {
    public typealias Output = Void
    public typealias Failure = Never

    private let upstream: WillChange<Collection>
    private var place: TokenPlace<T>

    init(_ upstream: WillChange<Collection>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
      upstream.start(subscriber) { place.save($0) }
    }
  }
}

#endif
