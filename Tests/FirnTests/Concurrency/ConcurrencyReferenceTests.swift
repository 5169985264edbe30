import Firn
import Foundation
import TestSupport
import Testing

private class Ship: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var tons: Int
  @Persisted var crew: List<Sailor>
  @Persisted var flags: MutableSet<String>
  @Persisted var cabins: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted var boat: Boat?
}

private class Boat: EmbeddedObject {
  @Persisted var seats: Int
}

private class Sailor: Object {
  @Persisted var name: String
  @Persisted(originProperty: "crew") var ships: LinkingObjects<Ship>
}

private func makeConfiguration() -> Realm.Configuration {
  .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Ship.self, Sailor.self, Boat.self])
}

private func fill(_ realm: Realm) throws {
  try realm.write {
    let ada = realm.create(Sailor.self, value: ["name": "Ada"])
    let ben = realm.create(Sailor.self, value: ["name": "Ben"])
    realm.create(
      Ship.self,
      value: [
        "name": "Firn", "tons": 20, "crew": [ada, ben], "flags": ["red"], "cabins": ["A": 1], "boat": ["seats": 4],
        "anything": AnyRealmValue.fromArray([.int(1), .int(2)]),
      ] as [String: Any])
    realm.create(Ship.self, value: ["name": "Eis", "tons": 10, "crew": [ada]] as [String: Any])
  }
}

/// What a reference carries between threads.
private func carry<Confined: ThreadConfined & SendableMetatype>(
  _ configuration: Realm.Configuration, _ make: @escaping (Realm) -> Confined,
  check: @escaping (Confined?) -> Void
) throws {
  let (make, check) = (Unchecked(make), Unchecked(check))
  try onOwnThread {
    let realm = try Realm(configuration: configuration)
    if realm.isEmpty { try fill(realm) }
    let reference = ThreadSafeReference(to: make.value(realm))
    try onOwnThread {
      let other = try Realm(configuration: configuration)
      #expect(!reference.isInvalidated)
      let resolved = other.resolve(reference)
      #expect(reference.isInvalidated)
      if let resolved {
        #expect(resolved.realm == other && !resolved.isFrozen)
        let writable: Bool? = try? other.write { true }
        #expect(writable == true)
      }
      check.value(resolved)
    }
  }
}

private func trapSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

@Suite struct ConcurrencyReferenceTests {
  @Test func aRealmThatWasJustOpenedShowsTheVersionOfTheReference() throws {
    try onOwnThread {
      let configuration = makeConfiguration()
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      realm.autorefresh = false
      let ship = realm.object(ofType: Ship.self, forPrimaryKey: "Firn")!
      let references = [ThreadSafeReference(to: ship), ThreadSafeReference(to: ship), ThreadSafeReference(to: ship)]
      let crew = ThreadSafeReference(to: ship.crew)
      let all = ThreadSafeReference(to: realm.objects(Ship.self))
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write {
          let ship = other.object(ofType: Ship.self, forPrimaryKey: "Firn")!
          ship.tons = 21
          ship.crew.removeLast()
          other.delete(other.object(ofType: Ship.self, forPrimaryKey: "Eis")!)
        }
      }
      try onOwnThread {
        let fresh = try Realm(configuration: configuration)
        let found = fresh.resolve(references[0])
        #expect(found?.tons == 20 && fresh.objects(Ship.self).count == 2)
        fresh.refresh()
        #expect(found?.tons == 21 && fresh.objects(Ship.self).count == 1)
      }
      try onOwnThread {
        let fresh = try Realm(configuration: configuration)
        let found = fresh.resolve(crew)
        #expect(found?.count == 2)
        try fresh.write { #expect(found?.count == 1) }
      }
      try onOwnThread {
        let fresh = try Realm(configuration: configuration)
        #expect(fresh.resolve(all)?.count == 2)
      }
      // Something was read, or the newest was asked for.
      try onOwnThread {
        let used = try Realm(configuration: configuration)
        #expect(used.objects(Ship.self).count == 1 && used.resolve(references[1])?.tons == 21)
      }
      try onOwnThread {
        let refreshed = try Realm(configuration: configuration)
        refreshed.refresh()
        #expect(refreshed.resolve(references[2])?.tons == 21)
      }
      withExtendedLifetime(ship) {}
    }
  }

  @Test func aVersionThatNobodyShowsAnyMoreIsNotShown() throws {
    try onOwnThread {
      let configuration = makeConfiguration()
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      let ship = realm.object(ofType: Ship.self, forPrimaryKey: "Firn")!
      let reference = ThreadSafeReference(to: ship)
      try realm.write { ship.tons = 22 }
      try onOwnThread {
        let fresh = try Realm(configuration: configuration)
        #expect(fresh.resolve(reference)?.tons == 22)
      }
    }
  }

  @Test func everyKindOfValueIsCarried() throws {
    let configuration = makeConfiguration()
    func ship(_ realm: Realm) -> Ship { realm.object(ofType: Ship.self, forPrimaryKey: "Firn")! }
    try carry(configuration, ship, check: { #expect($0?.tons == 20) })
    try carry(configuration, { ship($0).boat! }, check: { #expect($0?.seats == 4) })
    try carry(configuration, { ship($0).crew }, check: { #expect($0?.map(\.name) == ["Ada", "Ben"]) })
    try carry(configuration, { ship($0).flags }, check: { #expect($0.map { Array($0) } == ["red"]) })
    try carry(configuration, { ship($0).cabins }, check: { #expect($0?["A"] == 1) })
    try carry(configuration, { $0.objects(Ship.self) }, check: { #expect($0?.count == 2) })
    try carry(
      configuration, { $0.objects(Ship.self).where { $0.tons > 5 }.sorted(by: \.tons).distinct(by: [\.tons]) },
      check: { #expect($0?.map(\.name) == ["Eis", "Firn"]) })
    try carry(
      configuration, { ship($0).crew.sorted(by: \.name, ascending: false) },
      check: { #expect($0?.map(\.name) == ["Ben", "Ada"]) })
    try carry(configuration, { ship($0).crew[0].ships }, check: { #expect($0?.count == 2) })
    try carry(
      configuration, { AnyRealmCollection(ship($0).crew) }, check: { #expect($0?.map(\.name) == ["Ada", "Ben"]) })
    try carry(configuration, { ship($0).anything.listValue! }, check: { #expect($0?[1].intValue == 2) })
    try carry(configuration, { $0.dynamicObjects("Ship")[0] }, check: { #expect($0?["name"] as? String == "Firn") })
  }

  @Test func frozenValuesComeBackLive() throws {
    let configuration = makeConfiguration()
    try carry(configuration, { $0.objects(Ship.self)[0].freeze() }, check: { #expect($0?.name == "Firn") })
    try carry(configuration, { $0.objects(Ship.self)[0].crew.freeze() }, check: { #expect($0?.count == 2) })
    try carry(configuration, { $0.objects(Ship.self).freeze() }, check: { #expect($0?.count == 2) })
    try carry(configuration, { $0.objects(Sailor.self)[0].ships.freeze() }, check: { #expect($0?.count == 2) })
  }

  @Test func whatWasDeletedMeanwhileIsNil() throws {
    try onOwnThread {
      let realm = try Realm(configuration: makeConfiguration())
      try fill(realm)
      let ship = realm.objects(Ship.self)[0]
      let (object, list) = (ThreadSafeReference(to: ship), ThreadSafeReference(to: ship.crew))
      let results = ThreadSafeReference(to: ship.crew.where { $0.name == "Ada" })
      let backlinks = ThreadSafeReference(to: ship.crew[1].ships)
      try realm.write { realm.deleteAll() }
      #expect(realm.resolve(object) == nil && realm.resolve(list) == nil)
      #expect(realm.resolve(results) == nil && realm.resolve(backlinks) == nil)
      #expect(object.isInvalidated)
    }
  }

  @Test func anotherDatabaseHasNone() throws {
    try onOwnThread {
      let (realm, other) = (
        try Realm(configuration: makeConfiguration()), try Realm(configuration: makeConfiguration())
      )
      try fill(realm)
      try fill(other)
      let reference = ThreadSafeReference(to: realm.objects(Ship.self)[0])
      #expect(other.resolve(reference) == nil && reference.isInvalidated)
    }
  }

  @Test func aReferenceServesOnce() async {
    let found = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Realm(configuration: makeConfiguration())
        try fill(realm)
        let reference = ThreadSafeReference(to: realm.objects(Ship.self)[0])
        _ = realm.resolve(reference)
        _ = realm.resolve(reference)
      }
    }
    #expect(trapSaid("Can only resolve a thread safe reference once", found))
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Realm(configuration: makeConfiguration())
        try fill(realm)
        let reference = ThreadSafeReference(to: realm.objects(Ship.self)[0])
        try realm.write { realm.deleteAll() }
        if realm.resolve(reference) != nil { return }
        _ = realm.resolve(reference)
      }
    }
    #expect(trapSaid("Can only resolve a thread safe reference once", missing))
  }

  @Test func onlyWhatARealmManagesIsReferredTo() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: Ship())
    }
    #expect(trapSaid("unmanaged object", unmanaged))
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: List<Int>())
    }
    #expect(trapSaid("unmanaged object", list))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Realm(configuration: makeConfiguration())
        try fill(realm)
        let ship = realm.objects(Ship.self)[0]
        try realm.write { realm.deleteAll() }
        _ = ThreadSafeReference(to: ship)
      }
    }
    #expect(trapSaid("invalidated object", deleted))
  }

  @Test func insideOfAWriteItLeadsToTheCommit() throws {
    try onOwnThread {
      let configuration = makeConfiguration()
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      let references = try realm.write {
        let ship = realm.create(Ship.self, value: ["name": "Neu", "flags": ["blue"]] as [String: Any])
        return (
          ThreadSafeReference(to: ship), ThreadSafeReference(to: ship.flags),
          ThreadSafeReference(to: realm.objects(Ship.self))
        )
      }
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        #expect(other.resolve(references.0)?.name == "Neu")
        #expect(other.resolve(references.1)?.contains("blue") == true)
        #expect(other.resolve(references.2)?.count == 3)
      }
    }
  }

  @Test func resultsOverANewListCannotBeReferredTo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Realm(configuration: makeConfiguration())
        try realm.write {
          let ship = realm.create(Ship.self, value: ["name": "Neu"])
          _ = ThreadSafeReference(to: ship.crew.sorted(by: \.name))
        }
      }
    }
    #expect(trapSaid("over a collection that was created in the same write transaction", result))
  }

  @Test func anOlderRealmRefreshesAndANewerOneStays() throws {
    try onOwnThread {
      let configuration = makeConfiguration()
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      let early = ThreadSafeReference(to: realm.objects(Ship.self)[0])
      let other = try Realm(configuration: configuration, queue: nil)
      #expect(other == realm)
      realm.autorefresh = false
      let late = try onOwnThread {
        let writer = try Realm(configuration: configuration)
        return try writer.write { ThreadSafeReference(to: writer.create(Ship.self, value: ["name": "Neu"])) }
      }
      // What was made in the shown version does not move the realm.
      #expect(realm.resolve(early)?.name == "Firn" && realm.objects(Ship.self).count == 2)
      #expect(realm.resolve(late)?.name == "Neu" && realm.objects(Ship.self).count == 3)
    }
  }

  @Test func onlyReferencesToResultsKeepTheirVersion() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    let queue = DispatchQueue(label: "references")
    var (objects, results) = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try fill(realm)
      let ship = realm.objects(Ship.self)[0]
      return (
        [ThreadSafeReference(to: ship)], [ThreadSafeReference(to: realm.objects(Ship.self))]
      )
    }
    try await store.write { $0.deleteAll() }
    #expect(store.statistics.versions.count == 2)
    results = []
    #expect(store.statistics.versions.count == 1)
    objects = []
    withExtendedLifetime((objects, results)) {}
  }

  @Test func aPinnedVersionCountsAgainstTheLimit() throws {
    try onOwnThread {
      var configuration = makeConfiguration()
      configuration.maximumNumberOfActiveVersions = 3
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      var references: [ThreadSafeReference<Results<Ship>>] = []
      let error = #expect(throws: Realm.Error.self) {
        for number in 0..<10 {
          references.append(ThreadSafeReference(to: realm.objects(Ship.self)))
          try realm.write { _ = realm.create(Ship.self, value: ["name": "\(number)"]) }
        }
      }
      #expect(error?.localizedDescription.contains("Number of active versions") == true)
      references = []
      try realm.write { _ = realm.create(Ship.self, value: ["name": "after"]) }
    }
  }

  @Test func manyReferencesAreReleasedUnresolved() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try fill(realm)
      let (ship, results) = (realm.objects(Ship.self)[0], realm.objects(Ship.self))
      for _ in 0..<10 {
        let objects = (0..<1000).map { _ in ThreadSafeReference(to: ship) }
        let queries = (0..<1000).map { _ in ThreadSafeReference(to: results) }
        try realm.write { ship.tons += 1 }
        withExtendedLifetime((objects, queries)) {}
      }
    }
    #expect(store.statistics.versions.count == 1)
  }

  @Test func afterTheStoreWasClosedAnOpenRealmStillResolves() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    let realm = try Realm(configuration: configuration, queue: nil)
    try await realm.asyncWrite { _ = realm.create(Ship.self, value: ["name": "Firn"]) }
    let reference = ThreadSafeReference(to: realm.objects(Ship.self)[0])
    let second = ThreadSafeReference(to: realm.objects(Ship.self)[0])
    try await store.close()
    #expect(realm.resolve(reference)?.name == "Firn")
    // Opened again it is another database, which had nothing on disk.
    let again = try Realm(configuration: configuration, queue: nil)
    #expect(again.resolve(second) == nil)
  }

  @Test func aFrozenRealmGivesWhatItHolds() throws {
    try onOwnThread {
      let realm = try Realm(configuration: makeConfiguration())
      try fill(realm)
      let frozen = realm.freeze()
      let reference = ThreadSafeReference(to: realm.objects(Ship.self)[0])
      #expect(frozen.resolve(reference)?.isFrozen == true)
    }
  }
}
