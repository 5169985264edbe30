import Firn
import Foundation
import Testing

private func keyValueOwner() throws -> (realm: Realm, owner: OrderedOwner) {
  try Ordered.owner { owner in
    owner.ints.append(objectsIn: [3, 1, 3])
    owner.optionalInts.append(objectsIn: [4, nil])
    owner.colours.append(objectsIn: [.red, .blue])
    owner.intSet.insert(objectsIn: [2, 1])
    owner.intMap["a"] = 5
    owner.intMap["b"] = 7
    owner.anys.append(objectsIn: [.int(1), .string("x"), .double(0.5), .none])
    owner.codes.append(OrderedCode(8))
    owner.optionalMap["a"] = "text"
    owner.optionalMap["b"] = .some(nil)
    let items = (0..<4).map { OrderedItem($0, $0 == 2 ? nil : "n\($0 % 2)", number: 10 * $0) }
    for item in items {
      item.score = item.id == 1 ? nil : Double(item.id) / 2
      item.ratio = Float(item.id) / 4
      item.price = Decimal128(value: item.id)
      item.born = Date(timeIntervalSinceReferenceDate: Double(item.id))
      item.small = Int8(item.id)
      item.colour = item.id == 0 ? .green : .red
      item.any = item.id == 3 ? .string("text") : .int(item.id)
      item.tags.append(objectsIn: ["t\(item.id % 2)", "all"])
      item.notes["k"] = "note \(item.id)"
    }
    items[0].next = items[3]
    items[0].friends.append(objectsIn: [items[1], items[2]])
    items[1].friends.append(items[2])
    owner.items.append(objectsIn: items)
    owner.itemSet.insert(objectsIn: items)
    owner.itemMap["x"] = items[1]
    owner.itemMap["y"] = items[3]
    owner.itemMap["z"] = .some(nil)
  }
}

/// Collections by the names of their elements' properties.
@Suite struct KeyValueTests {
  @Test func valuesOfAPropertyInOrder() throws {
    let (realm, owner) = try keyValueOwner()
    let unmanaged = List<OrderedItem>()
    unmanaged.append(objectsIn: owner.items.map { OrderedItem(value: $0) })
    for items in [owner.items, unmanaged] {
      #expect(items.value(forKey: "id") as? [Int] == [0, 1, 2, 3])
      let names = try #require(items.value(forKey: "name") as? [Any])
      #expect(names[1] as? String == "n1" && names[2] is NSNull, "nil is NSNull")
      #expect(items.value(forKey: "colour") as? [String] == ["green", "red", "red", "red"], "in stored form")
      #expect((items.value(forKey: "small") as? [Int8]) == [0, 1, 2, 3])
      #expect((items.value(forKey: "self") as? [OrderedItem])?.count == 4)
      #expect((items.value(forKey: "tags") as? [List<String>])?[1].first == "t1", "collections as such")
      #expect((items.value(forKey: "next") as? [Any])?.first is OrderedItem)
    }
    let few = realm.objects(OrderedItem.self).where { $0.id > 1 }.sorted(byKeyPath: "id")
    #expect(few.value(forKey: "number") as? [Int] == [20, 30])
    #expect(owner.items[0].owners.value(forKey: "id") as? [Int] == [0])
    let ids = (owner.items.value(forKey: "owners") as? [LinkingObjects<OrderedOwner>])?.map(\.count)
    #expect(ids == [1, 1, 1, 1])
    #expect(owner.itemSet.value(forKey: "colour").flatMap { $0 as? [String] }?.sorted() == ["green", "red"])
    #expect((owner.itemSet.value(forKey: "name") as? [Any])?.count == 3, "of a set each value once, null too")
    #expect((owner.itemSet.value(forKey: "self") as? [OrderedItem])?.count == 4)
  }

  @Test func valuesThemselves() throws {
    let (_, owner) = try keyValueOwner()
    #expect(owner.ints.value(forKey: "self") as? [Int] == [3, 1, 3])
    let optionals = try #require(owner.optionalInts.value(forKey: "self") as? [Any])
    #expect(optionals[0] as? Int == 4 && optionals[1] is NSNull)
    #expect(owner.colours.value(forKey: "self") as? [String] == ["red", "blue"], "in stored form")
    #expect(owner.codes.value(forKey: "self") as? [Int] == [8])
    let mixed = try #require(owner.anys.value(forKey: "self") as? [Any])
    #expect(mixed[0] as? Int == 1 && mixed[1] as? String == "x" && mixed[2] as? Double == 0.5 && mixed[3] is NSNull)
    #expect(owner.ints.sorted().value(forKey: "self") as? [Int] == [1, 3, 3])
    #expect(owner.intSet.value(forKey: "self") as? [Int] == [1, 2])
    #expect(owner.intMap.value(forKey: "a") as? Int == 5 && owner.intMap.value(forKey: "zzz") == nil)
    #expect(owner.intMap.object(forKey: "a" as AnyObject) as? Int == 5)
    func any<C: RealmCollection>(_ collection: C) -> Int { (collection.value(forKey: "self") as? [Any])?.count ?? -1 }
    #expect(any(owner.itemSet) == 4 && any(SetsAndMaps.set(1, 2)) == 2, "generic code sees the same")
  }

  @Test func arraysOfReferences() throws {
    let (_, owner) = try keyValueOwner()
    let names: [AnyObject] = owner.items.value(forKey: "name")
    #expect(names.count == 4 && names[1] as? String == "n1" && names[2] is NSNull)
    let numbers: [AnyObject] = owner.items.value(forKeyPath: "next.number")
    #expect(numbers[0] as? Int == 30 && numbers[1] is NSNull)
    #expect(owner.ints.value(forKey: "self").count == 3, "an array, where one is wanted")
    let colours: [AnyObject] = owner.itemSet.value(forKey: "colour")
    #expect(Set(colours.compactMap { $0 as? String }) == ["red", "green"] && colours.count == 2)
    let note: AnyObject? = owner.items[0].notes.value(forKey: "k")
    #expect(note as? String == "note 0")
  }

  @Test func valuesOfAMapThatAreNil() throws {
    let (_, owner) = try keyValueOwner()
    let unmanaged = OrderedOwner(value: ["optionalMap": ["a": "text", "b": nil] as [String: String?]])
    for map in [owner.optionalMap, unmanaged.optionalMap] {
      #expect(map.value(forKey: "a") as? String == "text")
      #expect(map.value(forKey: "b") is NSNull, "it is there")
      let missing: Any? = map.value(forKey: "c")
      #expect(missing == nil)
      #expect(map.value(forKeyPath: "b") is NSNull && map.object(forKey: "b" as AnyObject) is NSNull)
      #expect((map.value(forKeyPath: "@unionOfObjects.self") as? [Any])?.contains { $0 is NSNull } == true)
    }
    #expect(owner.itemMap.value(forKey: "z") is NSNull)
  }

  @Test func sumsOfNoMixedValues() throws {
    let (realm, owner) = try Ordered.owner()
    let none = realm.objects(OrderedItem.self)
    #expect(none.value(forKeyPath: "@sum.any") as? Decimal128 == 0 && none.sum(of: \.any) == .decimal128(0))
    #expect(List<OrderedItem>().value(forKeyPath: "@sum.any") as? Decimal128 == 0)
    #expect(owner.anys.value(forKeyPath: "@sum.self") as? Decimal128 == 0 && owner.anys.sum() == .decimal128(0))
    #expect(List<AnyRealmValue>().value(forKeyPath: "@sum.self") as? Decimal128 == 0)
    let sums: [AnyRealmValue] = [
      none.sum(ofProperty: "any"), List<OrderedItem>().sum(ofProperty: "any"), owner.anys.sum(ofProperty: "self"),
    ]
    #expect(sums == Array(repeating: .decimal128(0), count: 3))
    #expect(none.value(forKeyPath: "@avg.any") == nil && none.value(forKeyPath: "@sum.number") as? Int == 0)
    try realm.write { owner.anys.append(objectsIn: [.object(OrderedItem(5)), .int(2), .string("x")]) }
    #expect(owner.anys.value(forKeyPath: "@sum.self") as? Decimal128 == 2, "objects and texts are no numbers")
    #expect(owner.anys.value(forKeyPath: "@min.self") as? Int == 2)
  }

  @Test func pathsMapElementByElement() throws {
    let (_, owner) = try keyValueOwner()
    let numbers = try #require(owner.items.value(forKeyPath: "next.number") as? [Any])
    #expect(numbers[0] as? Int == 30 && numbers[1] is NSNull, "behind a null link")
    let deep = try #require(owner.items.value(forKeyPath: "friends.name") as? [[Any]])
    #expect(deep[0][0] as? String == "n1" && deep[0][1] is NSNull && deep[3].isEmpty)
    #expect(owner.items.value(forKeyPath: "notes.k") as? [String] == (0..<4).map { "note \($0)" })
    #expect(owner.items.value(forKeyPath: "friends.@count") as? [Int] == [2, 1, 0, 0])
    #expect(owner.items.value(forKeyPath: "id") as? [Int] == [0, 1, 2, 3])
    #expect(owner.itemMap.value(forKeyPath: "x.number") as? Int == 10)
    #expect(owner.itemMap.value(forKeyPath: "z.number") == nil && owner.itemMap.value(forKeyPath: "none.id") == nil)
    #expect(owner.itemMap.value(forKeyPath: "@max.number") as? Int == 30)
    #expect(owner.intMap.value(forKeyPath: "@sum.self") as? Int == 12)
    #expect(owner.intMap.value(forKeyPath: "@count") as? Int == 2)
    func keyed<Entries: RealmKeyedCollection>(_ entries: Entries) -> Any? { entries.value(forKeyPath: "@avg.self") }
    #expect(keyed(owner.intMap) as? Double == 6)
  }

  @Test func operators() throws {
    let (realm, owner) = try keyValueOwner()
    let unmanaged = List<OrderedItem>()
    unmanaged.append(objectsIn: owner.items.map { OrderedItem(value: $0) })
    for items in [owner.items, unmanaged] {
      #expect(items.value(forKeyPath: "@count") as? Int == 4)
      #expect(items.value(forKeyPath: "@min.number") as? Int == 0 && items.value(forKeyPath: "@max.small") as? Int == 3)
      #expect(
        items.value(forKeyPath: "@sum.number") as? Int == 60 && items.value(forKeyPath: "@avg.id") as? Double == 1.5)
      #expect(items.value(forKeyPath: "@sum.score") as? Double == 2.5, "nulls are passed over")
      #expect(items.value(forKeyPath: "@avg.score") as? Double == 2.5 / 3)
      #expect(items.value(forKeyPath: "@max.ratio") as? Float == 0.75)
      #expect(items.value(forKeyPath: "@sum.price") as? Decimal128 == 6)
      #expect(items.value(forKeyPath: "@max.born") as? Date == Date(timeIntervalSinceReferenceDate: 3))
      #expect(items.value(forKeyPath: "@sum.any") as? Decimal128 == 3, "the numbers among mixed values")
      #expect(items.value(forKeyPath: "@max.any") as? String == "text")
      let union = try #require(items.value(forKeyPath: "@unionOfObjects.name") as? [Any])
      #expect(union.count == 4 && union[0] as? String == "n0" && union[2] is NSNull)
      #expect((items.value(forKeyPath: "@distinctUnionOfObjects.name") as? [Any])?.count == 3)
      #expect(items.value(forKeyPath: "@distinctUnionOfObjects.colour") as? [String] == ["green", "red"])
      let tags = items.value(forKeyPath: "@unionOfArrays.tags") as? [String]
      #expect(tags == ["t0", "all", "t1", "all", "t0", "all", "t1", "all"])
      #expect(items.value(forKeyPath: "@distinctUnionOfArrays.tags") as? [String] == ["t0", "all", "t1"])
      #expect((items.value(forKeyPath: "@unionOfArrays.friends") as? [OrderedItem])?.map(\.id) == [1, 2, 2])
    }
    let none = realm.objects(OrderedItem.self).where { $0.id > 99 }
    #expect(none.value(forKeyPath: "@min.number") == nil && none.value(forKeyPath: "@avg.number") == nil)
    #expect(none.value(forKeyPath: "@sum.number") as? Int == 0 && none.value(forKeyPath: "@count") as? Int == 0)
    #expect(owner.ints.value(forKeyPath: "@sum.self") as? Int == 7)
    #expect(owner.colours.value(forKeyPath: "@distinctUnionOfObjects.self") as? [String] == ["red", "blue"])
    #expect(owner.ints.value(forKeyPath: "@distinctUnionOfObjects.self") as? [Int] == [3, 1])
    #expect(owner.anys.value(forKeyPath: "@sum.self") as? Decimal128 == Decimal128(1.5))
    #expect(owner.itemSet.value(forKeyPath: "@sum.small") as? Int == 6, "a set's operators see every element")
  }

  @Test func operatorsTellValuesApartAsDistinctDoes() throws {
    let composed = "\u{e9}"
    let decomposed = "e\u{301}"
    let (realm, owner) = try Ordered.owner { owner in
      owner.strings.append(objectsIn: [composed, decomposed, composed])
      owner.doubles.append(objectsIn: [.nan, 0, -0.0, 1, -.nan])
      owner.anys.append(objectsIn: [.int(1), .double(1), .string(composed), .string(decomposed), .bool(true), .none])
      owner.optionalInts.append(objectsIn: [nil, 1, nil])
      let items = [composed, decomposed, composed].enumerated().map { OrderedItem($0, $1) }
      items[1].score = .nan
      items[2].score = .nan
      items[0].next = items[2]
      items[1].next = items[2]
      owner.items.append(objectsIn: items)
    }
    func count(_ collection: any RealmCollection, _ property: String) -> Int? {
      (collection.value(forKeyPath: "@distinctUnionOfObjects.\(property)") as? [Any])?.count
    }
    let strings = owner.strings.value(forKeyPath: "@distinctUnionOfObjects.self") as? [String]
    #expect(strings?.map { Array($0.utf8) } == owner.strings.distinct().map { Array($0.utf8) })
    #expect(strings?.count == 2)
    #expect(count(owner.doubles, "self") == owner.doubles.distinct().count && count(owner.doubles, "self") == 3)
    #expect(count(owner.anys, "self") == owner.anys.distinct().count && count(owner.anys, "self") == 5)
    #expect(count(owner.optionalInts, "self") == 2)
    let all = realm.objects(OrderedItem.self)
    #expect(count(all, "name") == all.distinct(by: ["name"]).count && count(all, "name") == 2)
    #expect(count(all, "score") == all.distinct(by: ["score"]).count && count(all, "score") == 2)
    #expect(count(all, "next") == 2, "accessors of a row are one value")
    #expect(count(owner.items, "friends") == 3, "collections are not")
    let unmanaged = List<String>()
    unmanaged.append(objectsIn: [composed, decomposed])
    #expect(count(unmanaged, "self") == 2)
  }

  @Test func settingAProperty() throws {
    let (realm, owner) = try keyValueOwner()
    try realm.write {
      owner.items.setValue("same", forKey: "name")
      #expect(owner.items.allSatisfy { $0.name == "same" })
      realm.objects(OrderedItem.self).where { $0.number > 10 }.setValue(nil, forKey: "name")
      #expect(owner.items.map(\.name) == ["same", "same", nil, nil])
      owner.itemSet.setValue("blue", forKey: "colour")
      #expect(owner.items.allSatisfy { $0.colour == .blue })
      owner.items[0].owners.setValue("noted", forKey: "note")
      #expect(owner.note == "noted")
      let matching = realm.objects(OrderedItem.self).where { $0.number == 10 }
      matching.setValue(Int8(77), forKey: "number")
      #expect(matching.isEmpty && owner.items[1].number == 77, "coerced, though the results change underneath")
    }
    let unmanaged = List<OrderedItem>()
    unmanaged.append(objectsIn: [OrderedItem(1), OrderedItem(2)])
    unmanaged.setValue(5, forKey: "number")
    #expect(unmanaged.map(\.number) == [5, 5])
    #expect(OrderedItem(1).owners.value(forKey: "id") as? [Int] == [], "of an unmanaged object nothing")
  }

  @Test func settingValues() throws {
    let (realm, owner) = try keyValueOwner()
    try realm.write {
      owner.ints.setValue(Int8(9), forKey: "self")
      #expect(Array(owner.ints) == [9, 9, 9])
      owner.optionalInts.setValue(nil, forKey: "self")
      #expect(Array(owner.optionalInts) == [nil, nil])
      owner.colours.setValue("green", forKey: "self")
      #expect(Array(owner.colours) == [.green, .green])
      owner.anys.setValue("x", forKey: "self")
      #expect(Array(owner.anys) == Array(repeating: .string("x"), count: 4))
      owner.intSet.setValue(8, forKey: "self")
      #expect(Array(owner.intSet) == [8], "a set keeps just the value")
      owner.intMap.setValue(1, forKey: "new")
      #expect(owner.intMap["new"] == 1)
    }
    let list = List<String>()
    list.append(objectsIn: ["a", "b"])
    list.setValue("c", forKey: "self")
    #expect(Array(list) == ["c", "c"])
    let set = SetsAndMaps.set(1, 2)
    set.setValue(3, forKey: "self")
    #expect(Array(set) == [3])
  }

  // MARK: Traps

  @Test func namesThatDoNotExist() async {
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.ints.value(forKey: "count")
    }
    #expect(trapSaid("Invalid key 'count' for a collection of values", value))
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.items.value(forKey: "nothing")
    }
    #expect(trapSaid("Invalid property name 'nothing'", property), "empty collections know their properties too")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try keyValueOwner()
      try realm.write { owner.items.setValue(1, forKey: "nothing") }
    }
    #expect(trapSaid("Invalid property name 'nothing'", set))
    let aggregate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: Int = try keyValueOwner().owner.ints.sum(ofProperty: "number")
    }
    #expect(trapSaid("Invalid key 'number' for a collection of values", aggregate))
  }

  @Test func operatorsThatDoNotExist() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "@median.id")
    }
    #expect(trapSaid("Unsupported KVC collection operator '@median'", unknown))
    let bare = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "@max")
    }
    #expect(trapSaid("Missing key path for KVC collection operator '@max'", bare))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "@max.next.id")
    }
    #expect(trapSaid("Nested key paths are not supported", nested))
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "@sum.name")
    }
    #expect(trapSaid("not supported", text) && trapSaid("'name'", text))
    let single = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "@unionOfArrays.id")
    }
    #expect(trapSaid("needs a property that is a collection", single))
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try keyValueOwner().owner.items.value(forKeyPath: "id.number")
    }
    #expect(trapSaid("has no properties", beyond))
  }

  @Test func settingWhatCannotBeSet() async {
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Ordered.owner().owner.items.setValue(1, forKey: "number")
    }
    #expect(trapSaid("outside of a write transaction", outside), "an empty collection too")
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Ordered.owner().owner.ints.setValue(1, forKey: "self")
    }
    #expect(trapSaid("outside of a write transaction", values))
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try keyValueOwner()
      try realm.write { owner.ints.setValue("text", forKey: "self") }
    }
    #expect(trapSaid("Invalid value 'text'", wrong))
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try keyValueOwner()
      try realm.write { owner.intSet.setValue(nil, forKey: "self") }
    }
    #expect(trapSaid("Invalid value 'nil'", null))
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try keyValueOwner()
      try realm.write { owner.ints.sorted().setValue(1, forKey: "self") }
    }
    #expect(trapSaid("is read-only", results))
  }
}
