import Dispatch
import Firn
import Foundation
import TestSupport
import Testing

/// Random transactions beside observers of live values and groups: what they are told comes to what adding up the
/// objects gives.
@Suite struct LiveValueHistoryTests {
  static let count = environmentNumber("FIRN_LIVE_HISTORIES") ?? 40

  @Test func whatIsToldIsWhatObjectsComeTo() throws {
    var seeds = SeededRandom.printed("Live value histories")
    for _ in 0..<Self.count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      try onOwnThread { try LiveValueHistory(seed).run() }
    }
  }
}

final class LiveValueHistory {
  private let seed: UInt64
  var random: SeededRandom
  let realm: Realm
  private let queue = DispatchQueue(label: "live values")
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [LiveCarrier.self, LiveFlight.self])
  var watchers: [LiveWatcher] = []
  var log: [String] = []

  init(_ seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed)
    realm = try Realm(configuration: configuration)
    try realm.write {
      for code in 0..<4 { realm.create(LiveCarrier.self, value: ["code": "c\(code)", "fee": Double(code) / 8]) }
      for _ in 0..<random.below(30) { change(realm) }
    }
  }

  func run() throws {
    for _ in 0..<3 { watch() }
    realm.refresh()
    try check("start")
    for _ in 0..<12 {
      try step()
      // What callbacks wrote is told as well.
      while realm.refresh() {}
      try check("after")
    }
    for watcher in watchers { watcher.token?.invalidate() }
  }

  private func check(_ moment: String) throws {
    for watcher in watchers {
      let comment = "seed \(seed), \(moment): \(watcher.name), \(log.suffix(20))"
      let mistake = watcher.mistake()
      if mistake != nil { print(comment) }
      try #require(mistake == nil, "\(comment)")
    }
  }

  private func step() throws {
    let kind = random.below(9)
    log.append("step \(kind)")
    switch kind {
    case 0: watch()
    case 1 where watchers.count > 2: watchers.remove(at: random.below(watchers.count)).token?.invalidate()
    case 2:
      let watcher = watchers[random.below(watchers.count)]
      guard watcher.isStarted, let token = watcher.token else { break }
      try realm.write(withoutNotifying: [token]) { changeSome(realm, 4) }
      watcher.readAnew()
    case 3:
      // Reads in between, which are not observed yet.
      try realm.write {
        for _ in 0..<3 {
          changeSome(realm, 2)
          for watcher in watchers { try #require(watcher.read() == watcher.naive(), "seed \(seed): \(watcher.name)") }
        }
      }
    case 4: for _ in 0..<1 + random.below(4) { try writeElsewhere() }
    case 5:
      // An observer that writes.
      var rest = 2
      let token = realm.objects(LiveFlight.self).liveValue { $0.sum(of: \.delay) }.observe { [self] _ in
        if rest == 0 { return }
        rest -= 1
        try? realm.write { changeSome(realm, 3) }
      }
      try writeElsewhere()
      while realm.refresh() {}
      token.invalidate()
    case 6:
      realm.beginWrite()
      changeSome(realm, 5)
      realm.cancelWrite()
    case 7: try realm.write { for flight in realm.objects(LiveFlight.self) { fill(flight, realm) } }
    default: try realm.write { changeSome(realm, 3) }
    }
  }

  private func writeElsewhere() throws {
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.refresh()
      try realm.write { changeSome(realm, 4) }
    }
  }

  // MARK: Changing

  private func changeSome(_ realm: Realm, _ most: Int) { for _ in 0..<1 + random.below(most) { change(realm) } }

  private func change(_ realm: Realm) {
    let flights = realm.objects(LiveFlight.self)
    let carriers = realm.objects(LiveCarrier.self)
    let id = random.below(16)
    guard let carrier = carriers.isEmpty ? nil : carriers[random.below(carriers.count)] else {
      realm.create(LiveCarrier.self, value: ["code": "c0"])
      return
    }
    let flight = realm.object(ofType: LiveFlight.self, forPrimaryKey: id)
    let kind = random.below(14)
    log.append("\(kind) \(id) \(carrier.code)")
    switch kind {
    case 0, 1:
      guard let flight else { break }
      realm.delete(flight)
      // Another in its place.
      if random.chance(50) { fill(realm.addFlight(id), realm) }
    case 2: carrier.fee = Double(random.below(40)) / 8
    case 3: carrier.alliance = ["Star", "Sky", nil][random.below(3)]
    case 4: carrier.partner = random.chance(25) ? nil : carriers[random.below(carriers.count)]
    case 5 where random.chance(20):
      let code = carrier.code
      realm.delete(carrier)
      if random.chance(70) { realm.create(LiveCarrier.self, value: ["code": code, "fee": 1.5]) }
    case 6, 7:
      guard let flight else { break }
      let fleet = carrier.fleet
      if random.chance(60) { fleet.insert(flight, at: random.below(fleet.count + 1)) }
      if fleet.count > 1 { fleet.move(from: random.below(fleet.count), to: random.below(fleet.count)) }
      if fleet.count > 3 { fleet.remove(at: random.below(fleet.count)) }
    case 8:
      guard let flight else { break }
      if carrier.favourites.contains(flight) {
        carrier.favourites.remove(flight)
      } else {
        carrier.favourites.insert(flight)
      }
    case 9: if random.chance(10) { realm.delete(flights) }
    default: fill(flight ?? realm.addFlight(id), realm)
    }
  }

  /// Numbers of which the sums are exact, and those that have none.
  private func fill(_ flight: LiveFlight, _ realm: Realm) {
    let carriers = realm.objects(LiveCarrier.self)
    for _ in 0..<1 + random.below(3) {
      switch random.below(8) {
      case 0: flight.gate = ["", "A", "AB", "longer than seven", "longer than eight"][random.below(5)]
      case 1: flight.delay = random.chance(20) ? nil : random.below(9) - 4
      case 2: flight.fare = [.nan, .infinity, -.infinity, -0.0][random.below(4)]
      case 3: flight.fare = Double(random.below(64)) / 8 - 4
      case 4: flight.weight = random.chance(10) ? .nan : Float(random.below(64)) / 8 - 4
      case 5:
        let number = random.below(5)
        let notes: [AnyRealmValue] = [
          .none, .int(number), .double(Double(number)), .string("\(number)"), .double(.nan),
        ]
        flight.note = notes[random.below(5)]
      case 6: flight.price = Decimal128(value: random.below(9))
      default:
        flight.carrier = random.chance(20) || carriers.isEmpty ? nil : carriers[random.below(carriers.count)]
      }
    }
  }
}
