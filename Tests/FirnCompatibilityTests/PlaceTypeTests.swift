import Firn
import Testing

/// Which points, distances and shapes can be made, and which are equal.
@Suite struct PlaceTypeTests {
  @Test func pointsLieOnTheGlobe() throws {
    let point = try #require(GeoPoint(latitude: -90, longitude: 180, altitude: 3))
    #expect(point.latitude == -90 && point.longitude == 180 && point.altitude == 3)
    #expect(GeoPoint(latitude: 1, longitude: 2)?.altitude == 0)
    for (latitude, longitude) in [(90.1, 0.0), (-91, 0), (0, 180.1), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0)] {
      #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
    }
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: .nan) == nil)
  }

  @Test func distancesAreNotNegative() throws {
    let kilometres = try #require(Distance.kilometers(6378.1))
    #expect(kilometres.radians == 1 && kilometres.asKilometers() == 6378.1)
    #expect(abs(try #require(Distance.miles(1)).asKilometers() - 1.609344) < 1e-12)
    #expect(abs(try #require(Distance.kilometers(1.609344)).asMiles() - 1) < 1e-12)
    #expect(Distance.degrees(180)?.radians == .pi)
    #expect(Distance.radians(.pi)?.asDegrees() == 180)
    for make in [Distance.kilometers, Distance.miles, Distance.degrees, Distance.radians] {
      #expect(make(-0.1) == nil && make(.nan) == nil && make(0)?.radians == 0)
      #expect(make(.infinity)?.radians == .infinity)
    }
    #expect(Distance.radians(1) == Distance.radians(1) && Distance.radians(1) != Distance.radians(2))
  }

  @Test func circlesHaveARadius() throws {
    let centre = try #require(GeoPoint(latitude: 1, longitude: 2))
    let circle = try #require(GeoCircle(center: (1, 2), radiusInRadians: 0.5))
    #expect(circle.center == centre && circle.radians == 0.5)
    #expect(circle == GeoCircle(center: centre, radius: try #require(.radians(0.5))))
    #expect(circle == GeoCircle(center: (1, 2), radius: try #require(.radians(0.5))))
    #expect(circle != GeoCircle(center: centre, radiusInRadians: 0.6))
    #expect(circle != GeoCircle(center: (1, 3), radiusInRadians: 0.5))
    #expect(circle != GeoCircle(center: (2, 2), radiusInRadians: 0.5))
    #expect(GeoCircle(center: centre, radiusInRadians: .infinity) != nil)
    #expect(GeoCircle(center: centre, radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: centre, radiusInRadians: .nan) == nil)
    #expect(GeoCircle(center: (91, 2), radiusInRadians: 1) == nil)
    #expect(GeoCircle(center: (1, 181), radius: try #require(.radians(1))) == nil)
  }

  @Test func boxesHaveTwoCorners() throws {
    let (low, high) = (
      try #require(GeoPoint(latitude: 1, longitude: 2)), try #require(GeoPoint(latitude: 3, longitude: 4))
    )
    let box = GeoBox(bottomLeft: low, topRight: high)
    #expect(box.bottomLeft == low && box.topRight == high)
    #expect(box == GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
    #expect(box != GeoBox(bottomLeft: (1, 2), topRight: (3, 5)))
    #expect(GeoBox(bottomLeft: (-91, 2), topRight: (3, 4)) == nil)
    #expect(GeoBox(bottomLeft: (1, 2), topRight: (3, 181)) == nil)
  }

  @Test func ringsAreClosed() throws {
    let ring = try [(0.0, 0.0), (0, 1), (1, 1), (0, 0)].map { try #require(GeoPoint(latitude: $0.0, longitude: $0.1)) }
    let plain = try #require(GeoPolygon(outerRing: ring))
    #expect(plain.outerRing == ring && plain.holes == nil)
    #expect(GeoPolygon(outerRing: Array(ring.dropLast())) == nil)
    #expect(GeoPolygon(outerRing: [ring[0], ring[1], ring[0]]) == nil)
    #expect(GeoPolygon(outerRing: [GeoPoint]()) == nil)
    let high = try #require(GeoPoint(latitude: 0, longitude: 0, altitude: 1))
    #expect(GeoPolygon(outerRing: ring.dropLast() + [high]) == nil)
    #expect(GeoPolygon(outerRing: ring, holes: [Array(ring.dropLast())]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (91, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)], holes: [(0, 0), (0, 1), (1, 181), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)])?.holes == [])
    let holed = GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)], holes: [(0, 0), (0, 1), (1, 1), (0, 0)])
    #expect(holed?.holes == [ring])
  }

  @Test func polygonsWithoutAWordAboutHolesEqualNone() throws {
    let points = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)]
    let ring = try points.map { try #require(GeoPoint(latitude: $0.0, longitude: $0.1)) }
    let plain = try #require(GeoPolygon(outerRing: ring))
    let given = try #require(GeoPolygon(outerRing: points))
    #expect(plain != plain)
    #expect(plain != given && given != plain)
    #expect(given == GeoPolygon(outerRing: ring, holes: []))
    #expect(given != GeoPolygon(outerRing: points, holes: points))
  }
}
