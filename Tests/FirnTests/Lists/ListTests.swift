import Foundation
import Testing

@testable import Firn

@Suite struct ListTests {
  @Test func onTheHomeThread() throws {
    try onOwnThread {
      try self.promotionKeepsTheInstance()
      try self.assignmentCopies()
      try self.deletingTakesObjectsOut()
      try self.deletingAListDeletesItsObjects()
      try self.loopsSeeTheListAsItWas()
      try self.objectsKeptFromALoopStayAtTheirRow()
      try self.otherThreadsSeeWhatIsCommitted()
      try self.equalityAndDescription()
      try self.aggregates()
      try self.sortsInPlace()
      try self.queries()
    }
  }

  @Test func queries() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      owner.items.append(objectsIn: [3, 1, 2, 1].map { ListTestItem($0) })
      owner.items.append(owner.items[0])
    }
    #expect(owner.items.where { $0.number > 1 }.map(\.number) == [3, 2, 3])
    #expect(owner.items.sorted(byKeyPath: "number").map(\.number) == [1, 1, 2, 3, 3])
    let sorted = owner.items.where { $0.number > 1 }.sorted(byKeyPath: "number", ascending: false)
    #expect(sorted.map(\.number) == [3, 3, 2])
    try realm.write { owner.items.append(ListTestItem(9)) }
    #expect(sorted.map(\.number) == [9, 3, 3, 2])
    #expect(owner.items.index(matching: { $0.number == 2 }) == 2)
  }

  @Test func promotionKeepsTheInstance() throws {
    let realm = makeListRealm()
    let owner = ListTestOwner()
    let ints = owner.ints
    let items = owner.items
    ints.append(objectsIn: [1, 2, 3])
    let child = ListTestItem(7)
    child.children.append(ListTestItem(8))
    items.append(child)
    try realm.write { realm.add(owner) }
    #expect(owner.ints === ints)
    #expect(owner.items === items)
    #expect(Array(ints) == [1, 2, 3])
    #expect(child.realm != nil)
    #expect(items[0].children[0].number == 8)
    #expect(ints.realm == realm)
    try realm.write { ints.append(4) }
    #expect(Array(owner.ints) == [1, 2, 3, 4])
    let other = try #require(realm.object(ofType: ListTestOwner.self, forPrimaryKey: 0))
    #expect(other.ints == ints)
    #expect(other.ints === other.ints)
  }

  @Test func assignmentCopies() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    let list = owner.ints
    let source = List<Int>()
    source.append(objectsIn: [5, 6])
    try realm.write {
      owner.ints = source
      #expect(owner.ints === list)
      #expect(Array(list) == [5, 6])
      owner.ints = owner.ints
      #expect(Array(list) == [5, 6])
      source.append(7)
      #expect(list.count == 2)
    }
    let unmanaged = ListTestOwner()
    let old = unmanaged.ints
    unmanaged.ints = list
    #expect(unmanaged.ints === old)
    #expect(Array(old) == [5, 6])
    unmanaged.ints = old
    #expect(Array(old) == [5, 6])
  }

  @Test func deletingTakesObjectsOut() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    let a = ListTestItem(1)
    let b = ListTestItem(2)
    try realm.write {
      owner.items.append(objectsIn: [a, b, a, a])
      realm.delete(a)
    }
    #expect(owner.items.map(\.number) == [2])
    let items = owner.items
    try realm.write { realm.delete(owner) }
    #expect(items.isInvalidated)
    #expect(items.realm == nil)
    #expect(items.count == 0)
    #expect(Array(items).isEmpty)
    #expect(!b.isInvalidated)
  }

  @Test func deletingAListDeletesItsObjects() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    let kept = ListTestItem(3)
    try realm.write {
      realm.add(kept)
      let twice = ListTestItem(1)
      owner.items.append(objectsIn: [twice, ListTestItem(2), twice])
      realm.delete(owner.items)
    }
    #expect(owner.items.isEmpty)
    #expect(realm.objects(ListTestItem.self).count == 1)
  }

  @Test func loopsSeeTheListAsItWas() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      owner.ints.append(objectsIn: 0..<1000)
      owner.strings.append(objectsIn: (0..<1000).map { "a rather long text \($0)" })
      owner.items.append(objectsIn: (0..<300).map { ListTestItem($0) })
      var seen: [Int] = []
      for number in owner.ints {
        if number == 10 { owner.ints.removeAll() }
        seen.append(number)
      }
      #expect(seen == Array(0..<1000))
      var texts = 0
      for text in owner.strings {
        #expect(text == "a rather long text \(texts)")
        texts += 1
        owner.strings.removeFirst()
      }
      #expect(texts == 1000)
      var numbers: [Int] = []
      for item in owner.items {
        numbers.append(item.number)
        owner.items.removeLast()
      }
      #expect(numbers == Array(0..<300))
    }
    try realm.write { owner.ints.append(objectsIn: 0..<500) }
    var seen = 0
    for number in owner.ints {
      #expect(number == seen)
      seen += 1
      if number == 3 { try realm.write { owner.ints.removeAll() } }
    }
    #expect(seen == 500)
    #expect(owner.ints.isEmpty)
  }

  @Test func objectsKeptFromALoopStayAtTheirRow() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      for number in 0..<200 {
        let item = ListTestItem(number)
        item.children.append(ListTestItem(-number))
        owner.items.append(item)
      }
    }
    var kept: [ListTestItem] = []
    var lists: [List<ListTestItem>] = []
    for item in owner.items {
      if item.number % 3 == 0 { kept.append(item) }
      if item.number % 5 == 0 { lists.append(item.children) }
    }
    #expect(kept.map(\.number) == Array(stride(from: 0, to: 200, by: 3)))
    #expect(lists.map { $0[0].number } == stride(from: 0, to: 200, by: 5).map { -$0 })
    #expect(owner.items.map { $0.children[0].number } == (0..<200).map { -$0 })
  }

  @Test func freezing() throws {
    try onOwnThread { try self.freezeAndThaw() }
  }

  private func freezeAndThaw() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      owner.ints.append(objectsIn: [1, 2, 3])
      owner.items.append(ListTestItem(1))
    }
    let frozen = owner.ints.freeze()
    let frozenItems = owner.items.freeze()
    try realm.write {
      owner.ints.removeAll()
      owner.items[0].number = 9
    }
    #expect(frozen.isFrozen)
    #expect(Array(frozen) == [1, 2, 3])
    #expect(frozenItems[0].number == 1)
    #expect(frozenItems[0].isFrozen)
    #expect(frozen.freeze() === frozen)
    let thawed = try #require(frozen.thaw())
    #expect(thawed == owner.ints)
    #expect(thawed.isEmpty)
    try realm.write { realm.delete(owner) }
    #expect(frozen.thaw() == nil)
    #expect(Array(frozen) == [1, 2, 3])
  }

  @Test func otherThreadsSeeWhatIsCommitted() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      owner.ints.append(objectsIn: 0..<1000)
      owner.strings.append(objectsIn: (0..<100).map { "text number \($0)" })
      owner.items.append(objectsIn: (0..<100).map { ListTestItem($0) })
    }
    nonisolated(unsafe) let list = owner.ints
    nonisolated(unsafe) let shared = owner
    realm.beginWrite()
    list.removeAll()
    try onOwnThread {
      #expect(list.count == 1000)
      #expect(list[999] == 999)
      #expect(Array(list) == Array(0..<1000))
      #expect(shared.ints.count == 1000)
      #expect(shared.strings[42] == "text number 42")
      #expect(shared.items.map(\.number) == Array(0..<100))
      #expect(shared.items[5].number == 5)
    }
    try realm.commitWrite()
    try onOwnThread { #expect(list.isEmpty) }
  }

  @Test func equalityAndDescription() throws {
    let a = List<Int>()
    let b = List<Int>()
    #expect(a == b)
    a.append(1)
    #expect(a != b)
    b.append(1)
    #expect(a == b)
    #expect(a.hashValue != b.hashValue)
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write { owner.ints.append(1) }
    #expect(owner.ints != a)
    #expect(owner.ints == realm.object(ofType: ListTestOwner.self, forPrimaryKey: 1)!.ints)
    #expect(owner.ints.description.hasSuffix("> (\n\t[0] 1\n)"))
    #expect(owner.ints.description.hasPrefix("List<Int> <0x"))
    let item = ListTestItem(1)
    try realm.write { owner.items.append(item) }
    #expect(owner.items.index(of: item) == 0)
    #expect(owner.items.index(of: ListTestItem(1)) == nil)
  }

  @Test func aggregates() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    #expect(owner.ints.min() == nil)
    #expect(owner.ints.sum() == 0)
    let none: Double? = owner.ints.average()
    #expect(none == nil)
    try realm.write {
      owner.ints.append(objectsIn: [3, 1, 2])
      owner.optionalInts.append(objectsIn: [nil, 4, nil, 6])
      owner.floats.append(objectsIn: [0.5, .nan, 1.5])
    }
    #expect(owner.ints.min() == 1)
    #expect(owner.ints.max() == 3)
    #expect(owner.ints.sum() == 6)
    #expect(owner.ints.average() == 2.0)
    #expect(owner.optionalInts.min() == 4)
    #expect(owner.optionalInts.max() == 6)
    #expect(owner.optionalInts.sum() == 10)
    #expect(owner.optionalInts.average() == 5.0)
    #expect(owner.floats.sum() == 2)
    #expect(owner.floats.max() == 1.5)
  }

  @Test func sortsInPlace() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    try realm.write {
      owner.ints.append(objectsIn: [3, 1, 2])
      owner.ints.sort()
    }
    #expect(Array(owner.ints) == [1, 2, 3])
  }

  /// More elements than room was made for, of a sequence that does not know how many it has.
  @Test func nullsOfASequenceOfUnknownLength() throws {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    for pattern in 1...5 {
      let values = (0..<100).map { $0 % pattern == 0 ? nil : $0 }
      var index = 0
      let unknown = AnyIterator { () -> Int?? in
        defer { index += 1 }
        return index < values.count ? .some(values[index]) : nil
      }
      #expect(AnySequence(unknown).underestimatedCount == 0)
      try realm.write {
        owner.optionalInts.removeAll()
        owner.optionalInts.append(objectsIn: AnySequence(unknown))
      }
      #expect(Array(owner.optionalInts) == values, "every \(pattern)th is null")
    }
  }
}
