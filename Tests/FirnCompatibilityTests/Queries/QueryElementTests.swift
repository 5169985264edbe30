import Firn
import Foundation
import Testing

/// Conditions on the elements of collections, compared with what Swift finds in them.
@Suite struct QueryElementTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  private typealias Path<Value> = KeyPath<QueryAll, Value>

  private func elements<C: RealmCollection>(_ path: Path<C>, _ values: [C.Element]) {
    for value in values {
      world.check({ $0[dynamicMember: path] == value }, { $0[keyPath: path].contains { $0 == value } }, isTrivial: true)
      world.check({ $0[dynamicMember: path] != value }, { $0[keyPath: path].contains { $0 != value } }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].contains(value) }, { $0[keyPath: path].contains { $0 == value } }, isTrivial: true)
    }
    let some = Array(values.prefix(2))
    world.check(
      { $0[dynamicMember: path].containsAny(in: some) }, { $0[keyPath: path].contains { some.contains($0) } },
      isTrivial: values.count == 2)
    world.check({ $0[dynamicMember: path].containsAny(in: []) }, { _ in false }, isTrivial: true)
    for count in 0..<3 {
      world.check({ $0[dynamicMember: path].count == count }, { $0[keyPath: path].count == count })
      world.check({ $0[dynamicMember: path].count > count }, { $0[keyPath: path].count > count })
    }
  }

  private func numbers<C: RealmCollection>(_ path: Path<C>, _ values: [C.Element])
  where C.Element: Comparable, C.Element.PersistedType: _QueryNumeric {
    elements(path, values)
    for value in values {
      world.check({ $0[dynamicMember: path] < value }, { $0[keyPath: path].contains { $0 < value } }, isTrivial: true)
      world.check({ $0[dynamicMember: path] <= value }, { $0[keyPath: path].contains { $0 <= value } }, isTrivial: true)
      world.check({ $0[dynamicMember: path] > value }, { $0[keyPath: path].contains { $0 > value } }, isTrivial: true)
      world.check({ $0[dynamicMember: path] >= value }, { $0[keyPath: path].contains { $0 >= value } }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].min == value }, { Array($0[keyPath: path]).min() == value }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].max != value }, { Array($0[keyPath: path]).max() != value }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].max > value }, { Array($0[keyPath: path]).max().map { $0 > value } ?? false },
        isTrivial: true)
    }
    let sorted = values.sorted()
    let (low, high) = (sorted[1], sorted[sorted.count - 2])
    func all(_ object: QueryAll, _ isIn: (C.Element) -> Bool) -> Bool {
      !object[keyPath: path].isEmpty && object[keyPath: path].allSatisfy(isIn)
    }
    world.check({ $0[dynamicMember: path].contains(low...high) }, { all($0) { (low...high).contains($0) } })
    world.check(
      { $0[dynamicMember: path].contains(low..<high) }, { all($0) { (low..<high).contains($0) } },
      isTrivial: low == high)
  }

  @Test func lists() {
    numbers(\.ints, QueryValues.ints)
    numbers(\.floats, QueryValues.doubles.map { Float($0) })
    numbers(\.doubles, QueryValues.doubles)
    numbers(\.decimals, QueryValues.doubles.map { Decimal128(value: $0) })
    numbers(\.dates, QueryValues.dates)
    numbers(\.codes, QueryValues.ints.map { QueryCode($0) })
    elements(\.intOpts, QueryValues.ints + [nil])
    elements(\.bools, [true, false])
    elements(\.strings, QueryValues.strings)
    elements(\.stringOpts, QueryValues.strings + [nil])
    elements(\.datas, QueryValues.datas)
    elements(\.uuids, QueryValues.uuids)
    elements(\.objectIds, QueryValues.objectIds)
    elements(\.colours, QueryColour.allCases)
    elements(\.levelOpts, QueryLevel.allCases + [nil])
    elements(\.children, Array(world.children))
  }

  @Test func sets() {
    numbers(\.intSet, QueryValues.ints)
    numbers(\.dateSet, QueryValues.dates)
    numbers(\.codeSet, QueryValues.ints.map { QueryCode($0) })
    elements(\.stringOptSet, QueryValues.strings + [nil])
    numbers(\.levelSet, QueryLevel.allCases)
    elements(\.childSet, Array(world.children))
  }

  @Test func elementsBehindLinks() {
    for value in QueryValues.ints {
      world.check({ $0.child.scores == value }, { $0.child?.scores.contains(value) ?? false }, isTrivial: true)
      world.check({ $0.child.scores.contains(value) }, { $0.child?.scores.contains(value) ?? false }, isTrivial: true)
      world.check({ $0.place.doors != value }, { $0.place?.doors.contains { $0 != value } ?? false }, isTrivial: true)
      world.check(
        { $0.children.scores == value }, { $0.children.contains { $0.scores.contains(value) } }, isTrivial: true)
      world.check(
        { $0.children.friends.scores == value },
        { $0.children.contains { $0.friends.contains { $0.scores.contains(value) } } }, isTrivial: true)
    }
    world.check({ $0.child.scores.count == 0 }, { $0.child?.scores.isEmpty ?? true })
    world.check({ $0.child.friends.count > 1 }, { $0.child.map { $0.friends.count > 1 } ?? false })
    world.check({ $0.child.parents.count > 3 }, { $0.child.map { $0.parents.count > 3 } ?? false })
    world.check({ $0.child.parents.int == 5 }, { $0.child?.parents.contains { $0.int == 5 } ?? false })
  }

  @Test func propertiesOfElements() {
    world.check({ $0.children.age == 5 }, { $0.children.contains { $0.age == 5 } })
    world.check({ $0.children.age != 5 }, { $0.children.contains { $0.age != 5 } })
    world.check({ $0.childSet.name.starts(with: "a") }, { $0.childSet.contains { $0.name.hasPrefix("a") } })
    world.check({ $0.children.note == nil }, { $0.children.contains { $0.note == nil } })
    world.check({ $0.children.weight > 1 }, { $0.children.contains { $0.weight.map { $0 > 1 } ?? false } })
    world.check({ $0.children.friend.age > 1 }, { $0.children.contains { $0.friend.map { $0.age > 1 } ?? false } })
    world.check({ $0.children.friend == nil }, { $0.children.contains { $0.friend == nil } })
    world.check({ $0.children.place.city == "Oslo" }, { $0.children.contains { $0.place?.city == "Oslo" } })
    world.check({ $0.places.number > 1 }, { $0.places.contains { $0.number > 1 } })
    world.check({ $0.children.level == .high }, { $0.children.contains { $0.level == .high } })
    world.check({ $0.children.isOut == true }, { $0.children.contains { $0.isOut } })
    world.check({ $0.children.age.in([1, 7]) }, { $0.children.contains { [1, 7].contains($0.age) } })
    world.check({ $0.children.age.contains(0...2) }, { $0.children.contains { (0...2).contains($0.age) } })
    // Two conditions may hold for two elements, in a closed range it is one.
    world.check(
      { $0.children.age.contains(1..<2) },
      { $0.children.contains { $0.age >= 1 } && $0.children.contains { $0.age < 2 } })
    world.check(
      { $0.children.age == 5 && $0.children.name == "a" },
      { $0.children.contains { $0.age == 5 } && $0.children.contains { $0.name == "a" } }, isTrivial: true)
  }

  private func values<Value: RealmCollectionValue>(_ path: Path<Map<String, Value>>, _ values: [Value]) {
    for value in values {
      world.check(
        { $0[dynamicMember: path].values == value }, { $0[keyPath: path].values.contains(value) }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].values != value }, { $0[keyPath: path].values.contains { $0 != value } },
        isTrivial: true)
      world.check(
        { $0[dynamicMember: path].contains(value) }, { $0[keyPath: path].values.contains(value) }, isTrivial: true)
      world.check({ $0[dynamicMember: path]["b"] == value }, { $0[keyPath: path]["b"] == value }, isTrivial: true)
      world.check({ $0[dynamicMember: path]["b"] != value }, { $0[keyPath: path]["b"] != value }, isTrivial: true)
    }
    let some = Array(values.prefix(2))
    world.check(
      { $0[dynamicMember: path].containsAny(in: some) }, { $0[keyPath: path].values.contains { some.contains($0) } })
    world.check({ $0[dynamicMember: path].count > 1 }, { $0[keyPath: path].count > 1 })
    for key in QueryValues.keys {
      world.check({ $0[dynamicMember: path].keys == key }, { $0[keyPath: path].keys.contains(key) }, isTrivial: true)
      world.check(
        { $0[dynamicMember: path].keys != key }, { $0[keyPath: path].keys.contains { $0 != key } }, isTrivial: true)
    }
    world.check(
      { $0[dynamicMember: path].keys.starts(with: "k", options: .caseInsensitive) },
      { $0[keyPath: path].keys.contains("Key") })
    world.check({ $0[dynamicMember: path].keys.like("?") }, { $0[keyPath: path].keys.contains { $0.count == 1 } })
  }

  @Test func maps() {
    values(\.intMap, QueryValues.ints)
    values(\.stringMap, QueryValues.strings)
    values(\.dateMap, QueryValues.dates)
    values(\.uuidMap, QueryValues.uuids)
    values(\.levelMap, QueryLevel.allCases)
    values(\.codeMap, QueryValues.ints.map { QueryCode($0) })
    world.check({ $0.intMap.values > 2 }, { $0.intMap.values.contains { $0 > 2 } })
    world.check({ $0.intMap["a"] > 1 }, { $0.intMap["a"].map { $0 > 1 } ?? false })
    world.check({ $0.stringMap["a"].contains("b") }, { $0.stringMap["a"]?.contains("b") ?? false })
    world.check({ $0.stringMap.values.ends(with: "b") }, { $0.stringMap.values.contains { $0.hasSuffix("b") } })
    world.check(
      { $0.intMap.contains(0...5) },
      { !$0.intMap.values.isEmpty && $0.intMap.values.allSatisfy { (0...5).contains($0) } })
    world.check({ $0.doubleOptMap["a"] == nil }, { ($0.doubleOptMap["a"] ?? nil) == nil })
    world.check({ $0.doubleOptMap.values == nil }, { $0.doubleOptMap.values.contains(nil) })
    world.check({ $0.doubleOptMap.values > 1 }, { $0.doubleOptMap.values.contains { $0.map { $0 > 1 } ?? false } })
    world.check({ $0.doubleOptMap.contains(nil) }, { $0.doubleOptMap.values.contains(nil) })
    world.check({ $0.childMap.values.age > 1 }, { $0.childMap.values.contains { $0.map { $0.age > 1 } ?? false } })
    world.check({ $0.placeMap.values.city == "Oslo" }, { $0.placeMap.values.contains { $0?.city == "Oslo" } })
    world.check({ $0.childMap.values == nil }, { $0.childMap.values.contains(nil) })
    for child in world.children {
      world.check({ $0.childMap.contains(child) }, { $0.childMap.values.contains(child) }, isTrivial: true)
    }
    // An object that is in no realm stands for nil in a map.
    world.check({ $0.childMap.contains(QueryChild()) }, { $0.childMap.values.contains(nil) })
  }

  @Test func backlinks() {
    let found = world.children.where { $0.parents.int == 5 }
    #expect(found.map(\.id) == world.children.filter { $0.parents.contains { $0.int == 5 } }.map(\.id))
    let many = world.children.where { $0.parents.count > 10 }
    #expect(many.map(\.id) == world.children.filter { $0.parents.count > 10 }.map(\.id))
    #expect(!many.isEmpty && many.count < world.children.count)
    for parent in world.all {
      let found = world.children.where { $0.parents.contains(parent) }
      #expect(found.map(\.id) == world.children.filter { $0.parents.contains(parent) }.map(\.id))
    }
    let oldest = world.children.where { $0.parents.double.max > 9 }
    #expect(oldest.map(\.id) == world.children.filter { ($0.parents.map(\.double).max() ?? 0) > 9 }.map(\.id))
  }
}
