import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Places in models that change, or say less than others.
@Suite struct PlaceModelTests {
  @Test func aRenamedPlaceKeepsItsIndex() throws {
    let files = try TemporaryStore(Placed.types)
    let circle = GeoCircle(center: (50, 10), radiusInRadians: 0.1)!
    var random = SeededRandom.printed("renamed places")
    var expected: [Int] = []
    try autoreleasing {
      let realm = try Realm(configuration: files.configuration)
      try realm.write {
        for id in 0..<600 {
          realm.create(Placed.Spot.self, value: ["id": id]).location = Placed.Location(
            .random(in: 40...60, using: &random), .random(in: 0...20, using: &random))
        }
      }
      expected = realm.objects(Placed.Spot.self).where { $0.location.geoWithin(circle) }.map(\.id)
    }
    var configuration = files.configuration
    configuration.schemaVersion = 1
    configuration.objectTypes = Moved.types
    for _ in 0..<2 {
      try autoreleasing {
        let realm = try Realm(configuration: configuration)
        realm.instance.version!.contents.checkInvariants()
        let found = realm.objects(Moved.Spot.self).where { $0.home.geoWithin(circle) }
        #expect(found.explain().hasPrefix("index of places home"), "\(found.explain())")
        #expect(Array(found.map(\.id)) == expected && expected.count > 20)
        // Back and forth, so that the next opening finds the same.
        try realm.write {
          realm.object(ofType: Moved.Spot.self, forPrimaryKey: expected[0])?.home?.coordinates[1] = -50
        }
        #expect(Array(found.map(\.id)) == Array(expected.dropFirst()))
        try realm.write { realm.object(ofType: Moved.Spot.self, forPrimaryKey: expected[0])?.home?.coordinates[1] = 50 }
        expected = found.map(\.id)
      }
    }
  }

  @Test func placesWithoutATypeLieNowhere() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Vague.Spot.self, Vague.Location.self]))
    let spots = realm.objects(Vague.Spot.self)
    let everywhere = GeoCircle(center: (0, 0), radiusInRadians: .infinity)!
    let found = spots.where { $0.location.geoWithin(everywhere) }
    try realm.write {
      let lists: [[Double?]] = [[1, 2], [nil, 2], [1, nil], [1], [], [1, 2, nil]]
      for (id, coordinates) in lists.enumerated() {
        let location = Vague.Location()
        location.coordinates.append(objectsIn: coordinates)
        if id != 5 { location.type = "point" }
        realm.create(Vague.Spot.self, value: ["id": id]).location = location
      }
    }
    realm.instance.version!.contents.checkInvariants()
    #expect(found.map(\.id) == [0])
    try realm.write {
      spots[0].location?.type = nil
      spots[5].location?.type = "Point"
    }
    realm.instance.version!.contents.checkInvariants()
    #expect(found.map(\.id) == [5])
    try realm.write { spots[1].location?.coordinates[0] = -1 }
    #expect(found.map(\.id) == [1, 5])
  }

  private enum Moved {
    final class Spot: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var kind: Int
      @Persisted var home: Placed.Location?
      @Persisted var next: Spot?

      override class func indexes() -> [Index] { [.geo(\Spot.home)] }
      override class var renamedProperties: [String: String] { ["location": "home"] }
      override class func _realmObjectName() -> String? { "Spot" }
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let types: [ObjectBase.Type] = [Spot.self, Placed.Location.self]
  }

  private enum Vague {
    final class Location: EmbeddedObject {
      @Persisted var type: String?
      @Persisted var coordinates: List<Double?>

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Spot: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var location: Location?

      override class func indexes() -> [Index] { [.geo(\Spot.location)] }
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }
}
