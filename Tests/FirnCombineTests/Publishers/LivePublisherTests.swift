import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Live values and groups are published like collections.
@Suite struct LivePublisherTests {
  private func byAge(_ people: People) -> LiveGroups<Int, Int> { people.all.grouped(by: \.age) { $0.sum(of: \.id) } }

  private func text(_ groups: LiveGroups<Int, Int>) -> String {
    groups.map { "\($0.key):\($0.count):\($0.values)" }.joined(separator: " ")
  }

  @Test func aValueIsSentAtFirstAndWheneverItIsAnotherOne() throws {
    try onOwnThread {
      let people = try People(2)
      let count = people.all.liveValue { $0.count }.valuePublisher.recorded()
      let both = people.all.liveValue { ($0.count, $0.max(of: \.age)) }.valuePublisher.recorded()
      people.realm.refresh()
      try people.write { _ in people[0].name = "other" }
      try people.write { _ in people[0].age = 5 }
      try people.add(2..<3)
      #expect(count.values == [2, 3] && count.completions.isEmpty)
      #expect(both.values.map { "\($0.0) \($0.1 ?? -1)" } == ["2 1", "2 5", "3 5"])
    }
  }

  @Test func groupsSendThemselvesAndTheirChanges() throws {
    try onOwnThread {
      let people = try People(2)
      let values = byAge(people).collectionPublisher.recorded()
      let changes = byAge(people).changesetPublisher.recorded()
      people.realm.refresh()
      try people.add(2..<3)
      try people.write { $0.delete(people[0]) }
      try people.write { $0.create(Person.self, value: ["id": 9, "age": 1]) }
      #expect(changes.values.map(\.text) == ["initial", "-[] +[2] ~[]", "-[0] +[] ~[]", "-[] +[] ~[0]"])
      #expect(values.values.count == 4 && text(values.values[3]) == "1:2:10 2:1:2")
      #expect(people.viewCount == 1)
    }
  }

  @Test func whatWaitsIsMerged() throws {
    try onOwnThread {
      let people = try People(1)
      let count = people.all.liveValue { $0.count }.valuePublisher.recorded(.max(1))
      let changes = byAge(people).changesetPublisher.recorded(.none)
      people.realm.refresh()
      #expect(count.values == [1] && changes.values.isEmpty)
      changes.request(.max(1))
      people.realm.refresh()
      try people.add(1..<2)
      try people.add(2..<3)
      try people.write { $0.delete(people[1]) }
      #expect(count.values == [1] && changes.values.map(\.text) == ["initial"])
      count.request(.max(1))
      changes.request(.max(1))
      people.realm.refresh()
      #expect(count.values == [1, 2] && changes.values.map(\.text) == ["initial", "-[] +[1] ~[]"])
      // It is as it was: nothing is sent, and nothing of the demand is used.
      try people.realm.write { people.realm.create(Person.self, value: ["id": 7, "age": 7]) }
      try people.realm.write { people.realm.delete(people[7]) }
      people.realm.refresh()
      count.request(.max(1))
      people.realm.refresh()
      #expect(count.values == [1, 2])
      try people.add(8..<9)
      #expect(count.values == [1, 2, 3])
    }
  }

  @Test func theyGoToOtherQueues() throws {
    try onOwnThread {
      let people = try People(2)
      let (queue, log, holder) = (DispatchQueue(label: "target"), Log(), TokenHolder())
      var cancellables: Set<AnyCancellable> = []
      let count = people.all.liveValue { $0.count }
      count.valuePublisher.subscribe(on: queue).sink {
        dispatchPrecondition(condition: .onQueue(queue))
        log.add("subscribed \($0)")
      }.store(in: &cancellables)
      count.valuePublisher.receive(on: queue).sink { log.add("received \($0)") }.store(in: &cancellables)
      let groups = byAge(people)
      func follow<P: Publisher>(_ name: String, _ publisher: P)
      where P.Output == RealmCollectionChange<LiveGroups<Int, Int>>, P.Failure == Never {
        publisher.sink { change in
          dispatchPrecondition(condition: .onQueue(queue))
          guard let groups = change.collection else { return }
          log.add("\(name) \(change.text) \(groups.map(\.count)) \(groups.isFrozen)")
        }.store(in: &cancellables)
      }
      follow("change", groups.changesetPublisher.receive(on: queue))
      follow("token", groups.changesetPublisher.saveToken(on: holder, at: \.token).receive(on: queue))
      follow("queue", groups.changesetPublisher.subscribe(on: queue))
      follow("frozen", groups.changesetPublisher.filter { _ in true }.freeze().receive(on: queue, options: nil))
      groups.collectionPublisher.receive(on: queue).sink { log.add("groups \($0.map(\.count)) \($0.isFrozen)") }
        .store(in: &cancellables)
      groups.collectionPublisher.saveToken(on: holder, at: \.token).receive(on: queue)
        .sink { log.add("groups with token \($0.thaw()?.count ?? -1)") }.store(in: &cancellables)
      people.realm.refresh()
      log.wait(for: 8)
      #expect(
        log.all.sorted() == [
          "change initial [1, 1] true", "frozen initial [1, 1] true", "groups [1, 1] true", "groups with token 2",
          "queue initial [1, 1] false", "received 2", "subscribed 2", "token initial [1, 1] true",
        ])
      // Two commits wait behind this block; each comes with the groups of its own version.
      queue.sync {
        for _ in 0..<2 { people.realm.refresh() }
      }
      let blocked = DispatchSemaphore(value: 0)
      queue.async { blocked.wait() }
      try people.write { $0.create(Person.self, value: ["id": 7, "age": 1]) }
      try people.write { $0.create(Person.self, value: ["id": 8, "age": 1]) }
      blocked.signal()
      queue.sync {}
      #expect(
        log.all.filter { $0.hasPrefix("change -") } == [
          "change -[] +[] ~[1] [1, 2] true", "change -[] +[] ~[1] [1, 3] true",
        ])
      cancellables = []
      queue.sync {}
      #expect(people.observerCount == 0 && people.viewCount == 0)
    }
  }

  @Test func tokensAreSaved() throws {
    try onOwnThread {
      let people = try People(1)
      let (a, b) = (TokenHolder(), TokenHolder())
      let count = people.all.liveValue { $0.count }.valuePublisher.saveToken(on: a, at: \.token).recorded()
      let groups = byAge(people).changesetPublisher.saveToken(on: b, at: \.token).recorded()
      people.realm.refresh()
      try people.realm.write(withoutNotifying: [a.token, b.token].compactMap { $0 }) {
        people.realm.create(Person.self, value: ["id": 4, "age": 4])
      }
      people.realm.refresh()
      #expect(count.values == [1] && groups.values.count == 1)
    }
  }

  @Test func cancellingLeavesNothing() throws {
    try onOwnThread {
      let people = try People(1)
      let count = people.all.liveValue { $0.count }.valuePublisher.recorded()
      let groups = byAge(people).changesetPublisher.recorded()
      count.cancel()
      groups.cancel()
      people.realm.refresh()
      #expect(count.values.isEmpty && groups.values.isEmpty)
      #expect(people.observerCount == 0 && people.viewCount == 0 && people.heldVersionCount == 1)
    }
  }

  @Test func theListIsDeletedWithItsOwner() throws {
    try onOwnThread {
      let people = try People(2)
      try people.write { _ in people[0].friends.append(people[1]) }
      let (queue, log) = (DispatchQueue(label: "target"), Log())
      let friends = people[0].friends
      let count = friends.liveValue { $0.count }.valuePublisher.recorded()
      let sink = friends.grouped(by: \.age).changesetPublisher.receive(on: queue)
        .sink { log.add("\($0.text) \($0.collection?.count ?? -1)") }
      people.realm.refresh()
      try people.write { $0.delete(people[0]) }
      log.wait(for: 2)
      #expect(count.values == [1, 0] && log.all == ["initial 1", "-[0] +[] ~[] 0"])
      sink.cancel()
      queue.sync {}
    }
  }

  @Test func frozenOnesAreRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let people = try People(1)
      _ = people.all.liveValue { $0.count }.freeze().valuePublisher.sink { _ in }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("Frozen Realms do not change"))
  }
}
