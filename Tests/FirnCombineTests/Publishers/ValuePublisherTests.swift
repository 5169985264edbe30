import FirnCombine
import TestSupport
import Testing

@testable import Firn

@Suite struct ValuePublisherTests {
  @Test func aCollectionIsSentAtFirstAndAfterEachChange() throws {
    try onOwnThread {
      let people = try People(2)
      let recorder = people.all.where { $0.age > 0 }.collectionPublisher.recorded()
      #expect(recorder.values.isEmpty)
      people.realm.refresh()
      #expect(recorder.values.map(\.count) == [1])
      try people.write { _ in people[0].age = 5 }
      try people.write { $0.delete(people[1]) }
      #expect(recorder.values.count == 3 && recorder.completions.isEmpty)
      // The same results, which are live.
      #expect(recorder.values.allSatisfy { $0.realm == people.realm && $0.map(\.id) == [0] })
    }
  }

  @Test func everyKindOfCollectionIsSent() throws {
    try onOwnThread {
      let people = try People(3)
      let (a, b) = (people[0], people[1])
      var told: [String] = []
      var cancellables: Set<AnyCancellable> = []
      func follow<P: Publisher>(_ name: String, _ publisher: P) where P.Failure == any Error {
        publisher.sink { _ in
          told.append("\(name) ends")
        } receiveValue: { _ in
          told.append(name)
        }
        .store(in: &cancellables)
      }
      follow("list", a.friends.collectionPublisher)
      follow("set", a.tags.collectionPublisher)
      follow("map", a.scores.collectionPublisher)
      follow("backlinks", b.befriendedBy.collectionPublisher)
      follow("any", AnyRealmCollection(a.friends).collectionPublisher)
      follow("free", valuePublisher(a.friends))
      people.realm.refresh()
      #expect(told == ["list", "set", "map", "backlinks", "any", "free"])
      told = []
      try people.write { _ in
        a.friends.append(b)
        a.tags.insert("x")
        a.scores["k"] = 1
      }
      #expect(told == ["list", "set", "map", "backlinks", "any", "free"])
    }
  }

  @Test func anObjectIsSentAfterChangesOnly() throws {
    try onOwnThread {
      let people = try People(2)
      let recorder = valuePublisher(people[0]).recorded()
      people.realm.refresh()
      try people.write { _ in people[1].age = 9 }
      #expect(recorder.values.isEmpty)
      try people.write { _ in people[0].age = 7 }
      #expect(recorder.values.map(\.age) == [7])
      #expect(recorder.completions.isEmpty)
    }
  }

  @Test func aPublisherOfAnObjectFinishesWithIt() throws {
    try onOwnThread {
      let people = try People(1)
      let value = valuePublisher(people[0]).recorded()
      let changes = changesetPublisher(people[0]).recorded()
      let void = people[0].objectWillChange.recorded()
      try people.write { $0.delete(people[0]) }
      #expect(value.values.isEmpty && value.completions.count == 1)
      #expect(changes.values.isEmpty && changes.completions == [.finished])
      #expect(void.values.count == 1 && void.completions == [.finished])
      if case .failure = value.completions[0] { Issue.record("failed") }
      #expect(people.observerCount == 0)
    }
  }

  @Test func keyPathsSayWhatCounts() throws {
    try onOwnThread {
      let people = try People(1)
      let object = valuePublisher(people[0], keyPaths: ["name"]).recorded()
      let list = people.all.collectionPublisher(keyPaths: ["name"]).recorded()
      people.realm.refresh()
      try people.write { _ in people[0].age = 3 }
      #expect(object.values.isEmpty && list.values.count == 1)
      try people.write { _ in people[0].name = "b" }
      #expect(object.values.count == 1 && list.values.count == 2)
    }
  }

  @Test func subscribeOnAQueueSendsThere() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "subscribed")
      let log = Log()
      let token = people.all.collectionPublisher.subscribe(on: queue).sink { _ in
      } receiveValue: { results in
        dispatchPrecondition(condition: .onQueue(queue))
        log.add(
          "\(results.count) \(results.realm == (try? Realm(configuration: results.realm!.configuration, queue: queue)))"
        )
      }
      log.wait(for: 1)
      try people.add(1..<2)
      log.wait(for: 2)
      #expect(log.all == ["1 true", "2 true"])
      token.cancel()
      queue.sync {}
    }
  }

  @Test func theRealmIsSentWhenItMoves() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.realm.objectWillChange.recorded()
      try people.realm.write {}
      #expect(recorder.values.count == 1)
      let configuration = Unchecked(people.configuration)
      try onOwnThread { try People(0, configuration.value).add(1..<2) }
      #expect(recorder.values.count == 1)
      people.realm.refresh()
      #expect(recorder.values.count == 2)
    }
  }

  @Test func objectWillChangeComesAfterTheCommit() throws {
    try onOwnThread {
      let people = try People(1)
      let (a, address) = (people[0], Address())
      try people.write { _ in a.address = address }
      var told: [String] = []
      var cancellables: Set<AnyCancellable> = []
      func follow<O: ObservableObject>(_ name: String, _ object: O) {
        object.objectWillChange.sink { _ in told.append("\(name) \(a.age)") }.store(in: &cancellables)
      }
      follow("object", a)
      follow("list", a.friends)
      follow("set", a.tags)
      follow("map", a.scores)
      follow("embedded", a.address.unsafelyUnwrapped)
      people.realm.refresh()
      #expect(told == ["list 0", "set 0", "map 0"])
      told = []
      try people.realm.write {
        a.age = 1
        a.friends.append(a)
        a.tags.insert("t")
        a.scores["s"] = 1
        a.address?.city = "c"
        #expect(told.isEmpty)
      }
      people.realm.refresh()
      #expect(told == ["object 1", "list 1", "set 1", "map 1", "embedded 1"])
    }
  }
}
