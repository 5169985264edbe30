import FirnCombine
import TestSupport
import Testing

@testable import Firn

/// Nothing comes that was not demanded, and what waits is merged.
@Suite struct DemandTests {
  @Test func changesThatWaitAreMerged() throws {
    try onOwnThread {
      let people = try People(2)
      let recorder = people.all.changesetPublisher.recorded(.none)
      people.realm.refresh()
      try people.add(2..<3)
      #expect(recorder.values.isEmpty)
      // The first value is the collection as it is by then: nothing of what happened before is told again.
      recorder.request(.max(1))
      people.realm.refresh()
      #expect(recorder.values.map(\.text) == ["initial"])
      #expect(recorder.values[0].collection?.count == 3)
      try people.add(3..<4)
      try people.write { _ in people[0].age = 4 }
      try people.write { $0.delete(people[1]) }
      try people.add(4..<5)
      try people.write { $0.delete(people[4]) }
      #expect(recorder.values.count == 1)
      recorder.request(.max(2))
      people.realm.refresh()
      #expect(recorder.values.map(\.text) == ["initial", "-[1] +[2] ~[0]"])
      // One is left of the demand.
      try people.add(5..<6)
      try people.add(6..<7)
      #expect(recorder.values.map(\.text) == ["initial", "-[1] +[2] ~[0]", "-[] +[3] ~[]"])
      recorder.request(.unlimited)
      people.realm.refresh()
      #expect(recorder.values.last?.text == "-[] +[4] ~[]")
    }
  }

  @Test func whatIsDemandedWithAValueCounts() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.changesetPublisher.recorded(.max(1))
      recorder.more = .max(1)
      people.realm.refresh()
      for id in 1..<4 { try people.add(id..<(id + 1)) }
      #expect(recorder.values.count == 4)
      recorder.more = .none
      try people.add(4..<5)
      try people.add(5..<6)
      #expect(recorder.values.count == 5)
    }
  }

  @Test func mapsListsAndObjectsWaitToo() throws {
    try onOwnThread {
      let people = try People(2)
      let map = people[0].scores.changesetPublisher.recorded(.max(1))
      let list = people[0].friends.changesetPublisher.recorded(.max(1))
      let object = changesetPublisher(people[0]).recorded(.none)
      let value = valuePublisher(people[0]).recorded(.max(1))
      let void = people[0].objectWillChange.recorded(.none)
      let realm = people.realm.objectWillChange.recorded(.none)
      people.realm.refresh()
      for number in 1...3 {
        try people.write { _ in
          people[0].scores["k\(number % 2)"] = number
          people[0].friends.append(people[1])
          people[0].age = 10 + number
        }
      }
      #expect(map.values.count == 1 && list.values.count == 1 && object.values.isEmpty && value.values.count == 1)
      #expect(void.values.isEmpty && realm.values.isEmpty)
      map.request(.max(1))
      list.request(.max(1))
      object.request(.max(1))
      value.request(.max(1))
      void.request(.max(1))
      realm.request(.max(1))
      people.realm.refresh()
      Self.runLoop(until: { realm.values.count == 1 })
      #expect(map.values.last?.text == "-[] +[\"k0\", \"k1\"] ~[]")
      #expect(list.values.last?.text == "-[] +[0, 1, 2] ~[]")
      guard case .change(_, let changes)? = object.values.first else {
        Issue.record("no change")
        return
      }
      #expect(changes.map(\.name) == ["age", "friends", "scores"])
      #expect(changes[0].oldValue as? Int == 0 && changes[0].newValue as? Int == 13)
      #expect(value.values.count == 2 && void.values.count == 1 && realm.values.count == 1)
      // A completion needs no demand.
      try people.write { $0.delete(people[0]) }
      #expect(object.completions == [.finished] && value.completions.count == 1 && void.completions == [.finished])
      #expect(void.values.count == 1)
    }
  }

  private static func runLoop(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 30)
    while !isDone(), Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005)) }
  }

  @Test func demandFromAnotherThreadWakesTheQueue() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "subscribed")
      let log = Log()
      let recorder = people.all.changesetPublisher.subscribe(on: queue).recorded(.none)
      recorder.onValue = { log.add($0.text) }
      queue.sync {}
      recorder.request(.max(1))
      log.wait(for: 1)
      try people.add(1..<2)
      try people.add(2..<3)
      recorder.request(.max(1))
      log.wait(for: 2)
      #expect(log.all[0] == "initial")
      recorder.cancel()
      queue.sync {}
    }
  }

  @Test func aSlowSubscriberElsewhereGetsMergedChanges() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "target")
      let log = Log()
      let recorder = people.all.changesetPublisher.receive(on: queue).recorded(.max(1))
      recorder.onValue = { log.add("\($0.text) of \($0.collection?.count ?? -1)") }
      people.realm.refresh()
      log.wait(for: 1)
      for id in 1..<4 { try people.add(id..<(id + 1)) }
      queue.sync {}
      #expect(log.all == ["initial of 1"])
      recorder.request(.max(1))
      people.realm.refresh()
      log.wait(for: 2)
      #expect(log.all == ["initial of 1", "-[] +[1, 2, 3] ~[] of 4"])
      recorder.cancel()
      queue.sync {}
    }
  }

  /// A commit that a token skips is neither told nor merged into what waits.
  @Test func aSkippedCommitStaysSkipped() throws {
    try onOwnThread {
      let people = try People(1)
      let holder = TokenHolder()
      let recorder = people.all.changesetPublisher.saveToken(on: holder, at: \.token).recorded(.max(1))
      people.realm.refresh()
      try people.add(1..<2)
      let token = try #require(holder.token)
      try people.realm.write(withoutNotifying: [token]) { people.realm.create(Person.self, value: ["id": 2]) }
      people.realm.refresh()
      try people.add(3..<4)
      #expect(recorder.values.count == 1)
      recorder.request(.max(1))
      people.realm.refresh()
      try people.add(4..<5)
      #expect(recorder.values.map(\.text) == ["initial", "-[] +[1] ~[]"])
      recorder.request(.unlimited)
      people.realm.refresh()
      #expect(recorder.values.last?.text == "-[] +[3, 4] ~[]")
    }
  }
}

final class TokenHolder {
  var token: NotificationToken?
}
