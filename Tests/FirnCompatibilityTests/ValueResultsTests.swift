import Firn
import Foundation
import Testing

/// Results of values: what sorting collections of values and taking out repeats gives.
@Suite struct ValueResultsTests {
  @Test func valuesOfEveryTypeAreSorted() throws {
    let day = Date(timeIntervalSinceReferenceDate: 0)
    let uuids = ["00000000-0000-0000-0000-0000000000ff", "10000000-0000-0000-0000-000000000000"].map {
      UUID(uuidString: $0)!
    }
    let ids = [try ObjectId(string: "00000000000000000000000f"), try ObjectId(string: "100000000000000000000000")]
    let (_, owner) = try Ordered.owner { owner in
      owner.ints.append(objectsIn: [3, -1, .max, .min, 0])
      owner.optionalInts.append(objectsIn: [2, nil, 1, nil])
      owner.doubles.append(objectsIn: [1, .infinity, .nan, -0.5, 0.25])
      owner.strings.append(objectsIn: ["b", "é", "a", "", "Z", "a rather long text"])
      owner.flags.append(objectsIn: [true, false, true])
      owner.dates.append(objectsIn: [day + 1, day, day - 1])
      owner.data.append(objectsIn: [Data([2]), Data(), Data([1, 9])])
      owner.uuids.append(objectsIn: uuids.reversed())
      owner.objectIds.append(objectsIn: ids.reversed())
      owner.decimals.append(objectsIn: [Decimal128(2), Decimal128(-1), try! Decimal128(string: "1.5")])
      owner.colours.append(objectsIn: [.red, .blue, .green])
      owner.codes.append(objectsIn: [OrderedCode(3), OrderedCode(1)])
    }
    #expect(Array(owner.ints.sorted()) == [.min, -1, 0, 3, .max])
    #expect(Array(owner.ints.sorted(ascending: false)) == [.max, 3, 0, -1, .min])
    #expect(Array(owner.optionalInts.sorted()) == [nil, nil, 1, 2], "nil first")
    #expect(Array(owner.optionalInts.sorted(ascending: false)) == [2, 1, nil, nil])
    let doubles = Array(owner.doubles.sorted())
    #expect(doubles[0].isNaN && Array(doubles.dropFirst()) == [-0.5, 0.25, 1, .infinity], "NaN before numbers")
    #expect(owner.doubles.sorted(ascending: false).last?.isNaN == true)
    #expect(Array(owner.strings.sorted()) == ["", "Z", "a", "a rather long text", "b", "é"], "by bytes")
    #expect(Array(owner.flags.sorted()) == [false, true, true] && owner.dates.sorted().first == day - 1)
    #expect(
      Array(owner.data.sorted(byKeyPath: "self")) == [Data(), Data([1, 9]), Data([2])], "data by its key path")
    #expect(Array(owner.uuids.sorted()) == uuids && Array(owner.objectIds.sorted()) == ids)
    #expect(owner.decimals.sorted().map(\.description) == ["-1", "1.5", "2"])
    #expect(Array(owner.colours.sorted()) == [.blue, .green, .red], "enumerations by their raw values")
    #expect(owner.codes.sorted().map(\.number) == [1, 3], "custom types by what is stored")
    #expect(Array(owner.ints.sorted(by: [Firn.SortDescriptor(keyPath: "self", ascending: false)]))[0] == .max)
    #expect(Array(owner.ints.sorted(by: [Firn.SortDescriptor]())) == Array(owner.ints), "no descriptor, no order")
  }

  @Test func mixedValuesFollowTheirOrder() throws {
    let nested = List<AnyRealmValue>()
    let (realm, owner) = try Ordered.owner { owner in
      owner.anys.append(objectsIn: [.string("a"), .int(2), .none, .double(1.5), .bool(true), .list(nested), .int(1)])
    }
    try realm.write { owner.anys.append(.object(OrderedItem(1))) }
    let sorted = Array(owner.anys.sorted())
    #expect(Array(sorted[..<6]) == [.none, .bool(true), .int(1), .double(1.5), .int(2), .string("a")])
    guard case .object(let item) = sorted[6], case .list = sorted[7] else {
      Issue.record("objects come before lists: \(sorted)")
      return
    }
    #expect((item as? OrderedItem)?.id == 1)
    try realm.write { owner.anys.append(objectsIn: [.double(2), .float(1.5), .none]) }
    #expect(owner.anys.distinct().count == 8, "numbers of equal value are one, whatever their kind")
    #expect(owner.anys.distinct().contains(.int(2)) && !owner.anys.distinct().contains(.double(2)), "the first stays")
  }

  @Test func theFirstOfEqualValuesStays() throws {
    let (_, owner) = try Ordered.owner { owner in
      owner.ints.append(objectsIn: [3, 1, 3, 2, 1])
      owner.optionalStrings.append(objectsIn: ["b", nil, "a", nil, "b"])
      owner.doubles.append(objectsIn: [.nan, 0, -0.0, .nan])
      owner.colours.append(objectsIn: [.red, .blue, .red])
      owner.codes.append(objectsIn: [OrderedCode(2), OrderedCode(5), OrderedCode(2)])
    }
    #expect(Array(owner.colours.distinct()) == [.red, .blue] && owner.codes.distinct().map(\.number) == [2, 5])
    #expect(Array(owner.ints.distinct()) == [3, 1, 2])
    #expect(Array(owner.ints.distinct(by: ["self"])) == [3, 1, 2])
    #expect(Array(owner.ints.distinct(by: [String]())) == [3, 1, 3, 2, 1], "no key path, no change")
    #expect(Array(owner.optionalStrings.distinct()) == ["b", nil, "a"], "nil is one value")
    #expect(owner.doubles.distinct().count == 2 && owner.doubles.distinct()[1].sign == .plus)
    #expect(Array(owner.ints.sorted().distinct()) == [1, 2, 3])
    #expect(Array(owner.ints.distinct().sorted(ascending: false)) == [3, 2, 1])
    #expect(owner.ints.sorted().distinct().explain() == "list OrderedOwner.ints, then sorted, then distinct")
  }

  @Test func setsAndMapsGiveThemToo() throws {
    let (realm, owner) = try Ordered.owner { owner in
      owner.intSet.insert(objectsIn: [5, 1, 3])
      owner.stringSet.insert(objectsIn: ["b", nil, "a"])
      for (key, value) in [("x", 2), ("a", 9), ("m", 2)] { owner.intMap[key] = value }
      owner.optionalMap["a"] = .some(nil)
      owner.optionalMap["b"] = "text"
    }
    #expect(Array(owner.intSet.sorted(ascending: false)) == [5, 3, 1] && Array(owner.intSet.distinct()) == [1, 3, 5])
    #expect(Array(owner.stringSet.sorted(ascending: false)) == ["b", "a", nil])
    #expect(Array(owner.intMap.sorted()) == [2, 2, 9] && Array(owner.intMap.sorted().distinct()) == [2, 9])
    #expect(Array(owner.optionalMap.sorted()) == [nil, "text"])
    #expect(Array(owner.intMap.sorted(byKeyPath: "self", ascending: false)) == [9, 2, 2])
    let values = owner.intMap.sorted()
    try realm.write {
      owner.intMap["x"] = nil
      owner.intMap["n"] = 1
    }
    #expect(Array(values) == [1, 2, 9])
  }

  @Test func theyAreCollections() throws {
    let (realm, owner) = try Ordered.owner { owner in
      owner.ints.append(objectsIn: [3, 1, 2])
      owner.optionalInts.append(objectsIn: [4, nil, 6])
      owner.colours.append(objectsIn: [.red, .blue])
      owner.codes.append(objectsIn: [OrderedCode(2), OrderedCode(5)])
    }
    let sorted = owner.ints.sorted()
    #expect(sorted.count == 3 && !sorted.isEmpty && sorted.first == 1 && sorted.last == 3 && sorted[1] == 2)
    #expect(sorted.index(of: 3) == 2 && sorted.index(of: 7) == nil && sorted.realm == realm)
    #expect(owner.optionalInts.sorted().index(of: nil) == 0 && owner.optionalInts.sorted().first == .some(nil))
    #expect(sorted.objects(at: [0, 2]) == [1, 3] && Array(sorted[1..<3]) == [2, 3] && sorted.reversed().first == 3)
    let mean: Double? = sorted.average()
    #expect(sorted.min() == 1 && sorted.max() == 3 && sorted.sum() == 6 && mean == 2)
    #expect(owner.optionalInts.sorted().min() == 4 && owner.optionalInts.sorted().sum() == 10)
    #expect(owner.codes.sorted().max()?.number == 5 && owner.codes.sorted().sum().number == 7)
    #expect((sorted.max(ofProperty: "self") as Int?) == 3 && (sorted.sum(ofProperty: "self") as Int) == 6)
    #expect((owner.optionalInts.average(ofProperty: "self") as Double?) == 5)
    #expect((owner.intSet.min(ofProperty: "self") as Int?) == nil && (owner.intMap.sum(ofProperty: "self") as Int) == 0)
    #expect(sorted.description.hasPrefix("Results<Int> <0x") && sorted.description.hasSuffix("[2] 3\n)"))
    let copy = sorted
    #expect(sorted == copy && sorted != owner.ints.sorted(), "equality is identity")
    let text = try JSONEncoder().encode(sorted)
    #expect(String(decoding: text, as: UTF8.self) == "[1,2,3]")
    #expect(owner.strings.sorted().isEmpty && owner.strings.sorted().first == nil && owner.strings.sorted().last == nil)
    let other = OrderedOwner()
    other.ints.append(objectsIn: sorted)
    #expect(Array(other.ints) == [1, 2, 3])
  }

  @Test func theyAreLiveAndLoopsAreNot() throws {
    let (realm, owner) = try Ordered.owner { $0.strings.append(objectsIn: (0..<300).map { "text number \($0)" }) }
    let sorted = owner.strings.sorted(ascending: false)
    let distinct = owner.ints.distinct()
    #expect(sorted.first == "text number 99")
    try realm.write {
      owner.strings.append("z")
      #expect(sorted.first == "z" && sorted.count == 301, "inside of a transaction too")
      owner.strings[300] = "a"
      #expect(sorted.last == "a")
      owner.ints.append(objectsIn: [2, 2, 1])
      #expect(Array(distinct) == [2, 1])
      owner.note = "x"
      #expect(distinct.count == 2 && distinct[1] == 1)
      var seen = 0
      for text in sorted {
        if seen == 0 { owner.strings.removeAll() }
        #expect(!text.isEmpty)
        seen += 1
      }
      #expect(seen == 301 && sorted.isEmpty)
    }
    struct Stop: Error {}
    try? realm.write {
      owner.ints.removeAll()
      #expect(distinct.isEmpty)
      throw Stop()
    }
    #expect(Array(distinct) == [2, 1])
    try realm.write { realm.delete(owner) }
    #expect(distinct.isInvalidated && distinct.isEmpty && distinct.first == nil && Array(distinct).isEmpty)
  }

  @Test func frozenAndElsewhere() throws {
    try onOwnThread {
      let (realm, owner) = try Ordered.owner { owner in
        owner.ints.append(objectsIn: [3, 1, 2])
        owner.colours.append(objectsIn: [.red, .green])
      }
      let live = owner.ints.sorted()
      let frozen = live.freeze()
      let shared = try Frozen(owner.ints.sorted(ascending: false))
      nonisolated(unsafe) let everywhere = (live, frozen, owner.colours.sorted())
      try realm.write { owner.ints.append(0) }
      #expect(frozen.isFrozen && Array(frozen) == [1, 2, 3] && frozen.first == 1 && Array(live) == [0, 1, 2, 3])
      realm.beginWrite()
      owner.ints.removeAll()
      try onOwnThread {
        #expect(Array(everywhere.0) == [0, 1, 2, 3] && everywhere.0[3] == 3 && everywhere.0.index(of: 2) == 2)
        #expect(Array(everywhere.1) == [1, 2, 3] && everywhere.1.last == 3 && everywhere.2.first == .green)
        #expect(shared.elements == [3, 2, 1] && shared.count == 3 && shared[0] == 3)
      }
      realm.cancelWrite()
      let thawed = try #require(frozen.thaw())
      #expect(Array(thawed) == [0, 1, 2, 3] && live.thaw() == live && frozen.freeze() == frozen)
      try realm.write { realm.delete(owner) }
      #expect(frozen.thaw() == nil && Array(frozen) == [1, 2, 3])
    }
  }

  // MARK: Observers

  @Test func observersFollowElementsThroughOperations() throws {
    try onOwnThread {
      let (realm, owner) = try Ordered.owner { $0.ints.append(objectsIn: [30, 10, 20, 10]) }
      let (sorted, distinct) = (OrderedFollower<Results<Int>>(), OrderedFollower<Results<Int>>())
      let tokens = [
        owner.ints.sorted().observe { sorted.take($0) }, owner.ints.distinct().observe { distinct.take($0) },
      ]
      realm.refresh()
      #expect(sorted.values == [10, 10, 20, 30] && distinct.values == [30, 10, 20])
      func told(_ change: () -> Void) throws -> String {
        let before = (sorted.calls.count, distinct.calls.count)
        try realm.write { change() }
        realm.refresh()
        #expect(sorted.values == Array(owner.ints.sorted()) && distinct.values == Array(owner.ints.distinct()))
        return (sorted.calls.dropFirst(before.0) + ["|"] + distinct.calls.dropFirst(before.1)).joined(separator: " ")
      }
      #expect(try told { owner.ints.append(15) } == "[] [2] [] | [] [3] []")
      #expect(try told { owner.ints[0] = 31 } == "[] [] [4] | [] [] [0]", "assigned in place: a modification")
      #expect(try told { owner.ints[0] = 31 } == "[] [] [4] | [] [] [0]", "an equal value too")
      #expect(try told { owner.ints[0] = 5 } == "[4] [0] [] | [] [] [0]", "assigned and moved")
      #expect(try told { owner.ints.move(from: 4, to: 0) } == "[3] [3] [] | [3] [0] []")
      #expect(try told { owner.ints.remove(at: 2) } == "[1] [] [] | [2] [3] []", "another one is the first now")
      #expect(try told { owner.note = "x" } == "|")
      #expect(try told { owner.strings.append("x") } == "|", "other collections do not count")
      #expect(try told { realm.delete(owner) } == "[0, 1, 2, 3] [] [] | [0, 1, 2, 3] [] []")
      for token in tokens { token.invalidate() }
    }
  }

  @Test func observersFollowRandomOperations() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("observers of values: seed \(seed)")
    try onOwnThread {
      var random = RelationsRandom(seed)
      let configuration = relationsConfiguration(Ordered.types)
      let realm = try Realm(configuration: configuration)
      let owner = OrderedOwner()
      try realm.write { realm.add(owner) }
      let lists = [
        owner.optionalInts.sorted(), owner.optionalInts.sorted(ascending: false).distinct(),
        owner.optionalInts.distinct(), owner.optionalInts.distinct().sorted(),
      ]
      let others = [owner.intSet.sorted(ascending: false), owner.intMap.sorted(), owner.intMap.sorted().distinct()]
      let listFollowers = lists.map { _ in OrderedFollower<Results<Int?>>() }
      let otherFollowers = others.map { _ in OrderedFollower<Results<Int>>() }
      let tokens =
        zip(lists, listFollowers).map { results, follower in results.observe { follower.take($0) } }
        + zip(others, otherFollowers).map { results, follower in results.observe { follower.take($0) } }
      realm.refresh()
      func change(_ owner: OrderedOwner) {
        let list = owner.optionalInts
        let value = random.below(5) == 0 ? nil : random.below(12)
        let key = "k\(random.below(15))"
        switch random.below(12) {
        case 0...2: list.insert(value, at: random.below(list.count + 1))
        case 3: if !list.isEmpty { list.remove(at: random.below(list.count)) }
        case 4, 5: if !list.isEmpty { list[random.below(list.count)] = value }
        case 6: if !list.isEmpty { list.move(from: random.below(list.count), to: random.below(list.count)) }
        case 7: if random.below(8) == 0 { list.removeAll() }
        case 8: owner.intSet.insert(random.below(30))
        case 9: owner.intSet.remove(random.below(30))
        case 10: owner.intMap[key] = value
        default: owner.intMap[key] = nil
        }
      }
      for step in 0..<250 {
        try realm.write {
          for _ in 0..<random.below(4) {
            change(owner)
            if random.below(6) == 0 {
              let naive = owner.optionalInts.sorted { ($0 ?? -1) < ($1 ?? -1) }
              #expect(Array(lists[0]) == naive, "inside of a transaction: seed \(seed), step \(step)")
              #expect(Array(others[1]) == owner.intMap.values.sorted(), "seed \(seed), step \(step)")
            }
          }
        }
        // Some commits are delivered together.
        if random.below(3) == 0 { continue }
        realm.refresh()
        let naive = owner.optionalInts.sorted { ($0 ?? -1) < ($1 ?? -1) }
        #expect(Array(lists[0]) == naive && Array(lists[3]) == naive.withoutRepeats, "seed \(seed), step \(step)")
        #expect(Array(lists[2]) == Array(owner.optionalInts).withoutRepeats, "seed \(seed), step \(step)")
        for (results, follower) in zip(lists, listFollowers) {
          #expect(follower.values == Array(results), "seed \(seed), step \(step)")
        }
        for (results, follower) in zip(others, otherFollowers) {
          #expect(follower.values == Array(results), "seed \(seed), step \(step)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }

  @Test func aSkippedCommitIsNotTold() throws {
    try onOwnThread {
      let (realm, owner) = try Ordered.owner { $0.ints.append(objectsIn: [1, 2]) }
      let follower = OrderedFollower<Results<Int>>()
      let token = owner.ints.sorted().observe { follower.take($0) }
      realm.refresh()
      try realm.write(withoutNotifying: [token]) { owner.ints.append(0) }
      realm.refresh()
      try realm.write { owner.ints.append(3) }
      realm.refresh()
      #expect(follower.calls == ["[] [3] []"])
      token.invalidate()
    }
  }

  // MARK: Traps

  @Test func otherKeyPathsTrap() async {
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.ints.sorted(byKeyPath: "name")
    }
    #expect(trapSaid("can only be sorted on 'self'", sort))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.ints.sorted(by: ["self", "self"])
    }
    #expect(trapSaid("on more than one key path", twice))
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.ints.distinct(by: ["name"])
    }
    #expect(trapSaid("can only be made distinct on 'self'", distinct))
    let observer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { _ = try Ordered.owner().owner.ints.sorted().observe(keyPaths: ["name"]) { _ in } }
    }
    #expect(trapSaid("Key paths need a collection of objects", observer))
  }

  @Test func unmanagedCollectionsTrap() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().sorted()
    }
    #expect(trapSaid("This method may only be called on List instances", list))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>().distinct()
    }
    #expect(trapSaid("This method may only be called on Set instances", set))
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Map<String, Int>().sorted()
    }
    #expect(trapSaid("This method may only be called on Map instances", map))
  }

  @Test func positionsOutOfBoundsTrap() async {
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.ints.sorted()[0]
    }
    #expect(trapSaid("Index 0 is out of bounds (must be less than 0)", beyond))
  }
}

extension Array where Element: Hashable {
  fileprivate var withoutRepeats: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
