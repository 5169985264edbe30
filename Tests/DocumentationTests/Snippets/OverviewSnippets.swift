import Firn

private enum Overview {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var destination: String
    @Persisted var delay: Int?
  }

  static func start(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(Flight.self, value: ["id": "B6 123", "destination": "BOS"])
    }
    let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: \.delay)
    _ = late
  }
}
