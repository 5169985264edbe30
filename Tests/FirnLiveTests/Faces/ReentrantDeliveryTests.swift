import Foundation
import TestSupport
import Testing

@testable import Firn

/// What callbacks and blocks do besides, and what of that is still to be told.
@Suite struct ReentrantDeliveryTests {
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
