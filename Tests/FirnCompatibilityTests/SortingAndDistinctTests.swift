import Firn
import Foundation
import Testing

/// Sorting objects and taking out those that repeat.
@Suite struct SortingAndDistinctTests {
  private static func realm() throws -> Realm {
    let realm = try Ordered.realm()
    try realm.write {
      let names: [String?] = ["b", "a", nil, "b", "a", "c"]
      let items = names.enumerated().map { OrderedItem($0, $1, number: $0 % 2) }
      for item in items {
        item.small = Int8(item.id / 2)
        item.any = item.id % 2 == 0 ? .int(item.id / 4) : .double(Double(item.id / 4))
      }
      realm.add(items)
      items[0].next = items[5]
      items[1].next = items[4]
      items[3].next = items[5]
      items[2].next = items[2]
    }
    return realm
  }

  private func ids(_ items: some Sequence<OrderedItem>) -> [Int] { items.map(\.id) }

  @Test func theFirstOfEachKindStays() throws {
    let realm = try Self.realm()
    let items = realm.objects(OrderedItem.self)
    #expect(ids(items.distinct(by: ["name"])) == [0, 1, 2, 5], "null is one value")
    #expect(ids(items.distinct(by: [\.name])) == [0, 1, 2, 5] && ids(items.distinct(by: [\.number])) == [0, 1])
    #expect(ids(items.distinct(by: ["name", "number"])) == [0, 1, 2, 3, 4, 5])
    #expect(ids(items.distinct(by: ["number", "small"])) == [0, 1, 2, 3, 4, 5])
    #expect(ids(items.distinct(by: [String]())) == Array(0..<6), "no key paths, no change")
    #expect(ids(items.distinct(by: ["any"])) == [0, 4], "numbers are equal whatever their kind")
    #expect(ids(items.distinct(by: ["next.name"])) == [0, 1, 2], "a null link on the way drops the object")
    #expect(ids(items.distinct(by: [\.next?.name, \.number])) == [0, 1, 2, 3])
    let distinct = items.distinct(by: ["name"])
    #expect(distinct.count == 4 && distinct.first?.id == 0 && distinct.last?.id == 5 && distinct[1].id == 1)
    #expect(distinct.index(of: items[2]) == 2 && distinct.index(of: items[3]) == nil)
    #expect(distinct.index(matching: { $0.number == 1 }) == 1 && distinct.sum(of: \.id) == 8)
    #expect((distinct.max(ofProperty: "id") as Int?) == 5)
    #expect(distinct.explain() == "all rows of OrderedItem, then distinct by name")
  }

  @Test func operationsApplyInTheOrderOfTheCalls() throws {
    let realm = try Self.realm()
    let items = realm.objects(OrderedItem.self)
    let last = items.sorted(byKeyPath: "id", ascending: false).distinct(by: ["name"])
    #expect(ids(last) == [5, 4, 3, 2], "the first in the order of the sort")
    #expect(ids(last.sorted(byKeyPath: "id")) == [2, 3, 4, 5], "sorting afterwards changes only the order")
    #expect(ids(items.distinct(by: ["name"]).where { $0.id > 1 }) == [2, 5], "a condition on what is left")
    #expect(ids(items.where { $0.id > 1 }.distinct(by: ["name"])) == [2, 3, 4, 5], "a condition before")
    #expect(ids(last.distinct(by: ["number"])) == [5, 4])
    let chained = items.distinct(by: ["name"]).sorted(byKeyPath: "id").sorted(byKeyPath: "number", ascending: false)
    #expect(ids(chained) == [1, 5, 0, 2], "the newer sort is primary, the older breaks ties")
    #expect(
      chained.explain()
        == "all rows of OrderedItem, then distinct by name, then sorted by id, then sorted by number descending")
  }

  @Test func theyFollow() throws {
    let realm = try Self.realm()
    let items = realm.objects(OrderedItem.self)
    let distinct = items.distinct(by: ["name"]).where { $0.number == 0 }
    #expect(ids(distinct) == [0, 2])
    try realm.write {
      items[0].name = "x"
      #expect(ids(distinct) == [0, 2])
      items[1].name = "b"
      #expect(ids(distinct) == [0, 2, 4])
      realm.delete(items[4])
      #expect(ids(distinct) == [0, 2] && distinct.count == 2)
      realm.add(OrderedItem(9, "new"))
      #expect(ids(distinct) == [0, 2, 9])
    }
    let frozen = distinct.freeze()
    try realm.write { realm.delete(distinct) }
    #expect(ids(distinct).isEmpty && ids(frozen) == [0, 2, 9] && ids(items) == [1, 3, 5])
    nonisolated(unsafe) let shared = items.distinct(by: ["name"])
    try onOwnThread { #expect(shared.map(\.id) == [1, 5] && shared.first?.id == 1 && shared[1].id == 5) }
  }

  @Test func collectionsOfObjects() throws {
    let realm = try Self.realm()
    let items = realm.objects(OrderedItem.self)
    let owner = OrderedOwner()
    try realm.write {
      realm.add(owner)
      owner.items.append(objectsIn: [items[3], items[0], items[1], items[3]])
      owner.itemSet.insert(objectsIn: items)
    }
    #expect(ids(owner.items.distinct(by: ["name"])) == [3, 1], "the order is the list's")
    #expect(ids(owner.items.distinct(by: ["id"])) == [3, 0, 1], "an object that is there twice is once")
    #expect(ids(owner.itemSet.distinct(by: ["number"])) == [0, 1])
    #expect(items[3].owners.count == 2 && items[3].owners.distinct(by: ["id"]).count == 1)
    let sorted = owner.items.sorted(byKeyPath: "id")
    #expect(ids(sorted) == [0, 1, 3, 3])
    try realm.write {
      for position in 0..<4 { #expect(sorted[position].id == [0, 1, 3, 3][position]) }
      owner.items.removeLast()
      #expect(ids(sorted) == [0, 1, 3])
      items[0].name = "again"
      #expect(ids(owner.items.distinct(by: ["name"])) == [3, 0, 1])
      realm.delete(items[1])
      #expect(ids(sorted) == [0, 3])
    }
  }

  @Test func observersOfDistinctResultsFollowExactly() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("observers of distinct results: seed \(seed)")
    try onOwnThread {
      var random = RelationsRandom(seed)
      let realm = try Ordered.realm()
      let owner = OrderedOwner()
      try realm.write { realm.add(owner) }
      let items = realm.objects(OrderedItem.self)
      let results = [
        items.distinct(by: ["number"]), items.sorted(byKeyPath: "name", ascending: false).distinct(by: ["name"]),
        items.distinct(by: ["number"]).where { $0.number > 2 }.sorted(byKeyPath: "name"),
        items.distinct(by: ["next.number"]), owner.items.distinct(by: ["number"]),
      ]
      let followers = results.map { _ in RelationsFollower<Results<OrderedItem>>() }
      let tokens = zip(results, followers).map { results, follower in results.observe { follower.take($0) } }
      realm.refresh()
      for step in 0..<150 {
        try realm.write {
          for _ in 0..<random.below(4) {
            let item = items.isEmpty ? nil : items[random.below(items.count)]
            switch random.below(7) {
            case 0, 1: realm.add(OrderedItem(1000 * step + random.below(1000), "n\(random.below(6))"), update: .all)
            case 2: item?.number = random.below(8)
            case 3: item?.name = random.below(4) == 0 ? nil : "n\(random.below(6))"
            case 4: item?.next = items.isEmpty ? nil : items[random.below(items.count)]
            case 5: if let item { owner.items.append(item) }
            default: if let item, random.below(2) == 0 { realm.delete(item) }
            }
          }
        }
        if random.below(3) == 0 { continue }
        realm.refresh()
        for (results, follower) in zip(results, followers) {
          #expect(follower.agrees(with: results), "seed \(seed), step \(step): \(results.explain())")
        }
        var seen: Set<Int> = []
        #expect(ids(results[0]) == ids(items.filter { seen.insert($0.number).inserted }), "seed \(seed), step \(step)")
      }
      for token in tokens { token.invalidate() }
    }
  }

  @Test func nilLast() throws {
    let (realm, owner) = try Ordered.owner { owner in
      let items = (0..<6).map { OrderedItem($0, [nil, "b", "a", nil, "c", "a"][$0]) }
      items[0].next = items[1]
      items[1].next = items[2]
      items[2].next = items[3]
      owner.items.append(objectsIn: items)
      owner.optionalInts.append(objectsIn: [3, nil, 1, nil, 2])
      owner.itemMap["a"] = .some(nil)
      owner.itemMap["b"] = items[4]
      owner.itemMap["c"] = items[0]
      owner.itemMap["d"] = items[1]
    }
    let items = realm.objects(OrderedItem.self)
    func ids(_ results: Results<OrderedItem>) -> [Int] { results.map(\.id) }
    #expect(ids(items.sorted(byKeyPath: "name", nilsLast: true)) == [2, 5, 1, 4, 0, 3])
    #expect(ids(items.sorted(by: \.name, ascending: false, nilsLast: true)) == [4, 1, 2, 5, 0, 3])
    #expect(ids(items.sorted(by: \.name)) == [0, 3, 2, 5, 1, 4], "first, as long as nothing else is asked for")
    // Behind a null link and null itself are one place.
    #expect(ids(items.sorted(byKeyPath: "next.name", nilsLast: true)) == [1, 0, 2, 3, 4, 5])
    #expect(ids(items.sorted(byKeyPath: "next.name", ascending: false, nilsLast: true)) == [0, 1, 2, 3, 4, 5])
    let descriptor = SortDescriptor(keyPath: "name", ascending: false, nilsLast: true)
    #expect(ids(items.sorted(by: [descriptor.reversed(), "id"])) == [2, 5, 1, 4, 0, 3])
    #expect(Array(owner.optionalInts.sorted(nilsLast: true)) == [1, 2, 3, nil, nil])
    #expect(Array(owner.optionalInts.sorted(ascending: false, nilsLast: true)) == [3, 2, 1, nil, nil])
    #expect(
      Array(owner.optionalInts.sorted(by: [SortDescriptor(keyPath: "self", nilsLast: true)])) == [1, 2, 3, nil, nil])
    #expect(
      owner.itemMap.sorted(by: [SortDescriptor(keyPath: "name", nilsLast: true)]).map { $0?.id } == [1, 4, 0, nil])
    #expect(items.sorted(by: \.name, nilsLast: true).explain().contains("nil last"))
  }

  @Test func extremesOfOptionalProperties() throws {
    let (realm, owner) = try Ordered.owner { owner in
      owner.items.append(objectsIn: (0..<4).map { OrderedItem($0) })
      for item in owner.items { item.score = item.id == 1 ? nil : Double(item.id) }
      owner.itemMap["a"] = owner.items[3]
    }
    let least: Double? = realm.objects(OrderedItem.self).min(of: \.score)
    let results = realm.objects(OrderedItem.self)
    #expect(least == 0 && (results.max(of: \.score) ?? -1) + 1 == 4 && (results.average(of: \.score) ?? 0) * 3 == 5)
    #expect((results.where { $0.id == 1 }.min(of: \.score) ?? -1).isLess(than: 0), "no double optional")
    let unmanaged = List<OrderedItem>()
    unmanaged.append(objectsIn: owner.items.map { OrderedItem(value: $0) })
    #expect((unmanaged.max(of: \.score) ?? -1) + 1 == 4 && (owner.itemMap.max(of: \.score) ?? -1) + 1 == 4)
  }

  @Test func keyPathsThatCannotBeCompared() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "next")
    }
    #expect(trapSaid("Cannot sort on key path 'next'", link) && trapSaid("cannot be the final property", link))
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "tags")
    }
    #expect(trapSaid("is of unsupported type 'array'", list))
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "notes")
    }
    #expect(trapSaid("missing dictionary key", map))
    let backlinks = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "owners.id")
    }
    #expect(trapSaid("is of unsupported type 'linking objects'", backlinks))
    let data = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).distinct(by: ["bytes"])
    }
    #expect(trapSaid("Cannot make distinct on key path 'bytes'", data) && trapSaid("unsupported type 'data'", data))
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "name.length")
    }
    #expect(trapSaid("may only be the final property", beyond))
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "next..name")
    }
    #expect(trapSaid("missing property name", empty))
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.realm().objects(OrderedItem.self).sorted(byKeyPath: "@max.id")
    }
    #expect(trapSaid("KVC collection operators are not supported", operation))
  }
}
