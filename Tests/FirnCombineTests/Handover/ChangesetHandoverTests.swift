import FirnCombine
import TestSupport
import Testing

@testable import Firn

/// A change that is handed over comes with the collection in the version of the change, however far the realms of the other
/// place are.
@Suite struct ChangesetHandoverTests {
  private let queue = DispatchQueue(label: "target")

  /// What arrived: the change, the ids then, and whether they were live.
  private final class Arrived: @unchecked Sendable {
    // Touched on the queue only, or while it waits.
    var all: [String] = []
    var kept: Results<Person>?
  }

  @Test func positionsFitThoughTheQueueIsAhead() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let (arrived, configuration) = (Arrived(), Unchecked(people.configuration))
      let common = queue.sync { Unchecked(try? Realm(configuration: configuration.value, queue: queue)) }
      let sink = people.all.changesetPublisher.receive(on: queue).sink { change in
        guard let collection = change.collection else { return }
        arrived.all.append("\(change.text) \(Array(collection.map(\.id))) \(collection.isFrozen)")
      }
      queue.sync {
        people.realm.refresh()
        for id in 1..<4 {
          try? people.add(id..<(id + 1))
          // The queue's realm is at the newest version before anything arrives.
          common.value?.refresh()
        }
        try? people.write { $0.delete(people[0]) }
        common.value?.refresh()
        #expect(common.value?.objects(Person.self).map(\.id) == [1, 2, 3])
        #expect(arrived.all.isEmpty)
      }
      queue.sync {}
      #expect(
        arrived.all == [
          "initial [0] false", "-[] +[1] ~[] [0, 1] false", "-[] +[2] ~[] [0, 1, 2] false",
          "-[] +[3] ~[] [0, 1, 2, 3] false", "-[0] +[] ~[] [1, 2, 3] false",
        ])
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func objectsHaveTheNewValuesThoughTheQueueIsAhead() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let (arrived, configuration) = (Arrived(), Unchecked(people.configuration))
      let common = queue.sync { Unchecked(try? Realm(configuration: configuration.value, queue: queue)) }
      var cancellables: Set<AnyCancellable> = []
      func text(_ changes: [PropertyChange], _ age: Int?) -> String {
        changes.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }.joined() + " \(age ?? -1)"
      }
      changesetPublisher(people[0]).receive(on: queue).sink { change in
        if case .change(let person, let changes) = change { arrived.all.append(text(changes, person.age)) }
      }.store(in: &cancellables)
      changesetPublisher(people[0]).map { $0 }.threadSafeReference().receive(on: queue).sink { change in
        if case .change(let person, let changes) = change { arrived.all.append(text(changes, person.age)) }
      }.store(in: &cancellables)
      people.realm.refresh()
      queue.sync {
        for age in 1...3 {
          try? people.write { _ in people[0].age = age }
          people.realm.refresh()
          common.value?.refresh()
        }
        try? people.write { $0.delete(people[0]) }
        people.realm.refresh()
        common.value?.refresh()
        #expect(arrived.all.isEmpty && common.value?.isEmpty == true)
      }
      queue.sync {}
      let expected = ["age 0 1 1", "age 1 2 2", "age 2 3 3"]
      #expect(arrived.all.sorted() == (expected + expected).sorted())
      cancellables = []
      queue.sync {}
    }
  }

  @Test func whatIsKeptMovesWithTheChanges() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let arrived = Arrived()
      let sink = people.all.changesetPublisher.receive(on: queue).sink { change in
        if arrived.kept == nil { arrived.kept = change.collection }
        arrived.all.append("\(arrived.kept?.map(\.id) ?? [])")
        // All changes come with collections of one realm.
        #expect(change.collection?.realm == arrived.kept?.realm)
      }
      people.realm.refresh()
      try people.add(1..<2)
      queue.sync {}
      #expect(arrived.all == ["[0]", "[0, 1]"])
      queue.sync {
        // Until the next change arrives it stays where it is, and keeps a version only.
        try? people.add(2..<3)
        #expect(arrived.kept?.map(\.id) == [0, 1])
      }
      queue.sync {}
      #expect(arrived.all.last == "[0, 1, 2]")
      #expect(queue.sync { arrived.kept?.realm?.autorefresh } == false)
      #expect(people.store.openRealms.count == 2)
      queue.sync { arrived.kept = nil }
      #expect(people.store.openRealms.count == 1 && people.heldVersionCount == 1)
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func aSubscriberThatWritesGetsTheNextChangesAllTheSame() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let arrived = Arrived()
      let sink = people.all.changesetPublisher.receive(on: queue).sink { change in
        arrived.all.append("\(change.text) \(change.collection?.map(\.id) ?? [])")
        arrived.kept = change.collection
      }
      people.realm.refresh()
      queue.sync {
        // On its way when the subscriber writes, and so moves on.
        try? people.add(1..<2)
        guard let realm = arrived.kept?.realm else { return }
        do { try realm.write { _ = realm.create(Person.self, value: ["id": 2]) } } catch { Issue.record(error) }
        #expect(arrived.kept?.map(\.id) == [0, 1, 2])
      }
      queue.sync {}
      people.realm.refresh()
      queue.sync {}
      #expect(arrived.all == ["initial [0]", "-[] +[1] ~[] [0, 1]", "-[] +[2] ~[] [0, 1, 2]"])
      sink.cancel()
      queue.sync { arrived.kept = nil }
    }
  }

  /// What is observed in the subscriber's realm is told when that moves.
  @Test func observingWhatArrived() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let (arrived, tokens) = (Arrived(), TokenHolder())
      let told = Log()
      let kept = Unchecked(tokens)
      let sink = people.all.changesetPublisher.receive(on: queue).sink { change in
        if arrived.kept == nil {
          arrived.kept = change.collection
          kept.value.token = change.collection?.observe { told.add($0.text) }
        }
      }
      people.realm.refresh()
      told.wait(for: 1)
      try people.add(1..<2)
      told.wait(for: 2)
      #expect(told.all == ["initial", "-[] +[1] ~[]"])
      queue.sync {
        kept.value.token = nil
        arrived.kept = nil
      }
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func theLastChangeOfAListArrives() throws {
    try onOwnThread { [queue] in
      let people = try People(2)
      try people.write { _ in people[0].friends.append(people[1]) }
      let log = Log()
      let sink = people[0].friends.changesetPublisher.receive(on: queue).sink {
        log.add("\($0.text) \($0.collection?.isInvalidated == true)")
      }
      people.realm.refresh()
      try people.write { $0.delete(people[0]) }
      log.wait(for: 2)
      #expect(log.all == ["initial false", "-[0] +[] ~[] true"])
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func afterOtherOperators() throws {
    try onOwnThread { [queue] in
      let people = try People(1)
      let log = Log()
      var cancellables: Set<AnyCancellable> = []
      let changes = people.all.changesetPublisher.filter { $0.text != "" }
      changes.threadSafeReference().receive(on: queue).sink { log.add("live \($0.text) \($0.collection!.count)") }
        .store(in: &cancellables)
      changes.freeze().receive(on: queue).sink {
        log.add("frozen \($0.text) \($0.collection!.count) \($0.collection!.isFrozen)")
      }.store(in: &cancellables)
      let map = people[0].scores.changesetPublisher.filter { _ in true }
      map.threadSafeReference().receive(on: queue).sink { log.add("map \($0.text)") }.store(in: &cancellables)
      map.freeze().receive(on: queue).sink { log.add("frozen map \($0.text)") }.store(in: &cancellables)
      let object = changesetPublisher(people[0]).filter { _ in true }
      object.threadSafeReference().receive(on: queue).sink { _ in log.add("object") }.store(in: &cancellables)
      object.freeze().receive(on: queue).sink {
        if case .change(let person, _) = $0 { log.add("frozen object \(person.isFrozen)") }
      }.store(in: &cancellables)
      people.realm.refresh()
      log.wait(for: 4)
      try people.write { _ in people[0].scores["a"] = 1 }
      log.wait(for: 10)
      #expect(
        log.all.sorted() == [
          "frozen -[] +[] ~[0] 1 true", "frozen initial 1 true", "frozen map -[] +[\"a\"] ~[]", "frozen map initial",
          "frozen object true", "live -[] +[] ~[0] 1", "live initial 1", "map -[] +[\"a\"] ~[]", "map initial",
          "object",
        ])
      cancellables = []
      queue.sync {}
    }
  }
}
