#if Publishers
internal import Dispatch
public import Firn

extension RealmPublishers {
  /// Sends the exact changes of a map, at first `.initial`.
  ///
  /// While nothing is demanded, changes are merged: the next one leads from the state that was sent last to the present one.
  @frozen
  public struct MapChangeset<Collection: RealmKeyedCollection>: Publisher, ObservingPublisher {
    public typealias Output = RealmMapChange<Collection>
    public typealias Failure = Never

    let collection: Collection
    let keyPaths: [String]?
    let queue: DispatchQueue?

    init(_ collection: Collection, _ keyPaths: [String]? = nil, on queue: DispatchQueue? = nil) {
      checkIsManaged(collection, "collections")
      self.collection = collection
      self.keyPaths = keyPaths
      self.queue = queue
    }

    func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
    where Downstream.Input == Output, Downstream.Failure == Never {
      collection._observed.observe(Collection.self, keyPaths, on: queue, receiver.gate) { _ = receiver.receive($0) }
    }

    /// Begins to observe. Traps where observing does.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`. Key paths are not taken over.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> MapChangesetWithToken<Collection, T> {
      MapChangesetWithToken(MapChangeset(collection, nil, on: queue), TokenPlace(object, keyPath))
    }

    /// Observes on a serial queue, with what the realm of that queue has. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> MapChangeset<Collection> {
      MapChangeset(collection, keyPaths, on: serialQueue(of: scheduler))
    }

    /// Hands changes over to a scheduler, each with the collection in the version of the change.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverKeyedCollectionChangeset<
      MapChangeset, Collection, S
    > {
      DeferredHandoverKeyedCollectionChangeset(self, on: scheduler)
    }
  }

  /// ``MapChangeset`` that saves its token.
  public final class MapChangesetWithToken<Collection: RealmKeyedCollection, T>: Publisher {
    public typealias Output = RealmMapChange<Collection>
    public typealias Failure = Never

    private let upstream: MapChangeset<Collection>
    private var place: TokenPlace<T>

    init(_ upstream: MapChangeset<Collection>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.start(subscriber) { place.save($0) }
    }

    /// Observes on a serial queue. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> MapChangesetWithToken<Collection, T> {
      MapChangesetWithToken(upstream.subscribe(on: scheduler), place)
    }

    /// Hands changes over to a scheduler, each with the collection in the version of the change.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverKeyedCollectionChangeset<
      MapChangesetWithToken, Collection, S
    > {
      DeferredHandoverKeyedCollectionChangeset(self, on: scheduler)
    }
  }
}

#endif
