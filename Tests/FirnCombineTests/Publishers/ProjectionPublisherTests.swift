import FirnCombine
import TestSupport
import Testing

@testable import Firn

@Suite struct ProjectionPublisherTests {
  @Test func projectionsAreSentWhenAMemberChanges() throws {
    try onOwnThread {
      let people = try People(1)
      let card = Card(projecting: people[0])
      let value = valuePublisher(card).recorded()
      let named = valuePublisher(card, keyPaths: ["name"]).recorded()
      let changes = changesetPublisher(card).recorded()
      let void = card.objectWillChange.recorded()
      people.realm.refresh()
      try people.write { _ in people[0].age = 3 }
      #expect(value.values.isEmpty && changes.values.isEmpty && void.values.isEmpty)
      try people.write { _ in people[0].address = Address(value: ["city": "Ulm"]) }
      #expect(value.values.map(\.place) == ["Ulm"] && named.values.isEmpty && void.values.count == 1)
      guard case .change(let told, let properties)? = changes.values.first else {
        Issue.record("no change")
        return
      }
      #expect(told == card && properties.map(\.name) == ["place"])
      try people.write { $0.delete(people[0]) }
      #expect(value.completions.count == 1 && changes.completions == [.finished] && void.completions == [.finished])
      #expect(people.observerCount == 0)
    }
  }

  @Test func projectionsWaitForDemand() throws {
    try onOwnThread {
      let people = try People(1)
      let changes = changesetPublisher(Card(projecting: people[0])).recorded(.none)
      for name in ["a", "b"] { try people.write { _ in people[0].name = name } }
      #expect(changes.values.isEmpty)
      changes.request(.max(1))
      people.realm.refresh()
      guard changes.values.count == 1, case .change(_, let properties) = changes.values[0] else {
        Issue.record("\(changes.values)")
        return
      }
      #expect(properties[0].oldValue as? String == "" && properties[0].newValue as? String == "b")
    }
  }

  @Test func projectionsGoToOtherQueues() throws {
    try onOwnThread {
      let people = try People(1)
      let (queue, log) = (DispatchQueue(label: "target"), Log())
      let card = Card(projecting: people[0])
      var cancellables: Set<AnyCancellable> = []
      valuePublisher(card).receive(on: queue).assertNoFailure().sink { log.add("value \($0.title)") }
        .store(in: &cancellables)
      valuePublisher(card).subscribe(on: queue).assertNoFailure().sink { log.add("subscribed \($0.title)") }
        .store(in: &cancellables)
      let changes = changesetPublisher(card)
      func follow<P: Publisher>(_ name: String, _ publisher: P)
      where P.Output == ObjectChange<Card>, P.Failure == Never {
        publisher.sink { if case .change(let card, _) = $0 { log.add("\(name) \(card.title) \(card.isFrozen)") } }
          .store(in: &cancellables)
      }
      follow("change", changes.receive(on: queue))
      follow("referred to", changes.filter { _ in true }.threadSafeReference().receive(on: queue))
      follow("frozen", changes.freeze().receive(on: queue))
      queue.sync {}
      try people.write { _ in people[0].name = "n" }
      log.wait(for: 5)
      #expect(
        log.all.sorted() == ["change n false", "frozen n true", "referred to n false", "subscribed n", "value n"])
      cancellables = []
      queue.sync {}
    }
  }

  @Test func resultsOfProjections() throws {
    try onOwnThread {
      let people = try People(2)
      let (queue, log) = (DispatchQueue(label: "target"), Log())
      let cards = people.realm.objects(Card.self)
      let value = cards.collectionPublisher.recorded()
      let sink = cards.changesetPublisher.receive(on: queue).sink { log.add("\($0.text) \($0.collection!.count)") }
      people.realm.refresh()
      try people.write { _ in people[1].name = "n" }
      #expect(value.values.count == 2)
      log.wait(for: 2)
      #expect(log.all == ["initial 2", "-[] +[] ~[1] 2"])
      sink.cancel()
      queue.sync {}
    }
  }
}
