import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Many observed conditions on places, through random histories, against what a scan finds.
@Suite struct PlaceRoutingHistoryTests {
  final class Tour: Object {
    @Persisted var id: Int
    @Persisted var stops: List<Placed.Location>
    @Persisted var spots: List<Placed.Spot>

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test(arguments: 0..<(environmentNumber("FIRN_HISTORIES") ?? 6))
  func observersFollowWhatAScanFinds(round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("observed regions \(round)")
      let realm = try Realm(
        configuration: .init(
          inMemoryIdentifier: UUID().uuidString, objectTypes: Placed.types + [Tour.self as ObjectBase.Type]))
      var nextID = 0
      func write() throws {
        try realm.write {
          for _ in 0...random.below(4) { change(realm, &nextID, &random) }
        }
      }
      for _ in 0..<20 { try write() }
      var watched: [Watched] = []
      for step in 0..<60 {
        while watched.count < 40 { watched.append(Watched(realm, &random)) }
        if step > 0 { for _ in 0...random.below(3) { try write() } }
        realm.refresh()
        for one in watched {
          let expected = one.expected(realm)
          #expect(one.shown == expected, "\(step): \(one.text) \(one.regions)")
          if one.shown != expected { return }
        }
        for _ in 0..<random.below(3) { watched.remove(at: random.below(watched.count)).token?.invalidate() }
      }
      for one in watched { one.token?.invalidate() }
    }
  }

  private func change(_ realm: Realm, _ nextID: inout Int, _ random: inout SeededRandom) {
    let spots = realm.objects(Placed.Spot.self)
    let tours = realm.objects(Tour.self)
    func place() -> Placed.Location {
      let place = random.location()
      return Placed.Location(place.latitude, place.longitude)
    }
    if random.chance(20) || spots.isEmpty {
      let spot = realm.create(Placed.Spot.self, value: ["id": nextID, "kind": random.below(4)])
      nextID += 1
      if random.chance(80) { spot.location = place() }
    }
    if random.chance(10) || tours.isEmpty { realm.create(Tour.self, value: ["id": nextID]) }
    let spot = spots[random.below(spots.count)]
    let tour = tours[random.below(tours.count)]
    switch random.below(14) {
    case 0: realm.delete(spot)
    case 1: spot.kind = random.below(4)
    case 2: spot.next = random.chance(20) ? nil : spots[random.below(spots.count)]
    case 3: spot.location = random.chance(20) ? nil : place()
    case 4: spot.location?.type = random.chance(50) ? "Line" : "pOINT"
    case 5: spot.location?.coordinates.removeAll()
    case 6: spot.location?.note += 1
    case 7:
      if spot.location?.coordinates.isEmpty == false { spot.location?.coordinates[0] = random.location().longitude }
    case 8: tour.stops.append(place())
    case 9: if !tour.stops.isEmpty { tour.stops.remove(at: random.below(tour.stops.count)) }
    case 10: tour.spots.append(spot)
    case 11: if !tour.spots.isEmpty { tour.spots.remove(at: 0) }
    case 12:
      if !tour.stops.isEmpty { tour.stops[random.below(tour.stops.count)].coordinates[1] = random.location().latitude }
    default:
      let next = random.location()
      guard let location = spot.location else { return }
      location.coordinates.removeAll()
      location.coordinates.append(objectsIn: [next.longitude, next.latitude])
    }
  }
}

extension PlaceRoutingHistoryTests {
  /// An observed condition and the rows that its observer has been told of.
  private final class Watched {
    let text: String
    let regions: [any GeoShape]
    let kind: Int
    private let form: Int
    private(set) var shown: [String] = []
    private(set) var token: NotificationToken?

    private static let ofSpots = [
      "location IN %@", "location IN %@ AND kind == $K", "location IN %@ OR kind == $K", "NOT location IN %@",
      "location IN %@ AND location IN %@", "location IN %@ OR next.location IN %@", "next.location IN %@",
      "NOT location IN %@ AND kind > $K", "kind > $K AND location IN %@", "location IN %@ AND NOT next.location IN %@",
      "NOT (NOT location IN %@ OR kind < $K)", "next.location IN %@ AND next.kind > $K",
    ]
    private static let ofTours = ["ANY stops IN %@", "ANY spots.location IN %@", "NOT ANY stops IN %@"]

    init(_ realm: Realm, _ random: inout SeededRandom) {
      form = random.below(Self.ofSpots.count + Self.ofTours.count)
      kind = random.below(4)
      regions = (0..<2).map { _ -> any GeoShape in random.chance(60) ? random.circle() as any GeoShape : random.box() }
      let text = form < Self.ofSpots.count ? Self.ofSpots[form] : Self.ofTours[form - Self.ofSpots.count]
      self.text = text.replacingOccurrences(of: "$K", with: "\(kind)")
      let arguments = Array(regions.prefix(text.components(separatedBy: "%@").count - 1))
      if form < Self.ofSpots.count {
        token = observe(try! realm.objects(Placed.Spot.self).filter(parsing: self.text, arguments: arguments))
      } else {
        token = observe(try! realm.objects(Tour.self).filter(parsing: self.text, arguments: arguments))
      }
    }

    private func observe<Element: Object>(_ results: Results<Element>) -> NotificationToken {
      results.observe { [unowned self] change in
        switch change {
        case .initial(let found): shown = found.map(Self.content)
        case .update(let found, let deletions, let insertions, let modifications):
          var rows = shown.map(Optional.some)
          for index in modifications { rows[index] = nil }
          for index in deletions.reversed() { rows.remove(at: index) }
          for index in insertions { rows.insert(nil, at: index) }
          // What was told is read; nothing else.
          shown = rows.enumerated().map { index, row in
            row ?? (index < found.count ? Self.content(found[index]) : "too many rows")
          }
        case .error: break
        }
      }
    }

    private static func content(_ row: Object) -> String {
      func text(_ location: Placed.Location?) -> String {
        "\(location?.type ?? "") \(location.map { Array($0.coordinates) } ?? [])"
      }
      return switch row {
      case let spot as Placed.Spot: "\(spot.id) \(spot.kind) \(text(spot.location))"
      case let tour as Tour: "\(tour.id) \(Array(tour.stops).map(text)) \(Array(tour.spots.map(\.id)))"
      default: ""
      }
    }

    func expected(_ realm: Realm) -> [String] {
      form < Self.ofSpots.count
        ? realm.objects(Placed.Spot.self).filter(holds).map(Self.content)
        : realm.objects(Tour.self).filter(holds).map(Self.content)
    }

    private func isIn(_ number: Int, _ location: Placed.Location?) -> Bool {
      guard let location, location.type.lowercased() == "point", location.coordinates.count >= 2 else { return false }
      guard let point = GeoPoint(latitude: location.coordinates[1], longitude: location.coordinates[0]) else {
        return false
      }
      return try! regions[number].region().contains(point.spherePoint)
    }

    private func holds(_ spot: Placed.Spot) -> Bool {
      let here = isIn(0, spot.location)
      let next = isIn(0, spot.next?.location)
      switch form {
      case 0: return here
      case 1: return here && spot.kind == kind
      case 2: return here || spot.kind == kind
      case 3: return !here
      case 4: return here && isIn(1, spot.location)
      case 5: return here || isIn(1, spot.next?.location)
      case 6: return next
      case 7: return !here && spot.kind > kind
      case 8: return here && spot.kind > kind
      case 9: return here && !isIn(1, spot.next?.location)
      case 10: return here && spot.kind >= kind
      default: return next && (spot.next?.kind ?? 0) > kind
      }
    }

    private func holds(_ tour: Tour) -> Bool {
      switch form - Self.ofSpots.count {
      case 0: tour.stops.contains { isIn(0, $0) }
      case 1: tour.spots.contains { isIn(0, $0.location) }
      default: !tour.stops.contains { isIn(0, $0) }
      }
    }
  }
}
