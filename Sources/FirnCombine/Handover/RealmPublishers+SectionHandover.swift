#if Publishers
public import Firn

extension RealmPublishers {
  /// Sends changes of sectioned results or a section on a scheduler, each with the collection in the version of the change: what is
  /// counted fits, however far other realms of that place are.
  ///
  /// The collection belongs to a realm of the subscriber's own. It moves with the changes, and with writes to it; objects of
  /// other realms of that place cannot be used together with its own. Whatever the subscriber keeps of it keeps the version.
  @frozen
  public struct DeferredHandoverSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler>:
    Publisher
  where Upstream.Output == SectionedResultsChange<T> {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scheduler: S

    init(_ upstream: Upstream, on scheduler: S) {
      _ = HandoverPlace(of: scheduler)
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Subscribes to what is handed over.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.handOverExactly(on: scheduler, to: subscriber)
    }
  }

  /// What `threadSafeReference()` makes of the changes of sectioned results and sections.
  @frozen
  public struct MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult>: Publisher
  where Upstream.Output == SectionedResultsChange<T> {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the publisher itself: nothing is handed over without `receive(on:)`.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: subscriber)
    }

    /// Hands changes over to a scheduler.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionedResultsChangeset<Upstream, T, S> {
      DeferredHandoverSectionedResultsChangeset(upstream, on: scheduler)
    }
  }
}

#endif
