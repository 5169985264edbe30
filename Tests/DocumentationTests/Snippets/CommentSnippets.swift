import Firn

/// The code in comments of the library.
private enum Comments {
  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var city: String
  }

  enum Status: String, PersistableEnum {
    case scheduled, departed, cancelled
  }

  class Plane: Object {
    @Persisted(primaryKey: true) var tail: String
  }

  enum Identified {
    final class Flight: Object, ObjectKeyIdentifiable {
      @Persisted var number: String
    }
  }

  class Airline: Object {
    @Persisted var fleet: List<Plane>
    @Persisted var codes: List<String>
  }

  enum Declared {
    class Flight: Object {
      @Persisted(primaryKey: true) var id: String
      @Persisted(indexed: true) var status: Status
      @Persisted var delay: Int?
    }
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var status: Status
    @Persisted var delay: Int?
    @Persisted var from: Airport?
  }

  static func query(_ realm: Realm) {
    _ =
      realm.objects(Flight.self).where { $0.delay > 30 && $0.from.city == "Boston" }
    _ =
      realm.objects(Flight.self).where {
        ($0.delay > 30 || $0.status == .cancelled) && $0.from.city == "Boston"
      }
  }

  static func creating(_ realm: Realm, _ body: String) throws {
    let flight = try realm.create(Flight.self, json: body, update: .modified)
    _ = flight
    let news = FlightNews(id: "LH400", delay: 5)
    try realm.create(Flight.self, from: news, update: .modified)
  }

  struct FlightNews: Codable {
    var id: String
    var delay: Int?
  }

  static func lists(_ person: Object) {
    let row: Object = person
    let tags: List<String> = row.dynamicList("tags")
    _ = tags
  }

  static func dynamic(_ realm: Realm) {
    for row in realm.dynamicObjects("Flight") {
      print(row["id"] ?? "", row.delay as? Int ?? 0)
    }
  }

  static func store(_ configuration: Realm.Configuration) async throws {
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      realm.add(Flight(value: ["id": "LH400"]))
    }
    let late = store.freeze().objects(Flight.self).where { $0.delay > 30 }
    _ = late
  }

  static func frozen(_ realm: Realm) throws {
    let flight = try Frozen(realm.object(ofType: Flight.self, forPrimaryKey: "LH400")!)
    Task {
      print(flight.delay ?? 0, flight.from?.city ?? "")  // flight.from is a Frozen<Airport>?
    }
  }

  static func causes(_ realm: Realm, _ flights: Results<Flight>) {
    let token = flights.observe { _ in
      if realm.causes.contains(where: { $0.author == "importer" }) { print("The importer wrote.") }
    }
    _ = token
  }

  static func history(_ store: RealmStore, _ version: UInt64) async throws {
    for try await entry in store.history(after: version) {
      print(entry.version, entry.cause?.author ?? "", entry.classes.map(\.name))
    }
  }

  static func changes(_ flights: Results<Flight>) async {
    func show(_ flights: Frozen<Results<Flight>>) {}
    func update(_ flights: Frozen<Results<Flight>>, _ delta: CollectionDelta) {}
    for await change in flights.where({ $0.delay > 30 }).changes {
      switch change {
      case .initial(let flights), .reset(let flights): show(flights)
      case .update(let flights, let delta, causes: _): update(flights, delta)
      case .deleted: break
      }
    }
  }

  static func resuming(_ store: RealmStore, _ token: ResumeToken?) async {
    func replaceAll(_ flights: Frozen<Results<Flight>>, _ token: ResumeToken) {}
    func apply(_ delta: KeyedDelta<Flight>, _ token: ResumeToken) {}
    for await change in store.resumableChanges(after: token, of: { $0.objects(Flight.self) }) {
      switch change {
      case .initial(let flights, let token), .reset(let flights, let token): replaceAll(flights, token)
      case .resumed(let delta, let token), .update(let delta, let token): apply(delta, token)
      }
    }
    let late = store.resumableChanges(after: token) { realm in
      realm.objects(Flight.self).where { $0.delay > 30 }
    }
    _ = late
  }
}
