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
