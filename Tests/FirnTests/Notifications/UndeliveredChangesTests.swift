import Foundation
import Testing

@testable import Firn

/// What observers are told of changes that were not delivered one by one.
@Suite struct UndeliveredChangesTests {
  /// A commit that was skipped hides nothing of an earlier one that had not been told yet.
  @Test func aSkippedCommitKeepsWhatWasBefore() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      try undelivered.whileNobodyIsTold {
        try realm.write {
          subject.number = 1
          subject.friends.append(undelivered.add(10))
          subject.scores["a"] = 1
        }
        try undelivered.writeInSilence {
          subject.number = 2
          subject.friends.append(undelivered.add(11))
          subject.scores["b"] = 1
        }
        #expect(undelivered.object.isEmpty && undelivered.table.isEmpty)
      }
      undelivered.deliver()
      // The new value is read at the call.
      #expect(undelivered.object == ["number: 0 → 2, friends: - → -, scores: - → -"])
      #expect(undelivered.list == ["-[] +[0] ~[]"])
      #expect(undelivered.map == ["- +a ~"])
      #expect(undelivered.table == ["-[] +[4] ~[0]"])
    }
  }

  /// Several changes, taken in one after the other and delivered together, are one exact change.
  @Test func changesAddUp() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      try undelivered.whileNobodyIsTold {
        func change(_ number: Int) {
          subject.number = number
          if number == 2 { subject.text = "text" }
          subject.friends.insert(undelivered.add(10 + number), at: 0)
          subject.scores["key \(number)"] = number
        }
        try realm.write { change(1) }
        try undelivered.writeAndFold { change(2) }
        #expect(undelivered.object.isEmpty && undelivered.list.isEmpty && undelivered.map.isEmpty)
      }
      undelivered.deliver()
      #expect(undelivered.object == ["number: 0 → 2, text: - → text, friends: - → -, scores: - → -"])
      #expect(undelivered.list == ["-[] +[0, 1] ~[]"])
      #expect(undelivered.map == ["- +key 1key 2 ~"])
      #expect(undelivered.table == ["-[] +[4, 5] ~[0]"])
    }
  }

  /// What came and went in between is no change, and nobody is called for it.
  @Test func changesThatCancelOut() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      try undelivered.writeInSilence { subject.scores["kept"] = 0 }
      try undelivered.whileNobodyIsTold {
        try realm.write {
          let new = undelivered.add(10)
          new.number = 3
          subject.scores["passing"] = 1
        }
        try undelivered.writeAndFold {
          realm.delete(realm.objects(Noted.self).where { $0.id == 10 })
          subject.scores.removeObject(for: "passing")
        }
      }
      undelivered.deliver()
      #expect(undelivered.object == ["scores: - → -"])
      #expect(undelivered.map == [])
      #expect(undelivered.table == ["-[] +[] ~[0]"])
      undelivered.forget()

      // The row itself is not touched.
      try undelivered.whileNobodyIsTold {
        try realm.write { undelivered.add(11) }
        try undelivered.writeAndFold { realm.delete(realm.objects(Noted.self).where { $0.id == 11 }) }
      }
      undelivered.deliver()
      #expect(undelivered.table == [])

      try undelivered.whileNobodyIsTold {
        try realm.write { subject.scores["kept"] = nil }
        try undelivered.writeAndFold { subject.scores["kept"] = 7 }
      }
      undelivered.deliver()
      #expect(undelivered.map == ["-kept +kept ~"])
    }
  }

  /// Who ends in a call gets no further one, though more is due.
  @Test func endingInACall() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      undelivered.endsInCall = true
      func change(_ number: Int) {
        subject.number = number
        subject.friends.append(undelivered.add(10 + number))
        subject.scores["\(number)"] = number
      }
      try undelivered.whileNobodyIsTold {
        try realm.write { change(0) }
        try undelivered.writeInSilence { change(1) }
      }
      // What is committed elsewhere is due beside what the skipped commit set apart.
      let configuration = Unchecked(realm.configuration)
      try onOwnThread {
        let other = try Realm(configuration: configuration.value)
        try other.write {
          let subject = other.object(ofType: Noted.self, forPrimaryKey: 0)
          subject?.number = 9
          subject?.friends.removeAll()
          subject?.scores["elsewhere"] = 1
          other.create(Noted.self, value: ["id": 50])
        }
      }
      undelivered.deliver()
      #expect(undelivered.object.count == 1)
      #expect(undelivered.list == ["-[] +[0] ~[]"])
      #expect(undelivered.map == ["- +0 ~"])
      #expect(undelivered.table == ["-[] +[4] ~[0]"])
    }
  }

  /// The same, when nobody ends.
  @Test func everySkippedCommitDividesTheCalls() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      try undelivered.whileNobodyIsTold {
        for number in 0..<3 {
          try realm.write { subject.scores["\(number)"] = number }
          try undelivered.writeInSilence { subject.scores["silent \(number)"] = number }
        }
        try realm.write { subject.friends.append(subject) }
      }
      undelivered.deliver()
      #expect(undelivered.map == ["- +0 ~", "- +1 ~", "- +2 ~"])
      #expect(undelivered.list == ["-[] +[0] ~[]"])
      #expect(undelivered.object.count == 4)
    }
  }

  /// An object that goes in a skipped commit: what was due before is told, its end is not.
  @Test func deletionInASkippedCommit() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let (realm, subject) = (undelivered.realm, try undelivered.subject())
      try undelivered.whileNobodyIsTold {
        try realm.write { subject.number = 5 }
        try undelivered.writeInSilence { realm.delete(subject) }
        try realm.write { undelivered.add(20) }
      }
      undelivered.deliver()
      #expect(undelivered.object == ["number: 0 → 5"])
      #expect(undelivered.list.isEmpty && undelivered.map.isEmpty)
      #expect(undelivered.table == ["-[] +[] ~[0]", "-[] +[3] ~[]"])
      undelivered.forget()
      try realm.write { undelivered.add(0) }
      undelivered.deliver()
      #expect(undelivered.object.isEmpty)
    }
  }

  /// An object that was deleted in a transaction that was cancelled lives on, and so does what its observer is told.
  @Test func changesAfterACancelledDeletion() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      let item = realm.objects(WatchedItem.self)[1]
      var heard: [String] = []
      let token = item.observe { (change: ObjectChange<WatchedItem>) in
        guard case .change(let item, let changes) = change else { return heard.append("deleted") }
        heard.append("\(item.isInvalidated) \(changes.map { "\($0.oldValue ?? "-") → \($0.newValue ?? "-")" })")
      }
      realm.beginWrite()
      realm.delete(item)
      realm.cancelWrite()
      #expect(item.isInvalidated)
      for number in [5, 6] {
        try realm.write { realm.objects(WatchedItem.self)[1].number = number }
        realm.refresh()
      }
      try realm.write { realm.delete(realm.objects(WatchedItem.self)[1]) }
      realm.refresh()
      #expect(heard == ["false [\"1 → 5\"]", "false [\"5 → 6\"]", "deleted"])
      token.invalidate()
    }
  }

  /// A first call that became due inside of a transaction comes after its cancellation.
  @Test func whatWasDueInACancelledTransaction() throws {
    try onOwnThread {
      let realm = try Watched.realm(3)
      var calls = 0
      realm.beginWrite()
      let token = realm.objects(WatchedItem.self).observe { _ in calls += 1 }
      Watched.runLoop()
      #expect(calls == 0)
      realm.cancelWrite()
      Watched.runLoop(until: { calls > 0 })
      #expect(calls == 1)
      token.invalidate()
    }
  }

  /// A callback sees the version of its change, whatever is committed elsewhere and wherever it asks.
  @Test func noRefreshInsideOfACallback() throws {
    try onOwnThread {
      let configuration = Watched.configuration()
      let realm = try Watched.realm(2, configuration)
      var counts: [Int] = []
      let token = realm.objects(WatchedItem.self).observe { change in
        guard case .initial(let items) = change else { return }
        try? onOwnThread {
          let other = try Realm(configuration: configuration)
          try other.write { other.add(Watched.item(8)) }
        }
        counts.append(items.count)
        #expect(!realm.refresh())
        counts.append(items.count)
      }
      realm.refresh()
      #expect(counts == [2, 2])
      #expect(realm.refresh())
      #expect(realm.objects(WatchedItem.self).count == 3)
      token.invalidate()
    }
  }

  /// What is changed between registering an observer for a queue and its start there.
  @Test func changesBeforeAnObserverStarts() async throws {
    let configuration = Watched.configuration()
    let store = try await Store.open(configuration)
    let queue = DispatchQueue(label: "observer")
    let (names, heard) = AsyncStream<String>.makeStream()
    queue.suspend()
    let token = try onOwnThread {
      let realm = try Watched.realm(2, configuration)
      let item = realm.objects(WatchedItem.self)[0]
      let token = item.observe(on: queue) { (change: ObjectChange<WatchedItem>) in
        if case .change(let item, let changes) = change {
          heard.yield("\(changes.map { "\($0.name) \($0.oldValue ?? "-")" }), now \(item.score)")
        }
      }
      try realm.write { item.score = 2 }
      try realm.write { item.score = 3 }
      return token
    }
    queue.resume()
    queue.async { queue.async { queue.async { heard.finish() } } }
    var all: [String] = []
    for await name in names { all.append(name) }
    #expect(all == ["[\"score 0.0\"], now 3.0"])
    token.invalidate()
    withExtendedLifetime(store) {}
  }

  /// A key path through backlinks: a row counts as modified when others link to it than before.
  @Test func keyPathsOfBacklinks() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let realm = undelivered.realm
      let rows = realm.objects(Noted.self)
      var heard: [String] = []
      let tokens = [["followers"], ["followers.number"]].map { paths in
        rows.observe(keyPaths: paths) { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            heard.append("\(paths[0]): -\(deletions) +\(insertions) ~\(modifications)")
          }
        }
      }
      realm.refresh()
      func expectHeard(_ expected: [String], _ body: () throws -> Void) throws {
        try realm.write(body)
        realm.refresh()
        #expect(heard.sorted() == expected)
        heard = []
      }
      try expectHeard(["followers.number: -[] +[] ~[1]", "followers: -[] +[] ~[1]"]) { rows[2].friends.append(rows[1]) }
      try expectHeard(["followers.number: -[] +[] ~[1]"]) { rows[2].number = 5 }
      try expectHeard([]) { rows[1].number = 5 }
      try expectHeard(["followers.number: -[] +[] ~[1, 3]", "followers: -[] +[] ~[1, 3]"]) {
        rows[2].friends[0] = rows[3]
      }
      for token in tokens { token.invalidate() }
    }
  }
}
