import FirnCombine
import FirnEngine

@testable import Firn

/// Follows a collection by the changes that arrive alone, and says when these lead astray.
///
/// Used where changes arrive, and by the test while nothing can arrive.
final class Follower: @unchecked Sendable {
  let name: String
  private(set) var rows: [String] = []
  private(set) var mistakes: [String] = []
  private(set) var changeCount = 0
  /// What the test does with a change that arrived.
  var onArrival: (Realm?) -> Void = { _ in }
  /// Kept until the next change, when the test wants that.
  var kept: Any?
  var keeps = false

  init(_ name: String) { self.name = name }

  func fail(_ text: String) { mistakes.append("\(name): \(text)") }

  func take<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
    guard let collection = change.collection else { return fail("an error") }
    changeCount += 1
    let new = Self.rows(collection)
    if case .update(_, let deletions, let insertions, let modifications) = change {
      if changeCount == 1 { fail("no initial") }
      if deletions + insertions + modifications == [] { fail("an empty change") }
      var old: [String?] = rows
      if (deletions + modifications).contains(where: { !old.indices.contains($0) }) {
        return fail("\(change.text) outside of \(rows)")
      }
      for position in modifications { old[position] = nil }
      for position in deletions.reversed() { old.remove(at: position) }
      for position in insertions {
        if position > old.count { return fail("\(change.text) outside of what comes") }
        old.insert(nil, at: position)
      }
      let told = old.enumerated().map { $1 ?? (new.indices.contains($0) ? new[$0] : "outside") }
      if told != new { fail("\(change.text) makes \(told) of \(rows), and there is \(new)") }
    } else if changeCount != 1 {
      fail("initial twice")
    }
    rows = new
    kept = keeps ? change : nil
    onArrival(collection.isInvalidated ? nil : collection.realm)
  }

  func take(_ change: RealmMapChange<Map<String, Int>>) {
    changeCount += 1
    switch change {
    case .initial(let map):
      if changeCount != 1 { fail("initial twice") }
      rows = Self.rows(map)
      onArrival(map.realm)
    case .update(let map, let deletions, let insertions, let modifications):
      var told = Dictionary(uniqueKeysWithValues: rows.map { ($0.split(separator: "=")[0].description, $0) })
      let new = Dictionary(uniqueKeysWithValues: Self.rows(map).map { ($0.split(separator: "=")[0].description, $0) })
      for key in deletions where told.removeValue(forKey: key) == nil { fail("deletes '\(key)', which was not there") }
      for key in insertions where told.updateValue(new[key] ?? "", forKey: key) != nil {
        fail("inserts '\(key)' again")
      }
      for key in modifications where told.updateValue(new[key] ?? "", forKey: key) == nil {
        fail("modifies no '\(key)'")
      }
      if told != new { fail("\(change.text) makes \(told) of \(rows), and there is \(new)") }
      rows = Self.rows(map)
      kept = keeps ? change : nil
      onArrival(map.isInvalidated ? nil : map.realm)
    case .error: fail("an error")
    }
  }

  /// What is told is what a collection has.
  func expect(_ found: [String], _ when: String) {
    if rows != found { fail("has \(rows) \(when), and there is \(found)") }
  }

  static func rows<C: RealmCollection>(_ collection: C) -> [String] {
    if collection.isInvalidated { return [] }
    return collection.map { element in
      if let person = element as? Person { "\(person.id) \(person.age) \(person.name)" } else { "\(element)" }
    }
  }

  static func rows(_ map: Map<String, Int>) -> [String] {
    if map.isInvalidated { return [] }
    return map.map { "\($0.key)=\($0.value)" }.sorted()
  }
}

/// Passes changes on to a follower, with a demand that the test gives.
final class FollowingSubscriber<Input>: Subscriber, Asked {
  typealias Failure = Never
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

  func receive(completion: Subscribers.Completion<Never>) {}

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
