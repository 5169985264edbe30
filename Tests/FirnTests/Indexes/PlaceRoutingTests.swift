import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Observed regions are found by the cells of what moves.
@MainActor @Suite struct PlaceRoutingTests {
  /// `FIRN_REGIONS` by hand.
  private nonisolated static let many =
    environmentNumber("FIRN_REGIONS") ?? 10_000

  private func opened() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Placed.types))
  }

  /// What a delivery costs.
  private func work(_ realm: Realm, _ body: () -> Void) throws -> WorkCounters {
    let stage = try #require(realm.instance.notifications).stage
    stage.counters.reset()
    try realm.write(body)
    realm.refresh()
    return stage.counters
  }

  /// A circle of a fortieth of a degree about each of many places of a grid, a million of them.
  private func circle(_ number: Int) -> GeoCircle {
    GeoCircle(center: center(number), radiusInRadians: 0.0004)!
  }

  private func center(_ number: Int) -> (Double, Double) {
    (-70 + Double(number / 1500) * 0.2, -150 + Double(number % 1500) * 0.2)
  }

  @Test(arguments: [1, Self.many]) func aMoveFindsTheRegionsAboutIt(count: Int) throws {
    let realm = try opened()
    let spots = realm.objects(Placed.Spot.self)
    try realm.write {
      for id in 0..<10 {
        realm.create(Placed.Spot.self, value: ["id": id]).location = Placed.Location(80, Double(id))
      }
      spots[9].next = spots[0]
    }
    var told: [Int] = []
    var tokens: [NotificationToken] = []
    for number in 0..<count {
      tokens.append(
        spots.where { $0.location.geoWithin(circle(number)) }.observe {
          if case .update = $0 { told.append(number) }
        })
    }
    realm.refresh()
    #expect(try #require(realm.instance.notifications).stage.residualViewCount == 0)
    // A few cells hold a region, and a little more: neighbours look, too.
    let first = center(0)
    let came = try work(realm) { spots[0].location = Placed.Location(first.0, first.1) }
    #expect(told == [0] && came.candidates <= 4 && came.predicateEvaluations <= 8 && came.treeNodesVisited < 300)
    let stayed = try work(realm) { spots[0].location?.coordinates[1] = first.0 + 1e-6 }
    #expect(told == [0, 0] && stayed.candidates <= 4 && stayed.treeNodesVisited < 300)
    let last = center(count - 1)
    let moved = try work(realm) {
      spots[0].location?.coordinates[0] = last.1
      spots[0].location?.coordinates[1] = last.0
    }
    #expect(told == (count == 1 ? [0, 0, 0] : [0, 0, 0, count - 1]) && moved.candidates <= 8, "\(moved)")
    let elsewhere = try work(realm) { spots[1].location?.coordinates[1] = 85 }
    #expect(elsewhere.candidates == 0 && elsewhere.predicateEvaluations == 0)
    // Observers hear of what is behind links as well: up one link, once for all of them.
    #expect(elsewhere.rowsClimbed == 1)
    // What is no place is near none.
    let unreadable = try work(realm) { spots[1].location?.type = "Line" }
    #expect(unreadable.candidates == 0 && unreadable.rowsClimbed == 1)
    let kind = try work(realm) { spots[2].kind = 7 }
    #expect(kind.candidates == 0 && kind.predicateEvaluations == 0)
    let gone = try work(realm) { spots[0].location?.type = "Line" }
    #expect(gone.candidates <= 4 && told.last == count - 1)
    for token in tokens { token.invalidate() }
    #expect(try #require(realm.instance.notifications).stage.isWithoutSubscriptions)
  }

  @Test func regionsOfAnySizeAreFound() throws {
    let realm = try opened()
    let spots = realm.objects(Placed.Spot.self)
    try realm.write { realm.create(Placed.Spot.self, value: ["id": 0]).location = Placed.Location(1, 1) }
    let shapes: [any GeoShape] = [
      GeoCircle(center: (12.5, -7.25), radiusInRadians: 0)!, GeoCircle(center: (0, 0), radiusInRadians: .infinity)!,
      GeoCircle(center: (0, 180), radiusInRadians: .pi / 2)!, GeoCircle(center: (-12.5, 172.75), radiusInRadians: 3.1)!,
      GeoBox(bottomLeft: (-10, 179), topRight: (10, -179))!,
    ]
    var told = Set<Int>()
    let tokens = shapes.indices.map { number in
      spots.filter("location IN %@", shapes[number]).observe { if case .update = $0 { told.insert(number) } }
    }
    realm.refresh()
    #expect(try #require(realm.instance.notifications).stage.residualViewCount == 0)
    func move(_ latitude: Double, _ longitude: Double) throws -> Set<Int> {
      told = []
      _ = try work(realm) { spots[0].location = Placed.Location(latitude, longitude) }
      return told
    }
    #expect(try move(12.5, -7.25) == [0, 1, 3])
    #expect(try move(0, 180) == [0, 1, 2, 3, 4])
    #expect(try move(89, 179) == [1, 2, 3, 4])
    #expect(try move(91, 0) == [1, 2, 3])
    #expect(try move(91, 1) == [])
    for token in tokens { token.invalidate() }
  }
}
