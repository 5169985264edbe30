import Firn
import Testing

/// The code of the pages on relations and on creating objects.
@MainActor @Suite struct RelationsTests {
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

  class Visitor: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var age: Int?
    @Persisted var note: String
  }

  struct VisitorForm: Codable, Sendable {
    var name: String
    var age: Int?
  }

  private func realmOfPeople() throws -> Realm { try makeRealm(Person.self, Dog.self, Address.self) }

  @Test func creating() throws {
    let realm = try realmOfPeople()
    try realm.write {
      realm.create(
        Person.self,
        value: ["name": "Ada", "dogs": [["name": "Rex"], ["name": "Fido"]]],
        update: .modified)
    }
    #expect(realm.objects(Dog.self).map { $0.owners.first?.name } == ["Ada", "Ada"])

    let body = #"{"name": "Ada", "address": {"street": "Main", "city": "Berlin"}}"#
    try realm.write {
      try realm.create(Person.self, json: body, update: .modified)
    }
    let ada = realm.object(ofType: Person.self, forPrimaryKey: "Ada")
    #expect(ada?.dogs.count == 2 && ada?.address?.city == "Berlin")

    var limits = CreationLimits()
    limits.unknownKeys = .refuse
    limits.missingKeys = .refuse
    limits.nestedObjects = .link
    try realm.write {
      try realm.create(Person.self, json: body, update: .modified, limits: limits)
    }
    #expect(throws: (any Error).self) {
      try realm.write { try realm.create(Person.self, json: #"{"nme": "Ada"}"#, update: .modified, limits: limits) }
    }
  }

  @Test func creatingFromCheckedValues() throws {
    let realm = try makeRealm(Visitor.self)
    var printed = try Printout.of {
      let fields = ["name": "Ada", "age": "36"]
      var values: [String: Any] = fields
      values["age"] = fields["age"].flatMap { Int($0) }
      do {
        try realm.write {
          try realm.create(Visitor.self, checking: values, update: .modified)
        }
      } catch let error as Realm.Error where error.code == .invalidInput {
        print(error.invalidInput?.description ?? error.localizedDescription)
      }
    }
    #expect(printed.isEmpty && realm.objects(Visitor.self).first?.age == 36)
    printed = try Printout.of {
      let form = try JSONDecoder().decode(VisitorForm.self, from: Data(#"{"name": "Ada", "note": "x"}"#.utf8))
      let ada = try realm.write {
        try realm.create(Visitor.self, from: form, update: .modified)
      }
      print(ada.age ?? 0, ada.note)
    }
    #expect(printed == "36 \n")
  }

  @Test func deleting() throws {
    let realm = try makeRealm(Album.self, Track.self, Label.self)
    let first = Album(value: ["title": "Blue", "tracks": [["title": "Carey"]], "label": ["name": "Reprise"]])
    try realm.write { realm.add(first) }
    #expect(throws: Realm.Error.self) { try realm.write { realm.delete(first) } }
    // The accessor that was deleted stays invalid, and the row is there.
    let album = try #require(realm.objects(Album.self).first)
    try realm.write { album.label = nil }
    try realm.write { realm.delete(album) }
    #expect(realm.objects(Track.self).isEmpty && realm.objects(Label.self).count == 1)
    #expect(album.isInvalidated && album.title == "Blue")
  }
}
