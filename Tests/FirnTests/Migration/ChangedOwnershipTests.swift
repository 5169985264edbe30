import Firn
import FirnDurability
import FirnEngine
import Foundation
import Testing

/// Classes that become embedded, or stop to be, while their links are others; keys that move; classes that are wide.
@Suite struct ChangedOwnershipTests {
  /// Files with one person that owns a city.
  private func withEmbeddedCity() throws -> TemporaryStore {
    let files = try TemporaryStore()
    try autoreleasing {
      let realm = try opened(files.configuration(Embedding.types))
      try realm.write { realm.create(Embedding.Person.self, value: ["id": 1, "city": ["name": "Mine"]]) }
    }
    return files
  }

  @Test func aClassBecomesEmbeddedThroughALinkThatIsNew() async throws {
    let files = try TemporaryStore()
    try await files.fill(12)
    let types: [ObjectBase.Type] = [Ownership.Garden.self, Ownership.City.self]
    let configuration = files.configuration(types)
    let error = #expect(throws: Realm.Error.self) { try opened(configuration) }
    #expect(error?.code == .schemaMismatch, "additions alone need no version, but this does")
    #expect(error?.localizedDescription.contains("has been changed from top-level to embedded.") == true)
    #expect(try Realm.planMigration(for: configuration).isRefused)
    #expect(try Realm.planMigration(for: files.configuration(types, version: 1)).rewritesFile)
    try autoreleasing {
      let realm = try opened(files.configuration(types, version: 1))
      try realm.write { realm.create(Ownership.Garden.self, value: ["place": ["name": "Park"]]) }
    }
    let realm = try opened(files.configuration(types, version: 1))
    #expect(realm.objects(Ownership.Garden.self).map { $0.place?.name } == ["Park"])
  }

  @Test func aClassIsEmbeddedNoLongerWithoutItsLinks() throws {
    let files = try withEmbeddedCity()
    let cities: [ObjectBase.Type] = [Before.City.self]
    let error = #expect(throws: Realm.Error.self) { try opened(files.configuration(cities)) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.localizedDescription.contains("has been changed from embedded to top-level.") == true)
    try autoreleasing {
      let realm = try opened(files.configuration(cities, version: 1))
      try realm.write { realm.create(Before.City.self, value: ["name": "Free"]) }
    }
    // Objects without owners are sound.
    let realm = try opened(files.configuration(cities, version: 1))
    #expect(realm.objects(Before.City.self).map(\.name) == ["Mine", "Free"])
  }

  /// Objects that several own become as many, each with all that it held.
  @Test func copiesOfSharedObjectsHaveAllTheirValues() throws {
    let files = try TemporaryStore()
    let types: [ObjectBase.Type] = [SharedPart.Before.Owner.self, SharedPart.Before.Part.self, SharedPart.Bolt.self]
    try autoreleasing {
      let realm = try opened(files.configuration(types))
      try realm.write {
        let bolts = (0..<3).map { realm.create(SharedPart.Bolt.self, value: ["size": $0]) }
        let parts = (0..<3).map { number in
          let part = realm.create(SharedPart.Before.Part.self, value: ["name": "part \(number)"])
          part.numbers.append(objectsIn: [number, number, 7])
          part.words.insert(objectsIn: ["w\(number)", "all"])
          for place in 0..<4 { part.prices["k\(place)"] = 10 * number + place }
          part.bolts.append(objectsIn: bolts)
          part.boltsByName["b"] = bolts[number]
          part.anything = .fromDictionary(["list": .fromArray([.int(number)]), "bolt": .object(bolts[number])])
          return part
        }
        for id in 0..<9 {
          let owner = realm.create(SharedPart.Before.Owner.self, value: ["id": id])
          owner.part = parts[id % 3]
          owner.parts.append(objectsIn: [parts[(id + 1) % 3], parts[id % 3]])
          owner.partsByName["p"] = parts[(id + 2) % 3]
        }
      }
    }
    let after: [ObjectBase.Type] = [SharedPart.After.Owner.self, SharedPart.After.Part.self, SharedPart.Bolt.self]
    let realm = try opened(files.configuration(after, version: 1))
    var keys: Set<UInt64> = []
    func check(_ part: SharedPart.After.Part?, _ number: Int) throws {
      let part = try #require(part)
      #expect(keys.insert(part._key).inserted, "each has one owner")
      #expect(part.name == "part \(number)" && Array(part.numbers) == [number, number, 7])
      #expect(Set(part.words) == ["w\(number)", "all"])
      #expect(part.prices.keys.sorted() == (0..<4).map { "k\($0)" })
      #expect((0..<4).allSatisfy { part.prices["k\($0)"] == 10 * number + $0 })
      #expect(part.bolts.map(\.size) == [0, 1, 2] && part.boltsByName["b"]??.size == number)
      let anything = try #require(part.anything.dictionaryValue)
      #expect(anything["list"]?.listValue?.map(\.intValue) == [number])
      #expect(anything["bolt"]?.object(SharedPart.Bolt.self)?.size == number)
    }
    let owners = realm.objects(SharedPart.After.Owner.self)
    #expect(owners.count == 9 && realm.objects(SharedPart.Bolt.self).count == 3)
    for (id, owner) in owners.enumerated() {
      try check(owner.part, id % 3)
      try check(owner.parts.first, (id + 1) % 3)
      try check(owner.parts.last, id % 3)
      try check(owner.partsByName["p"] ?? nil, (id + 2) % 3)
    }
    #expect(keys.count == 36)
  }

  @Test func anEmbeddedClassGoesWithItsLinksAndComesBack() throws {
    let files = try withEmbeddedCity()
    try autoreleasing { _ = try opened(files.configuration([Ownership.Person.self], version: 1)) }
    let counts = try RealmStore.verify(files.configuration([Ownership.Person.self], version: 1)).objectCounts
    #expect(counts == ["Person": 1], "what belongs to a property goes with it")
    let realm = try opened(files.configuration(Embedding.types, version: 1))
    #expect(realm.objects(Embedding.Person.self).map { $0.city?.name } == [nil], "additions need no version")
  }

  @Test func keysMoveToPropertiesThatExist() throws {
    let files = try TemporaryStore()
    try autoreleasing {
      let realm = try opened(files.configuration([MovedKey.Before.Item.self]))
      try realm.write {
        for id in 0..<3 { realm.create(MovedKey.Before.Item.self, value: ["id": id, "code": 7]) }
      }
    }
    let types: [ObjectBase.Type] = [MovedKey.After.Item.self]
    let error = #expect(throws: Realm.Error.self) { try opened(files.configuration(types, version: 1)) }
    #expect(error?.localizedDescription.contains("'Item.code' has duplicate values after migration") == true)
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in new?["code"] = old?["id"] }
    }
    let realm = try opened(files.configuration(types, version: 1, block))
    #expect(realm.object(ofType: MovedKey.After.Item.self, forPrimaryKey: 2) != nil)
  }

  @Test func oldObjectsLeadToTheNewOnesWhereTheyAreAssigned() async throws {
    let files = try TemporaryStore()
    try await files.fill(8)
    let configuration = files.configuration(Added.types, version: 1) { migration, _ in
      var id = 100
      migration.enumerateObjects(ofType: "Person") { old, new in
        new?["home"] = old?["city"]
        migration.create("Person", value: ["id": id, "home": old?["city"] ?? NSNull()])
        id += 1
      }
    }
    let people = try opened(configuration).objects(Added.Person.self)
    #expect(people.count == 16)
    for person in people {
      let id = person.id % 100
      #expect(person.home?.name == (id % 4 == 0 ? nil : "City \(id % 3)"))
      if person.id < 100, let home = person.home { #expect(home.isSameObject(as: person.city)) }
    }
  }

  @Test func oldObjectsGoIntoNewLists() async throws {
    let files = try TemporaryStore()
    try await files.fill(8)
    let types: [ObjectBase.Type] = [Ownership.Lister.Person.self, Before.City.self]
    let configuration = files.configuration(types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let city = old?["city"] as? MigrationObject else { return }
        new?.dynamicList("cities").append(city)
        new?["others"] = [city, city]
      }
    }
    for (id, person) in try opened(configuration).objects(Ownership.Lister.Person.self).enumerated() {
      #expect(person.cities.map(\.name) == (id % 4 == 0 ? [] : ["City \(id % 3)"]))
      #expect(person.others.map(\.name) == (id % 4 == 0 ? [] : ["City \(id % 3)", "City \(id % 3)"]))
    }
  }

  @Test func mixedValuesRefuseOldObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let files = try TemporaryStore()
      try await files.fill(2)
      _ = try opened(
        files.configuration(Added.types, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { old, new in new?["mixed"] = old?["city"] }
        })
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("It is one of the old objects of the migration. Take the new one."))
  }

  @Test func wideTablesAreMigratedOrRefused() throws {
    let files = try TemporaryStore()
    func open(_ prefix: String, _ type: ColumnType, _ version: UInt64, hasBlock: Bool = false) throws -> Int {
      var options = DurableStore.Options()
      options.schemaVersion = version
      if hasBlock { options.migration.block = { _ in } }
      let columns = (0..<200).map { ColumnDescription(name: "\(prefix)\($0)", type: type) }
      let store = try DurableStore.open(
        files.path, schema: [TableDescription(name: "Wide", columns: columns)], options: options, seed: HashSeed(1, 2),
        fileSystem: PosixFileSystem())
      defer { _ = store.release() }
      return store.graph.layout.tables[0].columnCount
    }
    #expect(try open("a", .int, 0) == 200)
    #expect(try open("a", .string, 1) == 200, "nobody looks at the values that go")
    let error = #expect(throws: StoreError.self) { try open("b", .string, 2, hasBlock: true) }
    #expect(error?.message.contains("Class 'Wide' has 400 columns, more than 256, during the migration") == true)
    #expect(try open("a", .string, 1) == 200)
    #expect(try open("b", .string, 2) == 200)
  }
}

enum Ownership {
  enum Lister {
    final class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var cities: List<Before.City>
      @Persisted var others: List<Before.City>

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  final class Garden: Object {
    @Persisted var place: City?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class City: EmbeddedObject {
    @Persisted var name: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum MovedKey {
  enum Before {
    final class Item: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var code: Int

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  enum After {
    final class Item: Object {
      @Persisted(primaryKey: true) var code: Int

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
      override class var renamedProperties: [String: String] { ["id": "code"] }
    }
  }
}

enum SharedPart {
  final class Bolt: Object {
    @Persisted var size: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  enum Before {
    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var part: Part?
      @Persisted var parts: List<Part>
      @Persisted var partsByName: Map<String, Part?>

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Part: Object {
      @Persisted var name: String
      @Persisted var numbers: List<Int>
      @Persisted var words: MutableSet<String>
      @Persisted var prices: Map<String, Int>
      @Persisted var bolts: List<Bolt>
      @Persisted var boltsByName: Map<String, Bolt?>
      @Persisted var anything: AnyRealmValue

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  enum After {
    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var part: Part?
      @Persisted var parts: List<Part>
      @Persisted var partsByName: Map<String, Part?>

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Part: EmbeddedObject {
      @Persisted var name: String
      @Persisted var numbers: List<Int>
      @Persisted var words: MutableSet<String>
      @Persisted var prices: Map<String, Int>
      @Persisted var bolts: List<Bolt>
      @Persisted var boltsByName: Map<String, Bolt?>
      @Persisted var anything: AnyRealmValue

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }
}
