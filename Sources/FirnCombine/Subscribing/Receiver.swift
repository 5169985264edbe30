#if Publishers
internal import Firn

/// What an observer calls for a subscriber. It does not keep the delivery, which keeps the observer.
struct Receiver<Downstream: Subscriber>: Subscriber, HasGate {
  let combineIdentifier = CombineIdentifier()
  private weak var delivery: Delivery<Downstream>?
  let gate: DeliveryGate?

  init(_ delivery: Delivery<Downstream>) {
    self.delivery = delivery
    gate = delivery.gate
  }

  func receive(subscription: any Subscription) {}

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    delivery?.receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) { delivery?.receive(completion: completion) }
}

/// A subscriber that says when it may be called.
protocol HasGate {
  var gate: DeliveryGate? { get }
}

extension Subscriber {
  /// The gate of what this module subscribes with. Other subscribers get everything.
  var deliveryGate: DeliveryGate? { (self as? any HasGate)?.gate }
}

#endif
