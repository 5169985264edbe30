import Firn
import FirnEngine
import Foundation
import Testing

/// What a migration block can do, and what becomes of the file when it fails.
@Suite struct MigrationBlockTests {
  @Test func blocksRunOnceAndOnlyForFilesOfLowerVersions() async throws {
    let files = try TemporaryStore()
    let calls = NumberLog()
    let block: MigrationBlock = { _, old in calls.note(Int(old)) }
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 2, block)) }
    #expect(calls.all == [], "a new file has the version of the program")
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 2, block)) }
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 5, block)) }
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 5, block)) }
    #expect(calls.all == [2])
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 6)) }
    #expect(try schemaVersionAtURL(try #require(files.configuration.fileURL)) == 6, "without a block too")
    // Blocks of this type call each other without 'try'.
    let both: MigrationBlock = { migration, old in
      block(migration, old)
      block(migration, old + 1)
    }
    try autoreleasing { _ = try opened(files.configuration(Before.types, version: 7, both)) }
    #expect(calls.all == [2, 6, 7])
    var reading = files.configuration(Before.types, version: 7, block)
    reading.readOnly = true
    try autoreleasing { _ = try opened(reading) }
    #expect(calls.all == [2, 6, 7])
  }

  @Test func theVersionsOfAMigrationDoNotCountAsTheApplications() async throws {
    let files = try TemporaryStore()
    try await files.fill(30)
    let calls = NumberLog()
    // Properties with another value in each object are filled in before the block runs: in a version of their own.
    var configuration = files.configuration(PerObject.types, version: 1) { migration, old in
      migration.enumerateObjects(ofType: "City") { _, new in new?["people"] = 77 }
      calls.note(Int(old))
    }
    configuration.maximumNumberOfActiveVersions = 1
    let store = try await RealmStore.open(configuration)
    #expect(calls.all == [0])
    let cities = store.freeze().objects(PerObject.City.self)
    #expect(cities.count > 0 && cities.where { $0.people == 77 }.count == cities.count)
    try await store.close()
  }

  @Test func objectsComeAsTheyWereAndAsTheyWillBe() async throws {
    let files = try TemporaryStore()
    try await files.fill(30)
    let block: MigrationBlock = { migration, _ in
      #expect(migration.oldSchema["Person"]?["first"]?.type == .string && migration.newSchema["Dog"] != nil)
      #expect(migration.oldSchema["Dog"] == nil && migration.oldSchema["Person"]?["height"] == nil)
      var ids: [Int] = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else {
          Issue.record("One of a pair is missing.")
          return
        }
        let id = old["id"] as? Int ?? -1
        ids.append(id)
        #expect(new["id"] as? Int == id && new["height"] as? Double == 1.75 && new["nick"] as? String == "none")
        #expect((old["city"] as? MigrationObject)?["name"] as? String == (id % 4 == 0 ? nil : "City \(id % 3)"))
        let tags: List<String> = old.dynamicList("tags")
        #expect(Array(tags) == (0..<id % 3).map { "tag \($0)" })
        #expect((new["city"] as? MigrationObject)?["name"] as? String == (id % 4 == 0 ? nil : "City \(id % 3)"))
        new["nick"] = "nick \(id)"
        new.height = Double(id)
        new["first"] = "changed"
        #expect(old["first"] as? String == "First \(id)", "the old object stays as it was")
        let dog = migration.create("Dog", value: ["name": "Dog of \(id)"])
        new.dynamicList("dogs").append(dog)
        if id == 3 {
          // Enumerating passes over what was deleted, and over what was created meanwhile.
          migration.enumerateObjects(ofType: "Person") { _, other in
            if let other, other["id"] as? Int == 4 { migration.delete(other) }
          }
          migration.create("Person", value: ["id": 77, "nick": "created"])
        }
      }
      #expect(ids == (0..<30).filter { $0 != 4 })
      var dogs = 0
      migration.enumerateObjects(ofType: "Dog") { old, new in
        #expect(old == nil && new != nil)
        dogs += 1
      }
      #expect(dogs == 29)
      migration.enumerateObjects(ofType: "Nothing") { _, _ in Issue.record("A class that nobody has") }
    }
    try autoreleasing {
      let realm = try opened(files.configuration(Added.types, version: 1, block))
      let people = realm.objects(Added.Person.self)
      #expect(people.count == 30 && people.last?.nick == "created" && people.last?.height == 1.75)
      for person in people.dropLast() {
        #expect(person.nick == "nick \(person.id)" && person.height == Double(person.id) && person.first == "changed")
        #expect(person.dogs[0].name == "Dog of \(person.id)")
        #expect(
          person.id % 2 == 0 ? person.anything == .int(person.id) : person.anything.listValue?[0] == .string("deep"))
      }
      #expect(realm.object(ofType: Added.Person.self, forPrimaryKey: 4) == nil)
      #expect(people.where { $0.nick == "nick 9" }.count == 1)
    }
    let report = try RealmStore.verify(files.configuration(Added.types, version: 1))
    #expect(report.objectCounts["Dog"] == 29)
  }

  @Test func whatFailsLeavesTheFileAsItWas() async throws {
    struct Refused: Error {}
    let files = try TemporaryStore()
    try await files.fill(20)
    let before = try contents(files)
    let thrown = try failure(files, before, Added.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new?["first"] = "lost" }
      throw Refused()
    }
    #expect(thrown is Refused, "opening throws what the block throws")
    let duplicate = try failure(files, before, Added.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new?["id"] = 5 }
    }
    let text = duplicate?.localizedDescription ?? "none"
    #expect(text.contains("Primary key property 'Person.id' has duplicate values after migration, '5' among them."))
    for (message, from, to) in [
      ("because it does not exist.", "gone", "nick"),
      ("because the source property still exists.", "first", "nick"),
      ("Renamed property 'City.nowhere' does not exist.", "name", "nowhere"),
      ("would change from type 'string' to 'int'", "name", "people"),
    ] {
      let isCity = from == "name"
      let types: [ObjectBase.Type] = isCity ? [MigrationCount.City.self] : Added.types
      let error = try failure(files, before, types) { migration, _ in
        migration.renameProperty(onType: isCity ? "City" : "Person", from: from, to: to)
      }
      let text = error?.localizedDescription ?? "none"
      #expect(text.contains(message), "\(text)")
    }
    let missing = try failure(files, before, Added.types) { migration, _ in
      migration.renameProperty(onType: "Dog", from: "a", to: "b")
    }
    #expect(missing?.localizedDescription.contains("does not exist") == true)
    let same = files.configuration(Added.types, version: 1)
    let inside = try failure(files, before, Added.types) { _, _ in _ = try opened(same) }
    #expect(inside?.localizedDescription.contains("Use the Migration inside of a migrationBlock") == true)
    let realm = try opened(files.configuration(Before.types))
    #expect(realm.objects(Before.Person.self).map(\.first).first == "First 0")
  }

  /// Why opening fails, which has to leave the files as they were.
  private func failure(
    _ files: TemporaryStore, _ before: [String: Data], _ types: [ObjectBase.Type],
    _ block: @escaping ThrowingMigrationBlock
  ) throws -> (any Error)? {
    let result = Result { try opened(files.configuration(types, version: 1, block)) }
    let after = try contents(files)
    #expect(after == before)
    if case .failure(let error) = result { return error }
    return nil
  }

  /// The files but for the lock, which tells who had them open.
  private func contents(_ files: TemporaryStore) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: files.folder.path) where !path.hasSuffix(".lock") {
      let url = files.folder.appendingPathComponent(path)
      if let data = try? Data(contentsOf: url) { contents[path] = data }
    }
    return contents
  }

  @Test func blocksRenameAlsoInSeveralSteps() async throws {
    let files = try TemporaryStore()
    try await files.fill(20)
    let block: MigrationBlock = { migration, _ in
      migration.renameProperty(onType: "City", from: "name", to: "label")
      migration.renameProperty(onType: "City", from: "label", to: "caption")
      migration.renameProperty(onType: "City", from: "people", to: "count")
      migration.enumerateObjects(ofType: "City") { old, new in
        #expect(old?["name"] as? String == new?["caption"] as? String)
        #expect(new?["count"] as? Int == old?["people"] as? Int)
      }
    }
    let realm = try opened(files.configuration([MigrationCaption.City.self], version: 1, block))
    #expect(Set(realm.objects(MigrationCaption.City.self).map(\.caption)) == ["City 0", "City 1", "City 2"])
    #expect(realm.objects(MigrationCaption.City.self).where { $0.caption == "City 2" }.map(\.count) == [2, 2])
  }

  @Test func renamingTakesCollectionsEmbeddedObjectsAndMixedValues() async throws {
    let files = try TemporaryStore()
    let store = try await RealmStore.open(files.configuration([MigrationOwner.Owner.self, MigrationOwner.Part.self]))
    try await store.write { realm in
      for id in 0..<10 {
        let owner = realm.create(
          MigrationOwner.Owner.self,
          value: [
            "part": ["size": id], "parts": (0..<id % 4).map { ["size": $0] }, "byName": ["a": ["size": -id]],
            "names": ["n", "m"], "ranks": [3, 1, 2], "counts": ["k": id],
          ] as [String: Any])
        owner.mixed = .fromArray([.fromDictionary(["deep": .int(id)])])
        owner.mixes.append(objectsIn: [.int(id), .string("s")])
      }
    }
    try await store.close()
    let names = ["part", "parts", "byName", "names", "ranks", "counts", "mixed", "mixes"]
    let block: MigrationBlock = { migration, _ in
      for name in names {
        migration.renameProperty(
          onType: "Owner", from: name, to: "new" + name.prefix(1).uppercased() + name.dropFirst())
      }
    }
    let configuration = files.configuration(
      [MigrationOwner.Renamed.Owner.self, MigrationOwner.Renamed.Part.self], version: 1, block)
    try autoreleasing {
      let realm = try opened(configuration)
      let owners = realm.objects(MigrationOwner.Renamed.Owner.self)
      #expect(owners.count == 10)
      for (id, owner) in owners.enumerated() {
        #expect(owner.newPart?.size == id && owner.newParts.map(\.size) == Array(0..<id % 4))
        #expect(owner.newByName["a"]??.size == -id && Array(owner.newNames) == ["n", "m"])
        #expect(Array(owner.newRanks) == [1, 2, 3] && owner.newCounts["k"] == id)
        #expect(owner.newMixed.listValue?[0].dictionaryValue?["deep"] == .int(id))
        #expect(owner.newMixes[0] == .int(id) && owner.newMixes[1] == .string("s"))
      }
    }
    let counts = try RealmStore.verify(configuration).objectCounts
    #expect(counts["Part"] == 10 + 10 + (0..<10).reduce(0) { $0 + $1 % 4 })
    #expect(counts["AnyRealmValue.list"] == 10 && counts["AnyRealmValue.dictionary"] == 10)
  }

  @Test func classesCanBeDeletedMergedAndSplit() async throws {
    let files = try TemporaryStore()
    try await files.fill(12)
    let block: MigrationBlock = { migration, _ in
      var cities: [Int: String] = [:]
      migration.enumerateObjects(ofType: "City") { old, new in
        #expect(new == nil, "the program has no such class any more")
        if let old { cities[old["people"] as? Int ?? -1] = old["name"] as? String }
      }
      #expect(cities.count == 3)
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else { return }
        new["cityName"] = (old["city"] as? MigrationObject)?["name"] as? String ?? "none"
        let profile = migration.create("Profile", value: ["age": old["age"] ?? 0])
        new["profile"] = profile
      }
      #expect(migration.deleteData(forType: "City"))
      #expect(!migration.deleteData(forType: "Unknown"))
    }
    let types: [ObjectBase.Type] = [MigrationSplit.Person.self, MigrationSplit.Profile.self]
    try autoreleasing {
      let realm = try opened(files.configuration(types, version: 1, block))
      for person in realm.objects(MigrationSplit.Person.self) {
        #expect(person.cityName == (person.id % 4 == 0 ? "none" : "City \(person.id % 3)"))
        #expect(person.profile?.age == person.id % 90)
      }
    }
    let counts = try RealmStore.verify(files.configuration(types, version: 1)).objectCounts
    #expect(counts["City"] == nil && counts["Profile"] == 12, "\(counts)")
  }

  /// The class itself goes only where the program does not have it.
  @Test func dataOfAClassGoesWhetherTheProgramHasItOrNot() async throws {
    let fewer: [ObjectBase.Type] = [MigrationFewer.City.self]
    let cases: [(types: [ObjectBase.Type], name: String, counts: [String: Int])] = [
      (Before.types, "City", ["City": 0, "Person": 12]), (Before.types, "Person", ["City": 6, "Person": 0]),
      (fewer, "City", ["City": 0, "Person": 12]), (fewer, "Person", ["City": 6]),
    ]
    for (types, name, expected) in cases {
      let files = try TemporaryStore()
      try await files.fill(12)
      let found = NumberLog()
      let block: MigrationBlock = { migration, _ in
        // Once more changes nothing.
        for name in [name, name, "Unknown"] { found.note(migration.deleteData(forType: name) ? 1 : 0) }
      }
      try autoreleasing { _ = try opened(files.configuration(types, version: 1, block)) }
      #expect(found.all == [1, 1, 0])
      let counts = try RealmStore.verify(files.configuration(types, version: 1)).objectCounts
      #expect(counts.filter { !$0.key.contains(".") } == expected, "\(name), where the program has \(types)")
    }
  }

  @Test func aClassBecomesEmbeddedAndBack() async throws {
    let files = try TemporaryStore()
    try await files.fill(12)
    try autoreleasing {
      let realm = try opened(files.configuration(Embedding.types, version: 1))
      for person in realm.objects(Embedding.Person.self) {
        #expect(person.city?.name == (person.id % 4 == 0 ? nil : "City \(person.id % 3)"))
      }
      try realm.write { realm.objects(Embedding.Person.self)[1].city?.name = "Mine" }
      #expect(realm.objects(Embedding.Person.self).count { $0.city?.name == "Mine" } == 1, "each has one of its own")
    }
    #expect(try RealmStore.verify(files.configuration(Embedding.types, version: 1)).objectCounts["City"] == 9)
    let realm = try opened(files.configuration(Before.types, version: 2))
    #expect(realm.objects(Before.City.self).count == 9 && realm.objects(Before.Person.self).count == 12)
  }

  @Test func migrationsArePerformedAndPlannedWithoutOpening() async throws {
    let files = try TemporaryStore()
    try await files.fill(5)
    let calls = NumberLog()
    let configuration = files.configuration(Altered.types, version: 1) { migration, _ in
      calls.note(1)
      var number = 0
      for name in ["Person", "City"] {
        migration.enumerateObjects(ofType: name) { _, new in
          number += 1
          new?[name == "City" ? "name" : "id"] = "\(number)"
        }
      }
    }
    let plan = try Realm.planMigration(for: configuration)
    #expect(plan.runsBlock && plan.rewritesFile && !plan.isRefused && plan.oldSchemaVersion == 0)
    #expect(plan.description.hasPrefix("From schema version 0 to 1:\n- "))
    #expect(
      Set(plan.changes.map(\.kind)).isSuperset(of: [.typeChanged, .madeOptional, .propertyRenamed, .primaryKeyChanged]))
    var deleting = configuration
    deleting.deleteRealmIfMigrationNeeded = true
    #expect(try !Realm.planMigration(for: deleting).runsBlock)
    let refused = try Realm.planMigration(for: files.configuration(Altered.types))
    #expect(refused.isRefused && !refused.runsBlock)
    #expect(try Realm.planMigration(for: files.configuration(Before.types)).changes.isEmpty)
    let store = try await RealmStore.open(files.configuration(Before.types))
    #expect(try Realm.planMigration(for: configuration).changes == plan.changes, "also while it is open")
    let error = #expect(throws: Realm.Error.self) { try Realm.performMigration(for: configuration) }
    #expect(error?.code == .alreadyOpen)
    try await store.close()
    try Realm.performMigration(for: configuration)
    try Realm.performMigration(for: configuration)
    #expect(calls.all == [1])
    #expect(try Realm.planMigration(for: configuration).changes.isEmpty)
    let nowhere = files.folder.appendingPathComponent("none.firn")
    #expect(throws: Realm.Error.self) { try Realm.planMigration(for: Realm.Configuration(fileURL: nowhere)) }
    let version = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(nowhere) }
    #expect(version?.code == .invalidDatabase)
  }

  @Test func progressIsTold() async throws {
    let files = try TemporaryStore()
    try await files.fill(9)
    let steps = Lock<[MigrationProgress]>([])
    var configuration = files.configuration(Added.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new?["nick"] = "n" }
    }
    configuration.migrationProgress = { step in steps.withLock { $0.append(step) } }
    _ = try opened(configuration)
    let all = steps.withLock { $0 }
    let phases: [MigrationProgress.Phase] = [.reading, .reading, .changing, .changing, .writing, .writing]
    #expect(all.map { $0.phase } == phases)
    #expect(all[2].completed == 0 && all[3].completed == 9 && all[3].total == 9)
  }

  @Test func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      let files = try TemporaryStore()
      try await files.fill(2)
      let configuration = files.configuration(Added.types, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "City") { old, _ in if let old { migration.delete(old) } }
      }
      _ = try opened(configuration)
    }
    await #expect(processExitsWith: .failure) {
      let files = try TemporaryStore()
      try await files.fill(2)
      nonisolated(unsafe) var kept: Migration?
      _ = try opened(files.configuration(Added.types, version: 1) { migration, _ in kept = migration })
      kept?.create("Dog")
    }
  }
}

/// Notes numbers from closures.
final class NumberLog: Sendable {
  private let numbers = Lock<[Int]>([])

  func note(_ number: Int) { numbers.withLock { $0.append(number) } }

  var all: [Int] { numbers.withLock { $0 } }
}

enum MigrationCount {
  final class City: Object {
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum MigrationCaption {
  final class City: Object {
    @Persisted(indexed: true) var caption: String
    @Persisted var count: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum MigrationSplit {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var cityName: String
    @Persisted var profile: Profile?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Profile: Object {
    @Persisted var age: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum MigrationOwner {
  final class Part: EmbeddedObject {
    @Persisted var size: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Owner: Object {
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var byName: Map<String, Part?>
    @Persisted var names: List<String>
    @Persisted var ranks: MutableSet<Int>
    @Persisted var counts: Map<String, Int>
    @Persisted var mixed: AnyRealmValue
    @Persisted var mixes: List<AnyRealmValue>

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  enum Renamed {
    final class Part: EmbeddedObject {
      @Persisted var size: Int

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Owner: Object {
      @Persisted var newPart: Part?
      @Persisted var newParts: List<Part>
      @Persisted var newByName: Map<String, Part?>
      @Persisted var newNames: List<String>
      @Persisted var newRanks: MutableSet<Int>
      @Persisted var newCounts: Map<String, Int>
      @Persisted var newMixed: AnyRealmValue
      @Persisted var newMixes: List<AnyRealmValue>

      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }
}
