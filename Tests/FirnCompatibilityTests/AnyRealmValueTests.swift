import Firn
import Foundation
import Testing

/// Values, properties and collections of ``AnyRealmValue``.
@Suite struct AnyRealmValueTests {
  private static let id = UUID()
  private static var scalars: [AnyRealmValue] {
    [
      .none, .int(-5), .int(.max), .bool(true), .bool(false), .float(1.5), .double(2.25), .double(.infinity),
      .string(""),
      .string("grün\u{0}"), .data(Data([1, 2])), .data(Data()), .date(Date(timeIntervalSinceReferenceDate: 12.125)),
      .uuid(id), .objectId(ObjectId("0123456789abcdef01234567")), .decimal128(7.5),
    ]
  }

  @Test func membersTellTheExactCase() {
    #expect(AnyRealmValue() == .none)
    #expect(AnyRealmValue.int(1).intValue == 1 && AnyRealmValue.int(1).doubleValue == nil)
    #expect(AnyRealmValue.bool(true).boolValue == true && AnyRealmValue.bool(true).intValue == nil)
    #expect(AnyRealmValue.float(1).floatValue == 1 && AnyRealmValue.float(1).doubleValue == nil)
    #expect(AnyRealmValue.double(1).doubleValue == 1 && AnyRealmValue.double(1).floatValue == nil)
    #expect(AnyRealmValue.string("a").stringValue == "a" && AnyRealmValue.string("a").dataValue == nil)
    #expect(AnyRealmValue.data(Data([1])).dataValue == Data([1]))
    #expect(AnyRealmValue.date(Date(timeIntervalSince1970: 3)).dateValue == Date(timeIntervalSince1970: 3))
    #expect(AnyRealmValue.uuid(Self.id).uuidValue == Self.id)
    let objectId = ObjectId.generate()
    #expect(AnyRealmValue.objectId(objectId).objectIdValue == objectId && AnyRealmValue.int(1).objectIdValue == nil)
    #expect(AnyRealmValue.decimal128(5).decimal128Value == 5 && AnyRealmValue.decimal128(5).doubleValue == nil)
    let dog = MixedDog(1)
    #expect(AnyRealmValue.object(dog).object(MixedDog.self) === dog)
    #expect(AnyRealmValue.object(dog).object(MixedOwner.self) == nil)
    #expect(AnyRealmValue.none.object(MixedDog.self) == nil && AnyRealmValue.none.intValue == nil)
    let list = AnyRealmValue.fromArray([.int(1), .string("a")])
    #expect(list.listValue.map { Array($0) } == [.int(1), .string("a")] && list.dictionaryValue == nil)
    let map = AnyRealmValue.fromDictionary(["a": .int(1)])
    #expect(map.dictionaryValue?["a"] == .int(1) && map.listValue == nil)
  }

  @Test func equalityIsByCaseAndPayload() {
    for (index, left) in Self.scalars.enumerated() {
      for (other, right) in Self.scalars.enumerated() {
        #expect((left == right) == (index == other), "\(left) \(right)")
        if index == other { #expect(left.hashValue == right.hashValue) }
      }
    }
    #expect(AnyRealmValue.int(1) != .double(1))
    #expect(AnyRealmValue.float(1) != .double(1))
    #expect(AnyRealmValue.bool(true) != .int(1))
    #expect(AnyRealmValue.decimal128(1) != .int(1))
    let dog = MixedDog(1)
    #expect(AnyRealmValue.object(dog) == .object(dog))
    #expect(AnyRealmValue.object(dog) != .object(MixedDog(1)))
    #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
    #expect(AnyRealmValue.fromArray([.int(1)]) != .fromArray([.int(2)]))
    #expect(AnyRealmValue.fromArray([.int(1)]) != .fromDictionary(["a": .int(1)]))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) == .fromDictionary(["a": .int(1)]))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) != .fromDictionary(["b": .int(1)]))
    #expect(AnyRealmValue.fromArray([.int(1)]).hashValue == AnyRealmValue.fromArray([]).hashValue)
    #expect(AnyRealmValue.fromDictionary([:]).hashValue == AnyRealmValue.fromDictionary(["a": .none]).hashValue)
  }

  @Test func propertiesHoldEveryKind() throws {
    try onOwnThread {
      let unmanaged = MixedOwner(1)
      #expect(unmanaged.value == .none && unmanaged.other == .int(7))
      let (realm, owner) = try mixedOwner()
      #expect(owner.value == .none && owner.other == .int(7))
      for value in Self.scalars {
        try realm.write { owner.value = value }
        #expect(owner.value == value, "\(value)")
        #expect(realm.object(ofType: MixedOwner.self, forPrimaryKey: 1)?.value == value)
        let added = MixedOwner(2, value)
        try realm.write { realm.add(added) }
        #expect(added.value == value)
        try realm.write { realm.delete(added) }
      }
      #expect(realm.schema["MixedOwner"]?["value"]?.type == .any)
      #expect(realm.schema["MixedOwner"]?["value"]?.isOptional == false)
      #expect(realm.schema["MixedOwner"]?["list"]?.isOptional == false)
      #expect(realm.schema.objectSchema.map(\.className) == ["MixedDog", "MixedOwner"])
    }
  }

  @Test func objectsAreAddedAndDeletedOnesBecomeNone() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.object(MixedDog(1, "Rex")))
      #expect(realm.objects(MixedDog.self).count == 1)
      #expect(owner.value.object(MixedDog.self)?.name == "Rex")
      #expect(owner.value.object(MixedOwner.self) == nil)
      let second = MixedDog(2)
      try realm.write {
        owner.list.append(objectsIn: [.object(second), .int(1), .object(second)])
        owner.map["dog"] = .object(second)
        owner.set.insert(objectsIn: [.object(second), .int(3)])
        owner.other = .object(owner)
      }
      #expect(second.realm == realm)
      #expect(owner.list[0] == .object(second))
      #expect(owner.other == .object(owner))
      #expect(owner.set.contains(.object(second)) && !owner.set.contains(.object(MixedDog(9))))
      try realm.write { realm.delete(second) }
      #expect(Array(owner.list) == [.none, .int(1), .none])
      #expect(owner.map["dog"] == AnyRealmValue.none && owner.map.count == 1)
      #expect(Array(owner.set) == [.int(3)])
      try realm.write { realm.delete(realm.objects(MixedDog.self)) }
      #expect(owner.value == .none)
      try realm.write { owner.value = .object(MixedDog(5)) }
      // The last values of an object that is gone.
      try realm.write { realm.delete(owner) }
      #expect(owner.isInvalidated)
      #expect(owner.value.object(MixedDog.self)?.id == 5)
      #expect(owner.other == .none)
    }
  }

  @Test func objectsOfOtherClassesTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try mixedOwner()
      try realm.write { owner.value = .object(MixedStranger()) }
    }
    #expect(trapSaid("'MixedStranger' is not managed by the Realm", result))
  }

  /// Sets and embedded objects have no place in mixed values.
  @Test func valuesOfOtherKindsAreRefused() throws {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [MixedOwner.self, MixedDog.self, CreatingPart.self]))
    let set = MutableSet<Int>()
    let refused: [Any] = [
      CreatingPart(), [CreatingPart()], set, Set([1]), URL(fileURLWithPath: "/"), [1: 2], ["a.b": 1],
    ]
    try realm.write {
      for value in refused {
        let error = #expect(throws: Realm.Error.self, "\(type(of: value))") {
          try realm.create(MixedOwner.self, checking: ["id": 1, "value": value] as [String: Any])
        }
        #expect(error?.invalidInput?.path.hasPrefix("$.value") == true, "\(type(of: value))")
      }
    }
    #expect(realm.isEmpty)
  }

  @Test func writingOutsideOfATransactionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, owner) = try mixedOwner()
      owner.value = .int(1)
    }
    #expect(trapSaid("outside of a write transaction", result) && trapSaid("property 'value'", result))
  }

  @Test func collectionsHoldEveryKind() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner()
      try realm.write {
        owner.list.append(objectsIn: Self.scalars)
        for (index, value) in Self.scalars.enumerated() { owner.map.updateValue(value, forKey: "k\(index)") }
        owner.set.insert(objectsIn: Self.scalars)
      }
      #expect(Array(owner.list) == Self.scalars)
      for (index, value) in Self.scalars.enumerated() {
        #expect(owner.map["k\(index)"] == value)
        #expect(owner.list.index(of: value) == index)
        #expect(owner.set.contains(value), "\(value)")
      }
      #expect(owner.set.count == Self.scalars.count)
      try realm.write {
        owner.list[1] = .string("new")
        owner.list.insert(.none, at: 0)
        owner.list.move(from: 0, to: 2)
        owner.list.removeLast()
        owner.set.remove(.int(-5))
        owner.map["k0"] = nil
      }
      #expect(Array(owner.list.prefix(3)) == [.none, .string("new"), .none])
      #expect(owner.list.count == Self.scalars.count)
      #expect(!owner.set.contains(.int(-5)) && owner.map["k0"] == nil)
      // Numbers of equal value are one element.
      try realm.write {
        owner.set.removeAll()
        owner.set.insert(
          objectsIn: [.int(1), .double(1), .float(1), .decimal128(1), .bool(true), .string("1"), .none, .int(0)])
      }
      #expect(Array(owner.set) == [.none, .bool(true), .int(0), .int(1), .string("1")])
      #expect(owner.set.contains(.double(1)))
      let copy = MixedOwner(5)
      copy.list.append(objectsIn: [.int(1), .object(MixedDog(8))])
      copy.map["a"] = .object(MixedDog(9))
      copy.set.insert(.string("x"))
      try realm.write { realm.add(copy) }
      #expect(copy.list[1].object(MixedDog.self)?.id == 8)
      #expect(copy.map["a"]?.object(MixedDog.self)?.id == 9)
      #expect(Array(copy.set) == [.string("x")])
    }
  }

  @Test func queriesCompareNumbersByValue() throws {
    try onOwnThread {
      let (realm, first) = try mixedOwner(.int(1))
      let dog = MixedDog(1)
      let values: [AnyRealmValue] = [
        .double(1), .float(2), .string("a"), .string("b"), .none, .bool(true), .date(Date(timeIntervalSince1970: 5)),
        .object(dog), .data(Data([1])), .uuid(Self.id),
      ]
      try realm.write {
        for (index, value) in values.enumerated() { realm.add(MixedOwner(index + 2, value)) }
        first.link = realm.object(ofType: MixedOwner.self, forPrimaryKey: 4)
      }
      let all = realm.objects(MixedOwner.self)
      func ids(_ condition: (Query<MixedOwner>) -> Query<Bool>) -> [Int] { all.where(condition).map(\.id) }
      #expect(ids { $0.value == .int(1) } == [1, 2])
      #expect(ids { $0.value == .double(2) } == [3])
      #expect(ids { $0.value == .decimal128(1) } == [1, 2])
      #expect(ids { $0.value != .int(1) } == [3, 4, 5, 6, 7, 8, 9, 10, 11])
      #expect(ids { $0.value == .none } == [6])
      #expect(ids { $0.value > .int(0) } == [1, 2, 3])
      #expect(ids { $0.value >= .double(1.5) } == [3])
      #expect(ids { $0.value < .string("b") } == [4])
      #expect(ids { $0.value <= .date(Date(timeIntervalSince1970: 5)) } == [8])
      #expect(ids { $0.value <= .none } == [6])
      #expect(ids { $0.value < .none } == [])
      #expect(ids { $0.value == .object(dog) } == [9])
      #expect(ids { $0.value == .object(MixedDog(1)) } == [])
      #expect(ids { $0.value == .bool(true) } == [7])
      #expect(ids { $0.value == .uuid(Self.id) } == [11])
      #expect(ids { $0.value.in([.int(1), .string("b"), .none]) } == [1, 2, 5, 6])
      #expect(ids { $0.link.value == .string("a") } == [1])
      #expect(ids { $0.value == $0.other } == [])
      try realm.write { first.value = .double(7) }
      #expect(ids { $0.value == $0.other } == [1])
      // The order of kinds.
      let sorted = Array(all.sorted(byKeyPath: "value").map(\.id))
      #expect(sorted == [6, 7, 2, 3, 1, 4, 5, 10, 8, 11, 9])
      #expect(Array(all.sorted(byKeyPath: "value", ascending: false).map(\.id)) == sorted.reversed())
      #expect(all.sorted(by: \.value).map(\.id) == sorted)
    }
  }

  /// Sorting, sets, minimum and maximum go by one order of all kinds.
  @Test func kindsAreInOrder() throws {
    try onOwnThread {
      let realm = try mixedRealm()
      let dogs = [MixedDog(1), MixedDog(2)]
      let ordered: [AnyRealmValue] = [
        .none, .bool(false), .bool(true), .double(.nan), .double(-.infinity), .int(-1), .decimal128("-0.5"),
        .float(0.25),
        .decimal128("0.3"), .double(0.5), .int(1), .decimal128("1e30"), .double(1e300), .string(""), .string("B"),
        .string("a"), .string("ä"), .data(Data()), .data(Data([0])), .data(Data([0, 1])), .data(Data([255])),
        .date(Date(timeIntervalSince1970: -1)), .date(Date(timeIntervalSince1970: 1)),
        .objectId(ObjectId("000000000000000000000001")), .objectId(ObjectId("0100000000000000000000ff")),
        .uuid(UUID(uuidString: "00000000-0000-0000-0000-000000000001")!),
        .uuid(UUID(uuidString: "01000000-0000-0000-0000-000000000000")!), .object(dogs[0]), .object(dogs[1]),
      ]
      // A fixed shuffle.
      let places = ordered.indices.map { $0 * 17 % ordered.count }
      #expect(Set(places).count == ordered.count)
      try realm.write {
        realm.add(dogs)
        for place in places { realm.add(MixedOwner(place, ordered[place])) }
        let holder = MixedOwner(100, .fromDictionary([:]))
        holder.set.insert(objectsIn: places.map { ordered[$0] })
        realm.add(holder)
        realm.add(MixedOwner(99, .fromArray([.int(5)])))
        realm.add(MixedOwner(98, .object(holder)))
      }
      let all = realm.objects(MixedOwner.self)
      let expected = Array(ordered.indices) + [98, 99, 100]
      #expect(all.sorted(byKeyPath: "value").map(\.id) == expected, "objects by class, then lists, then dictionaries")
      #expect(all.sorted(byKeyPath: "value", ascending: false).map(\.id) == expected.reversed())
      let holder = try #require(realm.object(ofType: MixedOwner.self, forPrimaryKey: 100))
      #expect(
        holder.set.map { ordered.firstIndex(of: $0) ?? (($0.doubleValue?.isNaN ?? false) ? 3 : nil) }
          == Array(ordered.indices))
      let scalars = List<AnyRealmValue>()
      scalars.append(objectsIn: places.map { ordered[$0] })
      #expect(scalars.min() == .bool(false) && scalars.max() == .object(dogs[1]), "nulls and NaN are passed over")
      let numbers = List<AnyRealmValue>()
      numbers.append(objectsIn: [.none, .double(.nan)])
      #expect(numbers.min() == nil && numbers.max() == nil)
    }
  }

  @Test func descriptionsAndKeysGiveThePayload() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.int(5))
      try realm.write { owner.list.append(objectsIn: [.string("a"), .bool(true), .none]) }
      let text = owner.description
      #expect(text.contains("\tvalue = 5;\n") && text.contains("\tother = 7;\n"))
      #expect(text.contains("[0] a,") && text.contains("[1] 1,") && text.contains("[2] (null)"))
      #expect(owner["value"] as? Int == 5)
      #expect(owner.value(forKey: "value") as? Int == 5)
      try realm.write { owner.value = .none }
      #expect(owner["value"] == nil)
      #expect(owner.description.contains("\tvalue = (null);\n"))
      try realm.write { owner.value = .object(MixedDog(3, "Rex")) }
      #expect(owner.description.contains("\tvalue = MixedDog {\n\t\tid = 3;\n\t\tname = Rex;\n\t};\n"))
      #expect((owner["value"] as? MixedDog)?.id == 3)
    }
  }

  @Test func observersGetPayloads() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.int(1))
      var changes: [PropertyChange] = []
      let token = owner.observe { (change: ObjectChange<MixedOwner>) in
        if case .change(_, let properties) = change { changes += properties }
      }
      var lists: [([Int], [Int], [Int])] = []
      let listToken = owner.list.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          lists.append((deletions, insertions, modifications))
        }
      }
      var modified: [[Int]] = []
      let results = realm.objects(MixedOwner.self).where { $0.value > .int(0) }
      let resultsToken = results.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          modified.append(deletions + insertions + modifications)
        }
      }
      realm.refresh()
      let dog = MixedDog(1)
      try realm.write {
        owner.value = .double(1)
        owner.list.append(.object(dog))
      }
      realm.refresh()
      #expect(changes.map(\.name) == ["value", "list"])
      #expect(changes.first?.oldValue as? Int == 1 && changes.first?.newValue as? Double == 1)
      #expect(lists.count == 1 && lists[0].1 == [0])
      #expect(modified == [[0]])
      try realm.write { realm.delete(dog) }
      realm.refresh()
      #expect(lists.count == 2 && lists[1].2 == [0])
      try realm.write { owner.value = .string("x") }
      realm.refresh()
      #expect(results.isEmpty)
      #expect(changes.last?.oldValue as? Double == 1 && changes.last?.newValue as? String == "x")
      withExtendedLifetime((token, listToken, resultsToken)) {}
    }
  }

  @Test func valuesAreReadOnOtherThreadsAndFrozen() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.object(MixedDog(1, "Rex")))
      try realm.write {
        owner.list.append(objectsIn: [.int(1), .object(MixedDog(2, "Bo"))])
        owner.other = .fromArray([.fromDictionary(["a": .int(1)])])
      }
      let frozen = owner.freeze()
      let handles = Unchecked((owner, frozen))
      try onOwnThread {
        for owner in [handles.value.0, handles.value.1] {
          #expect(owner.value.object(MixedDog.self)?.name == "Rex")
          #expect(owner.list[0] == .int(1))
          #expect(owner.list[1].object(MixedDog.self)?.name == "Bo")
          #expect(owner.other.listValue?[0].dictionaryValue?["a"] == .int(1))
        }
      }
      try realm.write {
        owner.value = .none
        owner.other.listValue?[0].dictionaryValue?["a"] = .int(2)
      }
      #expect(frozen.value.object(MixedDog.self)?.name == "Rex")
      #expect(frozen.other.listValue?[0].dictionaryValue?["a"] == .int(1))
      #expect(owner.other.listValue?[0].dictionaryValue?["a"] == .int(2))
    }
  }

  @Test func updatesWriteWhatDiffersInKindOrValue() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner(.int(1))
      var names: [String] = []
      let token = owner.observe { (change: ObjectChange<MixedOwner>) in
        if case .change(_, let properties) = change { names += properties.map(\.name) }
      }
      realm.refresh()
      try realm.write { realm.add(MixedOwner(1, .int(1)), update: .modified) }
      realm.refresh()
      #expect(names == [])
      try realm.write { realm.add(MixedOwner(1, .double(1)), update: .modified) }
      realm.refresh()
      #expect(names == ["value"] && owner.value == .double(1))
      let copy = MixedOwner(1, .object(MixedDog(4)))
      copy.list.append(.fromArray([.int(3)]))
      try realm.write { realm.add(copy, update: .all) }
      #expect(owner.value.object(MixedDog.self)?.id == 4)
      #expect(owner.list[0].listValue?[0] == .int(3))
      withExtendedLifetime(token) {}
    }
  }

  @Test func createTakesEveryForm() throws {
    try onOwnThread {
      let (realm, _) = try mixedOwner()
      let dog = MixedDog(1)
      let forms: [(Any, AnyRealmValue)] = [
        (1, .int(1)), (Int8(3), .int(3)), (true, .bool(true)), (Float(1.5), .float(1.5)), (2.5, .double(2.5)),
        ("a", .string("a")), (Data([1]), .data(Data([1]))),
        (Date(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
        (Self.id, .uuid(Self.id)), (NSNull(), .none), (AnyRealmValue.int(4), .int(4)), (Int?.none as Any, .none),
      ]
      try realm.write {
        realm.add(dog)
        for (index, (form, expected)) in forms.enumerated() {
          let owner = realm.create(
            MixedOwner.self, value: ["id": 10 + index, "value": form, "list": [form, form]] as [String: Any])
          #expect(owner.value == expected, "\(form)")
          #expect(Array(owner.list) == [expected, expected], "\(form)")
          #expect(MixedOwner(value: ["id": 1, "value": form] as [String: Any]).value == expected, "\(form)")
        }
        let owner = realm.create(
          MixedOwner.self,
          value: ["id": 50, "value": dog, "map": ["a": dog, "b": 1] as [String: Any]] as [String: Any])
        #expect(owner.value == .object(dog))
        #expect(owner.map["a"] == .object(dog) && owner.map["b"] == .int(1))
        // Objects that the realm does not have are copied.
        let unmanaged = MixedDog(77, "copied")
        let second = realm.create(
          MixedOwner.self, value: ["id": 51, "value": unmanaged, "set": [1, "x"] as [Any]] as [String: Any])
        #expect(unmanaged.realm == nil && second.value.object(MixedDog.self)?.name == "copied")
        #expect(Array(second.set) == [.int(1), .string("x")])
        // Arrays and dictionaries at any depth.
        let third = realm.create(
          MixedOwner.self,
          value: [
            "id": 52, "value": [1, ["a": [true, AnyRealmValue.string("x"), NSNull()] as [Any]], [Int]()] as [Any],
          ] as [String: Any])
        let list = try #require(third.value.listValue)
        #expect(list[0] == .int(1) && list.count == 3)
        #expect(list[1].dictionaryValue?["a"]?.listValue.map { Array($0) } == [.bool(true), .string("x"), .none])
        #expect(list[2].listValue?.count == 0)
        third["value"] = ["k": 5]
        #expect(third.value.dictionaryValue?["k"] == .int(5))
        third.setValue("text", forKey: "value")
        #expect(third.value == .string("text"))
        third["value"] = nil
        #expect(third.value == .none)
      }
      let unmanaged = MixedOwner(value: ["id": 1, "value": [["a": 1]]] as [String: Any])
      #expect(unmanaged.value.listValue?[0].dictionaryValue?["a"] == .int(1))
      unmanaged["value"] = MixedDog(6)
      #expect(unmanaged.value.object(MixedDog.self)?.id == 6)
    }
  }
}
