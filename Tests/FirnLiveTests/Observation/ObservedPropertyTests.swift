import FirnEngine
import Observation
import TestSupport
import Testing

@testable import Firn

@Suite("Observation: properties of objects")
struct ObservedPropertyTests {
  @Test func aWriteIsToldOnceAndOnlyToThoseWhoReadTheProperty() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let (pup, other) = (realm.pup(1), realm.pup(2))
      let age = Scope { _ = pup.age }
      let name = Scope { _ = pup.name }
      let both = Scope { _ = (pup.age, pup.name) }
      let others = Scope { _ = other.age }
      #expect(realm.placeCount == 3)
      try realm.write { pup.age = 10 }
      #expect(counts(age, name, both, others) == [1, 0, 1, 0])
      try realm.write {
        pup.age = 11
        pup.name = "x"
      }
      #expect(counts(age, name, both, others) == [1, 1, 1, 0])
      try realm.write { other.age += 1 }
      #expect(counts(age, name, both, others) == [1, 1, 1, 1])
    }
  }

  @Test func itIsToldWhenTheRealmShowsTheChange() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let seen = Seen<Int>()
      let shown = Unchecked(realm)
      let scope = Scope {
        _ = pup.age
      } onChange: {
        seen.add(shown.value.pup(1).age)
      }
      try realm.write {
        pup.age = 20
        #expect(scope.count == 0)
        pup.age = 21
      }
      #expect(scope.count == 1)
      #expect(seen.values == [21])
    }
  }

  @Test func everyKindOfProperty() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let reads: [(name: String, read: () -> Void, write: () -> Void)] = [
        ("age", { _ = pup.age }, { pup.age += 1 }),
        ("name", { _ = pup.name }, { pup.name += "!" }),
        ("weight", { _ = pup.weight }, { pup.weight = pup.weight == nil ? 1 : nil }),
        ("mood", { _ = pup.mood }, { pup.mood = pup.mood == .calm ? .wild : .calm }),
        ("note", { _ = pup.note }, { pup.note = .int(7) }),
        ("collar", { _ = pup.collar }, { pup.collar = Collar(value: ["colour": "blue"]) }),
        ("kennel", { _ = pup.kennel }, { pup.kennel = realm.kennel(1) }),
        ("friends", { _ = pup.friends }, { pup.friends.append(realm.pup(0)) }),
        ("tags", { _ = pup.tags.count }, { pup.tags.append(3) }),
        ("marks", { _ = pup.marks["a"] }, { pup.marks["b"] = 3 }),
        ("colours", { _ = pup.colours.contains("red") }, { pup.colours.insert("blue \(pup.colours.count)") }),
        ("by name", { _ = pup["age"] }, { pup["age"] = 99 }),
        ("dynamic", { _ = realm.dynamicObjects("Pup")[1]["age"] }, { pup.age = 98 }),
      ]
      for (position, written) in reads.enumerated() {
        let scopes = reads.map { Scope($0.read) }
        try realm.write { written.write() }
        for (index, scope) in scopes.enumerated() {
          let isAge = { ["age", "by name", "dynamic"].contains($0) }
          let expected = index == position || (isAge(reads[index].name) && isAge(written.name)) ? 1 : 0
          #expect(scope.count == expected, "\(reads[index].name) when \(written.name) was written")
        }
      }
    }
  }

  @Test func linksAndWhatIsBehindThem() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(0)
      let kennel = realm.kennel(0)
      var link = Scope { _ = pup.kennel }
      let name = Scope { _ = pup.kennel?.name }
      try realm.write { kennel.name = "new" }
      #expect(counts(link, name) == [0, 1])
      // The target goes, and with it the link.
      let behind = Scope { _ = pup.kennel?.name }
      try realm.write { realm.delete(kennel) }
      #expect(counts(link, behind) == [1, 1])
      #expect(pup.kennel == nil)
      link = Scope { _ = pup.kennel }
      try realm.write { pup.kennel = realm.kennel(1) }
      #expect(link.count == 1)
      // What an embedded object holds is its own.
      try realm.write { pup.collar = Collar(value: ["colour": "red"]) }
      let (collar, colour) = (Scope { _ = pup.collar }, Scope { _ = pup.collar?.colour })
      try realm.write { pup.collar?.colour = "green" }
      #expect(counts(collar, colour) == [0, 1])
    }
  }

  @Test func deletionIsTold() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let (pup, second) = (realm.pup(1), realm.pup(2))
      let (age, exists, other) = (
        Scope { _ = pup.age }, Scope { _ = pup.isInvalidated }, Scope { _ = second.isInvalidated }
      )
      try realm.write { pup.age = 5 }
      #expect(counts(age, exists) == [1, 0])
      try realm.write { realm.delete(pup) }
      #expect(counts(exists, other) == [1, 0])
      // The last values never change.
      let before = realm.placeCount
      Scope { _ = (pup.age, pup.isInvalidated, pup.mood, pup.weight) }
      #expect(realm.placeCount == before)
    }
  }

  @Test func whatIsReadInATransaction() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      // A cancelled transaction changes nothing for those outside of it.
      let outside = Scope { _ = pup.weight }
      struct Failure: Error {}
      func cancel(_ body: () -> Void) {
        #expect(throws: Failure.self) {
          try realm.write {
            body()
            throw Failure()
          }
        }
      }
      cancel { pup.weight = 50 }
      #expect(outside.count == 0)
      // Inside, what was read goes.
      var inside = Scope {}
      cancel {
        (pup.age, pup.weight) = (51, 51)
        inside = Scope { #expect(pup.age == 51) }
      }
      #expect(counts(outside, inside) == [0, 1])
      var created = Scope {}
      try realm.write {
        let new = realm.create(Pup.self, value: ["id": 100])
        created = Scope { _ = new.age }
        new.age = 3
      }
      #expect(created.count == 1)
      var before = Scope {}
      try realm.write {
        before = Scope { _ = pup.name }
        pup.name = "later"
        #expect(before.count == 0)
      }
      #expect(counts(before, outside) == [1, 0])
    }
  }

  @Test func deletionsThatAreCancelledAreToldToAllWhoReadThem() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pups = [realm.pup(1), realm.pup(2), realm.pup(3)]
      let scopes = pups.map { pup in Scope { _ = pup.age } }
      struct Failure: Error {}
      #expect(throws: Failure.self) {
        try realm.write {
          realm.delete(pups[0])
          realm.delete(pups[1])
          throw Failure()
        }
      }
      #expect(scopes.map(\.count) == [1, 1, 0])
    }
  }

  @Test func aTransactionIsToldOnceInTheOrderOfReads() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let order = Guarded<[Int]>([])
      nonisolated(unsafe) let read = { _ = (pup.age, pup.name) }
      /// Reads again as soon as it is told.
      @Sendable func watch() {
        Scope(read) {
          let count = order.withLock { order in
            order.append(0)
            return order.count
          }
          if count < 5 { watch() }
        }
      }
      watch()
      for id in [3, 2] {
        Scope {
          _ = realm.pup(id).weight
        } onChange: {
          order.withLock { $0.append(id) }
        }
      }
      try realm.write {
        (realm.pup(2).weight, realm.pup(3).weight) = (1, 1)
        (pup.name, pup.age) = ("later", 50)
      }
      #expect(order.withLock { $0 } == [0, 3, 2])
    }
  }

  @Test func onChangeMayWrite() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let second = Scope { _ = pup.name }
      let written = Unchecked((realm, pup))
      let first = Scope {
        _ = pup.age
      } onChange: {
        let (realm, pup) = written.value
        #expect(throws: Never.self) { try realm.write { pup.name = "\(pup.age)" } }
      }
      try realm.write { pup.age = 77 }
      #expect(counts(first, second) == [1, 1])
      #expect(pup.name == "77")
    }
  }

  @MainActor @Test func commitsOfOthersAreToldWhenTheRealmMoves() async throws {
    let configuration = Tracked.configuration()
    let store = try await RealmStore.open(configuration)
    try await store.write { Tracked.fill($0, 4) }
    let realm = try await Realm(configuration: configuration)
    realm.refresh()
    let pup = realm.pup(1)
    realm.autorefresh = false
    let (age, name) = (Scope { _ = pup.age }, Scope { _ = pup.name })
    try await store.write { $0.pup(1).age = 8 }
    #expect(age.count == 0)
    realm.refresh()
    #expect(counts(age, name) == [1, 0])
    realm.autorefresh = true
    let again = Scope { _ = pup.age }
    try await store.write { $0.pup(1).age = 9 }
    try await eventually { again.count == 1 }
    #expect(pup.age == 9)
    // The start of a transaction moves the realm, too.
    let late = Scope { _ = pup.age }
    try await store.write { $0.pup(1).age = 10 }
    try realm.write { #expect(pup.age == 10) }
    #expect(late.count == 1)
  }

  @MainActor @Test func asyncWritesAreTold() async throws {
    let realm = try Tracked.realm()
    let pup = realm.pup(1)
    let age = Scope { _ = pup.age }
    try await realm.asyncWrite { pup.age = 4 } as Void
    #expect(age.count == 1)
    let name = Scope { _ = pup.name }
    realm.writeAsync { pup.name = "async" }
    try await eventually { name.count == 1 }
  }

  @Test func invalidatingTellsAll() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let scopes = [Scope { _ = pup.age }, Scope { _ = pup.tags.count }, Scope { _ = realm.objects(Pup.self).count }]
      realm.invalidate()
      #expect(scopes.map(\.count) == [1, 1, 1])
      let again = Scope { _ = realm.pup(1).age }
      try realm.write { realm.pup(1).age = 70 }
      #expect(again.count == 1)
    }
  }

  @Test func projectionsTakePart() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let card = PupCard(projecting: realm.pup(0))
      let (title, home) = (Scope { _ = card.title }, Scope { _ = card.home })
      try realm.write { realm.pup(0).name = "y" }
      #expect(counts(title, home) == [1, 0])
      try realm.write { realm.kennel(0).name = "y" }
      #expect(home.count == 1)
    }
  }

  @Test func frozenUnmanagedAndUntrackedObjectsTakeNoPart() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let frozen = realm.freeze()
      let unmanaged = Pup()
      let scope = Scope { _ = (frozen.pup(1).age, frozen.objects(Pup.self).count, unmanaged.age) }
      unmanaged.age = 2
      try realm.write { realm.pup(1).age = 30 }
      #expect(scope.count == 0)
      #expect(realm.placeCount == 0)
      let off = try Tracked.realm(false)
      let untracked = Scope { _ = (off.pup(1).age, off.objects(Pup.self).count, off.pup(1).tags.count) }
      try off.write { off.pup(1).age = 30 }
      #expect(untracked.count == 0)
      #expect(off.instance.tracking == nil)
    }
  }

  /// What reads look at first says that they may go on at once, as it always did.
  @Test func whereItIsOffReadsTakeTheShortWay() throws {
    try onOwnThread {
      let (off, on) = try (Tracked.realm(false), Tracked.realm())
      #expect(!RealmContext.isTracked(off.instance.context) && RealmContext.isTracked(on.instance.context))
      #expect(off.pup(1)._isHome && off.pup(1).tags._isHome && !on.pup(1)._isHome && !on.pup(1).tags._isHome)
      let collections = (off.pup(1).tags, on.pup(1).tags)
      #expect(collections.0._generation == RealmContext.generation(off.instance.context))
      #expect(collections.1._generation != RealmContext.generation(on.instance.context))
      #expect(!collections.0.isInvalidated && !collections.1.isInvalidated)
      #expect(!off.objects(Pup.self).core.isTracked && on.objects(Pup.self).core.isTracked)
    }
  }

  @Test func objectsAreObservable() async throws {
    try await everywhere {
      func isObservable(_ value: some Observable) -> Bool { true }
      #expect(isObservable(Pup()))
    }
  }
}

/// What was seen on any thread.
final class Seen<Value: Sendable>: Sendable {
  private let all = Lock<[Value]>([])

  var values: [Value] { all.withLock { $0 } }

  func add(_ value: Value) { all.withLock { $0.append(value) } }
}
