import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Indexes of places against scans, and what they cost.
@Suite struct PlaceIndexTests {
  private func opened(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  private func add(_ count: Int, to realm: Realm, _ random: inout SeededRandom) throws {
    try realm.write {
      for _ in 0..<count {
        let spot = Placed.Spot()
        spot.id = realm.objects(Placed.Spot.self).count
        let (latitude, longitude) = random.location()
        spot.location = Placed.Location(latitude, longitude)
        realm.add(spot)
      }
    }
  }

  /// Changes a spot in one of all ways in which a place may change, also to none.
  private func change(_ spots: Results<Placed.Spot>, _ realm: Realm, _ random: inout SeededRandom) {
    guard let spot = spots.isEmpty ? nil : spots[random.below(spots.count)] else { return }
    let (latitude, longitude) = random.location()
    switch random.below(14) {
    case 0: spot.location = nil
    case 1: spot.location?.type = ["Point", "point", "Line", "", "Points"][random.below(5)]
    case 2: spot.location?.coordinates.removeAll()
    case 3: spot.location?.coordinates.append([longitude, .nan, 200, .infinity][random.below(4)])
    case 4: spot.location.map { if $0.coordinates.count > 1 { $0.coordinates[1] = latitude } }
    case 5: spot.location.map { if $0.coordinates.count > 1 { $0.coordinates.swapAt(0, 1) } }
    case 6: spot.location.map { if !$0.coordinates.isEmpty { $0.coordinates.remove(at: 0) } }
    case 7: if let location = spot.location { realm.delete(location) }
    case 8: spot.next = random.chance(20) ? nil : spots[random.below(spots.count)]
    case 9: realm.delete(spot)
    case 10: spot.location?.note += 1
    case 11:
      let location = Placed.Location(latitude, longitude)
      location.coordinates.append(objectsIn: (0..<300).map { Double($0) })
      spot.location = location
    default: spot.location = Placed.Location(latitude, longitude)
    }
  }

  /// The ids of spots whose place, as it is stored, lies in a shape.
  private func scanned(_ spots: Results<Placed.Spot>, _ shape: any GeoShape, _ place: (Placed.Spot) -> Placed.Location?)
    throws -> [Int]
  {
    let region = try shape.region()
    return Array(spots).filter { spot in
      guard let location = place(spot), location.type.lowercased() == "point", location.coordinates.count > 1,
        let point = SpherePoint(
          checkedLatitude: location.coordinates[1], longitude: location.coordinates[0])
      else { return false }
      return region.contains(point)
    }.map(\.id)
  }

  @Test(arguments: 0..<4)
  func historiesAgreeWithScans(run: Int) throws {
    var random = SeededRandom.printed("history of places \(run)")
    let realm = try opened(Placed.types)
    let spots = realm.objects(Placed.Spot.self)
    try add(run * 120, to: realm, &random)
    var nextId = 10_000
    for _ in 0..<30 {
      realm.beginWrite()
      for _ in 0..<[1, 3, 10, 200][random.below(4)] {
        if random.chance(25) {
          let (latitude, longitude) = random.location()
          nextId += 1
          let spot = realm.create(Placed.Spot.self, value: ["id": nextId, "kind": random.below(3)])
          spot.location = Placed.Location(latitude, longitude)
        } else {
          change(spots, realm, &random)
        }
        if random.chance(3) {
          let circle = random.circle()
          #expect(
            spots.where { $0.location.geoWithin(circle) }.map(\.id).sorted()
              == (try scanned(spots, circle) { $0.location }).sorted())
        }
      }
      if random.chance(15) { realm.cancelWrite() } else { try realm.commitWrite() }
      realm.instance.version!.contents.checkInvariants()
      for _ in 0..<6 {
        let (circle, box) = (random.circle(), random.box())
        let inCircle = try scanned(spots, circle) { $0.location }
        let inBox = try scanned(spots, box) { $0.location }
        #expect(Array(spots.where { $0.location.geoWithin(circle) }.map(\.id)) == inCircle)
        #expect(Array(spots.where { $0.location.geoWithin(box) }.map(\.id)) == inBox)
        #expect(spots.where { $0.location.geoWithin(box) }.count == inBox.count)
        #expect(
          Array(spots.where { $0.next.location.geoWithin(circle) }.map(\.id))
            == (try scanned(spots, circle) { $0.next?.location }))
        let both = Set(inCircle).intersection(inBox)
        #expect(
          Set(spots.where { $0.location.geoWithin(box) && $0.location.geoWithin(circle) }.map(\.id)) == both)
        #expect(
          spots.where { $0.location.geoWithin(box) || $0.location.geoWithin(circle) }.count
            == Set(inCircle).union(inBox).count)
        #expect(spots.where { !$0.location.geoWithin(box) }.count == spots.count - inBox.count)
        #expect(
          spots.where { $0.location.geoWithin(box) && $0.kind == 1 }.count
            == Array(spots).filter { $0.kind == 1 && inBox.contains($0.id) }.count)
      }
    }
  }

  @Test func fewRowsAreLookedAt() throws {
    var random = SeededRandom.printed("work of places")
    let realm = try opened(Placed.types)
    try realm.write {
      for id in 0..<20_000 {
        let spot = realm.create(Placed.Spot.self, value: ["id": id])
        // Even over the sphere.
        let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
        spot.location = Placed.Location(latitude, .random(in: -180...180, using: &random))
      }
    }
    let spots = realm.objects(Placed.Spot.self)
    // One hundredth of the sphere.
    let circle = GeoCircle(center: (40, 10), radiusInRadians: acos(0.98))!
    let expected = try scanned(spots, circle) { $0.location }
    let near = spots.where { $0.location.geoWithin(circle) }
    #expect(near.count == expected.count && expected.count > 120)
    let work = near.core.work
    print("places: \(expected.count) of 20,000 found, \(work)")
    #expect(work.scannedClusters == 0 && work.lookups <= 140)
    // The index knows of nearly all places on which side of the rim they lie.
    #expect(work.foundRows <= expected.count + 1)
    #expect(work.testedRows <= 1)
    #expect(Array(near.map(\.id)) == expected)
    #expect(near.explain().hasPrefix("index of places location, then filter on location.coordinates, location.type"))
  }

  @Test func otherChangesMoveNoRows() throws {
    var random = SeededRandom(5)
    let realm = try opened(Placed.types)
    try add(500, to: realm, &random)
    let spots = realm.objects(Placed.Spot.self)
    func moved(_ body: () -> Void) throws -> Int {
      try realm.write {
        let writer = realm.instance.writer!
        let before = writer.orderedWork.movedRows
        body()
        _ = writer.indexedContents
        return writer.orderedWork.movedRows - before
      }
    }
    #expect(try moved { spots[7].location?.note = 8 } == 0)
    #expect(try moved { spots[7].location?.coordinates[0] = 8 } == 2)
  }

  @Test func indexesMayBeAddedAndDropped() throws {
    let files = try TemporaryStore(Unplaced.types)
    var random = SeededRandom.printed("indexes of places in files")
    let circle = GeoCircle(center: (89, 0), radiusInRadians: 0.05)!
    var expected: [Int] = []
    try autoreleasing {
      let realm = try Realm(configuration: files.configuration)
      try realm.write {
        for id in 0..<3000 {
          let (latitude, longitude) = random.location()
          realm.create(Unplaced.Spot.self, value: ["id": id]).location =
            id % 9 == 0 ? nil : Placed.Location(latitude, longitude)
        }
      }
      let found = realm.objects(Unplaced.Spot.self).where { $0.location.geoWithin(circle) }
      #expect(found.explain().hasPrefix("scan"))
      expected = found.map(\.id)
    }
    var indexed = files.configuration
    indexed.objectTypes = Placed.types
    try autoreleasing {
      let realm = try Realm(configuration: indexed)
      realm.instance.version!.contents.checkInvariants()
      let found = realm.objects(Placed.Spot.self).where { $0.location.geoWithin(circle) }
      #expect(found.explain().hasPrefix("index of places"))
      #expect(Array(found.map(\.id)) == expected && !expected.isEmpty)
      try realm.write { realm.objects(Placed.Spot.self)[1].location = Placed.Location(90, 0) }
      #expect(found.count == expected.count + (expected.contains(1) ? 0 : 1))
    }
    let realm = try Realm(configuration: files.configuration)
    #expect(realm.objects(Unplaced.Spot.self).where { $0.location.geoWithin(circle) }.explain().hasPrefix("scan"))
  }

  @Test func classesWithoutPlacesAreRefused() {
    let error = #expect(throws: (any Error).self) { try opened([NoPlace.self, Nothing.self]) }
    #expect("\(error as Any)".contains("needs the columns 'type' (String) and 'coordinates' (List<Double>)"))
  }

  private final class Nothing: EmbeddedObject {
    @Persisted var type: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private final class NoPlace: Object {
    @Persisted var nothing: Nothing?

    override class func indexes() -> [Index] { [.geo(\NoPlace.nothing)] }
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
