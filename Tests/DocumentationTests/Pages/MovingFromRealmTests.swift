import Firn
import Testing

@MainActor @Suite struct MovingFromRealmTests {
  class Dog: Object {
    @Persisted var name = ""
  }

  class Person: Object {
    // @objc dynamic var name = ""
    @Persisted var name = ""
    // let age = RealmOptional<Int>()
    @Persisted var age: Int?
    // let dogs = List<Dog>()
    @Persisted var dogs: List<Dog>
    // let owners = LinkingObjects(fromType: Person.self, property: "dogs")
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>
  }

  class Owner: Object {
    @Persisted var dogs: List<Person>
  }

  @Test func namesOfProperties() throws {
    let realm = try makeRealm(Dog.self)
    try realm.write { for name in ["Rex", "Fido"] { realm.create(Dog.self, value: [name]) } }
    #expect(realm.objects(Dog.self).sorted(byKeyPath: _name(for: \Dog.name)).map(\.name) == ["Fido", "Rex"])
  }

  @Test func declaring() throws {
    let realm = try makeRealm(Dog.self, Person.self, Owner.self)
    try realm.write { realm.create(Owner.self, value: ["dogs": [["name": "Ada", "dogs": [["name": "Rex"]]]]]) }
    let person = realm.objects(Person.self).first
    #expect(person?.age == nil && person?.dogs.first?.name == "Rex" && person?.owners.count == 1)
  }
}
