import Foundation
import TestSupport
import Testing

@testable import Firn

/// What callbacks and blocks do besides, and what of that is still to be told.
@Suite struct ReentrantDeliveryTests {
  /// A callback serves its run loop, where what another thread has committed is announced.
  @Test func anotherThreadCommitsWhileACallbackServesTheRunLoop() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let configuration = Unchecked(realm.configuration)
      let players = realm.objects(SectionPlayer.self)
      var counts: [Int] = []
      let token = players.observe { _ in
        counts.append(players.count)
        if counts.count != 2 { return }
        try! onOwnThread {
          let other = try Realm(configuration: configuration.value)
          try other.write { other.add(SectionPlayer(100, "x")) }
        }
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
      }
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "y")) }
      Self.turn { counts.count == 3 }
      #expect(counts == [1, 2, 3])
      token.invalidate()
    }
  }

  /// The scheduled delivery comes while observers take up what happened.
  @Test func theBlockServesTheRunLoop() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let action = Unchecked(Action())
      let sections = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["group", "id"]) { player in
        action.value.run()
        return player.group ?? ""
      }
      var calls = 0
      let token = sections.observe { _ in calls += 1 }
      realm.refresh()
      #expect(calls == 1)
      action.value.body = { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02)) }
      try realm.write { realm.add(SectionPlayer(9, "y", group: "b")) }
      let other = realm.objects(SectionPlayer.self).first!.observe { (_: ObjectChange<SectionPlayer>) in }
      action.value.body = {}
      Self.turn { calls == 2 }
      #expect(calls == 2)
      token.invalidate()
      other.invalidate()
    }
  }

  /// An asynchronous write begins in a run loop that a block for keys serves.
  @Test func anAsynchronousWriteBeginsInTheBlock() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let action = Unchecked(Action())
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(sortDescriptors: ["group", "id"]) { player in
        action.value.run()
        return player.group ?? ""
      }
      var hasWritten = false
      let writing = players.observe { change in
        guard case .update = change, !hasWritten else { return }
        hasWritten = true
        try! realm.write { realm.add(SectionPlayer(10, "z", group: "c")) }
      }
      let token = sections.observe { _ in }
      let followed = Followed(players)
      realm.refresh()
      nonisolated(unsafe) var isDone = false
      action.value.body = {
        action.value.body = {}
        realm.writeAsync {
          realm.delete(realm.objects(SectionPlayer.self).first!)
        } onComplete: { _ in
          isDone = true
        }
        let end = Date(timeIntervalSinceNow: 0.05)
        while Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
        #expect(!isDone)
      }
      // Only where the run loop runs may be asked for such writes.
      let running = Unchecked(realm)
      RunLoop.current.perform {
        try! running.value.write { running.value.add(SectionPlayer(9, "y", group: "b")) }
        running.value.refresh()
      }
      Self.turn { isDone && followed.ids == players.map(\.id) }
      #expect(isDone && hasWritten)
      #expect(followed.misfits == 0)
      #expect(followed.ids == players.map(\.id))
      for token in [token, writing, followed.token!] { token.invalidate() }
    }
  }

  /// The observer that is added in a transaction takes up what was committed; others are not told before its commit.
  @Test func aCallbackObservesInATransaction() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let players = realm.objects(SectionPlayer.self)
      var made: NotificationToken?
      let token = players.observe { change in
        guard case .update = change, made == nil else { return }
        try! realm.write { realm.add(SectionPlayer(10, "x")) }
        realm.beginWrite()
        made = players.first!.observe { (_: ObjectChange<SectionPlayer>) in }
        realm.delete(players.first!)
        try! realm.commitWrite()
      }
      let followed = Followed(players)
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "y")) }
      realm.refresh()
      Self.turn { followed.ids == players.map(\.id) }
      #expect(followed.misfits == 0)
      #expect(followed.ids == players.map(\.id))
      token.invalidate()
      made?.invalidate()
      followed.token?.invalidate()
    }
  }

  /// The gate of an observer opens in a transaction inside of a delivery.
  @Test func aCallbackOpensAGateInATransaction() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let players = realm.objects(SectionPlayer.self)
      let gate = DeliveryGate(isOpen: true)
      let followed = Followed(players, gate)
      var isOpened = false
      let token = players.observe { change in
        guard case .update = change, !isOpened else { return }
        isOpened = true
        try! realm.write {
          gate.open()
          followed.token?.resume()
          realm.delete(players.first!)
        }
      }
      realm.refresh()
      gate.close()
      try realm.write { realm.add(SectionPlayer(9, "y")) }
      realm.refresh()
      Self.turn { followed.ids == players.map(\.id) }
      #expect(isOpened)
      #expect(followed.misfits == 0)
      #expect(followed.ids == players.map(\.id))
      token.invalidate()
      followed.token?.invalidate()
    }
  }

  /// The same for a realm that does not follow by itself.
  @Test func anotherThreadCommitsWhileACallbackIsToldOfStaleness() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      realm.autorefresh = false
      let configuration = Unchecked(realm.configuration)
      func commitElsewhere(_ id: Int) {
        try! onOwnThread {
          let other = try Realm(configuration: configuration.value)
          try other.write { other.add(SectionPlayer(id, "x")) }
        }
      }
      var told = 0
      let token = realm.observe { notification, _ in
        guard notification == .refreshRequired else { return }
        told += 1
        if told > 1 { return }
        commitElsewhere(101)
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
      }
      commitElsewhere(100)
      Self.turn { told == 2 }
      #expect(told == 2)
      token.invalidate()
    }
  }

  /// The writer of a callback shows what another realm has committed, and is cancelled.
  @Test func aCallbackCancelsAWriteThatFollowsACommit() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let configuration = Unchecked(realm.configuration)
      let players = realm.objects(SectionPlayer.self)
      var told = 0
      let observing = realm.observe { notification, _ in if notification == .didChange { told += 1 } }
      let followed = Followed(players)
      var isDone = false
      let token = players.observe { change in
        guard case .update = change, !isDone else { return }
        isDone = true
        try! onOwnThread {
          let other = try Realm(configuration: configuration.value)
          try other.write { other.add(SectionPlayer(100, "x")) }
        }
        realm.beginWrite()
        realm.cancelWrite()
      }
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "y")) }
      realm.refresh()
      Self.turn { told == 2 }
      #expect(told == 2)
      #expect(followed.misfits == 0 && followed.ids == players.map(\.id))
      for token in [token, observing, followed.token!] { token.invalidate() }
    }
  }

  /// Sections that a callback observes are not told before they are followed.
  @Test func aCallbackOpensTheGateOfSectionsThatItObserves() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al"])
      let players = realm.objects(SectionPlayer.self)
      let sections = players.sectioned(sortDescriptors: ["group", "id"]) { $0.group ?? "" }
      var ids: [[Int]] = []
      var made: NotificationToken?
      let token = players.observe { change in
        guard case .update = change, made == nil else { return }
        let gate = DeliveryGate(isOpen: true)
        made = sections._observedSections.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) { change in
          switch change {
          case .initial(let now): ids = now.map { $0.map(\.id) }
          case .update(let now, _, let insertions, _, let inserted, _):
            for section in inserted { ids.insert([], at: section) }
            for path in insertions.sorted() { ids[path.section].insert(now[path].id, at: path.item) }
          }
        }
        made?.resume()
      }
      let writing = players.observe { change in
        guard case .update = change, players.count == 3 else { return }
        try! realm.write { realm.add(SectionPlayer(10, "x", group: "c")) }
      }
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "y", group: "b")) }
      realm.refresh()
      Self.turn { ids == sections.map { $0.map(\.id) } }
      #expect(ids == sections.map { $0.map(\.id) })
      for token in [token, writing, made!] { token.invalidate() }
    }
  }

  private static func turn(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 0.5)
    while !isDone(), Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  }
}

private final class Action {
  var body: () -> Void = {}
  private var isRunning = false

  func run() {
    if isRunning { return }
    isRunning = true
    body()
    isRunning = false
  }
}

/// Follows results by their changes, and counts those after which it has something else than they have.
private final class Followed {
  private(set) var ids: [Int] = []
  private(set) var misfits = 0
  private(set) var calls = 0
  private(set) var token: NotificationToken?

  init(_ players: Results<SectionPlayer>, _ gate: DeliveryGate? = nil) {
    token = players._observed.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) { [unowned self] in
      take($0)
    }
  }

  private func take(_ change: RealmCollectionChange<Results<SectionPlayer>>) {
    calls += 1
    switch change {
    case .initial(let players): ids = players.map(\.id)
    case .update(let players, let deletions, let insertions, _):
      for position in deletions.reversed() where position < ids.count { ids.remove(at: position) }
      for position in insertions where position <= ids.count && position < players.count {
        ids.insert(players[position].id, at: position)
      }
      if ids != players.map(\.id) { misfits += 1 }
    case .error: misfits += 1
    }
  }
}
