import FirnCombine
import FirnEngine

/// Passes changes on to a follower, with a demand that the test gives.
final class FollowingSubscriber<Input>: Subscriber, Asked {
  typealias Failure = Never
  var onCompletion: () -> Void = {}
  private let take: (Input) -> Void
  // State          guarded by
  // subscription   its lock
  private let subscription = Guarded<(any Subscription)?>(nil)
  private let first: Subscribers.Demand

  init(_ first: Subscribers.Demand, _ take: @escaping (Input) -> Void) {
    self.first = first
    self.take = take
  }

  func receive(subscription new: any Subscription) {
    subscription.withLock { $0 = new }
    if first > .none { new.request(first) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    take(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { onCompletion() }

  func request(_ demand: Subscribers.Demand) { subscription.withLock { $0 }?.request(demand) }

  func cancel() {
    let old: (any Subscription)? = subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
    old?.cancel()
  }
}

/// A subscription that the test asks for more.
protocol Asked {
  func request(_ demand: Subscribers.Demand)
  func cancel()
}
