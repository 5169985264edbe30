#if Publishers
public import Firn

extension RealmPublishers {
  /// Sends values on a scheduler, each looked up in the realm of that place, which refreshes if it is older. Values that
  /// are gone there are left out; unmanaged and frozen ones go through.
  ///
  /// On a queue that is the queue's realm, elsewhere the realm of the thread. Traps for a concurrent queue when it is made.
  @frozen
  public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
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
      upstream.handOver(on: scheduler, to: subscriber)
    }
  }

  /// ``Handover`` of what `threadSafeReference()` is sent.
  @frozen
  public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
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
      upstream.handOver(on: scheduler, to: subscriber)
    }
  }
}

#endif
