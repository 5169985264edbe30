import Firn

/// The code in comments of what writes.
private enum Writing {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
  }

  actor Desk {
    private var realm: Realm!
    init() async throws { realm = try await Realm.open() }
  }

  static func write(_ store: RealmStore) async throws {
    let flight = try await store.write { realm in
      realm.create(Flight.self, value: ["id": "LH400"])
    }
    print(flight.id)  // flight is a Frozen<Flight>
  }

  @MainActor static func write(_ realm: Realm) async throws {
    let flight = try await realm.asyncWrite { realm in
      realm.create(Flight.self, value: ["id": "LH400"])
    }
    print(flight.id)
  }
}

/// The code in comments on what is passed between threads.
private enum Passing {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  class Airport: Object {
    @Persisted var departures: List<Flight>
  }

  static func refer(_ flight: Flight, _ configuration: Realm.Configuration, _ queue: DispatchQueue) {
    let reference = ThreadSafeReference(to: flight)
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      guard let flight = realm.resolve(reference) else { return }  // it was deleted
      try! realm.write { flight.delay = 45 }
    }
  }

  final class Board: @unchecked Sendable {
    @ThreadSafe private var flight: Flight?

    init(_ flight: Flight) { self.flight = flight }

    func delay(by minutes: Int) throws {  // on any thread
      guard let flight = self.flight, let realm = flight.realm else { return }
      try realm.write { flight.delay += minutes }
    }
  }

  static func wrap(_ realm: Realm, _ airport: Airport) {
    var shown: AnyRealmCollection<Flight>
    shown = AnyRealmCollection(realm.objects(Flight.self))
    shown = AnyRealmCollection(airport.departures)
    _ = shown
  }

  static func log() {
    Logger.shared = Logger(level: .warn) { level, message in
      print("\(level): \(message)")
    }
  }
}

/// A model in the older style, rewritten.
private enum Rewritten {
  class Dog: Object {
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  class Person: Object {
    // @objc dynamic var name = ""
    @Persisted var name = ""
    // let age = RealmOptional<Int>()
    @Persisted var age: Int?
    // let dogs = List<Dog>()
    @Persisted var dogs: List<Dog>
    // let owners = LinkingObjects(fromType: Person.self, property: "dogs")
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }
}
