import Firn
import Foundation
import Testing

/// Known to realms that list it only.
class Hidden: Object {
  @Persisted var name: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same, said in the other way.
class Ignored: Object {
  @Persisted var name: String

  override class func _realmIgnoreClass() -> Bool { true }
}

// Two classes of one name, which concerns nobody who uses neither.
enum North {
  class Depot: Object {
    @Persisted var name: String
  }
}

enum South {
  class Depot: Object {
    @Persisted var city: String
  }
}

/// Realms that are opened without a list of classes.
@Suite struct DefaultConfigurationTests {
  @Test func everyClassIsFound() async {
    await #expect(processExitsWith: .success) {
      Realm.Configuration.defaultConfiguration = Realm.Configuration(inMemoryIdentifier: "default")
      let realm = try Realm()
      let names = realm.schema.objectSchema.map(\.className)
      #expect(names == names.sorted())
      for name in ["Address", "Animal", "Dog", "Kennel", "Location", "Person", "Renamed", "Ticket"] {
        #expect(names.contains(name), "\(name)")
      }
      for name in ["Hidden", "Ignored", "DynamicObject", "Depot"] { #expect(!names.contains(name), "\(name)") }
      #expect(realm.schema["Dog"]?.properties.first?.name == "_id", "those of superclasses come first")
      try realm.write { realm.add(Person(firstName: "Ada", age: 36)) }
      #expect(try Realm().objects(Person.self).count == 1, "the same database each time")
    }
  }

  @Test func classesMayBeListedInstead() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Hidden.self, Ignored.self, North.Depot.self]))
    try realm.write {
      realm.create(Hidden.self, value: ["name": "h"])
      realm.create(North.Depot.self, value: ["name": "d"])
    }
    #expect(realm.objects(Ignored.self).isEmpty && realm.objects(Hidden.self).count == 1)
    #expect(realm.dynamicObjects("Depot").first?["name"] as? String == "d")
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [North.Depot.self, South.Depot.self]))
    }
    #expect(error?.localizedDescription.contains("Two model classes are named 'Depot'") == true)
    #expect(error?.localizedDescription.contains("objectTypes") == true)
  }

  @Test func whoUsesAClassOfATakenNameIsTold() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
      _ = realm.objects(North.Depot.self)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("'Depot' is not managed by the Realm"))
  }
}
