import Firn
import Foundation
import Testing

private class Plant: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var heights: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var notes: Map<String, String>
  @Persisted var parent: Plant?
  @Persisted(originProperty: "parent") var children: LinkingObjects<Plant>
}

private func makeConfiguration() -> Realm.Configuration {
  .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Plant.self])
}

/// A realm with one plant that has something of everything.
private func makeRealm(_ configuration: Realm.Configuration = makeConfiguration()) throws -> Realm {
  let realm = try Realm(configuration: configuration)
  try realm.write {
    realm.create(
      Plant.self,
      value: ["id": 1, "name": "oak", "heights": [1, 2], "tags": ["old"], "notes": ["a": "b"]] as [String: Any])
  }
  return realm
}

private func write(_ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void) throws {
  try onOwnThread {
    let realm = try Realm(configuration: configuration)
    try realm.write { body(realm) }
  }
}

/// `Realm.invalidate()`: what goes, what stays, and what the next use shows.
struct InvalidatingTests {
  @Test func objectsAndCollectionsAreInvalidatedForGood() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let plant = try #require(realm.objects(Plant.self).first)
      let (heights, tags, notes) = (plant.heights, plant.tags, plant.notes)
      #expect(heights.count == 2 && tags.count == 1 && notes.count == 1)
      realm.invalidate()
      #expect(plant.isInvalidated && heights.isInvalidated && tags.isInvalidated && notes.isInvalidated)
      #expect(plant.realm == nil && heights.realm == nil)
      #expect(plant.name == "oak")
      // The realm is used again, and they do not come back.
      #expect(realm.objects(Plant.self).count == 1)
      #expect(plant.isInvalidated && heights.isInvalidated && tags.isInvalidated && notes.isInvalidated)
      #expect(heights.isEmpty && Array(heights).isEmpty && tags.isEmpty && Array(tags).isEmpty)
      #expect(notes.count == 0 && notes.keys.isEmpty && Array(notes.asKeyValueSequence()).isEmpty)
      #expect(plant.heights.isInvalidated)
      let again = try #require(realm.object(ofType: Plant.self, forPrimaryKey: 1))
      #expect(!again.isInvalidated && Array(again.heights) == [1, 2] && again.notes["a"] == "b")
    }
  }

  @Test func resultsAreInvalidatedForGood() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let plant = try #require(realm.objects(Plant.self).first)
      let results: [Results<Plant>] = [
        realm.objects(Plant.self), realm.objects(Plant.self).where { $0.id == 1 },
        realm.objects(Plant.self).sorted(by: \.name), realm.objects(Plant.self).distinct(by: [\.name]),
        plant.children.filter("id > 0"),
      ]
      let values = plant.heights.sorted(ascending: true)
      let (children, erased) = (plant.children, AnyRealmCollection(results[1]))
      let sections = realm.objects(Plant.self).sectioned(by: \.name, ascending: true)
      let frozen = results[0].freeze()
      #expect(results.allSatisfy { !$0.isInvalidated && $0.realm != nil } && !children.isInvalidated)
      realm.invalidate()
      #expect(results.allSatisfy { $0.isInvalidated && $0.realm == nil })
      #expect(children.isInvalidated && children.realm == nil && values.isInvalidated && values.realm == nil)
      #expect(erased.isInvalidated && erased.realm == nil && sections.isInvalidated && sections.realm == nil)
      #expect(!frozen.isInvalidated && frozen.realm != nil && frozen.count == 1)
      // The realm is used again, and they do not come back.
      let new = realm.objects(Plant.self)
      #expect(!new.isInvalidated && new.realm != nil && new.count == 1)
      #expect(results.allSatisfy { $0.isInvalidated } && children.isInvalidated)
    }
  }

  @Test func resultsShowTheNewestVersionWhenTheyAreUsedAgain() throws {
    try onOwnThread {
      let configuration = makeConfiguration()
      let realm = try makeRealm(configuration)
      let all = realm.objects(Plant.self)
      let oaks = all.where { $0.name == "oak" }
      #expect(all.count == 1 && oaks.count == 1)
      realm.invalidate()
      try write(configuration) { $0.create(Plant.self, value: ["id": 2, "name": "oak"]) }
      #expect(oaks.count == 2)
      realm.invalidate()
      try write(configuration) { $0.create(Plant.self, value: ["id": 3, "name": "oak"]) }
      #expect(realm.object(ofType: Plant.self, forPrimaryKey: 3)?.name == "oak")
      realm.invalidate()
      try write(configuration) { $0.create(Plant.self, value: ["id": 4, "name": "oak"]) }
      #expect(all.map(\.id) == [1, 2, 3, 4])
      realm.invalidate()
      try write(configuration) { $0.deleteAll() }
      #expect(realm.isEmpty)
    }
  }

  @Test func refreshingAnInvalidatedRealmSaysTrue() throws {
    try onOwnThread {
      let realm = try makeRealm()
      #expect(!realm.refresh())
      realm.invalidate()
      #expect(realm.refresh())
      #expect(!realm.refresh())
    }
  }

  @Test func anOpenTransactionIsCancelled() throws {
    try onOwnThread {
      let realm = try makeRealm()
      realm.beginWrite()
      let added = realm.create(Plant.self, value: ["id": 2])
      realm.invalidate()
      #expect(!realm.isInWriteTransaction && added.isInvalidated)
      #expect(realm.objects(Plant.self).count == 1)
      // The block of a write, too; what it returns is returned.
      let result = try realm.write {
        realm.deleteAll()
        realm.invalidate()
        return 7
      }
      #expect(result == 7 && realm.objects(Plant.self).count == 1)
      try realm.write { _ = realm.create(Plant.self, value: ["id": 3]) }
      #expect(realm.objects(Plant.self).count == 2)
    }
  }

  @Test func invalidatedObjectsCannotBeWrittenOrDeleted() async {
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try makeRealm()
        let plant = realm.objects(Plant.self).first!
        realm.invalidate()
        try realm.write { plant.name = "elm" }
      }
    }
    #expect(trapSaid("Object has been deleted or invalidated", writing))
    let adding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try makeRealm()
        let heights = realm.objects(Plant.self).first!.heights
        realm.invalidate()
        try realm.write { heights.append(3) }
      }
    }
    #expect(trapSaid("List has been invalidated: its realm was", adding))
  }

  @Test func deletingAnInvalidatedObjectDoesNothing() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let plant = try #require(realm.objects(Plant.self).first)
      realm.invalidate()
      try realm.write {
        realm.delete(plant)
        realm.delete([plant])
      }
      #expect(realm.objects(Plant.self).count == 1)
    }
  }

  @Test func nothingHappensInsideOfANotification() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let plant = try #require(realm.objects(Plant.self).first)
      var calls = 0
      let token = realm.observe { _, realm in
        realm.invalidate()
        calls += 1
      }
      try realm.write { plant.name = "elm" }
      #expect(calls == 1 && !plant.isInvalidated)
      token.invalidate()
    }
  }

  @Test func observersStay() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let plant = try #require(realm.objects(Plant.self).first)
      var updates: [String] = []
      let results = realm.objects(Plant.self).observe { change in
        if case .update(let all, _, let insertions, _) = change { updates.append("\(all.count) \(insertions)") }
      }
      let list = plant.heights.observe { change in
        if case .update(let list, _, let insertions, _) = change { updates.append("\(Array(list)) \(insertions)") }
      }
      realm.refresh()
      realm.invalidate()
      try realm.write {
        realm.object(ofType: Plant.self, forPrimaryKey: 1)?.heights.append(3)
        realm.create(Plant.self, value: ["id": 2])
      }
      realm.refresh()
      #expect(updates.sorted() == ["2 [1]", "[1, 2, 3] [2]"])
      withExtendedLifetime((results, list)) {}
    }
  }

  @Test func otherThreadsReadOn() throws {
    try onOwnThread {
      let realm = try makeRealm()
      let all = Unchecked(realm.objects(Plant.self))
      let plant = Unchecked(try #require(realm.objects(Plant.self).first))
      realm.invalidate()
      try onOwnThread {
        #expect(all.value.count == 1)
        #expect(plant.value.isInvalidated && plant.value.name == "oak")
      }
    }
  }

  @Test func aFrozenRealmIsClosed() async throws {
    try onOwnThread {
      let realm = try makeRealm()
      let frozen = realm.freeze()
      let plant = try #require(frozen.objects(Plant.self).first)
      let heights = plant.heights
      #expect(!plant.isInvalidated && !heights.isInvalidated)
      frozen.invalidate()
      #expect(plant.isInvalidated && heights.isInvalidated && plant.name == "oak")
      // Whoever freezes again has a version that is open.
      #expect(realm.freeze().objects(Plant.self).count == 1)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let frozen = try makeRealm().freeze()
        frozen.invalidate()
        print(frozen.objects(Plant.self).count)
      }
    }
    #expect(trapSaid("frozen Realm which has been invalidated", result))
  }

  @Test func onlyTheRealmsThreadInvalidates() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = Unchecked(try makeRealm())
        try onOwnThread { realm.value.invalidate() }
      }
    }
    #expect(trapSaid("incorrect thread", result))
  }
}
