import FirnEngine
import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Places where many are alike, or where programs go wrong: against scans, with an index and without one.
@Suite struct PlaceExtremesTests {
  private func opened(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  enum Spread: CaseIterable {
    case onePoint, antimeridian, pole, oneCell, none

    func place(_ random: inout SeededRandom) -> (latitude: Double, longitude: Double)? {
      switch self {
      case .onePoint: (12.5, -7.25)
      case .antimeridian: (.random(in: -90...90, using: &random), random.chance(50) ? 180 : -180)
      case .pole: (random.chance(50) ? 90 : -90, .random(in: -180...180, using: &random))
      // Less than a centimetre, which one smallest cell may hold.
      case .oneCell: (12.5 + .random(in: 0...1e-9, using: &random), -7.25 + .random(in: 0...1e-9, using: &random))
      case .none: nil
      }
    }
  }

  private var shapes: [any GeoShape] {
    let globe = GeoCircle(center: (0, 0), radiusInRadians: .infinity)!
    let half = GeoCircle(center: (0, 180), radiusInRadians: .pi / 2)!
    let point = GeoCircle(center: (12.5, -7.25), radiusInRadians: 0)!
    let near = GeoCircle(center: (12.5, -7.25), radiusInRadians: 5e-12)!
    let cap = GeoCircle(center: (90, 0), radiusInRadians: 1e-9)!
    let all = GeoCircle(center: (90, 0), radiusInRadians: .pi)!
    let pacific = GeoBox(bottomLeft: (-10, 179), topRight: (10, -179))!
    let here = GeoBox(bottomLeft: (12, -8), topRight: (13, -7))!
    let aboutPole = GeoPolygon(outerRing: [(80, 0), (80, 120), (80, -120), (80, 0)])!
    let edge = GeoPolygon(outerRing: [(0, 180), (60, 180), (30, -170), (0, 180)])!
    return [globe, half, point, near, cap, all, pacific, here, aboutPole, edge]
  }

  private func within(_ spots: Results<Placed.Spot>, _ shape: any GeoShape) -> Results<Placed.Spot> {
    spots.filter("location IN %@", shape)
  }

  @Test(arguments: Spread.allCases, [0, 1, 700]) func alikeOnesAreFound(spread: Spread, count: Int) throws {
    var random = SeededRandom.printed("\(spread) of \(count)")
    let realm = try opened(Placed.types)
    try realm.write {
      for id in 0..<count {
        let spot = realm.create(Placed.Spot.self, value: ["id": id])
        spot.location = spread.place(&random).map { Placed.Location($0.latitude, $0.longitude) }
      }
    }
    realm.instance.version!.contents.checkInvariants()
    let spots = realm.objects(Placed.Spot.self)
    func compare() throws {
      let places = Array(spots).compactMap { spot -> (Int, SpherePoint)? in
        spot.location.map {
          (spot.id, SpherePoint(latitude: $0.coordinates[1], longitude: $0.coordinates[0]))
        }
      }
      for shape in shapes {
        let region = try shape.region()
        let expected = places.filter { region.contains($0.1) }.map(\.0)
        #expect(Array(within(spots, shape).map(\.id)) == expected, "\(spread) \(region)")
        #expect(within(spots, shape).count == expected.count, "\(spread) \(region)")
        #expect(within(spots, shape).where { $0.id > 5 }.count == expected.count { $0 > 5 })
      }
      for point in [(12.5, -7.25), (90, 0), (0, 180), (-12.5, 172.75)].map({ GeoPoint($0)! }) {
        let expected = places.map { (point.spherePoint.angle(to: $0.1), $0.0) }.sorted { $0 < $1 }.map(\.1)
        #expect(spots.nearest(to: point, by: \.location).map { $0.object.id } == expected)
      }
    }
    try compare()
    try realm.write { for spot in spots where spot.id % 3 == 0 { realm.delete(spot) } }
    realm.instance.version!.contents.checkInvariants()
    try compare()
  }

  @Test func manyVerticesAskOfTheIndex() throws {
    var random = SeededRandom.printed("many vertices")
    let realm = try opened(Placed.types)
    try realm.write {
      for id in 0..<3000 {
        let place = (Double.random(in: 30...50, using: &random), Double.random(in: 0...30, using: &random))
        realm.create(Placed.Spot.self, value: ["id": id]).location = Placed.Location(place.0, place.1)
      }
    }
    let ring = (0...10_000).map { step -> (Double, Double) in
      let angle = Double(step % 10_000) * 2 * .pi / 10_000
      let radius = step % 2 == 0 ? 5.0 : 4.999
      return (40 + radius * sin(angle), 15 + radius * cos(angle))
    }
    let polygon = GeoPolygon(outerRing: ring)!
    let spots = realm.objects(Placed.Spot.self)
    let region = try polygon.region()
    let expected = Array(spots).filter {
      region.contains(SpherePoint(latitude: $0.location!.coordinates[1], longitude: $0.location!.coordinates[0]))
    }.map(\.id)
    #expect(Array(within(spots, polygon).map(\.id)) == expected && expected.count > 200)
    #expect(within(spots, polygon).core.work.testedRows < 20)
  }

  @Test func placesMoveBetweenObjectsInOneCommit() throws {
    let realm = try opened(Placed.types)
    let north = GeoCircle(center: (90, 0), radiusInRadians: 0.1)!
    let spots = realm.objects(Placed.Spot.self)
    let northern = spots.where { $0.location.geoWithin(north) }
    let behind = spots.where { $0.next.location.geoWithin(north) }
    try realm.write {
      for id in 0..<4 { realm.create(Placed.Spot.self, value: ["id": id]) }
      spots[0].location = Placed.Location(89, 0)
      spots[3].next = spots[1]
    }
    #expect(northern.map(\.id) == [0] && behind.map(\.id) == [])
    try realm.write {
      let old = spots[0].location!
      let place = Placed.Location(old.coordinates[1], old.coordinates[0])
      spots[0].location = nil
      #expect(northern.isEmpty && old.isInvalidated)
      spots[1].location = place
      #expect(northern.map(\.id) == [1] && behind.map(\.id) == [3])
      spots[1].location = Placed.Location(0, 0)
      spots[1].location = Placed.Location(90, 77)
      spots[2].location = Placed.Location(88, 1)
      realm.delete(spots[2].location!)
      #expect(northern.map(\.id) == [1])
    }
    realm.instance.version!.contents.checkInvariants()
    #expect(northern.map(\.id) == [1] && behind.map(\.id) == [3])
    // A transaction that is given up leaves the index as it was, also where it was asked on the way.
    realm.beginWrite()
    spots[1].location?.coordinates.removeAll()
    #expect(northern.isEmpty && behind.isEmpty)
    realm.delete(spots[1])
    spots[0].location = Placed.Location(90, 0)
    #expect(northern.map(\.id) == [0])
    realm.cancelWrite()
    realm.instance.version!.contents.checkInvariants()
    #expect(northern.map(\.id) == [1] && behind.map(\.id) == [3])
    #expect(spots.nearest(to: GeoPoint(latitude: 90, longitude: 0)!, by: \.location).map { $0.object.id } == [1])
  }

  @Test func oddNumbersLieNowhereAndZeroHasNoSign() throws {
    let realm = try opened(Placed.types)
    let odd: [[Double]] = [
      [], [1], [1, 2, 3], [.nan, 0], [0, .nan], [.infinity, 0], [0, -.infinity], [(180.0).nextUp, 0],
      [0, (90.0).nextUp],
      [-0.0, -0.0], [0, 0], [-180, 0], [180, -0.0],
    ]
    try realm.write {
      for (id, coordinates) in odd.enumerated() {
        let location = Placed.Location()
        location.type = "Point"
        location.coordinates.append(objectsIn: coordinates)
        realm.create(Placed.Spot.self, value: ["id": id]).location = location
      }
    }
    realm.instance.version!.contents.checkInvariants()
    let spots = realm.objects(Placed.Spot.self)
    func ids(_ circle: GeoCircle) -> [Int] { spots.where { $0.location.geoWithin(circle) }.map(\.id) }
    #expect(ids(GeoCircle(center: (0, 0), radiusInRadians: 9)!) == [2, 9, 10, 11, 12])
    #expect(ids(GeoCircle(center: (-0.0, 0), radiusInRadians: 0)!) == [9, 10])
    #expect(ids(GeoCircle(center: (0, -180), radiusInRadians: 0)!) == [11, 12])
    // All of them move, one to a place and back.
    try realm.write { for spot in spots { spot.location?.coordinates.insert(.nan, at: 0) } }
    realm.instance.version!.contents.checkInvariants()
    #expect(ids(GeoCircle(center: (0, 0), radiusInRadians: 9)!) == [])
    try realm.write { for spot in spots { spot.location?.coordinates.remove(at: 0) } }
    #expect(ids(GeoCircle(center: (0, 0), radiusInRadians: 9)!) == [2, 9, 10, 11, 12])
  }

  @Test func wrongTextsAreRefused() throws {
    let spots = try opened(Placed.types).objects(Placed.Spot.self)
    let circle = GeoCircle(center: (0, 0), radiusInRadians: 1)!
    for text in [
      "location IN", "IN %@", "location IN {1, 2}", "location IN {%@, %@}", "location geoWithin %@",
      "location.coordinates IN %@", "location.type IN %@", "location BETWEEN %@", "location IN[c] %@", "%@ IN location",
      "ANY location IN %@", "location IN %@.center", "location IN geoCircle([0, 0], 1)", "next IN %@",
      "location == %@", "location.@count IN %@", "NOT location IN", "location IN nil", "location IN location",
    ] {
      #expect(throws: Realm.Error.self, "\(text)") {
        try spots.filter(parsing: text, arguments: [circle, circle])
      }
    }
  }

  @MainActor @Test func observersOfRegionsSeeEveryMovedRow() throws {
    var random = SeededRandom(1)
    let realm = try opened(Placed.types)
    try realm.write {
      for id in 0..<100 { realm.create(Placed.Spot.self, value: ["id": id]).location = Placed.Location(1, 1) }
    }
    let spots = realm.objects(Placed.Spot.self)
    var toldCount = 0
    var tokens: [NotificationToken] = []
    for watcher in 0..<300 {
      let circle = GeoCircle(center: (Double(watcher % 90), Double(watcher / 2)), radiusInRadians: 0.01)!
      tokens.append(
        spots.where { $0.location.geoWithin(circle) }.observe { change in
          if case .update = change { toldCount += 1 }
        })
    }
    realm.refresh()
    let stage = try #require(realm.instance.notifications).stage
    stage.counters.reset()
    for _ in 0..<6 {
      let spot = spots[random.below(100)]
      try realm.write { spot.location?.coordinates[0] = 40 }
      try realm.write { spot.location?.coordinates[1] = 80 }
      try realm.write { spot.location = Placed.Location(80, 40) }
      try realm.write { spot.location = Placed.Location(1, 1) }
      realm.refresh()
    }
    // The circle about (80, 40) is one of them: 80 % 90 and 80 / 2. A spot comes, gets another place there, and goes.
    #expect(toldCount == 6 * 3)
    // Regions are found by their cells: only those near a place look at it.
    #expect(stage.counters.candidates < 6 * 4 * 4, "\(stage.counters)")
    #expect(stage.residualViewCount == 0)
    for token in tokens { token.invalidate() }
  }
}
