import Firn
import Foundation
import Testing

/// Section 11: Map and RealmKeyedCollection.
@Suite struct MapTests {
  // MARK: Unmanaged

  @Test func unmanagedMapsAreDictionaries() {
    let map = SetsAndMaps.map(["a": 1, "b": 2])
    #expect(map["a"] == 1 && map["c"] == nil && map.count == 2)
    map["a"] = 10
    map["c"] = 3
    map["b"] = nil
    map.removeObject(for: "zzz")
    #expect(map.keys.sorted() == ["a", "c"] && map.values.sorted() == [3, 10])
    #expect(zip(map.keys, map.values).allSatisfy { map[$0] == $1 }, "keys[i] belongs to values[i]")
    map.updateValue(4, forKey: "c")
    #expect(map["c"] == 4 && map.contains { $0 == "c" && $1 == 4 } && !map.contains { key, _ in key == "z" })
    map["\u{e9}"] = 1
    map["e\u{301}"] = 2
    #expect(map.count == 4 && map["\u{e9}"] == 1, "keys are compared by their bytes")
    map["$odd.key"] = 1
    #expect(map["$odd.key"] == 1, "any key will do without a realm")
    map.removeAll()
    #expect(map.count == 0 && map.keys.isEmpty && map.values.isEmpty && map.realm == nil)
    #expect(!map.isInvalidated && !map.isFrozen)
  }

  @Test func optionalValues() throws {
    let realm = try SetsAndMaps.realm()
    let managed = try SetsAndMaps.mapOwner(realm)
    try realm.write {
      for map in [Map<String, Int?>(), managed.optionalInts] {
        map["a"] = 1
        map["b"] = .some(nil)
        map.updateValue(nil, forKey: "c")
        #expect(map.count == 3 && map["a"] == .some(.some(1)))
        #expect(map["b"] == .some(.none) && map["c"] == .some(.none), "a stored nil")
        #expect(map["d"] == .none, "no entry")
        map["b"] = .none
        #expect(map.keys.sorted() == ["a", "c"], "nil removes")
      }
    }
  }

  @Test func mergingCombines() throws {
    struct Enough: Error {}
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm)
    try realm.write {
      for map in [Map<String, Int>(), owner.ints] {
        map["a"] = 1
        map.merge([(key: "a", value: 5), (key: "b", value: 6), (key: "b", value: 7)]) { $0 * 10 + $1 }
        #expect(map["a"] == 15 && map["b"] == 67, "combine(current, new)")
        map.merge(SetsAndMaps.map(["b": 1, "c": 2])) { current, _ in current }
        #expect(map["b"] == 67 && map["c"] == 2)
        #expect(throws: Enough.self) {
          try map.merge([(key: "x", value: 1), (key: "a", value: 1), (key: "y", value: 1)]) { _, _ in throw Enough() }
        }
        #expect(map["x"] == 1 && map["y"] == nil, "earlier entries stay")
      }
    }
  }

  @Test func unmanagedEqualityAggregatesAndDescription() {
    #expect(Map<String, Int>() == Map<String, Int>())
    #expect(SetsAndMaps.map(["a": 1, "b": 2]) == SetsAndMaps.map(["b": 2, "a": 1]))
    #expect(SetsAndMaps.map(["a": 1]) != SetsAndMaps.map(["a": 2]))
    #expect(SetsAndMaps.map(["a": 1]) != SetsAndMaps.map(["b": 1]))
    let map = SetsAndMaps.map(["a": 1, "b": 3])
    let mean: Double? = map.average()
    #expect(map.min() == 1 && map.max() == 3 && map.sum() == 4 && mean == 2)
    let pairs: KeyValuePairs<String, SetsItem?> = ["a": SetsItem(1, number: 3), "b": nil, "c": SetsItem(2, number: 5)]
    let items = SetsAndMaps.map(pairs)
    #expect(items.min(of: \.number) == 3 && items.max(ofProperty: "number") == 5 && items.sum(of: \.number) == 8)
    #expect(items.average(of: \.number) == 4)
    let text = SetsAndMaps.map(["a": 1]).description
    #expect(text.hasPrefix("Map<string, Int> <0x") && text.hasSuffix("> (\n[a]: 1\n)"), "\(text)")
  }

  @Test func entries() {
    let (one, same, other) = (
      SingleMapEntry(key: "a", value: 1), SingleMapEntry(key: "b", value: 1), SingleMapEntry(key: "a", value: 2)
    )
    #expect(one == same && one != other, "equality compares the value")
    #expect(one.hashValue == other.hashValue, "hashing uses the key")
    let map = SetsAndMaps.map(["a": 1, "b": 2])
    #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == ["a": 1, "b": 2])
    var found: [String: Int] = [:]
    for (key, value) in map.asKeyValueSequence() { found[key] = value }
    #expect(found == ["a": 1, "b": 2])
    #expect(map.filter { $0.value > 1 }.map(\.key) == ["b"], "the members of Sequence see entries")
  }

  @Test func assigningCopiesIntoTheMapThatIsThere() throws {
    let owner = MapsOwner()
    let map = owner.ints
    let other = SetsAndMaps.map(["a": 1])
    owner.ints = other
    #expect(owner.ints === map && map["a"] == 1)
    other["b"] = 2
    #expect(map.count == 1)
    owner.ints = owner.ints
    #expect(map["a"] == 1)
    let realm = try SetsAndMaps.realm()
    let managed = try SetsAndMaps.mapOwner(realm) { $0.ints["x"] = 9 }
    let kept = managed.ints
    try realm.write {
      managed.ints = managed.ints
      #expect(kept["x"] == 9)
      managed.ints = other
    }
    #expect(managed.ints === kept && kept.keys == ["a", "b"] && kept.values == [1, 2])
  }

  // MARK: Managed

  @Test func promotionKeepsTheInstance() throws {
    let realm = try SetsAndMaps.realm()
    let owner = MapsOwner()
    let (ints, items) = (owner.ints, owner.items)
    ints["b"] = 2
    ints["a"] = 1
    let item = SetsItem(7)
    items["it"] = item
    items["none"] = .some(nil)
    try realm.write { realm.add(owner) }
    #expect(owner.ints === ints && owner.items === items && ints.realm == realm && item.realm == realm)
    #expect(ints.keys == ["a", "b"] && ints.values == [1, 2])
    #expect(items["it"]??.id == 7 && items["none"] == .some(.none) && items["zzz"] == nil)
    let again = try #require(realm.object(ofType: MapsOwner.self, forPrimaryKey: 0))
    #expect(again.ints == ints && again.ints === again.ints && again.ints != SetsAndMaps.map(["a": 1, "b": 2]))
  }

  @Test func keysAscendByTheirBytes() throws {
    let realm = try SetsAndMaps.realm()
    let day = Date(timeIntervalSinceReferenceDate: 5)
    let uuid = UUID()
    let owner = try SetsAndMaps.mapOwner(realm) { owner in
      for (index, key) in ["b", "a", "é", "Z", "", "a key longer than seven bytes"].enumerated() {
        owner.ints[key] = index
      }
      owner.doubles["x"] = .nan
      owner.strings["s"] = "a text longer than seven bytes"
      owner.optionalStrings["n"] = .some(nil)
      owner.optionalStrings["s"] = "short"
      owner.data["d"] = Data([1, 2])
      owner.dates["t"] = day
      owner.uuids["u"] = uuid
      owner.colours["c"] = .green
    }
    #expect(owner.ints.keys == ["", "Z", "a", "a key longer than seven bytes", "b", "é"])
    #expect(owner.ints.values == [4, 3, 1, 5, 0, 2])
    #expect(owner.ints.map(\.key) == owner.ints.keys && owner.ints.map(\.value) == owner.ints.values)
    #expect(owner.ints.asKeyValueSequence().map(\.key) == owner.ints.keys)
    #expect(owner.doubles["x"]?.isNaN == true && owner.strings["s"] == "a text longer than seven bytes")
    #expect(owner.optionalStrings["n"] == .some(.none) && owner.optionalStrings.values == [nil, "short"])
    #expect(owner.data["d"] == Data([1, 2]) && owner.dates["t"] == day && owner.uuids["u"] == uuid)
    #expect(owner.colours["c"] == .green && owner.colours.value(forKey: "c") as? String == "green")
    #expect(owner.ints.value(forKey: "a") as? Int == 1 && owner.ints.value(forKey: "zzz") == nil)
  }

  @Test func changing() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm)
    try realm.write {
      owner.strings["a"] = "first text of some length"
      owner.strings["a"] = "x"
      owner.strings.updateValue("y", forKey: "b")
      owner.strings.setValue("z", forKey: "c")
      owner.strings.setValue(nil, forKey: "b")
      owner.strings.removeObject(for: "unknown")
      owner.strings.removeObject(for: "$illegal.key")
      owner.strings["also.illegal"] = nil
      owner.ints.setValue(Int8(5), forKey: "n")
      owner.colours.setValue("blue", forKey: "c")
    }
    #expect(owner.strings.keys == ["a", "c"] && owner.strings.values == ["x", "z"])
    #expect(owner.ints["n"] == 5 && owner.colours["c"] == .blue && owner.strings["$illegal.key"] == nil)
    realm.beginWrite()
    owner.strings.removeAll()
    #expect(owner.strings.count == 0)
    realm.cancelWrite()
    #expect(owner.strings.count == 2)
    try realm.write { owner.strings.removeAll() }
    #expect(owner.strings.isEmpty && owner.strings.keys.isEmpty)
  }

  @Test func objects() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm)
    let item = SetsItem(1, number: 4)
    try realm.write {
      owner.items["a"] = item
      #expect(item.realm == realm, "storing an unmanaged object adds it")
      owner.items["b"] = item
      owner.items["c"] = SetsItem(2)
    }
    #expect(owner.items["a"] == item && owner.items["b"]??.number == 4)
    #expect(item.maps.map(\.id) == [0, 0], "a backlink for each entry")
    try realm.write { realm.delete(item) }
    #expect(
      owner.items.keys == ["a", "b", "c"] && owner.items["a"] == .some(.none) && owner.items["b"] == .some(.none))
    try realm.write {
      owner.items["a"] = SetsItem(3)
      owner.items["c"] = nil
    }
    #expect(owner.items.keys == ["a", "b"] && realm.objects(SetsItem.self).count == 2, "removing does not delete")
    let items = owner.items
    try realm.write { realm.delete(items) }
    #expect(items.keys == ["a", "b"] && items.values == [nil, nil], "deleting a map's objects leaves the keys")
    #expect(realm.objects(SetsItem.self).map(\.id) == [2])
    try realm.write { realm.delete(owner) }
    #expect(items.isInvalidated && items.realm == nil && items.count == 0 && items["a"] == nil && items.keys.isEmpty)
  }

  @Test func queriesAndAggregates() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm) { owner in
      for id in [3, 1, 2] { owner.items["key \(id)"] = SetsItem(id, number: 10 * id) }
      owner.items["none"] = .some(nil)
      owner.ints["a"] = 4
      owner.ints["b"] = 2
    }
    let mean: Double? = owner.ints.average()
    #expect(owner.ints.min() == 2 && owner.ints.max() == 4 && owner.ints.sum() == 6 && mean == 3)
    let found = owner.items.where { $0.number > 10 }
    #expect(found.map { $0?.id } == [2, 3], "in the order of the keys")
    #expect(owner.items.sorted(byKeyPath: "number", ascending: false).compactMap { $0?.id } == [3, 2, 1])
    #expect(owner.items.sorted(by: \.number, ascending: true).compactMap { $0?.id } == [1, 2, 3])
    #expect(owner.items.min(of: \.number) == 10 && owner.items.max(ofProperty: "number") == 30)
    #expect(owner.items.sum(of: \.number) == 60 && owner.items.average(of: \.number) == 20)
    let sorted = owner.items.sorted(byKeyPath: "number")
    #expect(sorted.count == 4 && sorted.map { $0?.id } == [nil, 1, 2, 3], "nil values first")
    #expect(sorted[0] == nil && sorted.first == .some(nil) && sorted.last??.id == 3)
    #expect(owner.items.sorted(byKeyPath: "number", ascending: false).last == .some(nil))
    try realm.write { owner.items["key 9"] = SetsItem(9, number: 90) }
    #expect(found.map { $0?.id } == [2, 3, 9], "results follow")
  }

  @Test func loopsSeeTheMapAsItWas() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm) { owner in
      for number in 100..<400 { owner.ints["\(number)"] = number }
    }
    var seen: [Int] = []
    try realm.write {
      for entry in owner.ints {
        if entry.value == 105 { owner.ints.removeAll() }
        #expect(entry.key == "\(entry.value)")
        seen.append(entry.value)
      }
    }
    #expect(seen == Array(100..<400) && owner.ints.count == 0)
  }

  @Test func freezingAndThawing() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        owner.ints["a"] = 1
        owner.items["i"] = SetsItem(1, number: 1)
      }
      let (frozen, items) = (owner.ints.freeze(), owner.items.freeze())
      let shared = (ints: try Frozen(owner.ints), items: try Frozen(owner.items), owner: try Frozen(owner))
      try realm.write {
        owner.ints.removeAll()
        owner.items["i"]??.number = 2
      }
      #expect(frozen.isFrozen && frozen["a"] == 1 && frozen.keys == ["a"] && frozen.freeze() === frozen)
      #expect(items["i"]??.number == 1 && items["i"]??.isFrozen == true)
      #expect(frozen.thaw() == owner.ints && owner.ints.thaw() === owner.ints && frozen != owner.ints)
      try onOwnThread {
        #expect(shared.ints["a"] == 1 && shared.ints.count == 1 && shared.ints.keys == ["a"])
        #expect(shared.items["i"]?.number == 1 && shared.owner.ints["a"] == 1 && shared.owner.items["i"]?.id == 1)
      }
      try realm.write { realm.delete(owner) }
      #expect(frozen.thaw() == nil && frozen["a"] == 1)
    }
  }

  @Test func otherThreadsSeeWhatIsCommitted() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        for number in 0..<300 { owner.strings["key \(number)"] = "text number \(number)" }
        for number in 0..<20 { owner.items["key \(number)"] = SetsItem(number) }
      }
      nonisolated(unsafe) let (map, shared) = (owner.strings, owner)
      realm.beginWrite()
      map.removeAll()
      try onOwnThread {
        #expect(map.count == 300 && map["key 7"] == "text number 7" && map.keys.count == 300)
        #expect(map.allSatisfy { $0.value.hasSuffix(String($0.key.dropFirst(4))) })
        #expect(shared.items["key 3"]??.id == 3 && shared.items.values.compactMap { $0?.id }.count == 20)
      }
      try realm.commitWrite()
      try onOwnThread { #expect(map.count == 0) }
    }
  }

  @Test func creationForms() throws {
    let realm = try SetsAndMaps.realm()
    try realm.write {
      let given: [String: Any] = [
        "ints": ["a": 1, "b": Int8(2)], "optionalInts": ["n": NSNull(), "m": 3], "colours": ["c": "red"],
        "items": ["x": ["id": 1], "y": SetsItem(2), "z": NSNull()],
      ]
      let owner = realm.create(MapsOwner.self, value: given)
      #expect(owner.ints.keys == ["a", "b"] && owner.optionalInts["n"] == .some(.none) && owner.optionalInts["m"] == 3)
      #expect(owner.colours["c"] == .red)
      #expect(owner.items["x"]??.id == 1 && owner.items["y"]??.id == 2 && owner.items["z"] == .some(.none))
      realm.create(MapsOwner.self, value: ["id": 0, "ints": NSNull()], update: .modified)
      #expect(owner.ints.count == 0 && owner.items.count == 3)
      realm.create(MapsOwner.self, value: ["id": 0, "optionalInts": ["m": 3, "q": 4]], update: .modified)
      #expect(owner.optionalInts.keys == ["m", "q"])
      owner["ints"] = SetsAndMaps.map(["k": 8])
      #expect(owner.ints["k"] == 8 && owner["ints"] as? Map<String, Int> === owner.ints)
      let copy = MapsOwner(value: ["id": 5, "ints": owner.ints, "items": owner.items])
      #expect(copy.realm == nil && copy.ints["k"] == 8 && copy.items.count == 3)
      let update = MapsOwner()
      let map = update.ints
      map["new"] = 1
      update.items["x"] = SetsItem(50)
      realm.add(update, update: .modified)
      #expect(update.ints === map && owner.ints.keys == ["new"] && owner.items["x"]??.id == 50)
    }
  }

  @Test func descriptionsAndSchema() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm) { owner in
      owner.items["i"] = SetsItem(4)
      owner.items["n"] = .some(nil)
      owner.strings["a"] = "x"
      owner.strings["b"] = "y"
    }
    #expect(owner.strings.description.hasSuffix("> (\n[a]: x,\n[b]: y\n)"))
    #expect(owner.items.description.contains("Map<string, SetsItem> <0x"))
    #expect(owner.items.description.contains("(\n[i]: SetsItem {\n\t\tid = 4;\n"), "\(owner.items)")
    #expect(owner.items.description.hasSuffix("\n[n]: (null)\n)"))
    #expect(owner.objectSchema["items"]?.isMap == true && owner.objectSchema["items"]?.objectClassName == "SetsItem")
  }

  @Test func generically() throws {
    func total<Entries: RealmKeyedCollection>(_ entries: Entries) -> Int where Entries.Value == Int {
      entries.keys.reduce(0) { $0 + (entries[$1] ?? 0) }
    }
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.mapOwner(realm) { owner in
      owner.ints["a"] = 1
      owner.ints["b"] = 2
    }
    #expect(total(owner.ints) == 3 && total(SetsAndMaps.map(["z": 5])) == 5)
    func largest<Entries: RealmKeyedCollection>(_ entries: Entries) -> [Entries.Value] {
      Array(entries.sorted(byKeyPath: "self", ascending: false))
    }
    #expect(largest(owner.ints) == [2, 1] && owner.ints.contains { $0 == "b" && $1 == 2 })
  }

  // MARK: Observers

  @Test func observersHearOfKeys() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        for key in ["a", "b", "c"] { owner.ints[key] = 1 }
      }
      var heard: [String] = []
      let token = owner.ints.observe { change in
        switch change {
        case .initial(let map): heard.append("initial \(map.keys)")
        case .update(_, let deletions, let insertions, let modifications):
          heard.append("-\(deletions.joined()) +\(insertions.joined()) ~\(modifications.joined())")
        case .error: heard.append("error")
        }
      }
      realm.refresh()
      try realm.write {
        owner.ints["x"] = 1
        owner.ints["d"] = 1
        owner.ints["a"] = nil
        owner.ints["b"] = 2
      }
      realm.refresh()
      try realm.write { owner.ints["b"] = 2 }
      realm.refresh()
      try realm.write {
        owner.ints["c"] = nil
        owner.ints["c"] = 1
      }
      realm.refresh()
      try realm.write {
        owner.ints["new"] = 1
        owner.ints["new"] = nil
      }
      realm.refresh()
      try realm.write { owner.ints = SetsAndMaps.map(["b": 2, "q": 3]) }
      realm.refresh()
      try realm.write { realm.delete(owner) }
      realm.refresh()
      #expect(
        heard == [
          "initial [\"a\", \"b\", \"c\"]", "-a +dx ~b", "- + ~b", "-c +c ~", "-bcdx +bq ~", "-bq + ~",
        ])
      token.invalidate()
    }
  }

  @Test func observersHearOfObjects() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        for id in 0..<3 { owner.items["key \(id)"] = SetsItem(id) }
        owner.items["none"] = .some(nil)
      }
      var (all, named): ([String], [String]) = ([], [])
      func text(_ change: RealmMapChange<Map<String, SetsItem?>>) -> String {
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return "initial" }
        return "\(deletions) \(insertions) \(modifications)"
      }
      let tokens = [
        owner.items.observe { all.append(text($0)) },
        owner.items.observe(keyPaths: ["name"]) { named.append(text($0)) },
      ]
      realm.refresh()
      try realm.write { owner.items["key 1"]??.number = 5 }
      realm.refresh()
      try realm.write { owner.items["key 2"]??.name = "x" }
      realm.refresh()
      try realm.write { realm.delete(owner.items["key 0"]!!) }
      realm.refresh()
      #expect(all == ["initial", "[] [] [\"key 1\"]", "[] [] [\"key 2\"]", "[] [] [\"key 0\"]"])
      #expect(named == ["initial", "[] [] [\"key 2\"]", "[] [] [\"key 0\"]"], "a deleted value is a modification")
      for token in tokens { token.invalidate() }
    }
  }

  @Test func commitsNotDeliveredOneByOneAreMerged() throws {
    try onOwnThread {
      let configuration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: SetsAndMaps.types)
      let realm = try Realm(configuration: configuration)
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        for key in ["a", "b", "c"] { owner.ints[key] = 1 }
      }
      var heard: [String] = []
      let token = owner.ints.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          heard.append("-\(deletions.joined()) +\(insertions.joined()) ~\(modifications.joined())")
        }
      }
      realm.refresh()
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        let ints = try #require(other.object(ofType: MapsOwner.self, forPrimaryKey: 0)).ints
        try other.write { ints["x"] = 1 }
        try other.write { ints["y"] = 1 }
        try other.write {
          ints["a"] = 2
          ints["x"] = nil
        }
        try other.write { ints["b"] = nil }
      }
      realm.refresh()
      #expect(heard == ["-b +y ~a"])
      try realm.write(withoutNotifying: [token]) { owner.ints["silent"] = 1 }
      realm.refresh()
      try realm.write { owner.ints["c"] = 5 }
      realm.refresh()
      #expect(heard == ["-b +y ~a", "- + ~c"])
      token.invalidate()
    }
  }

  // MARK: Traps

  @Test func keysWithADotTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm)
      try realm.write { owner.ints["a.b"] = 1 }
    }
    #expect(trapSaid("Invalid map key 'a.b'", result) && trapSaid("property 'ints'", result))
  }

  @Test func keysWithADollarTrapWhenTheMapBecomesManaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SetsAndMaps.mapOwner(SetsAndMaps.realm()) { $0.ints["$a"] = 1 }
    }
    #expect(trapSaid("Invalid map key '$a'", result))
  }

  @Test func changingOutsideOfATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try SetsAndMaps.mapOwner(SetsAndMaps.realm()).ints["a"] = 1
    }
    #expect(trapSaid("outside of a write transaction", result))
  }

  @Test func changingAFrozenMapTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      let map = try SetsAndMaps.mapOwner(realm).ints.freeze()
      try realm.write { map["a"] = 1 }
    }
    #expect(trapSaid("frozen", result))
  }

  @Test func queryingAnUnmanagedMapTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, SetsItem?>().where { $0.number == 1 }
    }
    #expect(trapSaid("This method may only be called on", result))
  }

  @Test func observingAnUnmanagedMapTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, Int>().observe { _ in }
    }
    #expect(trapSaid("only supported on managed collections", result))
  }

  @Test func thawingAnUnmanagedMapTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, Int>().thaw()
    }
    #expect(trapSaid("This method may only be called on", result))
  }

  @Test func freezingAnUnmanagedMapTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, Int>().freeze()
    }
    #expect(trapSaid("This method may only be called on", result))
  }

  @Test func keyPathsOfAMapOfValuesTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try SetsAndMaps.realm()
        _ = try SetsAndMaps.mapOwner(realm).ints.observe(keyPaths: ["name"]) { _ in }
      }
    }
    #expect(trapSaid("Key paths need a collection of objects", result))
  }

  @Test func mapsOfRequiredObjectsAreRefused() throws {
    #expect {
      try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [MapsOfRequired.self, SetsItem.self]))
    } throws: { "\($0)".contains("must be marked as optional") && "\($0)".contains("MapsOfRequired.items") }
  }
}

class MapsOfRequired: Object {
  @Persisted var items: Map<String, SetsItem>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
