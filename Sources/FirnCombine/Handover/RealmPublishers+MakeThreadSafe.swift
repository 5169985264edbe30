#if Publishers
public import Firn

extension RealmPublishers {
  /// What `threadSafeReference()` makes of a publisher of objects or collections.
  @frozen
  public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the publisher itself: nothing is handed over without `receive(on:)`.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: subscriber)
    }

    /// Hands values over to a scheduler. What is gone there is left out.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
      DeferredHandover(upstream, on: scheduler)
    }
  }
}

#endif
