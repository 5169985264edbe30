#if Publishers
public import Firn

extension Realm {
  /// Tells that the realm shows another version, or has committed one, in the place where it is confined.
  public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
}

extension RealmPublishers {
  /// Tells that a realm shows another version, or that it does not follow by itself and there is one.
  ///
  /// Traps when it is subscribed to and the realm is frozen or belongs to a task.
  @frozen
  public struct RealmWillChange: Publisher, ObservingPublisher {
    public typealias Output = Void
    public typealias Failure = Never

    let realm: Realm

    init(_ realm: Realm) { self.realm = realm }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Void, Downstream.Failure == Never {
      realm.observe(receiver.gate) { _ = receiver.receive(()) }
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`.
    public func saveToken<T>(
      on object: T, for keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> RealmWillChangeWithToken<T> {
      RealmWillChangeWithToken(self, TokenPlace(object, keyPath))
    }
  }

  /// ``RealmWillChange`` that saves its token.
  public final class RealmWillChangeWithToken<T>: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private let upstream: RealmWillChange
    private var place: TokenPlace<T>

    init(_ upstream: RealmWillChange, _ place: TokenPlace<T>) {
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
