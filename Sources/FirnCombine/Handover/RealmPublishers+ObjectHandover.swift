#if Publishers
public import Firn

extension RealmPublishers {
  /// Sends changes of an object on a scheduler, each with the object in the version of the change: its properties have
  /// the new values, however far other realms of that place are. Objects among the values before and after are those of
  /// the place that observes.
  ///
  /// The object belongs to a realm of the subscriber's own, as collections of
  /// ``DeferredHandoverCollectionChangeset`` do.
  @frozen
  public struct DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler>: Publisher
  where Upstream.Output == ObjectChange<T> {
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

  /// What `threadSafeReference()` makes of the changes of objects.
  @frozen
  public struct MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined>: Publisher
  where Upstream.Output == ObjectChange<T> {
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
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<Upstream, T, S> {
      DeferredHandoverObjectChangeset(upstream, on: scheduler)
    }
  }
}

#endif
