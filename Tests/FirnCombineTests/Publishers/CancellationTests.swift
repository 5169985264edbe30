import FirnCombine
import TestSupport
import Testing

@testable import Firn

@Suite struct CancellationTests {
  @Test func nothingComesAfterCancelling() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.changesetPublisher.recorded()
      let object = changesetPublisher(people[0]).recorded()
      people.realm.refresh()
      try people.realm.write { people[0].age = 4 }
      recorder.cancel()
      object.cancel()
      people.realm.refresh()
      #expect(recorder.values.count == 1 && object.values.isEmpty)
      #expect(recorder.completions.isEmpty && object.completions.isEmpty)
    }
  }

  @Test func cancellingInACallOrAtSubscription() throws {
    try onOwnThread {
      let people = try People(1)
      var count = 0
      var cancellable: AnyCancellable?
      cancellable = people.all.changesetPublisher.sink { _ in
        count += 1
        cancellable?.cancel()
      }
      people.realm.refresh()
      try people.add(1..<2)
      #expect(count == 1)
      // Cancels as soon as it is subscribed: nothing is observed at all.
      people.all.changesetPublisher.receive(subscriber: Unwilling<RealmCollectionChange<Results<Person>>>())
      #expect(people.observerCount == 0 && people.viewCount == 0)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func initialIsNotSentAfterCancelling() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.collectionPublisher.recorded()
      recorder.cancel()
      people.realm.refresh()
      #expect(recorder.values.isEmpty)
    }
  }

  @Test func cancellingOnTheQueueEndsWhatIsOnItsWay() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "target")
      let recorder = people.all.changesetPublisher.receive(on: queue).recorded()
      queue.sync {
        people.realm.refresh()
        // The value waits behind this block.
        recorder.cancel()
      }
      queue.sync {}
      #expect(recorder.values.isEmpty)
    }
  }

  /// Neither views nor observers, versions nor realms are left of subscriptions of all kinds.
  @Test(arguments: [1, 1000]) func nothingIsLeft(count: Int) throws {
    try onOwnThread {
      let people = try People(3)
      try people.write { _ in people[0].friends.append(people[1]) }
      let queue = DispatchQueue(label: "elsewhere")
      let log = Log()
      func openRealms() -> Int { people.store.openRealms.count }
      #expect(openRealms() == 1)
      var cancellables: [AnyCancellable] = []
      let holder = TokenHolder()
      for _ in 0..<count {
        let all = people.all.where { $0.age >= 0 }
        cancellables += [
          all.collectionPublisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
          all.changesetPublisher.receive(on: queue).sink { _ in log.add("handed over") },
          all.changesetPublisher.subscribe(on: queue).sink { _ in log.add("subscribed") },
          all.changesetPublisher.threadSafeReference().receive(on: queue).sink { _ in log.add("referred to") },
          all.changesetPublisher.freeze().receive(on: queue).sink { _ in log.add("frozen") },
          people[0].friends.changesetPublisher.saveToken(on: holder, at: \.token).receive(on: queue).sink { _ in },
          changesetPublisher(people[0]).receive(on: queue).sink { _ in },
          valuePublisher(people[0]).receive(on: queue).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
          people.realm.objectWillChange.sink {},
          people[0].objectWillChange.sink {},
        ]
      }
      people.realm.refresh()
      log.wait(for: 4 * count)
      try people.add(3..<4)
      log.wait(for: 8 * count)
      #expect(people.observerCount == 8 * count && people.viewCount == 1)
      holder.token = nil
      for cancellable in cancellables { cancellable.cancel() }
      cancellables = []
      // Observers of the queue's realm leave there.
      queue.sync {}
      #expect(people.observerCount == 0 && people.viewCount == 0)
      try people.write { _ in }
      queue.sync {}
      #expect(openRealms() == 1 && people.heldVersionCount == 1)
    }
  }

  /// What waits to be called keeps its realm, and nobody calls it when it was the last.
  @Test func anObserverThatWaitedForDemandIsForgotten() throws {
    try onOwnThread {
      let configuration = People.configuration()
      let people = try People(1, configuration)
      let queue = DispatchQueue(label: "elsewhere")
      let recorder = people.all.changesetPublisher.subscribe(on: queue).recorded(.none)
      for _ in 0..<3 { queue.sync {} }
      // The demand calls the observer soon, and it is gone before.
      queue.sync {
        recorder.request(.max(1))
        recorder.cancel()
      }
      queue.sync {}
      #expect(people.store.openRealms.count == 1 && recorder.values.isEmpty)
    }
  }

  /// A subscriber that lets its subscription go gets nothing more.
  @Test func aForgottenSubscriptionEnds() throws {
    try onOwnThread {
      let people = try People(1)
      people.all.changesetPublisher.receive(subscriber: Forgetful<RealmCollectionChange<Results<Person>>>())
      #expect(people.observerCount == 0)
      var sink: AnyCancellable? = people.all.changesetPublisher.sink { _ in }
      #expect(people.observerCount == 1)
      sink = nil
      #expect(people.observerCount == 0 && sink == nil)
    }
  }

  /// The token that was saved keeps nothing when its subscription has ended, however that happened.
  @Test func aSavedTokenEndsWithItsSubscription() throws {
    try onOwnThread {
      let people = try People(1)
      let holders = (0..<4).map { _ in CancellingHolder() }
      // Forgotten by the subscriber.
      people.all.changesetPublisher.saveToken(on: holders[0], at: \.token)
        .receive(subscriber: Forgetful<RealmCollectionChange<Results<Person>>>())
      #expect(people.observerCount == 0)
      // Cancelled while the token is saved, which the subscription does not know yet.
      let recorder = Recorder<RealmCollectionChange<Results<Person>>, Never>(.unlimited)
      holders[1].onToken = { recorder.cancel() }
      people.all.changesetPublisher.saveToken(on: holders[1], at: \.token).receive(subscriber: recorder)
      #expect(people.observerCount == 0)
      let cancelled = people.all.changesetPublisher.saveToken(on: holders[2], at: \.token).recorded()
      let finished = changesetPublisher(people[0]).saveToken(on: holders[3], at: \.token).recorded()
      #expect(people.observerCount == 2)
      cancelled.cancel()
      try people.write { $0.delete(people[0]) }
      #expect(finished.completions.count == 1)
      #expect(people.observerCount == 0 && people.viewCount == 0)
      #expect(holders.allSatisfy { $0.token != nil })
      people.realm.refresh()
      #expect(recorder.values.isEmpty && cancelled.values.isEmpty)
    }
  }

  /// A subscriber keeps its subscription, and that does not keep the subscriber when it is over.
  @Test func whatIsOverKeepsNoSubscriber() throws {
    try onOwnThread {
      let people = try People(2)
      weak var finished: Recorder<ObjectChange<Person>, Never>?
      weak var cancelled: Recorder<ObjectChange<Person>, Never>?
      do {
        let (one, other) = (changesetPublisher(people[0]).recorded(), changesetPublisher(people[1]).recorded())
        (finished, cancelled) = (one, other)
        try people.write { $0.delete(people[0]) }
        #expect(one.completions.count == 1)
        other.subscription?.cancel()
      }
      #expect(finished == nil && cancelled == nil)
    }
  }
}

private final class CancellingHolder {
  var onToken: () -> Void = {}
  var token: NotificationToken? { didSet { onToken() } }
}

private final class Forgetful<Input>: Subscriber {
  typealias Failure = Never
  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Input) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}

private final class Unwilling<Input>: Subscriber {
  typealias Failure = Never
  func receive(subscription: any Subscription) {
    subscription.request(.unlimited)
    subscription.cancel()
  }
  func receive(_ input: Input) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}
