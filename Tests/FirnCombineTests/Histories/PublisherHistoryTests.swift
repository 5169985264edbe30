import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Random commits here and on a queue, beside subscribers of all kinds that come, ask for changes and go: each change,
/// applied to what its subscriber had, gives what there is in the version of the change.
@Suite struct PublisherHistoryTests {
  /// More of them with FIRN_LIVE_HISTORIES.
  static let seeds: ClosedRange<UInt64> = 1...(environmentNumber("FIRN_LIVE_HISTORIES") ?? 30)

  @Test(arguments: seeds) func changesLeadFromStateToState(seed: UInt64) throws {
    try onOwnThread {
      let run = try PublisherHistory(seed)
      for _ in 0..<80 where run.mistakes.isEmpty { try run.step() }
      try run.finish()
      #expect(run.mistakes == [], "seed \(seed): \(run.history.suffix(20))")
      #expect(run.changeCount > 0, "seed \(seed)")
      run.end()
      #expect(run.people.observerCount == 0 && run.people.viewCount == 0, "seed \(seed)")
      #expect(run.people.heldVersionCount == 1, "seed \(seed)")
    }
  }
}

private final class PublisherHistory {
  let people: People
  private(set) var history: [String] = []
  private var random: SeededRandom
  private let queue = DispatchQueue(label: "elsewhere")
  private var queueRealm: Unchecked<Realm>?
  private var followed: [Followed] = []
  private var ended: [Follower] = []

  private struct Followed {
    let follower: Follower
    let subscription: any Asked
    /// What there is of it in the realm of the test.
    let read: () -> [String]
  }

  init(_ seed: UInt64) throws {
    random = SeededRandom(seed)
    people = try People(5)
    let configuration = Unchecked(people.configuration)
    queueRealm = try queue.sync { [queue] in
      Unchecked(try Realm(configuration: configuration.value, queue: queue))
    }
  }

  var mistakes: [String] { queue.sync { (followed.map(\.follower) + ended).flatMap(\.mistakes) } }
  var changeCount: Int { queue.sync { (followed.map(\.follower) + ended).map(\.changeCount).reduce(0, +) } }

  func step() throws {
    switch random.below(14) {
    case 0...3:
      note("commits")
      try people.realm.write { change(people.realm, &random) }
    case 4, 5:
      note("commits on the queue")
      var inner = SeededRandom(random.next())
      let realm = queueRealm.unsafelyUnwrapped
      try queue.sync { try realm.value.write { change(realm.value, &inner) } }
    case 6, 7:
      note("refreshes")
      people.realm.refresh()
    case 8: queue.sync {}
    case 9...11: if followed.count < 12 { subscribe() }
    case 12:
      guard let index = followed.indices.randomElement(using: &random) else { return }
      note("asks \(followed[index].follower.name)")
      followed[index].subscription.request(random.chance(20) ? .unlimited : .max(1 + random.below(2)))
    default:
      if followed.count < 4 { return }
      let gone = followed.remove(at: random.below(followed.count))
      note("cancels \(gone.follower.name)")
      gone.subscription.cancel()
      ended.append(gone.follower)
    }
  }

  /// Everybody gets everything.
  func finish() throws {
    for followed in followed { followed.subscription.request(.unlimited) }
    // What arrives may be answered with a commit.
    for _ in 0..<6 {
      people.realm.refresh()
      queue.sync {}
    }
    for followed in followed {
      let found = followed.read()
      queue.sync { followed.follower.expect(found, "at the end") }
    }
  }

  func end() {
    for followed in followed { followed.subscription.cancel() }
    queue.sync {
      for follower in followed.map(\.follower) + ended { follower.kept = nil }
      queueRealm = nil
    }
    followed = []
    queue.sync {}
    people.realm.refresh()
  }

  private func note(_ text: String) { history.append(text) }

  // MARK: Subscribing

  private func subscribe() {
    guard let owner = people.all.randomElement(using: &random) else { return }
    switch random.below(10) {
    case 0: subscribe(people.all.where { $0.age < 6 }.sorted(by: \.age), "results")
    case 1: subscribe(owner.friends, "friends of \(owner.id)")
    case 2: subscribe(owner.tags, "tags of \(owner.id)")
    case 3: subscribe(people.realm.objects(Card.self), "cards")
    case 4, 5: subscribe(people.all.sectioned(by: \.age, ascending: true), "sections")
    case 6: subscribe(people.all.grouped(by: \.age) { $0.sum(of: \.id) }, "groups")
    case 7: subscribe(people.all.liveValue { ($0.count, $0.sum(of: \.age)) }, "a value")
    case 8: subscribe(Card(projecting: owner), "a card of \(owner.id)")
    default: subscribe(owner.scores, "scores of \(owner.id)")
    }
  }

  private func demand() -> Subscribers.Demand {
    switch random.below(4) {
    case 0: .none
    case 1: .max(1)
    default: .unlimited
    }
  }

  private func makeFollower(_ name: String, writes: Bool) -> Follower {
    let follower = Follower(name)
    follower.keeps = random.chance(50)
    if writes, random.chance(30) {
      var inner = SeededRandom(random.next())
      follower.onArrival = { realm in
        guard let realm, inner.chance(15) else { return }
        do { try realm.write { change(realm, &inner) } } catch { follower.fail("\(error)") }
      }
    }
    return follower
  }

  private func subscribe<C: RealmCollection>(_ collection: C, _ what: String) {
    let (way, demand) = (random.below(5), demand())
    let follower = makeFollower(named(what, way, demand), writes: way == 1 || way == 3)
    let subscriber = FollowingSubscriber<RealmCollectionChange<C>>(demand) { follower.take($0) }
    let changes = collection.changesetPublisher
    switch way {
    case 0: changes.receive(subscriber: subscriber)
    case 1: changes.receive(on: queue).receive(subscriber: subscriber)
    case 2: changes.subscribe(on: queue).receive(subscriber: subscriber)
    case 3: changes.filter { _ in true }.threadSafeReference().receive(on: queue).receive(subscriber: subscriber)
    default: changes.freeze().receive(on: queue).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { Follower.rows(collection) })
  }

  private func subscribe(_ map: Map<String, Int>, _ what: String) {
    let (way, demand) = (random.below(5), demand())
    let follower = makeFollower(named(what, way, demand), writes: way == 1 || way == 3)
    let subscriber = FollowingSubscriber<RealmMapChange<Map<String, Int>>>(demand) { follower.take($0) }
    let changes = map.changesetPublisher
    switch way {
    case 0: changes.receive(subscriber: subscriber)
    case 1: changes.receive(on: queue).receive(subscriber: subscriber)
    case 2: changes.subscribe(on: queue).receive(subscriber: subscriber)
    case 3: changes.filter { _ in true }.threadSafeReference().receive(on: queue).receive(subscriber: subscriber)
    default: changes.freeze().receive(on: queue).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { Follower.rows(map) })
  }

  private func subscribe(_ sections: SectionedResults<Int, Person>, _ what: String) {
    let (way, demand) = (random.below(5), demand())
    let follower = makeFollower(named(what, way, demand), writes: way == 1 || way == 3)
    let subscriber = FollowingSubscriber<SectionedResultsChange<SectionedResults<Int, Person>>>(demand) {
      follower.take($0)
    }
    let changes = sections.changesetPublisher
    switch way {
    case 0: changes.receive(subscriber: subscriber)
    case 1: changes.receive(on: queue).receive(subscriber: subscriber)
    case 2: changes.subscribe(on: queue).receive(subscriber: subscriber)
    case 3: changes.filter { _ in true }.threadSafeReference().receive(on: queue).receive(subscriber: subscriber)
    default: changes.freeze().receive(on: queue).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { Follower.rows(sections) })
  }

  private func subscribe(_ groups: LiveGroups<Int, Int>, _ what: String) {
    let (way, demand) = ([0, 1, 2, 4][random.below(4)], demand())
    let follower = makeFollower(named(what, way, demand), writes: false)
    let subscriber = FollowingSubscriber<RealmCollectionChange<LiveGroups<Int, Int>>>(demand) { follower.take($0) }
    let changes = groups.changesetPublisher
    switch way {
    case 0: changes.receive(subscriber: subscriber)
    case 1: changes.receive(on: queue).receive(subscriber: subscriber)
    case 2: changes.subscribe(on: queue).receive(subscriber: subscriber)
    default: changes.filter { _ in true }.freeze().receive(on: queue, options: nil).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { Follower.rows(groups) })
  }

  private func subscribe(_ value: LiveValue<(Int, Int)>, _ what: String) {
    let (way, demand) = (random.below(3), demand())
    let follower = makeFollower(named(what, way, demand), writes: false)
    let subscriber = FollowingSubscriber<(Int, Int)>(demand) { follower.take(value: "\($0)") }
    let values = value.valuePublisher
    switch way {
    case 0: values.receive(subscriber: subscriber)
    case 1: values.receive(on: queue).receive(subscriber: subscriber)
    default: values.subscribe(on: queue).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { ["\(value.value)"] })
  }

  /// Not observed on the queue, whose realm may be ahead of what the follower begins with.
  private func subscribe(_ card: Card, _ what: String) {
    let (way, demand) = ([0, 1, 3, 4][random.below(4)], demand())
    let follower = makeFollower(named(what, way, demand), writes: false)
    follower.begin(with: Follower.rows(card))
    let subscriber = FollowingSubscriber<ObjectChange<Card>>(demand) {
      follower.take($0, isExact: way == 0 || way == 4)
    }
    subscriber.onCompletion = { follower.begin(with: []) }
    let changes = FirnCombine.changesetPublisher(card)
    switch way {
    case 0: changes.receive(subscriber: subscriber)
    case 1: changes.receive(on: queue).receive(subscriber: subscriber)
    case 3: changes.filter { _ in true }.threadSafeReference().receive(on: queue).receive(subscriber: subscriber)
    default: changes.freeze().receive(on: queue).receive(subscriber: subscriber)
    }
    followed.append(Followed(follower: follower, subscription: subscriber) { Follower.rows(card) })
  }

  private func named(_ what: String, _ way: Int, _ demand: Subscribers.Demand) -> String {
    let name = "\(followed.count + ended.count): \(what) \(Self.ways[way]) \(demand)"
    note("subscribes \(name)")
    return name
  }

  private static let ways = ["here", "received", "subscribed", "referred to", "frozen"]
}

/// A random commit's worth of changes.
private func change(_ realm: Realm, _ random: inout SeededRandom) {
  for _ in 0...random.below(3) {
    let all = realm.objects(Person.self)
    guard all.count > 2, let person = all.randomElement(using: &random), let other = all.randomElement(using: &random)
    else {
      realm.create(Person.self, value: ["id": Int(random.next() >> 20), "age": random.below(10)])
      continue
    }
    switch random.below(13) {
    // Another address: the old value of a link leads to the object as it is now.
    case 12: person.address = random.chance(30) ? nil : Address(value: ["city": "\(random.below(3))"])
    case 0, 1: realm.create(Person.self, value: ["id": Int(random.next() >> 20), "age": random.below(10)])
    case 2: realm.delete(person)
    case 3, 4: person.age = random.below(10)
    case 5: person.name = "\(random.below(3))"
    case 6: person.friends.insert(other, at: random.below(person.friends.count + 1))
    case 7: if !person.friends.isEmpty { person.friends.remove(at: random.below(person.friends.count)) }
    case 8:
      let tag = "\(random.below(4))"
      if person.tags.contains(tag) { person.tags.remove(tag) } else { person.tags.insert(tag) }
    case 9: person.scores["\(random.below(4))"] = random.below(5)
    case 10: person.scores["\(random.below(4))"] = nil
    default: if person.friends.count > 1 { person.friends.move(from: 0, to: person.friends.count - 1) }
    }
  }
}
