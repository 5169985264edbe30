import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// What observers of regions are told, position by position, against a comparison of before and after.
@Suite struct PlaceObserverHistoryTests {
  /// `FIRN_HISTORIES` by hand.
  private static let rounds = environmentNumber("FIRN_HISTORIES") ?? 5

  @Test(arguments: 0..<rounds) func observersHearWhatAComparisonSays(round: Int) throws {
    try onOwnThread {
      let history = try RegionalHistory(SeededRandom.printed("observers of regions \(round)"))
      // Some begin while there are no rows.
      for step in 0..<40 where history.isRight {
        history.step = step
        if history.random.chance(70) { history.observe(upTo: [1, 5, 25][round % 3]) }
        if step > 1 { for _ in 0..<[1, 1, 2, 4][history.random.below(4)] { try history.write() } }
        history.deliver()
        history.dropSome()
      }
      history.watched.removeAll()
    }
  }

  /// One place of a list may lie in the first region, and another place in the second.
  @Test func twoStopsMayLieInTwoRegions() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Regional.types))
      let points = [(10.0, 20.0), (-40.0, 120.0)]
      let regions = points.map { GeoCircle(center: $0, radiusInRadians: 0)! }
      var told = 0
      let token = realm.objects(Regional.Area.self)
        .filter("ANY stops IN %@ AND ANY stops IN %@", regions[0], regions[1])
        .observe { if case .update(_, _, let insertions, _) = $0 { told += insertions.count } }
      realm.refresh()
      try realm.write {
        let area = realm.create(Regional.Area.self, value: ["id": 1])
        for point in points { area.stops.append(Placed.Location(point.0, point.1)) }
      }
      realm.refresh()
      #expect(told == 1)
      token.invalidate()
    }
  }
}

final class RegionalHistory {
  let realm: Realm
  var random: SeededRandom
  var step = 0
  var isRight = true
  var watched: [Watched] = []
  /// The objects that were written since the last delivery.
  private var touched: Set<Int> = []
  private var serial = 0

  init(_ random: SeededRandom) throws {
    self.random = random
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Regional.types))
  }

  final class Watched {
    let condition: RegionalCondition
    var token: NotificationToken?
    var isEnded = false
    /// The objects that it knows of, with what they held and what they led to.
    var shown: [Row]?

    struct Row {
      let serial: Int
      let content: String
      let reached: Set<Int>
    }

    init(_ condition: RegionalCondition) { self.condition = condition }
    deinit { token?.invalidate() }
  }

  func observe(upTo count: Int) {
    while watched.count < count {
      // The same regions twice now and then.
      let condition =
        random.chance(20) ? watched.last?.condition ?? RegionalCondition(&random) : RegionalCondition(&random)
      observe(condition)
    }
  }

  private func observe(_ condition: RegionalCondition) {
    let one = Watched(condition)
    watched.append(one)
    one.token = condition.isOfSites ? observe(one, Regional.Site.self) : observe(one, Regional.Area.self)
  }

  private func observe<Row: Object>(_ one: Watched, _ type: Row.Type) -> NotificationToken {
    let results = try! realm.objects(type).filter(parsing: one.condition.text, arguments: one.condition.arguments)
    return results.observe { [unowned self, unowned one] change in
      switch change {
      case .initial:
        check(one.shown == nil, "two beginnings", one)
        one.shown = rows(one.condition)
      case .update(let found, let deletions, let insertions, let modifications):
        compare(one, found.map(Regional.serial), deletions, insertions, modifications)
      case .error: check(false, "an error", one)
      }
      check(!one.isEnded, "told after its end", one)
      if random.chance(4) { observe(one.condition) }
      if random.chance(4), let other = watched.randomElement(using: &random) {
        other.isEnded = true
        other.token?.invalidate()
      }
    }
  }

  private func rows(_ condition: RegionalCondition) -> [Watched.Row] {
    let objects: [Object] =
      condition.isOfSites ? Array(realm.objects(Regional.Site.self)) : Array(realm.objects(Regional.Area.self))
    return objects.filter(condition.holds).map {
      Watched.Row(
        serial: Regional.serial($0), content: Regional.content($0), reached: Regional.reached(from: $0))
    }
  }

  private func check(_ condition: Bool, _ text: String, _ one: Watched) {
    if condition { return }
    isRight = false
    Issue.record("\(step): \(text): \(one.condition.text) \(one.condition.arguments)")
  }

  private func compare(
    _ one: Watched, _ found: [Int], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
  ) {
    guard let before = one.shown else { return check(false, "no beginning", one) }
    let after = rows(one.condition)
    one.shown = after
    check(found == after.map(\.serial), "finds \(found) instead of \(after.map(\.serial))", one)
    let (was, now) = (Set(before.map(\.serial)), Set(after.map(\.serial)))
    check(deletions == before.indices.filter { !now.contains(before[$0].serial) }, "deletions \(deletions)", one)
    check(insertions == after.indices.filter { !was.contains(after[$0].serial) }, "insertions \(insertions)", one)
    check(modifications == modifications.sorted(), "modifications are not in order", one)
    check(!deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty, "told nothing", one)
    let kept = Dictionary(uniqueKeysWithValues: after.map { ($0.serial, $0) })
    for (position, row) in before.enumerated() {
      guard let next = kept[row.serial] else {
        check(!modifications.contains(position), "modified and gone", one)
        continue
      }
      if modifications.contains(position) {
        check(!touched.isDisjoint(with: row.reached.union(next.reached)), "\(position) is not written", one)
      } else {
        check(row.content == next.content, "\(row.content) became \(next.content)", one)
      }
    }
  }

  func deliver() {
    realm.refresh()
    // Those that began in a callback begin with the next delivery.
    for _ in 0..<8 where watched.contains(where: { $0.shown == nil && !$0.isEnded }) { realm.refresh() }
    touched = []
    for one in watched where !one.isEnded {
      guard one.shown != nil else {
        check(false, "no beginning", one)
        continue
      }
      let expected = rows(one.condition)
      check(one.shown?.map(\.serial) == expected.map(\.serial), "silence about rows", one)
      for (shown, row) in zip(one.shown ?? [], expected) where shown.content != row.content {
        check(false, "silence: \(shown.content) became \(row.content)", one)
      }
    }
    watched.removeAll(where: \.isEnded)
  }

  func dropSome() {
    for _ in 0..<random.below(3) where !watched.isEmpty { watched.remove(at: random.below(watched.count)) }
    if random.chance(5) { watched = [] }
  }

  // MARK: Changing

  func write() throws {
    realm.beginWrite()
    let before = (touched, serial)
    for _ in 0...random.below(6) { act() }
    if random.chance(10) {
      realm.cancelWrite()
      touched = before.0
    } else {
      try realm.commitWrite()
    }
  }

  private func place() -> Placed.Location {
    let place = random.location()
    return Placed.Location(place.latitude, place.longitude)
  }

  private func addSite(_ id: Int? = nil) {
    serial += 1
    let site = realm.create(
      Regional.Site.self, value: ["id": id ?? serial, "serial": serial, "kind": random.below(4)])
    if random.chance(70) { site.location = place() }
    touched.insert(serial)
  }

  private func act() {
    let sites = realm.objects(Regional.Site.self)
    let areas = realm.objects(Regional.Area.self)
    if sites.isEmpty || random.chance(20) { addSite() }
    if areas.isEmpty || random.chance(8) {
      serial += 1
      realm.create(Regional.Area.self, value: ["id": serial, "serial": serial])
      touched.insert(serial)
    }
    let site = sites[random.below(sites.count)]
    let area = areas[random.below(areas.count)]
    let isOfSite = random.below(16) < 9
    if random.chance(2) {
      for site in sites { touched.insert(site.serial) }
      return realm.delete(sites)
    }
    touched.insert(isOfSite ? site.serial : area.serial)
    if isOfSite { change(site, area) } else { change(area, site) }
  }

  private func change(_ site: Regional.Site, _ area: Regional.Area) {
    switch random.below(9) {
    case 0: site.kind = random.below(4)
    case 1: site.area = random.chance(20) ? nil : area
    case 2:
      let id = site.id
      realm.delete(site)
      if random.chance(60) { addSite(id) }
    case 3: site.location = random.chance(30) ? nil : place()
    default: change(site.location) { site.location = place() }
    }
  }

  private func change(_ area: Regional.Area, _ site: Regional.Site) {
    switch random.below(9) {
    case 0: realm.delete(area)
    case 1: area.main = random.chance(20) ? nil : site
    case 2: area.members.append(site)
    case 3: if !area.members.isEmpty { area.members.remove(at: random.below(area.members.count)) }
    case 4: area.stops.append(place())
    case 5: if !area.stops.isEmpty { area.stops.remove(at: random.below(area.stops.count)) }
    case 6: if random.chance(30) { area.stops.removeAll() }
    default:
      change(area.stops.isEmpty ? nil : area.stops[random.below(area.stops.count)]) { area.stops.append(place()) }
    }
  }

  private func change(_ location: Placed.Location?, orMake make: () -> Void) {
    guard let location else { return make() }
    let next = random.location()
    switch random.below(6) {
    case 0: location.type = ["Point", "Line", "pOINT", ""][random.below(4)]
    case 1: if !location.coordinates.isEmpty { location.coordinates.removeLast() }
    case 2: if !location.coordinates.isEmpty { location.coordinates[0] = [.nan, .infinity, 300][random.below(3)] }
    case 3:
      location.coordinates.removeAll()
      location.coordinates.append(objectsIn: [next.longitude, next.latitude])
    case 4: location.note += 1
    default:
      if location.coordinates.count > 1 {
        location.coordinates[0] = next.longitude
        location.coordinates[1] = next.latitude
      }
    }
  }
}
