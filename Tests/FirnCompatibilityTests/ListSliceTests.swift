import Firn
import Testing

/// Slices assigned to lists, and positions of elements.
@Suite struct ListSliceTests {
  private func onBoth(_ ints: [Int], _ test: (List<Int>) throws -> Void) throws {
    let unmanaged = List<Int>()
    unmanaged.append(objectsIn: ints)
    try test(unmanaged)
    let (realm, owner) = try Ordered.owner { $0.ints.append(objectsIn: ints) }
    try realm.write { try test(owner.ints) }
  }

  @Test func slicesOfAnotherLength() throws {
    try onBoth([0, 1, 2, 3, 4]) { list in
      let other = List<Int>()
      other.append(objectsIn: [7, 8, 9])
      list[1..<3] = other[0..<0]
      #expect(Array(list) == [0, 3, 4])
      list[1..<1] = other[0..<3]
      #expect(Array(list) == [0, 7, 8, 9, 3, 4])
      list[4..<6] = other[2..<3]
      #expect(Array(list) == [0, 7, 8, 9, 9])
      list[0..<5] = list[3..<4]
      #expect(Array(list) == [9], "a part of itself")
      list[1..<1] = list[0..<1]
      #expect(Array(list) == [9, 9])
    }
  }

  @Test func slicesChangedInPlace() throws {
    try onBoth([5, 4, 3, 2, 1, 0]) { list in
      list[1..<4].sort()
      #expect(Array(list) == [5, 2, 3, 4, 1, 0])
      list[0..<3].reverse()
      #expect(Array(list) == [3, 2, 5, 4, 1, 0])
      list[2..<5].removeFirst()
      #expect(Array(list) == [3, 2, 4, 1, 0])
      list[3..<5].removeLast()
      #expect(Array(list) == [3, 2, 4, 1])
      list[0..<2].swapAt(0, 1)
      #expect(Array(list) == [2, 3, 4, 1])
    }
  }

  @Test func embeddedObjectsStay() throws {
    let realm = try Realm(configuration: relationsConfiguration([CreatingWhole.self, CreatingPart.self]))
    try realm.write {
      let whole = realm.create(CreatingWhole.self, value: ["parts": [["a"], ["b"], ["c"]]])
      let last = whole.parts[2]
      whole.parts[0..<3] = whole.parts[0..<3]
      whole.parts[0..<3] = whole.parts[2..<3]
      #expect(whole.parts.map(\.name) == ["c"] && !last.isInvalidated)
    }
  }

  @Test func boundsAreChecked() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list[0..<2] = list[0..<0]
    }
    #expect(trapSaid("out of bounds", result))
  }

  @Test func positionsInSets() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>()[-1]
    }
    #expect(trapSaid("as the index of a collection", result))
  }

  @Test func objectsAmongMixedValues() throws {
    let realm = try Realm(configuration: relationsConfiguration([CreatingMixed.self, CreatingNamed.self]))
    try realm.write {
      let names = ["a", "b"].map { realm.create(CreatingNamed.self, value: [$0]) }
      let mixed = realm.create(CreatingMixed.self, value: ["values": [names[0], 1, names[1], names[0]] as [Any]])
      #expect(mixed.values.index(of: .object(names[1])) == 2 && mixed.values.index(of: .object(names[0])) == 0)
      let again = try #require(realm.objects(CreatingNamed.self).last)
      #expect(mixed.values.index(of: .object(again)) == 2, "another accessor of the row")
      #expect(mixed.values.index(of: .object(CreatingNamed())) == nil && mixed.values.index(of: .int(1)) == 1)
      #expect(mixed.values.sorted().index(of: .object(again)) != nil)
      let unmanaged = List<AnyRealmValue>()
      let name = CreatingNamed()
      unmanaged.append(objectsIn: [.int(1), .object(name), .object(again)])
      #expect(unmanaged.index(of: .object(name)) == 1 && unmanaged.index(of: .object(names[1])) == 2)
    }
  }

  @Test func conditionsOnUnmanagedLists() throws {
    let list = List<OrderedItem>()
    let items = (0..<4).map { OrderedItem($0 / 2, "n\($0)", number: 10 * $0) }
    items[2].next = items[1]
    items[3].tags.append("x")
    list.append(objectsIn: items)
    #expect(list.index(matching: { $0.number == 20 }) == 2 && list.index(matching: { $0.number > 100 }) == nil)
    #expect(list.index(matching: { $0.name == "n1" && $0.id == 0 }) == 1, "equal primary keys do not matter")
    #expect(list.index(matching: { $0.next.name == "n1" }) == 2)
    #expect(list.index(matching: { $0.name.contains("3") || $0.number == 0 }) == 0)
    #expect(List<OrderedItem>().index(matching: { $0.number == 0 }) == nil)
    #expect(items.allSatisfy { $0.realm == nil } && items[2].next === items[1])
    items[0].number = 77
    #expect(list.index(matching: { $0.number == 77 }) == 0, "as they are now")
  }

  /// Takes minutes where all that an element links to is copied for each of them.
  @Test func conditionsOnLinkedUnmanagedObjects() {
    let list = List<OrderedItem>()
    let items = (0..<2_000).map { OrderedItem(0, number: $0) }
    for (index, item) in items.enumerated() { item.next = items[(index + 1) % items.count] }
    list.append(objectsIn: items)
    #expect(list.index(matching: { $0.number == 1_999 }) == 1_999)
    #expect(list.index(matching: { $0.next.number == 0 }) == 1_999 && list.index(matching: { $0.number < 0 }) == nil)
  }

  /// Mixed values lead to classes that no declaration names.
  @Test func conditionsOnObjectsWithMixedValues() throws {
    let (first, second) = (CreatingMixed(), CreatingMixed())
    let named = CreatingNamed(value: ["n"])
    first.value = .object(named)
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingMixed.self, CreatingDated.self]))
    let managed = try realm.write {
      let managed = realm.create(CreatingMixed.self)
      managed.values.append(.object(realm.create(CreatingDated.self)))
      return managed
    }
    second.price = 5
    let list = List<CreatingMixed>()
    list.append(objectsIn: [first, managed, second])
    #expect(list.index(matching: { $0.price == 5 }) == 2 && named.realm == nil)
  }

  @Test func conditionsOnDeletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.items.append(objectsIn: [OrderedItem(1), OrderedItem(2)]) }
      let list = List<OrderedItem>()
      list.append(objectsIn: owner.items)
      try realm.write { realm.delete(owner.items[1]) }
      #expect(list.index(matching: { $0.id == 1 }) == 0)
      _ = list.index(matching: { $0.id == 2 })
    }
    #expect(trapSaid("The one of class 'OrderedItem' can be neither copied nor linked to: leave it out.", result))
    #expect(trapSaid("(at $[1])", result))
  }
}
