import Firn
import FirnCombine

/// A subscriber that demands what the test says, and remembers.
final class Recorder<Input, Failure: Error>: Subscriber {
  private(set) var values: [Input] = []
  private(set) var completions: [Subscribers.Completion<Failure>] = []
  private(set) var subscription: (any Subscription)?
  private let first: Subscribers.Demand
  /// What is demanded with each value.
  var more = Subscribers.Demand.none
  /// Called with each value.
  var onValue: ((Input) -> Void)?

  init(_ first: Subscribers.Demand) { self.first = first }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if first > .none { subscription.request(first) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    onValue?(input)
    return more
  }

  func receive(completion: Subscribers.Completion<Failure>) { completions.append(completion) }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

extension Publisher {
  /// Subscribes with a demand.
  func recorded(_ demand: Subscribers.Demand = .unlimited) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(demand)
    receive(subscriber: recorder)
    return recorder
  }
}

extension RealmCollectionChange {
  /// The change without its collection.
  var text: String {
    switch self {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications): "-\(deletions) +\(insertions) ~\(modifications)"
    case .error: "error"
    }
  }

  var collection: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
}

extension RealmMapChange {
  var text: String {
    switch self {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications): "-\(deletions) +\(insertions) ~\(modifications)"
    case .error: "error"
    }
  }
}
