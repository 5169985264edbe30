import Firn
import Foundation
import Testing

/// Section 10: MutableSet.
@Suite struct MutableSetTests {
  // MARK: Unmanaged

  @Test func unmanagedSetsKeepTheOrderOfInsertion() {
    let set = SetsAndMaps.set(3, 1, 2, 1)
    #expect(Array(set) == [3, 1, 2], "an element that is there is inserted once")
    set.insert(3)
    #expect(set.count == 3)
    set.remove(9)
    set.remove(1)
    #expect(Array(set) == [3, 2] && set[0] == 3 && set[1] == 2 && set.first == 3 && set.last == 2)
    set.insert(1)
    #expect(Array(set) == [3, 2, 1] && set.contains(1) && !set.contains(7))
    for number in 0..<100 { set.insert(number) }
    for number in 0..<99 { set.remove(number) }
    #expect(Array(set) == [99] && set[0] == 99)
    set.removeAll()
    #expect(set.isEmpty && set.first == nil && set.last == nil && set.realm == nil)
    #expect(!set.isInvalidated && !set.isFrozen)
  }

  @Test func unmanagedMembership() {
    #expect(SetsAndMaps.set(Double.nan, .nan, -Double.nan, 1).count == 2, "NaN equals itself")
    #expect(SetsAndMaps.set("\u{e9}", "e\u{301}").count == 2, "texts are compared by their bytes")
    #expect(SetsAndMaps.set(nil, 1, nil).count == 2, "nil is an element")
    let optional = SetsAndMaps.set(1, nil)
    #expect(optional.contains(nil))
    optional.remove(nil)
    #expect(!optional.contains(nil) && Array(optional) == [1])
    let item = SetsItem(1)
    let set = SetsAndMaps.set(item, item, SetsItem(1))
    #expect(set.count == 2, "unmanaged objects are themselves only")
    #expect(set.contains(item) && !set.contains(SetsItem(1)))
  }

  @Test func unmanagedEqualityAndAlgebra() {
    #expect(MutableSet<Int>() == MutableSet<Int>())
    #expect(SetsAndMaps.set(1, 2) == SetsAndMaps.set(2, 1), "whatever the order")
    #expect(SetsAndMaps.set(1, 2) != SetsAndMaps.set(2, 3))
    #expect(SetsAndMaps.set(1).hashValue != SetsAndMaps.set(1).hashValue || SetsAndMaps.set(1) == SetsAndMaps.set(1))
    let (a, b) = (SetsAndMaps.set(1, 2, 3), SetsAndMaps.set(2, 3, 4))
    #expect(SetsAndMaps.set(2, 3).isSubset(of: a) && !a.isSubset(of: b) && a.intersects(b))
    #expect(!a.intersects(SetsAndMaps.set(9)))
    a.formUnion(b)
    #expect(Array(a) == [1, 2, 3, 4])
    a.formIntersection(SetsAndMaps.set(4, 2, 9))
    #expect(Array(a) == [2, 4])
    a.subtract(b)
    #expect(a.isEmpty && Array(b) == [2, 3, 4], "the argument is never altered")
  }

  @Test func unmanagedAggregatesAndDescription() {
    let set = SetsAndMaps.set(3, 1, 2)
    let mean: Double? = set.average()
    #expect(set.min() == 1 && set.max() == 3 && set.sum() == 6 && mean == 2)
    #expect(MutableSet<Int>().min() == nil && MutableSet<Int>().sum() == 0)
    let items = SetsAndMaps.set(SetsItem(1, number: 3), SetsItem(2, number: 5))
    #expect(items.min(of: \.number) == 3 && items.max(ofProperty: "number") == 5 && items.sum(of: \.number) == 8)
    #expect(items.average(ofProperty: "number") == 4.0)
    let text = set.description
    #expect(text.hasPrefix("MutableSet<Int> <0x") && text.hasSuffix("> (\n\t[0] 3,\n\t[1] 1,\n\t[2] 2\n)"), "\(text)")
    #expect(MutableSet<Int>().description.hasSuffix("> (\n\n)"))
    let long = MutableSet<Int>()
    long.insert(objectsIn: 0..<102)
    #expect(long.description.contains("... 2 objects skipped."))
  }

  @Test func assigningCopiesIntoTheSetThatIsThere() {
    let owner = SetsOwner()
    let set = owner.ints
    let other = SetsAndMaps.set(1, 2)
    owner.ints = other
    #expect(owner.ints === set && Array(set) == [1, 2])
    other.insert(3)
    #expect(set.count == 2)
    owner.ints = owner.ints
    #expect(Array(set) == [1, 2], "a set assigned to itself stays")
  }

  // MARK: Managed

  @Test func promotionKeepsTheInstance() throws {
    let realm = try SetsAndMaps.realm()
    let owner = SetsOwner()
    let (ints, items) = (owner.ints, owner.items)
    ints.insert(objectsIn: [3, 1, 2])
    let item = SetsItem(7)
    items.insert(item)
    try realm.write { realm.add(owner) }
    #expect(owner.ints === ints && owner.items === items)
    #expect(Array(ints) == [1, 2, 3] && ints.realm == realm && item.realm == realm)
    #expect(items.contains(item))
    let again = try #require(realm.object(ofType: SetsOwner.self, forPrimaryKey: 0))
    #expect(again.ints == ints && again.ints !== ints)
    #expect(again.ints === again.ints, "one instance for each accessor")
    #expect(again.ints != SetsAndMaps.set(1, 2, 3), "managed and unmanaged are never equal")
  }

  @Test func managedSetsAscend() throws {
    let realm = try SetsAndMaps.realm()
    let day = Date(timeIntervalSinceReferenceDate: 0)
    let uuid = UUID()
    let owner = try SetsAndMaps.setOwner(realm) { owner in
      owner.ints.insert(objectsIn: [3, -1, .max, .min, 3])
      owner.optionalInts.insert(objectsIn: [2, nil, 1, nil])
      owner.doubles.insert(objectsIn: [1, -.infinity, .nan, 0, -0.0, .nan, 0.5])
      owner.strings.insert(objectsIn: ["b", "a", "Z", "é", "", "a"])
      owner.optionalStrings.insert(objectsIn: ["b", nil, "a much longer text than seven bytes"])
      owner.data.insert(objectsIn: [Data([2]), Data([1, 2]), Data()])
      owner.dates.insert(objectsIn: [day + 1, day, day - 1])
      owner.uuids.insert(objectsIn: [uuid, uuid])
      owner.flags.insert(objectsIn: [true, false, true])
      owner.colours.insert(objectsIn: [.red, .blue, .red])
    }
    #expect(Array(owner.ints) == [.min, -1, 3, .max])
    #expect(Array(owner.optionalInts) == [nil, 1, 2])
    #expect(
      owner.doubles.count == 5 && owner.doubles[0].isNaN && Array(owner.doubles.dropFirst()) == [-.infinity, 0, 0.5, 1])
    #expect(Array(owner.strings) == ["", "Z", "a", "b", "é"])
    #expect(Array(owner.optionalStrings) == [nil, "a much longer text than seven bytes", "b"])
    #expect(Array(owner.data) == [Data(), Data([1, 2]), Data([2])])
    #expect(Array(owner.dates) == [day - 1, day, day + 1])
    #expect(Array(owner.uuids) == [uuid] && Array(owner.flags) == [false, true])
    #expect(Array(owner.colours) == [.blue, .red], "enumerations by their raw values")
    #expect(owner.doubles.contains(.nan) && owner.doubles.contains(-0.0) && !owner.doubles.contains(2))
    #expect(owner.strings.contains("é") && !owner.strings.contains("e\u{301}"))
    #expect(
      owner.optionalStrings.contains(nil) && owner.optionalStrings.contains("a much longer text than seven bytes"))
    #expect(owner.data.contains(Data([1, 2])) && owner.uuids.contains(uuid) && owner.colours.contains(.blue))
    #expect(owner.ints.first == .min && owner.ints.last == .max && owner.optionalInts.first == .some(nil))
  }

  @Test func insertingAndRemoving() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm)
    try realm.write {
      owner.ints.insert(1)
      owner.ints.insert(1)
      owner.ints.insert(objectsIn: [5, 3, 5])
      owner.ints.remove(9)
      owner.ints.remove(3)
      owner.optionalStrings.insert(nil)
      owner.optionalStrings.insert("text that is not short")
      owner.optionalStrings.insert("text that is not short")
      owner.optionalStrings.remove(nil)
    }
    #expect(Array(owner.ints) == [1, 5] && Array(owner.optionalStrings) == ["text that is not short"])
    try realm.write { owner.ints.removeAll() }
    #expect(owner.ints.isEmpty && owner.ints.first == nil && owner.ints.last == nil)
    realm.beginWrite()
    owner.ints.insert(8)
    realm.cancelWrite()
    #expect(owner.ints.isEmpty)
  }

  @Test func assigningReplacesTheContent() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm) { $0.ints.insert(objectsIn: [1, 2]) }
    let other = try SetsAndMaps.setOwner(realm, id: 1) { $0.ints.insert(objectsIn: [7, 8]) }
    let set = owner.ints
    try realm.write {
      owner.ints = owner.ints
      #expect(Array(set) == [1, 2])
      owner.ints = SetsAndMaps.set(4, 3)
      #expect(Array(set) == [3, 4])
      owner.ints = other.ints
    }
    #expect(owner.ints === set && Array(set) == [7, 8] && Array(other.ints) == [7, 8])
    let unmanaged = SetsOwner()
    unmanaged.ints = set
    #expect(Array(unmanaged.ints) == [7, 8] && unmanaged.ints.realm == nil)
  }

  @Test func objects() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm)
    let (a, b) = (SetsItem(1, number: 5), SetsItem(2, number: 3))
    try realm.write {
      owner.items.insert(b)
      #expect(b.realm == realm, "an unmanaged object is added")
      owner.items.insert(objectsIn: [a, b, a])
      owner.plains.insert(SetsPlain(1))
    }
    #expect(Array(owner.items) == [b, a], "by row")
    #expect(a.sets.map(\.id) == [0], "sets have backlinks")
    let other = try #require(realm.object(ofType: SetsItem.self, forPrimaryKey: 1))
    #expect(owner.items.contains(other), "membership is by row")
    #expect(!owner.items.contains(SetsItem(1)), "an unmanaged object is in no managed set")
    let plain = try #require(owner.plains.first)
    #expect(owner.plains.contains(plain) && owner.plains.contains(realm.objects(SetsPlain.self)[0]))
    try realm.write {
      owner.items.insert(other)
      #expect(owner.items.count == 2)
      owner.items.remove(SetsItem(1))
      owner.items.remove(other)
    }
    #expect(Array(owner.items) == [b] && !a.isInvalidated, "removing does not delete")
    try realm.write { realm.delete(b) }
    #expect(owner.items.isEmpty, "deleting takes an object out of sets")
    let items = owner.items
    try realm.write {
      owner.items.insert(a)
      realm.delete(owner)
    }
    #expect(items.isInvalidated && items.realm == nil && items.isEmpty && Array(items) == [] && !a.isInvalidated)
  }

  @Test func deletingTheObjectsOfASet() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm) { $0.items.insert(objectsIn: (0..<5).map { SetsItem($0) }) }
    try realm.write { realm.delete(owner.items) }
    #expect(owner.items.isEmpty && realm.objects(SetsItem.self).isEmpty)
  }

  @Test func algebraOfManagedSets() throws {
    let realm = try SetsAndMaps.realm()
    let a = try SetsAndMaps.setOwner(realm) { owner in
      owner.ints.insert(objectsIn: 0..<500)
      owner.optionalStrings.insert(objectsIn: [nil, "one", "a text of some length"])
    }
    let b = try SetsAndMaps.setOwner(realm, id: 1) { owner in
      owner.ints.insert(objectsIn: stride(from: 0, to: 1000, by: 2))
      owner.optionalStrings.insert(objectsIn: [nil, "two", "a text of some length"])
    }
    #expect(!a.ints.isSubset(of: b.ints) && a.ints.intersects(b.ints) && a.ints.isSubset(of: a.ints))
    #expect(a.optionalStrings.intersects(b.optionalStrings))
    try realm.write {
      a.ints.formIntersection(b.ints)
      #expect(Array(a.ints) == Array(stride(from: 0, to: 500, by: 2)) && a.ints.isSubset(of: b.ints))
      b.ints.subtract(a.ints)
      #expect(Array(b.ints) == Array(stride(from: 500, to: 1000, by: 2)) && !a.ints.intersects(b.ints))
      a.ints.formUnion(b.ints)
      #expect(Array(a.ints) == Array(stride(from: 0, to: 1000, by: 2)))
      #expect(b.ints.count == 250, "the argument is never altered")
      a.ints.formUnion(a.ints)
      a.ints.formIntersection(a.ints)
      #expect(a.ints.count == 500)
      a.ints.subtract(a.ints)
      #expect(a.ints.isEmpty)
      a.optionalStrings.formUnion(b.optionalStrings)
      #expect(Array(a.optionalStrings) == [nil, "a text of some length", "one", "two"])
      b.optionalStrings.removeAll()
      #expect(a.optionalStrings.contains("a text of some length"), "texts are copied")
    }
    let items = try SetsAndMaps.setOwner(realm, id: 2) { $0.items.insert(objectsIn: [SetsItem(1), SetsItem(2)]) }
    let others = try SetsAndMaps.setOwner(realm, id: 3)
    try realm.write {
      others.items.formUnion(items.items)
      others.items.remove(items.items[0])
      items.items.subtract(others.items)
    }
    #expect(items.items.map(\.id) == [1] && others.items.map(\.id) == [2])
    try realm.write { realm.delete(items.items[0]) }
    #expect(items.items.isEmpty, "backlinks follow set operations")
  }

  @Test func aggregatesAndQueries() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm) { owner in
      owner.ints.insert(objectsIn: [3, 1, 2])
      owner.optionalInts.insert(objectsIn: [nil, 4])
      owner.items.insert(objectsIn: [3, 1, 2].map { SetsItem($0, number: 10 * $0) })
    }
    let mean: Double? = owner.ints.average()
    #expect(owner.ints.min() == 1 && owner.ints.max() == 3 && owner.ints.sum() == 6 && mean == 2)
    #expect(owner.optionalInts.min() == 4 && owner.optionalInts.sum() == 4)
    let items = owner.items
    #expect(items.where { $0.number > 10 }.map(\.id) == [3, 2], "rows in the order of the set")
    let sorted = items.sorted(byKeyPath: "number", ascending: false)
    #expect(sorted.map(\.id) == [3, 2, 1] && items.sorted(by: \.number).map(\.id) == [1, 2, 3])
    #expect(items.min(of: \.number) == 10 && items.max(of: \.number) == 30 && items.sum(of: \.number) == 60)
    #expect(items.average(ofProperty: "number") == 20.0)
    #expect(items.objects(at: [0, 2]).count == 2 && items[1].id == 1)
    try realm.write { items.insert(SetsItem(9, number: 90)) }
    #expect(sorted.first?.id == 9, "results follow")
    try realm.write { for item in items { item.name = item.id < 3 ? "x" : nil } }
    let names = items.value(forKey: "name") as? [Any]
    #expect(names?.count == 2, "values without repeats")
    let ids = items.value(forKey: "id") as? [Int]
    #expect(ids.map { Set($0) } == [1, 2, 3, 9])
  }

  @Test func loopsSeeTheSetAsItWas() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm) { $0.ints.insert(objectsIn: 0..<300) }
    var seen: [Int] = []
    try realm.write {
      for number in owner.ints {
        if number == 5 { owner.ints.removeAll() }
        seen.append(number)
      }
    }
    #expect(seen == Array(0..<300) && owner.ints.isEmpty)
  }

  @Test func freezingAndThawing() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) { owner in
        owner.ints.insert(objectsIn: [1, 2])
        owner.items.insert(SetsItem(1, number: 1))
      }
      let (frozen, items) = (owner.ints.freeze(), owner.items.freeze())
      try realm.write {
        owner.ints.removeAll()
        owner.items[0].number = 2
      }
      #expect(frozen.isFrozen && Array(frozen) == [1, 2] && frozen.contains(2) && frozen.freeze() === frozen)
      #expect(items[0].number == 1 && items[0].isFrozen && items.where { $0.number == 1 }.count == 1)
      #expect(frozen.thaw() == owner.ints && owner.ints.thaw() === owner.ints && frozen != owner.ints)
      let shared = try Frozen(owner.items)
      #expect(shared.count == 1 && shared[0].number == 2)
      #expect(try Frozen(owner).ints.isEmpty)
      try onOwnThread { #expect(shared.map { $0.number } == [2]) }
      try realm.write { realm.delete(owner) }
      #expect(frozen.thaw() == nil && Array(frozen) == [1, 2])
    }
  }

  @Test func otherThreadsSeeWhatIsCommitted() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) { owner in
        owner.ints.insert(objectsIn: 0..<1000)
        owner.strings.insert(objectsIn: (0..<50).map { "text number \($0)" })
        owner.items.insert(objectsIn: (0..<50).map { SetsItem($0) })
      }
      nonisolated(unsafe) let (set, shared) = (owner.ints, owner)
      realm.beginWrite()
      set.removeAll()
      try onOwnThread {
        #expect(set.count == 1000 && set[999] == 999 && set.contains(500) && Array(set) == Array(0..<1000))
        #expect(shared.strings.contains("text number 7") && shared.items.map(\.id) == Array(0..<50))
        #expect(shared.items.contains(shared.items[3]) && shared.ints.intersects(set))
      }
      try realm.commitWrite()
      try onOwnThread { #expect(set.isEmpty) }
    }
  }

  @Test func creationForms() throws {
    let realm = try SetsAndMaps.realm()
    try realm.write {
      let owner = realm.create(
        SetsOwner.self,
        value: [
          "ints": [3, 1, 3], "strings": Set(["b", "a"]), "items": [["id": 1], SetsItem(2)], "colours": ["red"],
        ])
      #expect(Array(owner.ints) == [1, 3] && Array(owner.strings) == ["a", "b"] && owner.items.map(\.id) == [1, 2])
      #expect(Array(owner.colours) == [.red])
      realm.create(SetsOwner.self, value: ["id": 0, "ints": NSNull()], update: .modified)
      #expect(owner.ints.isEmpty && owner.strings.count == 2, "null empties, missing stays")
      realm.create(SetsOwner.self, value: ["id": 0, "strings": ["c", "a"]], update: .all)
      #expect(Array(owner.strings) == ["a", "c"])
      owner["ints"] = [9, 8]
      #expect(Array(owner.ints) == [8, 9] && owner["ints"] as? MutableSet<Int> === owner.ints)
      let copy = SetsOwner(value: ["id": 5, "ints": owner.ints, "items": owner.items])
      #expect(copy.realm == nil && Array(copy.ints) == [8, 9] && copy.items.count == 2)
      let update = SetsOwner()
      let set = update.ints
      set.insert(100)
      realm.add(update, update: .modified)
      #expect(update.ints === set && Array(owner.ints) == [100])
    }
  }

  @Test func descriptions() throws {
    let realm = try SetsAndMaps.realm()
    let owner = try SetsAndMaps.setOwner(realm) { $0.items.insert(SetsItem(4)) }
    #expect(owner.items.description.contains("MutableSet<SetsItem> <0x"))
    #expect(owner.items.description.contains("\n\t[0] SetsItem {\n\t\tid = 4;\n"))
    #expect(owner.description.contains("\titems = MutableSet<SetsItem> <0x"))
    #expect(owner.objectSchema["items"]?.isSet == true && owner.objectSchema["items"]?.isArray == false)
    #expect(owner.objectSchema["ints"]?.isSet == true && owner.objectSchema["ints"]?.type == .int)
  }

  // MARK: Observers

  @Test func observersHearOfPositionsInTheOrder() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) { $0.ints.insert(objectsIn: [10, 20, 30]) }
      var heard: [String] = []
      let token = owner.ints.observe { change in
        switch change {
        case .initial(let set): heard.append("initial \(Array(set))")
        case .update(_, let deletions, let insertions, let modifications):
          heard.append("\(deletions) \(insertions) \(modifications)")
        case .error: heard.append("error")
        }
      }
      realm.refresh()
      try realm.write {
        owner.ints.insert(5)
        owner.ints.insert(25)
        owner.ints.remove(20)
      }
      realm.refresh()
      try realm.write { owner.ints.insert(25) }
      realm.refresh()
      try realm.write { owner.ints = SetsAndMaps.set(1, 5) }
      realm.refresh()
      try realm.write {
        owner.ints.remove(1)
        owner.ints.insert(1)
      }
      realm.refresh()
      try realm.write { realm.delete(owner) }
      realm.refresh()
      #expect(
        heard == [
          "initial [10, 20, 30]", "[1] [0, 2] []", "[0, 1, 2, 3] [0, 1] []", "[0] [0] []", "[0, 1] [] []",
        ])
      token.invalidate()
    }
  }

  @Test func observersHearOfObjects() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) { $0.items.insert(objectsIn: (0..<3).map { SetsItem($0) }) }
      var (all, named, typed): ([String], [String], [String]) = ([], [], [])
      func text(_ change: RealmCollectionChange<MutableSet<SetsItem>>) -> String {
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return "initial" }
        return "\(deletions) \(insertions) \(modifications)"
      }
      let tokens = [
        owner.items.observe { all.append(text($0)) },
        owner.items.observe(keyPaths: ["name"]) { named.append(text($0)) },
        owner.items.observe(keyPaths: [\SetsItem.next?.number]) { typed.append(text($0)) },
      ]
      realm.refresh()
      let target = SetsItem(9)
      try realm.write { owner.items[1].number = 5 }
      realm.refresh()
      try realm.write { owner.items[2].name = "x" }
      realm.refresh()
      try realm.write { owner.items[0].next = realm.create(SetsItem.self, value: target) }
      realm.refresh()
      try realm.write { owner.items[0].next?.number = 1 }
      realm.refresh()
      try realm.write { realm.delete(owner.items[0]) }
      realm.refresh()
      #expect(all == ["initial", "[] [] [1]", "[] [] [2]", "[] [] [0]", "[] [] [0]", "[0] [] []"])
      #expect(named == ["initial", "[] [] [2]", "[0] [] []"])
      #expect(typed == ["initial", "[] [] [0]", "[] [] [0]", "[0] [] []"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func observersOfTheOwnerAndOfResults() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) {
        $0.items.insert(objectsIn: (0..<3).map { SetsItem($0, number: $0) })
      }
      var (names, results): ([String], [String]) = ([], [])
      let tokens = [
        owner.observe { change in
          if case .change(_, let properties) = change { names += properties.map(\.name) }
        },
        owner.items.where { $0.number > 0 }.observe { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            results.append("\(deletions) \(insertions) \(modifications)")
          }
        },
      ]
      realm.refresh()
      try realm.write { owner.items.insert(SetsItem(7, number: 7)) }
      realm.refresh()
      try realm.write { owner.items[1].number = 0 }
      realm.refresh()
      #expect(names == ["items"], "what is in the objects does not count")
      #expect(results == ["[] [2] []", "[0] [] []"])
      for token in tokens { token.invalidate() }
    }
  }

  // MARK: Traps

  @Test func indexOfTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SetsAndMaps.set(1).index(of: 1)
    }
    #expect(trapSaid("not available on MutableSet", result))
  }

  @Test func indexMatchingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SetsAndMaps.setOwner(SetsAndMaps.realm()).items.index(matching: { $0.number == 1 })
    }
    #expect(trapSaid("not available on MutableSet", result))
  }

  @Test func changingOutsideOfATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try SetsAndMaps.setOwner(SetsAndMaps.realm()).ints.insert(1)
    }
    #expect(trapSaid("outside of a write transaction", result))
  }

  @Test func algebraOutsideOfATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      try SetsAndMaps.setOwner(realm).ints.formUnion(SetsAndMaps.setOwner(realm, id: 1).ints)
    }
    #expect(trapSaid("Can only perform formUnion in a write transaction", result))
  }

  @Test func algebraWithAnUnmanagedSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SetsAndMaps.setOwner(SetsAndMaps.realm()).ints.isSubset(of: SetsAndMaps.set(1))
    }
    #expect(trapSaid("Right hand side value must be a managed Set", result))
  }

  @Test func algebraWithAnotherRealmTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = try SetsAndMaps.setOwner(SetsAndMaps.realm())
      _ = try SetsAndMaps.setOwner(SetsAndMaps.realm()).ints.intersects(other.ints)
    }
    #expect(trapSaid("managed by different Realms", result))
  }

  @Test func changingAFrozenSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      let set = try SetsAndMaps.setOwner(realm).ints.freeze()
      try realm.write { set.insert(1) }
    }
    #expect(trapSaid("frozen", result))
  }

  @Test func changingASetOfADeletedObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm)
      let set = owner.ints
      try realm.write {
        realm.delete(owner)
        set.insert(1)
      }
    }
    #expect(trapSaid("Set has been invalidated", result))
  }

  @Test func objectsOfAnotherRealmTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm)
      let other = try SetsAndMaps.setOwner(SetsAndMaps.realm()) { $0.items.insert(SetsItem(1)) }
      try realm.write { owner.items.insert(other.items[0]) }
    }
    #expect(trapSaid("managed by another Realm", result))
  }

  @Test func queryingAnUnmanagedSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<SetsItem>().where { $0.number == 1 }
    }
    #expect(trapSaid("This method may only be called on", result))
  }

  @Test func freezingAnUnmanagedSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().freeze()
    }
    #expect(trapSaid("This method may only be called on", result))
  }

  @Test func observingAnUnmanagedSetTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().observe { _ in }
    }
    #expect(trapSaid("only supported on managed collections", result))
  }

  @Test func positionsOutOfBoundsTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SetsAndMaps.setOwner(SetsAndMaps.realm()).ints[0]
    }
    #expect(trapSaid("out of bounds (must be less than 0)", result))
  }

  @Test func setsOfOptionalObjectsAreRefused() throws {
    #expect {
      try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [SetsOfOptionals.self, SetsItem.self]))
    } throws: { "\($0)".contains("must not be marked as optional") && "\($0)".contains("SetsOfOptionals.items") }
  }
}

class SetsOfOptionals: Object {
  @Persisted var items: MutableSet<SetsItem?>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
