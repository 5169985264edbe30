import Firn
import Testing

@MainActor @Suite struct PlacesTests {
  class Coordinates: EmbeddedObject {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>

    convenience init(latitude: Double, longitude: Double) {
      self.init()
      coordinates.append(objectsIn: [longitude, latitude])
    }
  }

  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var location: Coordinates?

    override class func indexes() -> [Index] { [.geo(\Airport.location)] }
  }

  @Test func page() throws {
    let realm = try makeRealm(Airport.self, Coordinates.self)
    let airports = realm.objects(Airport.self)
    try realm.write {
      for (code, latitude, longitude) in [("BOS", 42.36, -71.01), ("JFK", 40.64, -73.78), ("ZRH", 47.46, 8.55)] {
        let airport = Airport()
        airport.code = code
        airport.location = Coordinates(latitude: latitude, longitude: longitude)
        realm.add(airport)
      }
    }
    let printed = Printout.of {
      guard let boston = GeoPoint(latitude: 42.36, longitude: -71.01), let radius = Distance.kilometers(350),
        let coast = GeoPolygon(outerRing: [(38, -78), (45, -76), (44, -66), (38, -78)])
      else { return }
      let near = airports.where { $0.location.geoWithin(GeoCircle(center: boston, radius: radius)) }
      print(Array(near.map(\.code)))
      print(Array(airports.filter("location IN %@", coast).map(\.code)))
      for (airport, distance) in airports.nearest(to: boston, by: \.location).prefix(3) {
        print(airport.code, Int(distance.asKilometers()))
      }
    }
    #expect(printed == "[\"BOS\", \"JFK\"]\n[\"BOS\", \"JFK\"]\nBOS 0\nJFK 299\nZRH 6017\n")
  }
}
