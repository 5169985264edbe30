import FirnCombine
import TestSupport
import Testing

@testable import Firn

@Suite struct ChangesetPublisherTests {
  @Test func collectionsSendInitialAndThenExactChanges() throws {
    try onOwnThread {
      let people = try People(3)
      let all = people.all.changesetPublisher.recorded()
      let list = people[0].friends.changesetPublisher.recorded()
      let set = people[0].tags.changesetPublisher.recorded()
      let any = changesetPublisher(AnyRealmCollection(people[0].friends)).recorded()
      let back = people[1].befriendedBy.changesetPublisher.recorded()
      people.realm.refresh()
      try people.write { _ in
        people[0].friends.append(people[1])
        people[0].tags.insert("t")
      }
      try people.write { $0.delete(people[2]) }
      #expect(all.values.map(\.text) == ["initial", "-[] +[] ~[0]", "-[2] +[] ~[]"])
      #expect(list.values.map(\.text) == ["initial", "-[] +[0] ~[]"])
      #expect(set.values.map(\.text) == ["initial", "-[] +[0] ~[]"])
      #expect(any.values.map(\.text) == ["initial", "-[] +[0] ~[]"])
      #expect(back.values.map(\.text) == ["initial", "-[] +[0] ~[]"])
      // The publisher of a collection goes on for ever.
      try people.write { $0.delete(people[0]) }
      #expect(list.values.last?.text == "-[0] +[] ~[]" && list.completions.isEmpty)
    }
  }

  @Test func mapsSendKeys() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people[0].scores.changesetPublisher.recorded()
      people.realm.refresh()
      try people.write { _ in people[0].scores["a"] = 1 }
      try people.write { _ in people[0].scores["a"] = 2 }
      try people.write { _ in people[0].scores["a"] = nil }
      #expect(recorder.values.map(\.text) == ["initial", "-[] +[\"a\"] ~[]", "-[] +[] ~[\"a\"]", "-[\"a\"] +[] ~[]"])
    }
  }

  @Test func objectsSendTheirProperties() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = changesetPublisher(people[0]).recorded()
      let named = changesetPublisher(people[0], keyPaths: ["name"]).recorded()
      people.realm.refresh()
      #expect(recorder.values.isEmpty)
      try people.write { _ in people[0].age = 4 }
      guard case .change(let person, let changes)? = recorder.values.first else {
        Issue.record("no change")
        return
      }
      #expect(person.id == 0 && changes.map(\.name) == ["age"])
      #expect(changes[0].oldValue as? Int == 0 && changes[0].newValue as? Int == 4)
      #expect(named.values.isEmpty)
      try people.write { $0.delete(people[0]) }
      #expect(recorder.values.count == 1 && recorder.completions == [.finished])
    }
  }

  @Test func keyPathsOfElements() throws {
    try onOwnThread {
      let people = try People(1)
      try people.write { _ in people[0].friends.append(people[0]) }
      let all = people.all.changesetPublisher(keyPaths: ["name"]).recorded()
      let list = people[0].friends.changesetPublisher(keyPaths: ["name"]).recorded()
      people.realm.refresh()
      try people.write { _ in people[0].age = 4 }
      #expect(all.values.count == 1 && list.values.count == 1)
      try people.write { _ in people[0].name = "n" }
      #expect(all.values.count == 2 && list.values.count == 2)
    }
  }

  @Test func subscribeOnAQueue() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "subscribed")
      let log = Log()
      var cancellables: Set<AnyCancellable> = []
      people.all.changesetPublisher.subscribe(on: queue).sink { change in
        dispatchPrecondition(condition: .onQueue(queue))
        log.add(change.text)
      }.store(in: &cancellables)
      log.wait(for: 1)
      people[0].scores.changesetPublisher.subscribe(on: queue.ocombine).sink { log.add("map \($0.text)") }
        .store(in: &cancellables)
      log.wait(for: 2)
      changesetPublisher(people[0]).subscribe(on: queue).sink { _ in log.add("object") }.store(in: &cancellables)
      queue.sync {}
      try people.write { _ in people[0].scores["a"] = 1 }
      log.wait(for: 5)
      #expect(Set(log.all) == ["initial", "map initial", "-[] +[] ~[0]", "map -[] +[\"a\"] ~[]", "object"])
    }
  }
}
