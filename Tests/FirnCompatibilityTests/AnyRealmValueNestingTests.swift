import Firn
import Foundation
import Testing

/// Lists and dictionaries inside of ``AnyRealmValue``.
@Suite struct AnyRealmValueNestingTests {
  @Test func collectionsNestAndAreLive() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(
        .fromArray([.int(1), .fromDictionary(["a": .fromArray([.string("x")]), "b": .none]), .fromArray([])]))
      let list = try #require(owner.value.listValue)
      #expect(list.count == 3 && list.realm == realm && !list.isInvalidated)
      let map = try #require(list[1].dictionaryValue)
      #expect(map.keys == ["a", "b"] && map["b"] == AnyRealmValue.none)
      let inner = try #require(map["a"]?.listValue)
      #expect(Array(inner) == [.string("x")])
      try realm.write {
        inner.append(.int(2))
        inner[0] = .object(MixedDog(1, "Rex"))
        map["c"] = .fromArray([.int(3)])
        map["b"] = nil
        list.append(.fromDictionary(["z": .int(9)]))
        list.move(from: 3, to: 0)
      }
      let again = try #require(realm.object(ofType: MixedOwner.self, forPrimaryKey: 1)?.value.listValue)
      #expect(again == list)
      #expect(again[0].dictionaryValue?["z"] == .int(9))
      #expect(again[2].dictionaryValue?.keys == ["a", "c"])
      #expect(again[2].dictionaryValue?["a"]?.listValue?[0].object(MixedDog.self)?.name == "Rex")
      #expect(again[2].dictionaryValue?["a"]?.listValue?[1] == .int(2))
      #expect(again[2].dictionaryValue?["c"]?.listValue.map { Array($0) } == [.int(3)])
      // Inside collections, too.
      try realm.write {
        owner.list.append(.fromArray([.int(1)]))
        owner.map["k"] = .fromDictionary(["l": .int(2)])
        owner.list[0].listValue?.append(.int(5))
        owner.map["k"]?.dictionaryValue?["m"] = .fromArray([.none])
      }
      #expect(owner.list[0].listValue.map { Array($0) } == [.int(1), .int(5)])
      #expect(owner.map["k"]?.dictionaryValue?["m"]?.listValue?.count == 1)
    }
  }

  @Test func assigningCopies() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner()
      let given = List<AnyRealmValue>()
      given.append(objectsIn: [.int(1), .fromArray([.int(2)])])
      try realm.write { owner.value = .list(given) }
      #expect(given.realm == nil && given[1].listValue?.realm == nil)
      given.append(.int(3))
      #expect(owner.value.listValue?.count == 2)
      // A managed collection goes to another slot as a copy.
      let managed = try #require(owner.value.listValue)
      try realm.write {
        owner.other = .list(managed)
        managed.append(.int(4))
      }
      #expect(owner.other.listValue?.count == 2 && managed.count == 3)
      #expect(owner.other.listValue != managed)
      // To its own slot nothing changes.
      try realm.write { owner.value = owner.value }
      #expect(owner.value.listValue.map { Array($0) }?.count == 3)
      #expect(owner.value.listValue?[1].listValue.map { Array($0) } == [.int(2)])
      // A list goes into itself as it was.
      try realm.write { owner.value.listValue?.append(owner.value) }
      let list = try #require(owner.value.listValue)
      #expect(list.count == 4 && list[3].listValue?.count == 3)
      #expect(list[3].listValue?[1].listValue?[0] == .int(2))
    }
  }

  @Test func replacedCollectionsAreInvalidated() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.fromArray([.fromArray([.fromDictionary(["a": .int(1)])])]))
      let outer = try #require(owner.value.listValue)
      let middle = try #require(outer[0].listValue)
      let map = try #require(middle[0].dictionaryValue)
      try realm.write { outer.removeFirst() }
      #expect(!outer.isInvalidated && middle.isInvalidated && map.isInvalidated)
      #expect(middle.isEmpty && map.isEmpty && middle.realm == nil)
      // Replaced by an equal one.
      try realm.write { owner.value = .fromArray([]) }
      #expect(outer.isInvalidated)
      let second = try #require(owner.value.listValue)
      try realm.write { owner.value = .int(1) }
      #expect(second.isInvalidated)
      try realm.write {
        owner.list.append(.fromArray([.int(1)]))
        owner.map["a"] = .fromArray([.int(2)])
        owner.other = .fromDictionary(["x": .fromArray([])])
      }
      let nested = [owner.list[0].listValue, owner.map["a"]?.listValue, owner.other.dictionaryValue?["x"]?.listValue]
      try realm.write {
        owner.list[0] = .none
        owner.map["a"] = nil
        owner.other.dictionaryValue?["x"] = .int(1)
      }
      #expect(nested.allSatisfy { $0?.isInvalidated == true })
      // With the owner.
      try realm.write { owner.value = .fromArray([.fromArray([])]) }
      let last = try #require(owner.value.listValue?[0].listValue)
      try realm.write { realm.delete(owner) }
      #expect(last.isInvalidated)
      try realm.write { realm.deleteAll() }
      #expect(realm.isEmpty)
    }
  }

  @Test func cancelledWritesLeaveNothing() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.fromArray([.int(1)]))
      let list = try #require(owner.value.listValue)
      realm.beginWrite()
      list.append(.fromArray([.int(2)]))
      owner.value = .fromDictionary(["a": .fromArray([])])
      #expect(list.isInvalidated)
      realm.cancelWrite()
      #expect(!list.isInvalidated && Array(list) == [.int(1)])
      #expect(owner.value.listValue == list)
    }
  }

  @Test func observersSeeEveryLevel() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.fromArray([.int(0), .fromDictionary(["a": .fromArray([])])]))
      let outer = try #require(owner.value.listValue)
      let map = try #require(outer[1].dictionaryValue)
      let inner = try #require(map["a"]?.listValue)
      var names: [String] = []
      var log: [String] = []
      func note(_ name: String) -> (RealmCollectionChange<List<AnyRealmValue>>) -> Void {
        { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            log.append("\(name) -\(deletions) +\(insertions) ~\(modifications)")
          }
        }
      }
      let results = realm.objects(MixedOwner.self)
      var modified = 0
      let tokens = [
        owner.observe { (change: ObjectChange<MixedOwner>) in
          if case .change(_, let properties) = change { names += properties.map(\.name) }
        },
        outer.observe(note("outer")), inner.observe(note("inner")),
        map.observe { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            log.append("map -\(deletions) +\(insertions) ~\(modifications)")
          }
        },
        results.observe { change in if case .update(_, _, _, [0]) = change { modified += 1 } },
      ]
      realm.refresh()
      try realm.write { inner.append(.int(1)) }
      realm.refresh()
      #expect(names == ["value"] && modified == 1)
      #expect(Set(log) == ["inner -[] +[0] ~[]", "map -[] +[] ~[\"a\"]", "outer -[] +[] ~[1]"])
      log = []
      try realm.write { map["b"] = .int(2) }
      realm.refresh()
      #expect(names == ["value", "value"] && modified == 2)
      #expect(Set(log) == ["map -[] +[\"b\"] ~[]", "outer -[] +[] ~[1]"])
      log = []
      // Overwritten: all elements are deleted, once.
      try realm.write { owner.value = .none }
      realm.refresh()
      realm.refresh()
      #expect(names.count == 3 && modified == 3)
      #expect(Set(log) == ["inner -[0] +[] ~[]", "map -[\"a\", \"b\"] +[] ~[]", "outer -[0, 1] +[] ~[]"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func freezingAndThawing() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.fromArray([.fromDictionary(["a": .int(1)])]))
      let map = try #require(owner.value.listValue?[0].dictionaryValue)
      let frozen = map.freeze()
      let frozenList = try #require(owner.value.listValue?.freeze())
      #expect(frozen.isFrozen && frozenList[0].dictionaryValue?["a"] == .int(1))
      try realm.write { map["a"] = .int(2) }
      #expect(frozen["a"] == .int(1) && frozenList[0].dictionaryValue?["a"] == .int(1))
      #expect(frozen.thaw() == map && frozen.thaw()?["a"] == .int(2))
      try realm.write { owner.value = .none }
      #expect(frozen["a"] == .int(1) && frozen.thaw() == nil && frozenList.thaw() == nil)
    }
  }

  @Test func collectionsComeBackFromFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("mixed.firn")
    try onOwnThread {
      let configuration = Realm.Configuration(fileURL: url, objectTypes: [MixedDog.self, MixedOwner.self])
      do {
        let realm = try Realm(configuration: configuration)
        let owner = MixedOwner(1, .fromArray([.int(1), .fromDictionary(["a": .object(MixedDog(3, "Rex"))])]))
        owner.set.insert(objectsIn: [.int(1), .string("s")])
        owner.map["m"] = .double(1.5)
        try realm.write { realm.add(owner) }
        try realm.write {
          owner.value.listValue?[1].dictionaryValue?["b"] = .fromArray([.bool(true), .none])
          owner.list.append(objectsIn: [.fromArray([.int(4)]), .string("t")])
        }
        try realm.write { owner.list[0].listValue?.append(.int(5)) }
      }
      for _ in 0..<2 {
        let realm = try Realm(configuration: configuration)
        let owner = try #require(realm.object(ofType: MixedOwner.self, forPrimaryKey: 1))
        let map = try #require(owner.value.listValue?[1].dictionaryValue)
        #expect(map["a"]?.object(MixedDog.self)?.name == "Rex")
        #expect(map["b"]?.listValue.map { Array($0) } == [.bool(true), .none])
        #expect(owner.list[0].listValue.map { Array($0) } == [.int(4), .int(5)])
        #expect(owner.list[1] == .string("t") && owner.map["m"] == .double(1.5))
        #expect(Array(owner.set) == [.int(1), .string("s")])
        #expect(realm.objects(MixedOwner.self).where { $0.value == .int(1) }.isEmpty)
      }
      // Without the class that is linked to, its rows stay in the file.
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.deleteAll() }
      #expect(realm.isEmpty)
    }
  }

  @Test func descriptionsShowNestedCollections() throws {
    try onOwnThread {
      let (_, owner) = try mixedOwner(.fromArray([.int(1), .fromDictionary(["a": .string("x")])]))
      let text = owner.description
      #expect(text.contains("value = List<AnyRealmValue> <0x"))
      #expect(text.contains("[0] 1,") && text.contains("Map<string, AnyRealmValue> <0x") && text.contains("[a]: x"))
      #expect((owner["value"] as? List<AnyRealmValue>)?.count == 2)
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      #expect(list.description.contains("<Maximum depth exceeded>"))
    }
  }

  @Test func aHundredLevels() throws {
    try onOwnThread {
      var value = AnyRealmValue.int(1)
      for level in 0..<100 { value = level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["a": value]) }
      let (realm, owner) = try mixedOwner(value)
      var found = owner.value
      var depth = 0
      while found != .int(1), depth < 200 {
        found = found.listValue?[0] ?? found.dictionaryValue?["a"] ?? .none
        depth += 1
      }
      #expect(depth == 100)
      try realm.write { owner.value = .none }
      #expect(owner.value == .none)
    }
  }

  /// Overflows the stack where each level is released from within the one around it.
  @Test func manyLevelsAreReleased() {
    for isMap in [false, true] {
      var value = AnyRealmValue.string(String(repeating: "x", count: 100))
      for level in 0..<300_000 {
        value = isMap && level % 2 == 0 ? .fromDictionary(["k": value]) : .fromArray([value, .int(level)])
      }
      let list = List<AnyRealmValue>()
      list.append(value)
      #expect(list.count == 1)
    }
  }

  @Test func nestingWithoutEndTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try mixedOwner()
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      try realm.write { owner.value = .list(list) }
    }
    #expect(trapSaid("more than 100 levels deep", result))
  }

  @Test func setsRefuseCollections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try mixedOwner()
      try realm.write { owner.set.insert(.fromArray([])) }
    }
    #expect(trapSaid("A MutableSet cannot hold collections", result) && trapSaid("property 'set'", result))
  }

  @Test func positionsThatVanishedTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try mixedOwner(.fromArray([.int(1), .int(2)]))
      let list = owner.value.listValue!
      try realm.write { list.removeLast() }
      _ = list[1]
    }
    #expect(trapSaid("Index 1 is out of bounds", result))
  }

  @Test func writingIntoAReplacedCollectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try mixedOwner(.fromArray([.int(1)]))
      let list = owner.value.listValue!
      try realm.write {
        owner.value = .int(1)
        list.append(.int(2))
      }
    }
    #expect(trapSaid("List has been invalidated", result))
  }
}
