import Firn
import Foundation
import Testing

/// What `delete` does.
@Suite struct DeletionRuleTests {
  @Test func whatRefersToDeletedObjects() throws {
    let realm = try creatingRealm()
    try realm.write {
      let parent = realm.create(
        CreatingKeyed.self,
        value: ["id": 1, "loose": ["l"], "parts": [["id": 2], ["id": 3], ["id": 4]]] as [String: Any])
      let third = try #require(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 3))
      parent.parent = third
      realm.delete(third)
      #expect(parent.parent == nil && parent.parts.map(\.id) == [2, 4], "links become nil, lists close up")
      realm.delete(parent)
      #expect(realm.objects(CreatingLoose.self).count == 1, "linked objects stay")
      realm.delete(realm.objects(CreatingKeyed.self))
      #expect(realm.objects(CreatingKeyed.self).isEmpty)
    }
  }

  @Test func collectionsOfObjects() throws {
    let realm = try creatingRealm()
    try realm.write {
      let parent = realm.create(
        CreatingKeyed.self, value: ["id": 1, "parts": [["id": 2], ["id": 3]]] as [String: Any])
      realm.delete(parent.parts)
      #expect(parent.parts.isEmpty && realm.objects(CreatingKeyed.self).count == 1)
      let made = [realm.create(CreatingNamed.self), realm.create(CreatingNamed.self)]
      realm.delete(made)
      realm.create(CreatingNamed.self)
      realm.deleteAll()
      #expect(realm.isEmpty && made.allSatisfy(\.isInvalidated))
    }
  }

  @Test func onlyClassesOfTheSchemaAreDeleted() async throws {
    let configuration = Realm.Configuration.creating()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var file = Realm.Configuration(
      fileURL: folder.appendingPathComponent("a.realm"), objectTypes: configuration.objectTypes)
    let store = try await RealmStore.open(file)
    try await store.write { realm in
      realm.create(CreatingNamed.self)
      realm.create(CreatingDated.self)
    }
    try await store.close()
    file.objectTypes = [CreatingNamed.self]
    let narrow = try await RealmStore.open(file)
    try await narrow.write { $0.deleteAll() }
    try await narrow.close()
    file.objectTypes = [CreatingNamed.self, CreatingDated.self]
    let wide = try await RealmStore.open(file)
    #expect(wide.freeze().objects(CreatingNamed.self).isEmpty && wide.freeze().objects(CreatingDated.self).count == 1)
    try await wide.close()
  }

  @Test func accessorsOfDeletedRows() throws {
    let realm = try creatingRealm()
    let passed = CreatingKeyed(value: ["id": 1, "note": "n"] as [String: Any])
    try realm.write { realm.add(passed) }
    let other = try #require(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 1))
    try realm.write {
      realm.delete(passed)
      #expect(passed.isInvalidated && other.isInvalidated, "all accessors of the row, at once")
      #expect(passed.realm == nil && other.realm == nil)
      realm.delete(other)
      realm.delete([other, passed])
      realm.delete(passed)
    }
    #expect(passed.note == "n" && realm.isEmpty, "deleting again by any accessor does nothing")
    try realm.write { realm.create(CreatingKeyed.self, value: ["id": 1]) }
    #expect(passed.isInvalidated && other.isInvalidated, "a new row with the same key is another one")
  }

  @Test func mapsAndSetsOfObjects() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CreatingGroups.self, CreatingKeyed.self, CreatingLoose.self]))
    try realm.write {
      let groups = realm.create(
        CreatingGroups.self,
        value: [
          "id": 1, "members": [["id": 1], ["id": 2]], "seats": ["a": ["id": 3], "b": ["id": 1], "c": NSNull()],
        ] as [String: Any], update: .modified)
      let first = try #require(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 1))
      realm.delete(first)
      #expect(groups.members.map(\.id) == [2] && groups.seats.count == 3 && groups.seats["b"] == .some(nil))
      realm.delete(groups.seats)
      #expect(groups.seats.keys == ["a", "b", "c"] && groups.seats.values.allSatisfy { $0 == nil }, "the keys stay")
      realm.delete(groups.members)
      #expect(groups.members.isEmpty && realm.objects(CreatingKeyed.self).isEmpty && !groups.isInvalidated)
    }
  }
}

@Suite struct DeletionTrapTests {
  @Test func collectionsOfAnotherRealm() async {
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try creatingRealm(), try creatingRealm())
      try realm.write { realm.delete(other.objects(CreatingKeyed.self)) }
    }
    #expect(trapSaid("Can only delete objects from the Realm they belong to", results))
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try SetsAndMaps.realm(), try SetsAndMaps.realm())
      let owner = try SetsAndMaps.mapOwner(other)
      try realm.write { realm.delete(owner.items) }
    }
    #expect(trapSaid("Can only delete objects from the Realm they belong to", map))
  }

  @Test func sequencesWithAnObjectOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try creatingRealm(), try creatingRealm())
      let own = try realm.write { realm.create(CreatingKeyed.self) }
      let foreign = try other.write { other.create(CreatingKeyed.self) }
      try realm.write { realm.delete([own, foreign]) }
    }
    #expect(trapSaid("Can only delete an object from the Realm it belongs to", result))
  }

  @Test func outsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingKeyed.self) }
      realm.delete(realm.objects(CreatingKeyed.self))
    }
    #expect(trapSaid("in a write transaction", result))
  }
}
