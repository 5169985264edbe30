import Firn
import Foundation
import Testing

final class PlaceSpot: EmbeddedObject {
  @Persisted var type: String
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double, type: String = "Point") {
    self.init()
    self.type = type
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

/// The same columns under other names.
final class PlaceMapped: EmbeddedObject {
  @Persisted var kind = "point"
  @Persisted var numbers: List<Double>

  override class func propertiesMapping() -> [String: String] { ["kind": "type", "numbers": "coordinates"] }
}

final class PlaceWrong: EmbeddedObject {
  @Persisted var type: Int
  @Persisted var coordinates: List<Double>
}

/// One number where there have to be two.
final class PlaceSingle: EmbeddedObject {
  @Persisted var type: String
  @Persisted var coordinates: Double
}

/// Numbers without an order.
final class PlaceGathered: EmbeddedObject {
  @Persisted var type: String
  @Persisted var coordinates: MutableSet<Double>
}

final class PlaceShop: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var spot: PlaceSpot?
  @Persisted var spots: List<PlaceSpot>
  @Persisted var named: Map<String, PlaceSpot?>
  @Persisted var mapped: PlaceMapped?
  @Persisted var wrong: PlaceWrong?
  @Persisted var single: PlaceSingle?
  @Persisted var gathered: PlaceGathered?
  @Persisted var neighbour: PlaceShop?
}

struct PlaceWorld {
  let realm: Realm
  let shops: Results<PlaceShop>
  let north = GeoCircle(center: (90, 0), radiusInRadians: 0.2)!

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [
          PlaceShop.self, PlaceSpot.self, PlaceMapped.self, PlaceWrong.self, PlaceSingle.self, PlaceGathered.self,
        ]))
    shops = realm.objects(PlaceShop.self)
  }

  func add(_ spots: [PlaceSpot?]) throws {
    try realm.write {
      for spot in spots {
        let shop = PlaceShop()
        shop.id = shops.count
        shop.spot = spot
        realm.add(shop)
      }
    }
  }
}
