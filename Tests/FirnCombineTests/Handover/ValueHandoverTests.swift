import FirnCombine
import TestSupport
import Testing

@testable import Firn

@Suite struct ValueHandoverTests {
  private let queue = DispatchQueue(label: "target")
  private let log = Log()

  /// The queue's realm, as others get it.
  private func isOfTheQueue(_ realm: Realm?) -> Bool {
    guard let realm else { return false }
    return realm == (try? Realm(configuration: realm.configuration, queue: queue))
  }

  @Test func valuesAreThoseOfTheQueuesRealm() throws {
    try onOwnThread { [queue, log] in
      let people = try People(1)
      var cancellables: Set<AnyCancellable> = []
      people.all.collectionPublisher.receive(on: queue).assertNoFailure().sink { results in
        dispatchPrecondition(condition: .onQueue(queue))
        log.add("results \(Array(results.map(\.age))) \(isOfTheQueue(results.realm))")
      }.store(in: &cancellables)
      valuePublisher(people[0]).receive(on: queue.ocombine).assertNoFailure().sink { person in
        log.add("object \(person.age) \(isOfTheQueue(person.realm))")
      }.store(in: &cancellables)
      changesetPublisher(people[0]).receive(on: queue).sink { change in
        if case .change(let person, let changes) = change {
          log.add("change \(changes.map(\.name)) \(person.age)")
        }
      }.store(in: &cancellables)
      people.realm.refresh()
      log.wait(for: 1)
      #expect(log.all == ["results [0] true"])
      try people.write { _ in people[0].age = 3 }
      log.wait(for: 4)
      #expect(Set(log.all.dropFirst()) == ["results [3] true", "object 3 true", "change [\"age\"] 3"])
      cancellables = []
      queue.sync {}
    }
  }

  @Test func whatIsGoneIsLeftOut() throws {
    try onOwnThread { [queue, log] in
      let people = try People(2)
      let finished = Log()
      let sink = valuePublisher(people[0]).receive(on: queue).sink { _ in
        finished.add("finished")
      } receiveValue: { _ in
        log.add("a person")
      }
      try queue.sync {
        try people.realm.write { people[0].age = 3 }
        people.realm.refresh()
        try people.realm.write { people.realm.delete(people[0]) }
        // The queue's realm sees the end before the value arrives.
      }
      people.realm.refresh()
      finished.wait(for: 1)
      #expect(log.all.isEmpty)
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func afterOtherOperatorsWithAReferenceOrAFrozenCopy() throws {
    try onOwnThread { [queue, log] in
      let people = try People(2)
      var cancellables: Set<AnyCancellable> = []
      let first = people.all.collectionPublisher.assertNoFailure().map { $0[0] }
      first.threadSafeReference().receive(on: queue).sink { person in
        log.add("live \(person.id) \(person.isFrozen) \(isOfTheQueue(person.realm))")
      }.store(in: &cancellables)
      first.freeze().receive(on: queue).sink { log.add("frozen \($0.id) \($0.isFrozen)") }.store(in: &cancellables)
      // What belongs to nobody goes through.
      first.map { Person(value: ["id": $0.id + 7]) }.threadSafeReference().receive(on: queue).sink {
        log.add("unmanaged \($0.id) \($0.realm == nil)")
      }.store(in: &cancellables)
      first.freeze().threadSafeReference().receive(on: queue).sink { log.add("still frozen \($0.isFrozen)") }
        .store(in: &cancellables)
      // Without receive(on:) nothing happens to it.
      var here: [Bool] = []
      first.threadSafeReference().sink { here.append($0.realm == people.realm) }.store(in: &cancellables)
      people.realm.refresh()
      log.wait(for: 4)
      #expect(here == [true])
      #expect(
        Set(log.all) == ["live 0 false true", "frozen 0 true", "unmanaged 7 true", "still frozen true"])
      cancellables = []
      queue.sync {}
    }
  }

  /// A list whose object was deleted has nothing to be looked up, nor to be frozen.
  @Test func collectionsOfDeletedObjects() throws {
    try onOwnThread { [queue, log] in
      let people = try People(2)
      try people.write { _ in people[0].friends.append(people[1]) }
      var cancellables: Set<AnyCancellable> = []
      people[0].friends.collectionPublisher.receive(on: queue).assertNoFailure().sink {
        log.add("handed over \($0.count)")
      }
      .store(in: &cancellables)
      let frozen = people[0].friends.collectionPublisher.freeze().recorded()
      let changes = people[0].friends.changesetPublisher.freeze().recorded()
      people.realm.refresh()
      queue.sync {}
      try people.write { $0.delete(people[0]) }
      queue.sync {}
      #expect(log.all == ["handed over 1"])
      #expect(frozen.values.count == 2 && frozen.values[1].isInvalidated)
      #expect(changes.values.map(\.text) == ["initial", "-[0] +[] ~[]"])
      cancellables = []
      queue.sync {}
    }
  }

  @Test func onSchedulersThatAreNoQueues() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.collectionPublisher.receive(on: ImmediateScheduler.shared).recorded()
      let changes = people.all.changesetPublisher.receive(on: ImmediateScheduler.shared).recorded()
      people.realm.refresh()
      #expect(recorder.values.map(\.realm) == [people.realm])
      #expect(changes.values.map(\.text) == ["initial"])
    }
  }
}
