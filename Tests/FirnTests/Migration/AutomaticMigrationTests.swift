import Firn
import Foundation
import Testing

/// What becomes of a file by itself when its models have changed.
@Suite struct AutomaticMigrationTests {
  private func checkAdded(_ realm: Realm, _ count: Int) {
    let people = realm.objects(Added.Person.self)
    #expect(people.count == count)
    for (id, person) in people.enumerated() {
      #expect(person.id == id && person.first == "First \(id)" && person.age == id % 90)
      #expect(person.height == 1.75 && person.nick == "none" && person.level == .middle && person.note == "new")
      #expect(
        person.empty == nil && person.isActive && person.home == nil && person.words.isEmpty && person.dogs.isEmpty)
      #expect(person.born == Date(timeIntervalSinceReferenceDate: 86_400) && person.code == Data([1, 2, 3]))
      #expect(person.price == Decimal128(12) && person.ratio == 0.5 && person.mixed == .string("m"))
      #expect(Array(person.tags) == (0..<id % 3).map { "tag \($0)" } && person.limits["b"] == id + 1)
      #expect(id % 2 == 0 ? person.anything == .int(id) : person.anything.listValue?[1] == .int(id))
    }
    #expect(people.where { $0.nick == "none" }.count == count, "an indexed property")
    #expect(people.where { $0.last == "Last 3" }.count == (0..<count).count { $0 % 7 == 3 }, "a new index")
    #expect(realm.objects(Added.Dog.self).isEmpty)
  }

  @Test(arguments: [true, false])
  func whatIsAddedNeedsNoVersion(checkpoint: Bool) async throws {
    let files = try TemporaryStore()
    try await files.fill(600, checkpoint: checkpoint)
    let added = files.configuration(Added.types)
    do {
      let realm = try opened(added)
      checkAdded(realm, 600)
      try realm.write {
        realm.objects(Added.Person.self)[5].nick = "five"
        realm.create(Added.Person.self, value: ["id": 1_000, "nick": "x", "dogs": [["name": "Pluto"]]])
      }
    }
    // Once more, from the catalogue in the journal, and from a snapshot with the new columns.
    for round in 0..<2 {
      let store = try await RealmStore.open(added)
      let people = store.freeze().objects(Added.Person.self)
      #expect(people.count == 601 && people[5].nick == "five" && people[6].nick == "none" && people[600].height == 1.75)
      #expect(people[600].dogs[0].name == "Pluto")
      if round == 0 { try await store.checkpoint() }
      try await store.close()
    }
    #expect(try RealmStore.verify(added).objectCounts["Person"] == 601)
  }

  @Test func anOlderProgramKeepsWhatItDoesNotKnow() async throws {
    let files = try TemporaryStore()
    try await files.fill(40)
    try autoreleasing {
      let realm = try opened(files.configuration(Added.types))
      try realm.write { realm.objects(Added.Person.self)[3].nick = "three" }
    }
    try autoreleasing {
      let realm = try opened(files.configuration(Before.types))
      #expect(realm.objects(Before.Person.self).count == 40)
      try realm.write {
        realm.create(Before.Person.self, value: ["id": 40, "first": "First 40", "last": "Last 5", "age": 40])
        realm.objects(Before.Person.self)[3].age = 99
        realm.delete(realm.objects(Before.Person.self)[0])
      }
    }
    let realm = try opened(files.configuration(Added.types))
    let people = realm.objects(Added.Person.self)
    #expect(people.count == 40)
    #expect(people[2].nick == "three" && people[2].age == 99)
    // What the older program inserted has the defaults that the newer one declared.
    let new = try #require(people.last)
    #expect(new.id == 40 && new.nick == "none" && new.height == 1.75 && new.level == .middle && new.note == "new")
    #expect(new.mixed == .string("m") && new.price == Decimal128(12) && new.isActive)
    #expect(people.where { $0.nick == "none" }.count == 39)
  }

  @Test func additionsCanBeMadeToNeedAVersion() async throws {
    let files = try TemporaryStore()
    try await files.fill(4)
    var added = files.configuration(Added.types)
    added.additionsNeedVersion = true
    let error = #expect(throws: Realm.Error.self) { try opened(added) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.localizedDescription.contains("- Property 'Person.height' has been added.") == true)
    #expect(error?.localizedDescription.contains("Raise Configuration.schemaVersion above 0") == true)
    var fewer = files.configuration([Before.City.self])
    fewer.additionsNeedVersion = true
    #expect(throws: Never.self, "classes may be missing") { try opened(fewer) }
    added.schemaVersion = 1
    checkAdded(try opened(added), 4)
  }

  @Test func propertiesAreDroppedWhenTheVersionRises() async throws {
    let files = try TemporaryStore()
    try await files.fill(30, checkpoint: false)
    let fewer = [MigrationFewer.City.self]
    try autoreleasing {
      let realm = try opened(files.configuration(fewer))
      #expect(realm.objects(MigrationFewer.City.self).count == 6)
    }
    try autoreleasing {
      let realm = try opened(files.configuration(fewer, version: 3))
      #expect(Set(realm.objects(MigrationFewer.City.self).map(\.name)) == ["City 0", "City 1", "City 2"])
      try realm.write { realm.create(MigrationFewer.City.self, value: ["name": "New"]) }
    }
    // The values are gone: the same property comes back with its default.
    let store = try await RealmStore.open(files.configuration([Before.City.self], version: 4))
    #expect(store.lastOpenReport?.migratedFrom == 3)
    #expect(Array(store.freeze().objects(Before.City.self).map(\.people)) == Array(repeating: 0, count: 7))
    #expect(store.freeze().realm.dynamicObjects("City").count == 7)
    try await store.checkpoint()
    try await store.close()
    let error = #expect(throws: Realm.Error.self) { try opened(files.configuration(fewer, version: 3)) }
    #expect(error?.localizedDescription.contains("Provided schema version 3 is less than last set version 4.") == true)
  }

  @Test func declaredRenamesNeedNoBlock() async throws {
    let files = try TemporaryStore()
    try await files.fill(20)
    let renamed = [MigrationRenamed.City.self]
    let error = #expect(throws: Realm.Error.self) { try opened(files.configuration(renamed)) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.localizedDescription.contains("- Property 'City.name' has been renamed to 'title'.") == true)
    let plan = try Realm.planMigration(for: files.configuration(renamed, version: 1))
    #expect(plan.changes.contains { $0.kind == .propertyRenamed } && !plan.rewritesFile && !plan.isRefused)
    try autoreleasing {
      let realm = try opened(files.configuration(renamed, version: 1))
      #expect(Set(realm.objects(MigrationRenamed.City.self).map(\.title)) == ["City 0", "City 1", "City 2"])
      #expect(realm.objects(MigrationRenamed.City.self).where { $0.title == "City 1" }.count == 2)
      try realm.write { realm.objects(MigrationRenamed.City.self)[0].title = "Other" }
    }
    let realm = try opened(files.configuration(renamed, version: 1))
    #expect(realm.objects(MigrationRenamed.City.self)[0].title == "Other")
  }

  @Test func defaultsThatDifferAreMadeForEachObject() async throws {
    let files = try TemporaryStore()
    try await files.fill(20)
    let configuration = files.configuration(PerObject.types)
    #expect(try Realm.planMigration(for: configuration).rewritesFile)
    let store = try await RealmStore.open(configuration)
    let cities = store.freeze().objects(PerObject.City.self)
    #expect(cities.count == 6 && Set(cities.map(\.token)).count == 6 && Set(cities.map(\.serial)).count == 6)
    let tokens = Array(cities.map(\.token))
    try await store.close()
    let again = try await RealmStore.open(configuration)
    #expect(Array(again.freeze().objects(PerObject.City.self).map(\.token)) == tokens, "they are stored")
    try await again.close()
  }

  @Test func optionalityAndTypesFollowTheModels() async throws {
    let files = try TemporaryStore()
    try await files.fill(50)
    let mismatch = #expect(throws: Realm.Error.self) { try opened(files.configuration(Altered.types)) }
    let text = mismatch?.localizedDescription ?? ""
    for line in [
      "Property 'Person.id' has been changed from 'int' to 'string'.", "Property 'Person.age' has been made optional.",
      "Property 'Person.score' has been made required.", "Property 'Person.city' has been renamed to 'town'.",
      "Property 'Person.tags' has been made optional.", "Property 'Person.limits' has been made optional.",
      "Primary Key for class 'City' has been added.",
    ] { #expect(text.contains("- \(line)"), "\(text)") }
    // Keys of the new type are all alike, and those of the cities are there twice.
    let duplicates = #expect(throws: Realm.Error.self) {
      try opened(files.configuration(Altered.types, version: 1))
    }
    #expect(duplicates?.localizedDescription.contains("' has duplicate values after migration") == true)
    #expect(try schemaVersionAtURL(try #require(files.configuration.fileURL)) == 0)

    try autoreleasing {
      let block: MigrationBlock = { migration, old in
        #expect(old == 0)
        var cities: Set<String> = []
        migration.enumerateObjects(ofType: "City") { old, new in
          guard let old, let new, let name = old["name"] as? String else { return }
          if !cities.insert(name).inserted { new["name"] = "\(name) again" }
        }
        migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new else { return }
          new["id"] = "person \(old["id"] as? Int ?? -1)"
          new["name"] = "\(old["first"] as? String ?? "") \(old["last"] as? String ?? "")"
        }
      }
      let realm = try opened(files.configuration(Altered.types, version: 1, block))
      let people = realm.objects(Altered.Person.self)
      #expect(people.count == 50)
      for (id, person) in people.enumerated() {
        #expect(person.id == "person \(id)" && person.name == "First \(id) Last \(id % 7)")
        #expect(person.age == id % 90, "values stay where a property became optional")
        #expect(person.score == 0, "and are lost where it became required")
        #expect(person.town?.name.hasPrefix("City \(id % 3)") == (id % 4 == 0 ? nil : true))
        #expect(person.tags.map { $0 } == (0..<id % 3).map { "tag \($0)" })
        #expect(person.limits["a"] == .some(id) && person.marks.contains(id + 1))
      }
      #expect(realm.object(ofType: Altered.Person.self, forPrimaryKey: "person 7")?.age == 7)
      #expect(realm.objects(Altered.City.self).count == 6)
    }
    let realm = try opened(files.configuration(Altered.types, version: 1))
    #expect(realm.objects(Altered.Person.self).count == 50)
    // The lists inside of the mixed values went with the property.
    #expect(
      try RealmStore.verify(files.configuration(Altered.types, version: 1)).objectCounts["AnyRealmValue.list"] == 0)
  }

  @Test func readingOnlyGivesDefaults() async throws {
    let files = try TemporaryStore()
    try await files.fill(12)
    var reading = files.configuration(Added.types)
    reading.readOnly = true
    let names = try files.names()
    try autoreleasing { checkAdded(try opened(reading), 12) }
    #expect(try files.names() == names)
    reading.additionsNeedVersion = true
    #expect(throws: Realm.Error.self) { try opened(reading) }
    reading.schemaVersion = 2
    let error = #expect(throws: Realm.Error.self) { try opened(reading) }
    #expect(error?.code == .fail)
  }

  @Test func filesAreDeletedInsteadOnDemand() async throws {
    let files = try TemporaryStore()
    try await files.fill(3)
    var configuration = files.configuration(Added.types)
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.migrationBlock = { _, _ in Issue.record("A block ran though the file is to be deleted.") }
    try autoreleasing {
      let realm = try opened(configuration)
      #expect(realm.objects(Added.Person.self).count == 3, "what only adds is no reason")
    }
    configuration.schemaVersion = 2
    try autoreleasing {
      let realm = try opened(configuration)
      #expect(realm.isEmpty)
      try realm.write { realm.create(Added.Dog.self) }
    }
    try autoreleasing {
      let realm = try opened(configuration)
      #expect(realm.objects(Added.Dog.self).count == 1)
    }
    configuration.schemaVersion = 1
    let last = try opened(configuration)
    #expect(last.isEmpty, "a lower version discards too")
  }
}

enum MigrationFewer {
  final class City: Object {
    @Persisted var name: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum MigrationRenamed {
  final class City: Object {
    @Persisted(indexed: true) var title: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
    override class var renamedProperties: [String: String] { ["name": "title"] }
  }
}

/// Lets go of everything that the block made before the next file is opened.
func autoreleasing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

/// Opens a realm on the thread, also where the compiler would choose the asynchronous form.
func opened(_ configuration: Realm.Configuration) throws -> Realm { try Realm(configuration: configuration) }
