import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Very many places at once, or in one cell: what they cost, as work that is counted.
@Suite struct PlaceAmountTests {
  private static let count = 100_000

  private func filled(_ place: (Int) -> (latitude: Double, longitude: Double)) throws -> Realm {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Placed.types))
    try realm.write {
      for id in 0..<Self.count {
        let spot = Placed.Spot()
        spot.id = id
        let place = place(id)
        spot.location = Placed.Location(place.latitude, place.longitude)
        realm.add(spot)
      }
    }
    return realm
  }

  /// What a transaction costs the indexes, up to the moment at which all of them are settled.
  private func work(_ realm: Realm, _ body: () -> Void) throws -> OrderedWork {
    try realm.write {
      let writer = realm.instance.writer!
      let before = writer.orderedWork
      body()
      _ = writer.indexedContents
      var work = writer.orderedWork
      work.movedRows -= before.movedRows
      work.builtRows -= before.builtRows
      work.climbedLinks -= before.climbedLinks
      return work
    }
  }

  @Test func aCommitMovesThemAll() throws {
    var random = SeededRandom.printed("all places move")
    func place(_ id: Int) -> (latitude: Double, longitude: Double) {
      (asin(Double.random(in: -1...1, using: &random)) * 180 / .pi, .random(in: -180...180, using: &random))
    }
    let realm = try filled(place)
    let spots = realm.objects(Placed.Spot.self)
    let few = try work(realm) {
      for id in 0..<50 { spots[id * 1999].location?.coordinates[0] = 7 }
    }
    #expect(few.movedRows == 100 && few.builtRows == 0)
    let all = try work(realm) {
      for spot in spots {
        let place = place(spot.id)
        spot.location?.coordinates[0] = place.longitude
        spot.location?.coordinates[1] = place.latitude
      }
    }
    // The index of the places and the one behind links, where nothing leads to any. Once a sixteenth has moved the first is
    // built anew, all at once.
    #expect(all.builtRows == Self.count && all.movedRows < Self.count / 10, "\(all)")
    // From each coordinate to its owner, for the index behind links.
    #expect(all.climbedLinks < 3 * Self.count, "\(all)")
    realm.instance.version!.contents.checkInvariants()
    let circle = GeoCircle(center: (10, 20), radiusInRadians: 0.1)!
    let region = circle.region()
    let found = spots.where { $0.location.geoWithin(circle) }
    let expected = spots.count {
      region.contains(SpherePoint(latitude: $0.location!.coordinates[1], longitude: $0.location!.coordinates[0]))
    }
    #expect(found.count == expected && expected > 150)
  }

  @Test func oneCellHoldsThemAll() throws {
    let realm = try filled { _ in (48.2, 16.4) }
    let spots = realm.objects(Placed.Spot.self)
    let near = spots.where { $0.location.geoWithin(GeoCircle(center: (48, 16), radiusInRadians: 0.1)!) }
    #expect(near.count == Self.count)
    #expect(near.core.work.testedRows == 0 && near.core.work.lookups < 150, "\(near.core.work)")
    let far = spots.where { $0.location.geoWithin(GeoCircle(center: (0, 16), radiusInRadians: 0.1)!) }
    #expect(far.isEmpty && far.core.work.foundRows == 0 && far.core.work.testedRows == 0)
    // They come by key, after one look at each; the cells above hold nothing else.
    let point = GeoPoint(latitude: 48, longitude: 16)!
    let walk = NearestWalk(spots.core, spots.core.placePath(\Placed.Spot.location), point.spherePoint)
    let found = (0..<10).compactMap { _ in walk.next()?.key.rawValue }
    #expect(found == Array(0..<10))
    #expect(walk.work.foundRows == Self.count && walk.work.lookups < 250, "\(walk.work)")
    let moved = try work(realm) { spots[777].location?.coordinates[0] = 16.5 }
    #expect(moved.movedRows == 2 && moved.builtRows == 0)
    realm.instance.version!.contents.checkInvariants()
    #expect(
      Array(spots.nearest(to: GeoPoint(latitude: 48.2, longitude: 16.5)!, by: \.location).prefix(1))[0].object.id == 777
    )
  }
}
