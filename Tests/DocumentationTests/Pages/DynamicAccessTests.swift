import Firn
import Testing

@MainActor @Suite struct DynamicAccessTests {
  class Person: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var home: Home?
  }

  class Home: EmbeddedObject {
    @Persisted var city: String
  }

  @Test func byName() throws {
    let realm = try makeRealm(Person.self, Home.self)
    let person = Person(value: ["name": "Ada"])
    try realm.write { realm.add(person) }

    let name = person["name"] as? String
    try realm.write { person["name"] = "Grace" }
    #expect(name == "Ada")

    let printed = try Printout.of {
      for person in realm.dynamicObjects("Person") {
        print(person["name"] ?? "nobody")
      }
      try realm.write {
        realm.dynamicCreate("Person", value: ["name": "Edsger"])
      }
    }
    #expect(printed == "Grace\n")
    #expect(realm.objects(Person.self).map(\.name) == ["Grace", "Edsger"])
  }
  @Test func byPaths() throws {
    let realm = try makeRealm(Person.self, Home.self)
    let person = Person(value: ["name": "Ada", "home": ["city": "London"]] as [String: Any])
    try realm.write { realm.add(person) }

    let city = person.value(forKeyPath: "home.city") as? String
    try realm.write { person.setValuesForKeys(["name": "Grace", "age": 36]) }
    #expect(city == "London" && person.name == "Grace" && person.age == 36)
  }
}
