import Firn
import Foundation
import Testing

/// What users of the reference's API write, from a package of their own.
@Suite struct ModelSamplesTests {
  private func makeRealm() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
  }

  @Test func objectsAreAddedChangedAndDeleted() throws {
    let realm = try makeRealm()
    let person = Person(firstName: "Ada", age: 36)
    let dog = Dog(value: ["name": "Rex", "breed": "beagle", "size": 2, "weight": "12.5"])
    person.dogs.append(dog)
    person.favourite = dog
    try realm.write { realm.add(person) }
    #expect(person.realm == realm && dog.realm == realm)
    #expect(realm.objects(Person.self).where { $0.favourite.name == "Rex" }.count == 1)
    #expect(dog.owners.count == 1 && dog.owners.first == person)
    #expect(dog.weight == 12.5 && dog.size == .large && dog.breed == .beagle)

    try realm.write {
      person.nicknames.insert("countess")
      person.scores["chess"] = 3
      person.keepers["weekdays"] = dog
      person.home = Address(value: ["street": "Main", "location": ["latitude": 1.5]])
      person.addresses.append(Address())
      person.anything = .list(List<AnyRealmValue>())
      person.anything.listValue?.append(.int(1))
      person.notes.append(.string("note"))
    }
    #expect(person.home?.city == "Berlin" && person.home?.location?.latitude == 1.5)
    #expect(person.anything.listValue?.first?.intValue == 1)
    #expect(person.keepers["weekdays"]??.name == "Rex")

    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated)
    #expect(person.dogs.isEmpty && person.favourite == nil)
    #expect(person.keepers.keys == ["weekdays"])
  }

  @Test func olderDeclarationsWork() throws {
    let realm = try makeRealm()
    try realm.write {
      realm.create(Ticket.self, value: ["number": 7, "holder": "Ada"])
      realm.create(Ticket.self, value: ["number": 7, "holder": "Grace"], update: .modified)
      realm.create(Renamed.self, value: ["id": 1, "firstName": "Alan"])
    }
    #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 7)?.holder == "Grace")
    #expect(realm.objects(Renamed.self).where { $0.firstName == "Alan" }.count == 1)
    #expect(realm.schema["Renamed"]?["firstName"]?.columnName == "first_name")
  }

  @Test func ownTypes() throws {
    let realm = try makeRealm()
    try realm.write {
      let kennel = realm.create(Kennel.self, value: ["name": "north"])
      kennel.temperature = Celsius(degrees: 21)
      kennel.site = URL(string: "https://example.org")
      kennel.features = [.heated]
      kennel.history.append(Celsius(degrees: 20))
    }
    let warm = realm.objects(Kennel.self).where { $0.temperature > Celsius(degrees: 20) }
    #expect(warm.first?.site?.host == "example.org")
    #expect(warm.first?.features.contains(.heated) == true)
  }

  @Test func theRealmOfAFileIsReadByNameToo() throws {
    let realm = try makeRealm()
    try realm.write { realm.dynamicCreate("Ticket", value: ["number": 1, "holder": "Edsger"]) }
    #expect(realm.dynamicObjects("Ticket").first?["holder"] as? String == "Edsger")
  }
}
