import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Objects by distance: by an index, without one, and what it costs.
@Suite struct NearestObjectsTests {
  private func opened(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  private func add<Spot: Object>(_ type: Spot.Type, _ count: Int, to realm: Realm, _ random: inout SeededRandom) throws
  {
    try realm.write {
      for id in 0..<count {
        let spot = realm.create(type, value: ["id": id, "kind": id % 3])
        if id % 11 == 4 { continue }
        let (latitude, longitude) = id % 7 == 0 ? (10, 20) : random.location()
        spot["location"] = Placed.Location(id % 13 == 5 ? .nan : latitude, longitude)
      }
    }
  }

  /// The ids by distance, measured one by one.
  private func measured(_ spots: [Placed.Spot], _ point: GeoPoint) -> [Int] {
    let found = spots.compactMap { spot -> (Double, Int)? in
      guard let location = spot.location, location.coordinates.count > 1,
        let place = SpherePoint(checkedLatitude: location.coordinates[1], longitude: location.coordinates[0])
      else { return nil }
      return (point.spherePoint.angle(to: place), spot.id)
    }
    return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1)
  }

  @Test(arguments: [0, 1, 10, 2000])
  func theNearestComeFirst(count: Int) throws {
    var random = SeededRandom.printed("nearest of \(count)")
    let realm = try opened(Placed.types)
    try add(Placed.Spot.self, count, to: realm, &random)
    let spots = realm.objects(Placed.Spot.self)
    let points = (0..<12).map { _ in random.location() } + [(90, 0), (-90, 3), (0, 180), (0, -180), (10, 20)]
    for (latitude, longitude) in points {
      let point = GeoPoint(latitude: latitude, longitude: longitude)!
      let expected = measured(Array(spots), point)
      let nearest = spots.nearest(to: point, by: \.location)
      #expect(nearest.prefix(5).map { $0.object.id } == Array(expected.prefix(5)))
      #expect(nearest.map { $0.object.id } == expected)
      let distances = nearest.map { $0.distance.radians }
      #expect(distances == distances.sorted())
      #expect(
        spots.where { $0.kind == 1 }.nearest(to: point, by: \.location).map { $0.object.id }
          == expected.filter { $0 % 3 == 1 })
      #expect(
        spots.sorted(by: \.id, ascending: false).limit(count / 2).nearest(to: point, by: \.location).map {
          $0.object.id
        }
          == expected.filter { $0 >= count - count / 2 })
      #expect(
        spots.freeze().nearest(to: point, by: \.location).prefix(3).map { $0.object.id } == Array(expected.prefix(3)))
    }
  }

  @Test func anIndexChangesNothingButTheCost() throws {
    let point = GeoPoint(latitude: 44, longitude: 46)!
    let (indexed, plain) = (try opened(Placed.types), try opened(Unplaced.types))
    var random = SeededRandom.printed("nearest without an index")
    let seed = random.next()
    random = SeededRandom(seed)
    try add(Placed.Spot.self, 1000, to: indexed, &random)
    random = SeededRandom(seed)
    try add(Unplaced.Spot.self, 1000, to: plain, &random)
    let expected = indexed.objects(Placed.Spot.self).nearest(to: point, by: \.location).map { $0.object.id }
    #expect(plain.objects(Unplaced.Spot.self).nearest(to: point, by: \.location).map { $0.object.id } == expected)
    #expect(expected.count > 800)
  }

  @Test func fewRowsAreLookedAtForTheFirst() throws {
    var random = SeededRandom.printed("work of the nearest")
    let realm = try opened(Placed.types)
    try realm.write {
      for id in 0..<20_000 {
        let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
        realm.create(Placed.Spot.self, value: ["id": id]).location =
          Placed.Location(latitude, .random(in: -180...180, using: &random))
      }
    }
    let spots = realm.objects(Placed.Spot.self)
    let point = GeoPoint(latitude: 12, longitude: 34)!
    let place = spots.core.placePath(\Placed.Spot.location)
    let walk = NearestWalk(spots.core, place, point.spherePoint)
    let found = (0..<10).compactMap { _ in walk.next()?.key }
    print("10 nearest of 20,000: \(walk.work)")
    #expect(found.count == 10 && walk.work.foundRows < 150 && walk.work.lookups < 200)
  }

  @Test func iterationsStayAsTheyBegan() throws {
    let realm = try opened(Placed.types)
    var random = SeededRandom(3)
    try add(Placed.Spot.self, 50, to: realm, &random)
    let spots = realm.objects(Placed.Spot.self)
    let point = GeoPoint(latitude: 90, longitude: 0)!
    let expected = measured(Array(spots), point)
    var iterator = spots.nearest(to: point, by: \.location).makeIterator()
    var ids = [iterator.next()!.object.id]
    try realm.write {
      realm.delete(spots.where { $0.id == expected[1] })
      spots.first!.location = Placed.Location(89.9, 0)
    }
    #expect(iterator.next()?.object.isInvalidated == true)
    while let (object, _) = iterator.next() { ids.append(object.id) }
    #expect(ids == [expected[0]] + expected[2...])
    // Inside of a transaction what it wrote counts.
    realm.beginWrite()
    spots.last!.location = Placed.Location(90, 0)
    let changed = spots.nearest(to: point, by: \.location).map { $0.object.id }
    #expect(changed == measured(Array(spots), point) && changed.prefix(10).contains(spots.last!.id))
    realm.cancelWrite()
  }

  @Test func placesBehindLinksAreFound() throws {
    let realm = try opened(Placed.types)
    var random = SeededRandom(4)
    try add(Placed.Spot.self, 30, to: realm, &random)
    let spots = realm.objects(Placed.Spot.self)
    try realm.write { for spot in spots where spot.id > 0 { spot.next = spots[spot.id - 1] } }
    let point = GeoPoint(latitude: 1, longitude: 2)!
    let nearest = spots.nearest(to: point, by: \.next?.location)
    #expect(nearest.map { $0.object.id - 1 } == measured(Array(spots), point).filter { $0 < 29 })
  }
}
