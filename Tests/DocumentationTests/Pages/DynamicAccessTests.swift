import Firn
import Testing

@MainActor @Suite struct DynamicAccessTests {
  class Person: Object {
    @Persisted var name: String
  }

  @Test func byName() throws {
    let realm = try makeRealm(Person.self)
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
}
