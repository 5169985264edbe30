import Observation
import TestSupport
import Testing

@testable import Firn

@Suite("Observation: collections and results")
struct ObservedCollectionTests {
  @Test func lists() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      try realm.write { pup.friends.append(objectsIn: [realm.pup(0), realm.pup(2)]) }
      let (tags, friends, second) = (pup.tags, pup.friends, realm.pup(2))
      let reads: [() -> Void] = [
        { _ = friends.count }, { _ = friends[0] }, { _ = friends.first }, { for friend in friends { _ = friend } },
        { _ = friends.index(of: second) }, { _ = friends.isInvalidated }, { _ = Array(friends) },
      ]
      var scopes = reads.map { Scope($0) }
      let ages = Scope { for friend in friends { _ = friend.age } }
      let sums = [Scope { _ = tags.sum() }, Scope { _ = tags.max() }, Scope { _ = tags.contains(2) }]
      // Only the property of the element counts that was read.
      try realm.write { realm.pup(2).name = "z" }
      #expect(scopes.map(\.count) == reads.map { _ in 0 } && ages.count == 0)
      try realm.write { realm.pup(2).age = 55 }
      #expect(scopes.map(\.count) == reads.map { _ in 0 } && ages.count == 1)
      try realm.write { friends.append(realm.pup(3)) }
      #expect(scopes.map(\.count) == reads.map { _ in 1 })
      // An element that is deleted leaves the list.
      scopes = reads.dropLast(3).map { Scope($0) }
      try realm.write { realm.delete(realm.pup(0)) }
      #expect(scopes.map(\.count) == scopes.map { _ in 1 })
      #expect(sums.map(\.count) == [0, 0, 0])
      try realm.write { tags[0] = 9 }
      #expect(sums.map(\.count) == [1, 1, 1])
      // The owner goes.
      let gone = Scope { _ = friends.count }
      try realm.write { realm.delete(pup) }
      #expect(gone.count == 1)
    }
  }

  @Test func setsAndMaps() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      let (colours, marks, others) = (pup.colours, pup.marks, realm.pup(2).colours)
      let sets = [
        Scope { _ = colours.count }, Scope { _ = colours.contains("red") },
        Scope { for colour in colours { _ = colour } },
        Scope { _ = colours.isSubset(of: others) },
      ]
      let maps = [
        Scope { _ = marks.count }, Scope { _ = marks["a"] }, Scope { _ = marks.keys },
        Scope { _ = Array(marks.values) },
        Scope { for entry in marks { _ = entry.value } },
        Scope { for (_, value) in marks.asKeyValueSequence() { _ = value } },
      ]
      try realm.write { realm.pup(2).marks["a"] = 4 }
      #expect(sets.map(\.count) == [0, 0, 0, 0] && maps.map(\.count) == [0, 0, 0, 0, 0, 0])
      try realm.write { realm.pup(2).colours.insert("blue") }
      #expect(sets.map(\.count) == [0, 0, 0, 1])
      try realm.write { colours.insert("green") }
      #expect(sets.map(\.count) == [1, 1, 1, 1] && maps.map(\.count) == [0, 0, 0, 0, 0, 0])
      try realm.write { marks["b"] = 1 }
      #expect(maps.map(\.count) == [1, 1, 1, 1, 1, 1])
    }
  }

  @Test func linkingObjects() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let (kennel, second) = (realm.kennel(0), realm.kennel(1))
      func scopes() -> [Scope] {
        [
          Scope { _ = kennel.dogs.count }, Scope { _ = kennel.dogs.first },
          Scope { for dog in kennel.dogs { _ = dog } },
          Scope { _ = kennel.dogs.where { $0.age > 1 }.count },
        ]
      }
      var all = scopes()
      let other = Scope { _ = second.dogs.count }
      try realm.write { realm.pup(0).name = "n" }
      #expect(all.map(\.count) == [0, 0, 0, 0])
      try realm.write { realm.pup(0).age = 10 }
      #expect(all.map(\.count) == [0, 0, 0, 1])
      all = scopes()
      try realm.write { realm.pup(3).kennel = kennel }
      #expect(all.map(\.count) == [1, 1, 1, 1] && other.count == 0)
      all = scopes()
      try realm.write { realm.pup(0).kennel = second }
      #expect(all.map(\.count) == [1, 1, 1, 1] && other.count == 1)
      all = scopes()
      try realm.write { realm.delete(realm.pup(2)) }
      #expect(all.map(\.count) == [1, 1, 1, 1])
      all = scopes()
      try realm.write { realm.delete(kennel) }
      #expect(all.map(\.count) == [1, 1, 1, 1])
    }
  }

  @Test func results() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pups = realm.objects(Pup.self)
      let old = pups.where { $0.age > 1 }
      let sorted = old.sorted(by: \.age)
      func counts(_ all: Int, _ filtered: Int, _ ordered: Int) -> [Int] {
        Array(repeating: all, count: 5) + Array(repeating: filtered, count: 4) + Array(repeating: ordered, count: 3)
      }
      var scopes = self.scopes(pups, old, sorted)
      // What no query reads.
      try realm.write { for pup in pups { pup.name = "n" } }
      #expect(scopes.map(\.count) == counts(0, 0, 0))
      // The order is another one.
      try realm.write { realm.pup(2).age = 9 }
      #expect(scopes.map(\.count) == counts(0, 0, 1))
      // One leaves.
      scopes = self.scopes(pups, old, sorted)
      try realm.write { realm.pup(2).age = 0 }
      #expect(scopes.map(\.count) == counts(0, 1, 1))
      scopes = self.scopes(pups, old, sorted)
      try realm.write { realm.create(Pup.self, value: ["id": 50, "age": 0]) }
      #expect(scopes.map(\.count) == counts(1, 0, 0))
      scopes = self.scopes(pups, old, sorted)
      try realm.write { realm.delete(realm.pup(3)) }
      #expect(scopes.map(\.count) == counts(1, 1, 1))
    }
  }

  private func scopes(_ pups: Results<Pup>, _ old: Results<Pup>, _ sorted: Results<Pup>) -> [Scope] {
    [
      Scope { _ = pups.count }, Scope { _ = pups.isEmpty }, Scope { _ = pups[0] }, Scope { _ = pups.last },
      Scope { for pup in pups { _ = pup } },
      Scope { _ = old.count }, Scope { _ = old.first }, Scope { for pup in old { _ = pup } },
      Scope { _ = old.isEmpty },
      Scope { _ = sorted.first }, Scope { let _: [Pup] = sorted.map { $0 } }, Scope { _ = sorted.count },
    ]
  }

  @Test func aggregatesGroupsAndSections() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pups = realm.objects(Pup.self)
      let young = pups.where { $0.age < 100 }
      let sections = pups.sectioned(by: \.name, ascending: true)
      let count = Scope { _ = young.count }
      let ages = [
        Scope { let _: Int = young.sum(of: \.age) }, Scope { _ = young.max(of: \.age) },
        Scope { let _: Double? = pups.average(of: \.weight) ?? young.average(ofProperty: "age") },
        Scope { _ = young.liveValue { $0.sum(of: \.age) }.value },
      ]
      let names = [
        Scope { _ = sections.count }, Scope { _ = sections[0].key },
        Scope { for section in sections { _ = section.count } },
      ]
      try realm.write { realm.pup(1).mood = .wild }
      #expect(count.count == 0 && ages.map(\.count) == [0, 0, 0, 0] && names.map(\.count) == [0, 0, 0])
      try realm.write { realm.pup(1).age = 20 }
      #expect(count.count == 0 && ages.map(\.count) == [1, 1, 1, 1] && names.map(\.count) == [0, 0, 0])
      try realm.write { realm.pup(1).name = "other" }
      #expect(names.map(\.count) == [1, 1, 1])
    }
  }

  @Test func lookUps() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let absent = Scope { #expect(realm.object(ofType: Pup.self, forPrimaryKey: 77) == nil) }
      let present = Scope { _ = realm.object(ofType: Pup.self, forPrimaryKey: 1) }
      let dynamic = Scope { _ = realm.dynamicObject(ofType: "Pup", forPrimaryKey: 77) }
      try realm.write { realm.create(Pup.self, value: ["id": 78]) }
      #expect(counts(absent, present, dynamic) == [0, 0, 0])
      try realm.write { realm.create(Pup.self, value: ["id": 77]) }
      #expect(counts(absent, present, dynamic) == [1, 0, 1])
      try realm.write { realm.delete(realm.pup(1)) }
      #expect(present.count == 1)
    }
  }

  @Test func queriesOnListsAndOfValues() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      try realm.write { pup.friends.append(objectsIn: [realm.pup(0), realm.pup(2)]) }
      let old = Scope { _ = pup.friends.where { $0.age > 1 }.count }
      let values = Scope { _ = pup.tags.sorted(ascending: false).first }
      try realm.write { realm.pup(3).age = 40 }
      #expect(counts(old, values) == [0, 0])
      try realm.write { realm.pup(0).age = 40 }
      #expect(counts(old, values) == [1, 0])
      try realm.write { pup.tags.append(100) }
      #expect(values.count == 1)
    }
  }

  @Test func nestedCollectionsOfMixedValues() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      try realm.write { pup.note = AnyRealmValue.fromArray([.int(1), .int(2)]) }
      let inner = try #require(pup.note.listValue)
      let count = Scope { _ = inner.count }
      try realm.write { realm.pup(2).note = .int(1) }
      #expect(count.count == 0)
      try realm.write { inner.append(.int(3)) }
      #expect(count.count == 1)
    }
  }

  /// What a scope has seen is not there any more, though the transaction did not change it on the whole.
  @Test func whatATransactionUndoesItselfIsTold() async throws {
    try await everywhere {
      let realm = try Tracked.realm()
      let pup = realm.pup(1)
      nonisolated(unsafe) var scopes: [Scope] = []
      func look(_ seen: Int, _ read: () -> Int) { scopes.append(Scope { #expect(read() == seen) }) }
      try realm.write {
        pup.age = 100
        look(1) { realm.objects(Pup.self).where { $0.age > 50 }.count }
        pup.kennel = realm.kennel(1)
        look(1) { realm.kennel(1).dogs.count }
        pup.tags.append(3)
        look(3) { pup.tags.count }
        realm.create(Pup.self, value: ["id": 77])
        look(5) { realm.objects(Pup.self).count }
        look(1) { realm.object(ofType: Pup.self, forPrimaryKey: 77) == nil ? 0 : 1 }
        realm.delete(realm.pup(77))
        pup.tags.removeLast()
        (pup.age, pup.kennel) = (1, nil)
        #expect(scopes.allSatisfy { $0.count == 0 })
      }
      #expect(scopes.map(\.count) == [1, 1, 1, 1, 1])
      // Also when there is nothing to commit.
      scopes = []
      try realm.write {
        realm.create(Pup.self, value: ["id": 78])
        look(5) { realm.objects(Pup.self).count }
        realm.delete(realm.pup(78))
      }
      #expect(scopes.map(\.count) == [1])
      // What was read before it was written is what it is afterwards.
      scopes = []
      try realm.write {
        look(4) { realm.objects(Pup.self).count }
        realm.create(Pup.self, value: ["id": 79])
        realm.delete(realm.pup(79))
      }
      #expect(scopes.map(\.count) == [0])
      #expect(realm.objects(Pup.self).count == 4 && pup.tags.count == 2)
    }
  }
}
