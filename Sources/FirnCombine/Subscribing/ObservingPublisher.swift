#if Publishers
internal import Firn

/// A publisher of what an observer is told.
protocol ObservingPublisher: Publisher {
  /// Makes the observer, which calls the receiver.
  func observe<Downstream: Subscriber>(_ receiver: Receiver<Downstream>) -> NotificationToken
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension ObservingPublisher {
  /// Subscribes, and hands out the token.
  func start<S: Subscriber>(_ subscriber: S, _ save: (NotificationToken) -> Void = { _ in })
  where S.Input == Output, S.Failure == Failure {
    let delivery = Delivery(subscriber)
    subscriber.receive(subscription: ObservationSubscription(delivery))
    delivery.start {
      let token = observe(Receiver(delivery))
      save(token)
      return token
    }
  }
}

/// Where a token is to be kept.
struct TokenPlace<Root> {
  private var root: Root
  private let keyPath: WritableKeyPath<Root, NotificationToken?>

  init(_ root: Root, _ keyPath: WritableKeyPath<Root, NotificationToken?>) {
    self.root = root
    self.keyPath = keyPath
  }

  mutating func save(_ token: NotificationToken) { root[keyPath: keyPath] = token }
}

#endif
