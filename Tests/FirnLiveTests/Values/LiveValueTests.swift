import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

@MainActor @Suite("Live values show what objects come to")
struct LiveValueTests {
  @Test func countingReadsNoRow() throws {
    let realm = try liveRealm()
    let flights = realm.objects(LiveFlight.self)
    let count = flights.liveValue { $0.count }
    let delayed = flights.where { $0.delay > 1 }.liveValue { $0.count }
    try realm.write {
      for id in 0..<20 {
        realm.addFlight(id, delay: id % 4)
        #expect(count.value == id + 1)
        #expect(delayed.value == (id + 1) / 4 * 2 + (id % 4 == 2 ? 1 : 0))
        #expect(count.core.read { $0.builtRowCount } == 0)
        #expect(delayed.core.read { $0.builtRowCount } == 0)
      }
    }
    #expect(count.value == 20 && delayed.value == 10)
    let sum = flights.liveValue { ($0.count, $0.sum(of: \.delay)) }
    #expect(sum.value == (20, 30))
    #expect(sum.core.read { $0.builtRowCount } == 20)
  }

  @Test func unobservedValuesFollowTheRealm() throws {
    let realm = try liveRealm()
    let flights = realm.objects(LiveFlight.self)
    let all = flights.liveValue {
      ($0.count, $0.sum(of: \.delay), $0.average(of: \.delay), $0.min(of: \.delay), $0.max(of: \.fare))
    }
    #expect(all.value == (0, 0, nil, nil, nil))
    try realm.write {
      realm.addFlight(1, delay: 10, fare: 1.5)
      #expect(all.value == (1, 10, 10, 10, 1.5))
      realm.addFlight(2, delay: nil, fare: .nan)
      realm.addFlight(3, delay: 5, fare: -1)
      #expect(all.value == (3, 15, 7.5, 5, 1.5))
    }
    #expect(all.value == (3, 15, 7.5, 5, 1.5))
    try realm.write { realm.delete(flights.where { $0.delay == 10 }) }
    #expect(all.value == (2, 5, 5, 5, -1))
  }

  @Test func kindsOfNumbers() throws {
    let realm = try liveRealm()
    let flights = realm.objects(LiveFlight.self)
    try realm.write {
      for index in 0..<10 {
        let flight = realm.addFlight(index, fare: 0.1)
        flight.weight = 0.1
        flight.price = try Decimal128(string: "0.10")
        flight.departs = Date(timeIntervalSinceReferenceDate: Double(index))
        flight.note = index % 2 == 0 ? .int(index) : .string("x")
      }
    }
    // Added one after the other, tenths come to 0.9999999999999999.
    let fares = flights.liveValue { ($0.sum(of: \.fare), $0.average(of: \.fare)) }
    #expect(fares.value == (1, 0.1))
    let weight = flights.liveValue { $0.sum(of: \.weight) }
    #expect(weight.value == Float(10 * Double(Float(0.1))))
    let prices = flights.liveValue { ($0.sum(of: \.price), $0.average(of: \.price), $0.max(of: \.price)) }
    let tenth = try Decimal128(string: "0.1")
    #expect(prices.value == (1, tenth, tenth))
    let last = flights.liveValue { $0.max(of: \.departs) }
    #expect(last.value == Date(timeIntervalSinceReferenceDate: 9))
    let notes = flights.liveValue { ($0.average(of: \.note), $0.min(of: \.note), $0.max(of: \.note)) }
    #expect(notes.value == (4, .int(0), .string("x")))
  }

  @Test func integersWrapAroundLikeSum() throws {
    let realm = try liveRealm()
    let flights = realm.objects(LiveFlight.self)
    try realm.write { for index in 0..<2 { realm.addFlight(index, delay: .max) } }
    let delays = flights.liveValue { ($0.sum(of: \.delay), $0.average(of: \.delay)) }
    let sum: Int? = flights.sum(of: \.delay)
    #expect(delays.value == (-2, 0x1p63))
    #expect(sum == -2)
  }

  @Test func infinitiesCountAndNaNDoesNot() throws {
    let realm = try liveRealm()
    let fares = realm.objects(LiveFlight.self).liveValue {
      ($0.count, $0.sum(of: \.fare), $0.average(of: \.fare), $0.max(of: \.fare))
    }
    var told: [(Int, Double, Double?, Double?)] = []
    let token = fares.observe { told.append($0) }
    realm.refresh()
    try realm.write { for (id, fare) in [1, .nan, .infinity].enumerated() { realm.addFlight(id, fare: fare) } }
    realm.refresh()
    try realm.write { realm.addFlight(9, fare: -.infinity) }
    realm.refresh()
    try realm.write { realm.delete(realm.objects(LiveFlight.self).where { $0.id >= 1 }) }
    realm.refresh()
    try #require(told.count == 4)
    #expect(told[0] == (0, 0, nil, nil))
    #expect(told[1] == (3, .infinity, .infinity, .infinity))
    #expect(told[2].1.isNaN && told[2].2?.isNaN == true && told[2].3 == .infinity)
    #expect(told[3] == (1, 1, 1, 1))
    token.invalidate()
  }

  @Test func observersHearOfOtherValuesOnly() throws {
    let realm = try liveRealm()
    let late = realm.objects(LiveFlight.self).where { $0.delay > 30 }
    var counts: [Int] = []
    let token = late.liveValue { $0.count }.observe { counts.append($0) }
    realm.refresh()
    #expect(counts == [0])
    try realm.write { realm.addFlight(1, delay: 40) }
    realm.refresh()
    try realm.write { realm.object(ofType: LiveFlight.self, forPrimaryKey: 1)?.delay = 50 }
    realm.refresh()
    try realm.write { realm.addFlight(2, delay: 4) }
    realm.refresh()
    #expect(counts == [0, 1])
    // Came and went before it was delivered.
    try realm.write { realm.addFlight(3, delay: 40) }
    try realm.write { realm.object(ofType: LiveFlight.self, forPrimaryKey: 2)?.delay = 60 }
    realm.refresh()
    #expect(counts.last == 3)
    token.invalidate()
    try realm.write { realm.deleteAll() }
    realm.refresh()
    #expect(counts.last == 3)
  }

  @Test func anotherNumberOfObjectsIsToldOnlyWhereItIsAsked() throws {
    let realm = try liveRealm()
    let flights = realm.objects(LiveFlight.self)
    var worst: [Int?] = []
    var both: [Int] = []
    let tokens = [
      flights.liveValue { $0.max(of: \.delay) }.observe { worst.append($0) },
      flights.liveValue { ($0.max(of: \.delay), $0.count) }.observe { both.append($1) },
    ]
    realm.refresh()
    for (id, delay) in [5, 3, nil, 5, 8].enumerated() {
      try realm.write { realm.addFlight(id, delay: delay) }
      realm.refresh()
    }
    #expect(worst == [nil, 5, 8])
    #expect(both == [0, 1, 2, 3, 4, 5])
    for token in tokens { token.invalidate() }
  }

  @Test func windowsStayFilled() throws {
    let realm = try liveRealm()
    try realm.write { for id in 1...10 { realm.addFlight(id, delay: id) } }
    let worst = realm.objects(LiveFlight.self).sorted(by: \.delay, ascending: false).limit(3, offset: 1)
    var sums: [Int] = []
    let token = worst.liveValue { $0.sum(of: \.delay) }.observe { sums.append($0) }
    realm.refresh()
    try realm.write { realm.delete(realm.objects(LiveFlight.self).where { $0.id == 8 }) }
    realm.refresh()
    try realm.write { realm.addFlight(11, delay: 20) }
    realm.refresh()
    #expect(sums == [9 + 8 + 7, 9 + 7 + 6, 10 + 9 + 7])
    #expect(worst.map(\.id) == [10, 9, 7])
    token.invalidate()
  }

  @Test func sourcesOfAllKinds() throws {
    let realm = try liveRealm()
    let carrier = LiveCarrier(value: ["code": "LH", "fee": 2])
    try realm.write {
      realm.add(carrier)
      for id in 1...4 { realm.addFlight(id, gate: id % 2 == 0 ? "B" : "A", delay: id, carrier: id < 4 ? carrier : nil) }
    }
    let flights = realm.objects(LiveFlight.self).sorted(by: \.id)
    let list = carrier.fleet.liveValue { ($0.count, $0.sum(of: \.delay)) }
    let set = carrier.favourites.liveValue { $0.sum(of: \.delay) }
    let links = carrier.flights.liveValue { $0.sum(of: \.delay) }
    let distinct = flights.distinct(by: [\.gate]).liveValue { $0.sum(of: \.delay) }
    var told: [String] = []
    let tokens = [
      list.observe { told.append("list \($0)") }, set.observe { told.append("set \($0)") },
      links.observe { told.append("links \($0)") }, distinct.observe { told.append("distinct \($0)") },
    ]
    realm.refresh()
    #expect(told == ["list (0, 0)", "set 0", "links 6", "distinct 3"])
    told = []
    try realm.write {
      carrier.fleet.append(objectsIn: [flights[0], flights[0], flights[3]])
      carrier.favourites.insert(flights[2])
      flights[3].carrier = carrier
    }
    realm.refresh()
    #expect(told == ["list (3, 6)", "set 3", "links 10"])
    told = []
    try realm.write { flights[0].delay = 10 }
    realm.refresh()
    #expect(told == ["list (3, 24)", "links 19", "distinct 12"])
    told = []
    let frozen = list.freeze()
    try realm.write { realm.delete(carrier) }
    realm.refresh()
    #expect(told == ["list (0, 0)", "set 0", "links 0"])
    #expect(list.isInvalidated && list.value == (0, 0) && list.realm == nil)
    #expect(frozen.value == (3, 24) && frozen.thaw() == nil)
    for token in tokens { token.invalidate() }
  }

  @Test func propertiesBehindLinks() throws {
    let realm = try liveRealm()
    let carriers = try realm.write {
      let carriers = ["A", "B"].map { realm.create(LiveCarrier.self, value: ["code": $0, "fee": 1]) }
      for id in 1...3 { realm.addFlight(id, carrier: id < 3 ? carriers[0] : nil) }
      return carriers
    }
    let fees = realm.objects(LiveFlight.self).liveValue { $0.sum(of: \.carrier?.fee) }
    let partners = realm.objects(LiveFlight.self).liveValue { $0.max(of: \.carrier?.partner?.fee) }
    var told: [Double] = []
    var toldPartners: [Double?] = []
    let tokens = [fees.observe { told.append($0) }, partners.observe { toldPartners.append($0) }]
    realm.refresh()
    try realm.write { carriers[0].fee = 5 }
    realm.refresh()
    try realm.write { carriers[0].partner = carriers[1] }
    realm.refresh()
    // Partners of each other.
    try realm.write {
      carriers[1].partner = carriers[0]
      carriers[1].fee = 8
    }
    realm.refresh()
    try realm.write { realm.delete(carriers[1]) }
    realm.refresh()
    #expect(told == [2, 10])
    #expect(toldPartners == [nil, 1, 8, nil])
    #expect(fees.value == 10 && partners.value == nil)
    for token in tokens { token.invalidate() }
  }

  @Test func frozenValuesStay() throws {
    let realm = try liveRealm()
    let count = realm.objects(LiveFlight.self).liveValue { $0.count }
    let frozen = count.freeze()
    try realm.write { realm.addFlight(1) }
    #expect(count.value == 1 && frozen.value == 0)
    #expect(frozen.isFrozen && !count.isFrozen && frozen.freeze().value == 0)
    #expect(frozen.thaw()?.value == 1)
  }

  @Test func skippedCommitsAreNotTold() throws {
    let realm = try liveRealm()
    var told: [Int] = []
    let token = realm.objects(LiveFlight.self).liveValue { $0.count }.observe { told.append($0) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.addFlight(1) }
    realm.refresh()
    try realm.write { realm.addFlight(2) }
    realm.refresh()
    #expect(told == [0, 2])
    token.invalidate()
  }

  @Test func unknownAggregatesTrap() async {
    await #expect(processExitsWith: .failure) {
      let realm = try liveRealm()
      _ = realm.objects(LiveFlight.self).liveValue { $0.max(of: \.status) }
    }
    await #expect(processExitsWith: .failure) {
      _ = List<LiveFlight>().liveValue { $0.count }
    }
    await #expect(processExitsWith: .failure) {
      let realm = try liveRealm()
      _ = realm.objects(LiveFlight.self).liveValue { $0.count }.freeze().observe { _ in }
    }
  }
}

/// Where a thread has its realm, observed values are read as they are maintained.
@Suite struct MaintainedValueTests {
  @Test func nothingIsGoneThroughToReadThem() throws {
    try onOwnThread {
      let realm = try liveRealm()
      try realm.write { for id in 0..<20 { realm.addFlight(id, delay: 1) } }
      let sum = realm.objects(LiveFlight.self).where { $0.delay > 0 }.liveValue { $0.sum(of: \.delay) }
      let token = sum.observe { _ in }
      realm.refresh()
      try realm.write { for id in 20..<30 { realm.addFlight(id, delay: 1) } }
      // Nobody was told of that yet.
      #expect(sum.value == 30)
      realm.refresh()
      #expect(sum.value == 30)
      // Those that were there when it was observed. The others were added.
      #expect(sum.core.read { $0.builtRowCount } == 20)
      withExtendedLifetime(token) {}
    }
  }
}
