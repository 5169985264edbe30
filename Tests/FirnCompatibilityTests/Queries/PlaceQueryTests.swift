import Firn
import Foundation
import Testing

/// Which objects conditions on places select.
@Suite struct PlaceQueryTests {
  private let world: PlaceWorld
  private var realm: Realm { world.realm }
  private var shops: Results<PlaceShop> { world.shops }
  private var north: GeoCircle { world.north }

  init() throws { world = try PlaceWorld() }

  private func add(_ spots: [PlaceSpot?]) throws { try world.add(spots) }

  private func ids(_ condition: (Query<PlaceShop>) -> Query<Bool>) -> [Int] { shops.where(condition).map(\.id) }

  @Test func circlesHoldWhatIsNear() throws {
    try add([PlaceSpot(40, 2), PlaceSpot(40.01, 2), PlaceSpot(41, 2), PlaceSpot(-40, -178), nil])
    let circle = GeoCircle(center: (40, 2), radius: try #require(.kilometers(5)))!
    #expect(ids { $0.spot.geoWithin(circle) } == [0, 1])
    #expect(shops.filter("spot IN %@", circle).map(\.id) == [0, 1])
    #expect(ids { !$0.spot.geoWithin(circle) } == [2, 3, 4])
    #expect(shops.filter("NOT spot IN %@", circle).map(\.id) == [2, 3, 4])
    let point = GeoCircle(center: (41, 2), radiusInRadians: 0)!
    #expect(ids { $0.spot.geoWithin(point) } == [2])
    let globe = GeoCircle(center: (1, 1), radiusInRadians: .infinity)!
    #expect(ids { $0.spot.geoWithin(globe) } == [0, 1, 2, 3])
  }

  @Test func shapesReachAcrossPolesAndTheAntimeridian() throws {
    try add([PlaceSpot(85, 0), PlaceSpot(84.9, 180), PlaceSpot(0, 179.9), PlaceSpot(0, -179.9), PlaceSpot(0, 0)])
    #expect(ids { $0.spot.geoWithin(self.north) } == [0, 1])
    let pacific = GeoBox(bottomLeft: (-1, 179), topRight: (1, -179))!
    #expect(ids { $0.spot.geoWithin(pacific) } == [2, 3])
    let cap = GeoPolygon(outerRing: [(80, 0), (80, 120), (80, -120), (80, 0)])!
    #expect(ids { $0.spot.geoWithin(cap) } == [0])
    let square = GeoPolygon(
      outerRing: [(70, 0), (70, 90), (70, 180), (70, -90), (70, 0)],
      holes: [
        (84, -5), (86, -5), (86, 5), (84, 5), (84, -5),
      ])!
    #expect(ids { $0.spot.geoWithin(square) } == [1])
  }

  @Test func sidesOfBoxesAreGreatCircles() throws {
    // The northern side from (50, 0) to (50, 60) rises to 54 degrees half-way.
    try add([PlaceSpot(53, 30), PlaceSpot(53, 1), PlaceSpot(41, 30), PlaceSpot(46, 30)])
    let box = GeoBox(bottomLeft: (40, 0), topRight: (50, 60))!
    #expect(ids { $0.spot.geoWithin(box) } == [0, 3])
    // The order of the corners says nothing, and a box that is wider than half of the globe lies on its other side.
    let turned = GeoBox(bottomLeft: (50, 60), topRight: (40, 0))!
    #expect(ids { $0.spot.geoWithin(turned) } == [0, 3])
    let wide = GeoBox(bottomLeft: (40, -170), topRight: (60, 170))!
    #expect(ids { $0.spot.geoWithin(wide) } == [])
  }

  @Test func shapesOfATypeThatTheCallerChooses() throws {
    try add([PlaceSpot(40, 2), PlaceSpot(41, 2), PlaceSpot(85, 0)])
    func within<Shape: RLMGeospatial>(_ shape: Shape) -> [Int] { ids { $0.spot.geoWithin(shape) } }
    #expect(within(north) == [2])
    #expect(within(GeoBox(bottomLeft: (39, 1), topRight: (40.5, 3))!) == [0])
    #expect(within(GeoPolygon(outerRing: [(80, 0), (80, 120), (80, -120), (80, 0)])!) == [2])
    let shapes: [any RLMGeospatial] = [north, GeoCircle(center: (41, 2), radiusInRadians: 0)!]
    #expect(shapes.map { within($0) } == [[2], [1]])
  }

  @Test func whatIsNoPlaceLiesNowhere() throws {
    let globe = GeoCircle(center: (0, 0), radiusInRadians: 4)!
    let short = PlaceSpot()
    short.type = "Point"
    short.coordinates.append(1)
    let long = PlaceSpot(1, 1, type: "pOINT")
    long.coordinates.append(objectsIn: [300, .nan, 5])
    try add([
      nil, PlaceSpot(), short, long, PlaceSpot(91, 0), PlaceSpot(0, 181), PlaceSpot(.nan, 0), PlaceSpot(0, .nan),
      PlaceSpot(0, .infinity), PlaceSpot(1, 1, type: "Polygon"), PlaceSpot(1, 1, type: "Pointe"),
      PlaceSpot(1, 1, type: "Poinx"), PlaceSpot(1, 1, type: "Qoint"), PlaceSpot(1, 1, type: "Poin"),
      PlaceSpot(1, 1, type: "Ｐoint"), PlaceSpot(90, 180), PlaceSpot(-90, -180),
    ])
    #expect(ids { $0.spot.geoWithin(globe) } == [3, 15, 16])
    #expect(shops.filter("spot IN %@", globe).map(\.id) == [3, 15, 16])
  }

  @Test func pathsLeadThroughLinksAndCollections() throws {
    try add([PlaceSpot(85, 0), PlaceSpot(0, 0), nil])
    try realm.write {
      shops[1].neighbour = shops[0]
      shops[0].spots.append(objectsIn: [PlaceSpot(1, 1), PlaceSpot(86, 100)])
      shops[2].spots.append(PlaceSpot(1, 1))
      shops[2].named["a"] = PlaceSpot(89, 1)
      shops[1].named["b"] = .some(nil)
      let mapped = PlaceMapped()
      mapped.numbers.append(objectsIn: [5, 88])
      shops[2].mapped = mapped
    }
    #expect(ids { $0.neighbour.spot.geoWithin(self.north) } == [1])
    #expect(shops.filter("neighbour.spot IN %@", north).map(\.id) == [1])
    #expect(shops.filter("ANY spots IN %@", north).map(\.id) == [0])
    #expect(shops.filter("NONE spots IN %@", north).map(\.id) == [1, 2])
    #expect(shops.filter("ANY named.@allValues IN %@", north).map(\.id) == [2])
    #expect(shops.filter("SUBQUERY(spots, $x, $x IN %@).@count > 0", north).map(\.id) == [0])
    #expect(ids { $0.mapped.geoWithin(self.north) } == [2])
    #expect(ids { $0.spot.geoWithin(self.north) || $0.mapped.geoWithin(self.north) } == [0, 2])
    #expect(shops[0].spots.filter("SELF IN %@", north).count == 1)
  }

  @Test func conditionsArePrinted() {
    let north = north
    func expect(_ format: String, _ query: (Query<PlaceShop>) -> Query<Bool>) {
      let (text, arguments) = query(Query<PlaceShop>._constructForTesting())._constructPredicate()
      #expect(text == format)
      #expect(arguments.count == 1 && arguments[0] as? GeoCircle === north)
      #expect(shops.filter(text, north).count == shops.where(query).count)
    }
    expect("(spot IN %@)") { $0.spot.geoWithin(north) }
    expect("(NOT spot IN %@)") { !$0.spot.geoWithin(north) }
    expect("(neighbour.spot IN %@)") { $0.neighbour.spot.geoWithin(north) }
  }

  @Test func wrongLocationsAreRefused() {
    func expectRefusal(_ sentence: String, _ text: String, _ arguments: Any...) {
      let error = #expect(throws: Realm.Error.self) { try shops.filter(parsing: text, arguments: arguments) }
      #expect(error?.invalidPredicate?.description.contains(sentence) == true, "\(String(describing: error))")
    }
    expectRefusal("in the wrong format for a geoWithin query", "wrong IN %@", north)
    expectRefusal("in the wrong format for a geoWithin query", "single IN %@", north)
    expectRefusal("in the wrong format for a geoWithin query", "gathered IN %@", north)
    expectRefusal("in the wrong format for a geoWithin query", "id IN %@", north)
    expectRefusal("can only operate on a link to an embedded class", "neighbour IN %@", north)
    expectRefusal("must use aggregate operations", "spots IN %@", north)
    expectRefusal("Cannot compare value", "spot == %@", north)
    expectRefusal("Invalid region in GEOWITHIN query", "spot IN %@", GeoBox(bottomLeft: (1, 1), topRight: (1, 2))!)
    expectRefusal(
      "Invalid region in GEOWITHIN query", "spot IN %@",
      GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 1), (1, 0), (0, 0)])!)
    expectRefusal(
      "hole", "spot IN %@",
      GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)], holes: [(5, 5), (5, 6), (6, 6), (5, 5)])!)
    expectRefusal("IN clause requires an array", "spot IN %@", GeoPoint(latitude: 1, longitude: 1)!)
  }

  @Test func wrongQueriesTrap() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = GeoBox(bottomLeft: (1, 1), topRight: (1, 2))!
      _ = try PlaceWorld().shops.where { $0.spot.geoWithin(box) }
    }
    #expect(trapSaid("Invalid region in GEOWITHIN query", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let circle = GeoCircle(center: (1, 1), radiusInRadians: 1)!
      _ = try PlaceWorld().shops.where { $0.wrong.geoWithin(circle) }
    }
    #expect(trapSaid("in the wrong format for a geoWithin query", result))
  }
}
