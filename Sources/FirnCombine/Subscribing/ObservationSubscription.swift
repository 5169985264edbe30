#if Publishers

/// The subscription to something observed.
///
/// Values come where the observed thing belongs, or on the queue of `subscribe(on:)`. While none are demanded, what happens
/// is merged into one value that waits; no value is lost, and none comes that was not demanded.
@frozen
public struct ObservationSubscription: Subscription {
  private let delivery: any AnyDelivery

  init(_ delivery: any AnyDelivery) { self.delivery = delivery }

  public var combineIdentifier: CombineIdentifier { CombineIdentifier(delivery) }

  /// Adds to what may be sent. What has waited is sent soon, where values come. Any thread.
  public func request(_ demand: Subscribers.Demand) { delivery.request(demand) }

  /// Ends delivery and invalidates the token. Where values come, none follows; elsewhere one may be on its way. Any thread.
  public func cancel() { delivery.cancel() }
}

/// A delivery to a subscriber of any type.
@usableFromInline
protocol AnyDelivery: AnyObject {
  func request(_ demand: Subscribers.Demand)
  func cancel()
}

#endif
