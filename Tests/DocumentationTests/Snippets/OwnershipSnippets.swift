import Firn

private enum Relations {
  class Person: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?
  }

  class Dog: Object {
    @Persisted var name: String
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String
  }

  class Track: Object {
    @Persisted var title: String
  }

  class Label: Object {
    @Persisted var name: String
  }

  class Album: Object {
    @Persisted var title: String
    @Persisted(deleteRule: .cascade) var tracks: List<Track>
    @Persisted(deleteRule: .deny) var label: Label?
  }

  static func create(_ realm: Realm, _ body: String) throws {
    try realm.write {
      realm.create(
        Person.self,
        value: ["name": "Ada", "dogs": [["name": "Rex"], ["name": "Fido"]]],
        update: .modified)
    }
    try realm.write {
      try realm.create(Person.self, json: body, update: .modified)
    }
  }

  static func byName(_ realm: Realm, _ person: Person) throws {
    let name = person["name"] as? String
    try realm.write { person["name"] = "Grace" }
    print(name ?? "")
    for person in realm.dynamicObjects("Person") {
      print(person["name"] ?? "nobody")
    }
    try realm.write {
      realm.dynamicCreate("Person", value: ["name": "Edsger"])
    }
  }
}
