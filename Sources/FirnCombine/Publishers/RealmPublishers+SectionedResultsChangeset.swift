#if Publishers
internal import Dispatch
public import Firn

extension RealmPublishers {
  /// Sends the exact changes of sectioned results or of a section, at first `.initial`.
  ///
  /// While nothing is demanded, changes are merged: the next one leads from the state that was sent last to the present one.
  @frozen
  public struct SectionedResultsChangeset<Collection: RealmSectionedResult>: Publisher, ObservingPublisher {
    public typealias Output = SectionedResultsChange<Collection>
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
      collection._observedSections.observe(Collection.self, keyPaths, on: queue, receiver.gate) {
        _ = receiver.receive($0)
      }
    }

    /// Begins to observe. Traps where observing does.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never { start(subscriber) }

    /// Saves the token of each subscription, for `write(withoutNotifying:)`. Key paths are not taken over.
    public func saveToken<T>(
      on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> SectionedResultsChangesetWithToken<Collection, T> {
      SectionedResultsChangesetWithToken(
        SectionedResultsChangeset(collection, nil, on: queue), TokenPlace(object, keyPath))
    }

    /// Observes on a serial queue, with what the realm of that queue has. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangeset<Collection> {
      SectionedResultsChangeset(collection, keyPaths, on: serialQueue(of: scheduler))
    }

    /// Hands changes over to a scheduler, each with the collection in the version of the change.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<
      SectionedResultsChangeset, Collection, S
    > {
      DeferredHandoverSectionedResultsChangeset(self, on: scheduler)
    }
  }

  /// ``SectionedResultsChangeset`` that saves its token.
  public final class SectionedResultsChangesetWithToken<Collection: RealmSectionedResult, T>: Publisher {
    public typealias Output = SectionedResultsChange<Collection>
    public typealias Failure = Never

    private let upstream: SectionedResultsChangeset<Collection>
    private var place: TokenPlace<T>

    init(_ upstream: SectionedResultsChangeset<Collection>, _ place: TokenPlace<T>) {
      self.upstream = upstream
      self.place = place
    }

    /// Begins to observe, and saves the token.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.start(subscriber) { place.save($0) }
    }

    /// Observes on a serial queue. Traps for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> SectionedResultsChangesetWithToken<Collection, T> {
      SectionedResultsChangesetWithToken(upstream.subscribe(on: scheduler), place)
    }

    /// Hands changes over to a scheduler, each with the collection in the version of the change.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<
      SectionedResultsChangesetWithToken, Collection, S
    > {
      DeferredHandoverSectionedResultsChangeset(self, on: scheduler)
    }
  }
}

#endif
