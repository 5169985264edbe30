import FirnEngine
import Observation
import TestSupport
import Testing

@testable import Firn

@MainActor @Suite("Observation: what is kept, and for how long")
struct ObservationLifetimeTests {
  @Test nonisolated func readsOfOnePropertyRegisterOnce() throws {
    try onOwnThread {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let scope = Scope { for _ in 0..<1_000_000 { _ = pup.age } }
      #expect(realm.placeCount == 1)
      try realm.write { pup.age = 9 }
      #expect(scope.count == 1)
      // Outside of scopes nothing is noted.
      for _ in 0..<1000 { _ = (pup.age, pup.name, pup.tags.count, realm.objects(Pup.self).count) }
      #expect(realm.placeCount == 1)
    }
  }

  @Test nonisolated func whatTouchesNoneOfManyObjectsLooksAtNone() throws {
    try onOwnThread {
      let realm = try Tracked.realm(pups: 10_001)
      let pups = Array(realm.objects(Pup.self))
      let scope = Scope { for pup in pups.dropLast() { _ = pup.age } }
      let tracking = try #require(realm.instance.tracking)
      #expect(tracking.placeCount == 10_000)
      let before = tracking.visitCount
      try realm.write {
        pups[10_000].age = 1
        realm.create(Kennel.self, value: ["id": 10])
      }
      #expect(tracking.visitCount == before && scope.count == 0)
      try realm.write { pups[5].name = "n" }
      #expect(tracking.visitCount == before + 1 && scope.count == 0)
      try realm.write { pups[5].age = 1 }
      #expect(tracking.visitCount == before + 2 && scope.count == 1)
    }
  }

  @Test func nothingIsLeftOfAScopeThatWasTold() async throws {
    let realm = try Tracked.realm()
    let tracking = try #require(realm.instance.tracking)
    let pup = realm.pup(1)
    let scope = Scope {
      _ = (pup.age, pup.name, pup.tags.count, realm.objects(Pup.self).where { $0.age > 1 }.count)
    }
    #expect(tracking.placeCount == 4 && tracking.holdsVersion)
    try realm.write { pup.name = "n" }
    #expect(scope.count == 1)
    try await eventually { tracking.placeCount == 0 && !tracking.holdsVersion }
    // Another scope that read the same keeps it.
    let (first, second) = (Scope { _ = (pup.age, pup.name) }, Scope { _ = pup.age })
    try realm.write { pup.name = "m" }
    try await eventually { tracking.placeCount == 1 }
    try realm.write { pup.age = 60 }
    #expect(counts(first, second) == [1, 1])
    try await eventually { tracking.placeCount == 0 }
  }

  @Test func nothingIsLeftOfAScopeThatWasToldWhenTheRealmMovesOnceMore() async throws {
    let tracking = try await MainActor.run {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let scope = Scope { _ = pup.age }
      // What is scheduled comes after both.
      try realm.write { pup.age = 60 }
      try realm.write { pup.name = "n" }
      let tracking = try #require(realm.instance.tracking)
      #expect(scope.count == 1 && tracking.placeCount == 1)
      return Unchecked((realm, tracking))
    }
    try await eventually { tracking.value.1.placeCount == 0 }
  }

  @Test func whatIsReadAgainAtOnceKeepsItsView() async throws {
    let realm = try Tracked.realm()
    let tracking = try #require(realm.instance.tracking)
    let old = realm.objects(Pup.self).where { $0.age > 1 }
    for round in 0..<5 {
      let scope = Scope { _ = old.count }
      try realm.write { realm.create(Pup.self, value: ["id": 100 + round, "age": 50]) }
      #expect(scope.count == 1)
    }
    #expect(tracking.placeCount == 1)
    try await eventually { tracking.placeCount == 0 }
  }

  @Test func aScopeKeepsNeitherTheRealmNorItsObjects() throws {
    weak var instance: RealmInstance?
    weak var tracking: RealmTracking?
    weak var object: Pup?
    var scope = Scope {}
    do {
      let realm = try Tracked.realm()
      instance = realm.instance
      tracking = realm.instance.tracking
      do {
        let pup = realm.pup(1)
        object = pup
        scope = Scope { _ = (pup.age, realm.objects(Pup.self).count) }
      }
      #expect(object == nil && realm.placeCount == 2)
      // It hears of changes all the same.
      try realm.write { realm.pup(1).age = 8 }
      #expect(scope.count == 1)
      scope = Scope { _ = realm.pup(1).age }
    }
    #expect(instance == nil && tracking == nil)
    #expect(scope.count == 0)
  }

  @Test func versionsGoWhenTheRealmMovesOn() async throws {
    let configuration = Tracked.configuration()
    let store = try await RealmStore.open(configuration)
    try await store.write { Tracked.fill($0, 4) }
    let realm = try await Realm(configuration: configuration)
    realm.refresh()
    let pup = realm.pup(1)
    Scope { _ = pup.age }
    for round in 0..<5 {
      try await store.write { $0.pup(2).age = round }
      realm.refresh()
    }
    #expect(store.statistics.versions.count == 1)
  }

  @Test func endedLoopsLeaveOnePlaceUntilItChanges() async throws {
    let realm = try Tracked.realm()
    let tracking = try #require(realm.instance.tracking)
    let pup = realm.pup(1)
    for _ in 0..<50 {
      let seen = Seen<Int>()
      let task = Task { @MainActor in
        for await age in Observations({ pup.age }) { seen.add(age) }
      }
      try await eventually { seen.values.count == 1 }
      task.cancel()
      await task.value
    }
    // Observation keeps the last registration of a cancelled loop until what it read changes.
    #expect(tracking.placeCount <= 1)
    try realm.write { pup.age = 99 }
    try await eventually { tracking.placeCount == 0 && !tracking.holdsVersion }
  }

  @Test func untoldPlacesGoWhereNothingIsScheduled() throws {
    try onOwnThread {
      let realm = try Tracked.realm()
      let tracking = try #require(realm.instance.tracking)
      let (pup, other) = (realm.pup(1), realm.pup(2))
      let scope = Scope { _ = pup.age }
      try realm.write { pup.age = 9 }
      #expect(scope.count == 1)
      for round in 0..<2 { try realm.write { other.age = round } }
      #expect(tracking.placeCount == 0 && !tracking.holdsVersion)
    }
  }
}
