import Firn
import Foundation
import Testing

final class CreatingMixed: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var value: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var price: Decimal128
  @Persisted var other: ObjectId?
}

/// Mixed values, decimals and object ids in values, by name, and assigned again.
@Suite struct CreatingMixedTests {
  private static let id = "507f1f77bcf86cd799439011"

  private func realm(_ change: (inout Realm.Configuration) -> Void = { _ in }) throws -> Realm {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingMixed.self, CreatingNamed.self])
    change(&configuration)
    return try Realm(configuration: configuration)
  }

  @Test func fromJSON() throws {
    let realm = try realm()
    try realm.write {
      let made = try realm.create(
        CreatingMixed.self,
        json:
          #"{"id": "507f1f77bcf86cd799439011", "value": {"a": [1, "x", null]}, "values": [1, true, 2.5], "price": 0.1}"#
      )
      #expect(made.id.stringValue == Self.id && made.other == nil)
      #expect(
        made.value.dictionaryValue?["a"]?.listValue.map { Array($0) } == [.int(1), .string("x"), AnyRealmValue.none])
      #expect(Array(made.values) == [.int(1), .bool(true), .double(2.5)])
      #expect(made.price == (try Decimal128(string: "0.1")))
      let error = #expect(throws: Realm.Error.self) { try realm.create(CreatingMixed.self, json: #"{"id": "5"}"#) }
      #expect(error?.invalidInput?.path == "$.id")
      var deep: Any = 1
      for _ in 0..<90 { deep = [deep] }
      let tooDeep = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingMixed.self, checking: ["value": deep])
      }
      #expect(tooDeep?.invalidInput?.path == "$.value")
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(CreatingMixed.self, checking: ["value": AnyRealmValue.list(list)])
      }
      list.removeAll()
      #expect(realm.objects(CreatingMixed.self).count == 1)
    }
  }

  @Test func objectsInMixedValues() throws {
    let realm = try realm()
    let named = CreatingNamed(value: ["n"])
    try realm.write {
      let made = realm.create(
        CreatingMixed.self, value: ["value": named, "values": [named, ["k": named]] as [Any]] as [String: Any])
      #expect(named.realm == nil, "unmanaged objects are copied, each once")
      #expect(realm.objects(CreatingNamed.self).count == 1)
      #expect(made.value.object(CreatingNamed.self)?.name == "n")
      #expect(made["value"] is CreatingNamed)
      let row = try #require(realm.dynamicObjects("CreatingMixed").first)
      #expect((row["value"] as? DynamicObject)?.name as? String == "n")
      #expect((row["values"] as? List<AnyRealmValue>)?.count == 2)
      #expect(row["id"] as? ObjectId == made.id && row["price"] as? Decimal128 == 0 && row["other"] == nil)
      row["value"] = 5
      #expect(made.value == .int(5) && row["value"] as? Int == 5)
      row["value"] = nil
      #expect(made.value == AnyRealmValue.none && row["value"] == nil)
    }
  }

  /// With `.modified` a collection in a mixed value stays as it is when what is given has the same content.
  @Test func equalCollectionsAreNoChange() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [MixedOwner.self, MixedDog.self]))
      let dog = MixedDog(1)
      func value(_ number: Any = 1) -> [String: Any] {
        let nested: [Any] = [number, ["a": [dog, NSNull(), Double.nan] as [Any]], [Int]()]
        return [
          "id": 1, "value": nested, "list": [5, nested] as [Any], "map": ["k": nested, "l": 2] as [String: Any],
        ]
      }
      let owner = try realm.write {
        realm.add(dog)
        return realm.create(MixedOwner.self, value: value())
      }
      let nested = [owner.value.listValue, owner.list[1].listValue, owner.map["k"]?.listValue]
      var names: [String] = []
      var lists: [[Int]] = []
      let tokens = [
        owner.observe { (change: ObjectChange<MixedOwner>) in
          if case .change(_, let properties) = change { names += properties.map(\.name) }
        },
        owner.list.observe { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            lists.append(deletions + insertions + modifications)
          }
        },
      ]
      realm.refresh()
      let before = realm.freeze()
      try realm.write {
        realm.create(MixedOwner.self, value: value(), update: .modified)
        realm.add(MixedOwner(value: value()), update: .modified)
        realm.create(MixedOwner.self, value: ["id": 1, "value": owner.value] as [String: Any], update: .modified)
      }
      realm.refresh()
      #expect(
        names.filter { $0 != "other" && $0 != "set" } == [] && lists.isEmpty
          && !nested.contains { $0?.isInvalidated != false })
      try realm.write { realm.create(MixedOwner.self, value: value(1.0), update: .modified) }
      realm.refresh()
      #expect(names == ["value", "list", "map"] && lists == [[1]], "the kind counts")
      #expect(nested.allSatisfy { $0?.isInvalidated == true } && owner.list[1].listValue?[0] == .double(1))
      names = []
      try realm.write { realm.create(MixedOwner.self, value: value(1.0), update: .all) }
      realm.refresh()
      #expect(names == ["value", "list", "map"], "with .all everything given is written")
      for token in tokens { token.invalidate() }
      withExtendedLifetime(before) {}
    }
  }

  @Test func equalWrites() throws {
    let realm = try realm { $0.skipsEqualWrites = true }
    let made = try realm.write {
      realm.create(
        CreatingMixed.self,
        value: ["value": 5, "values": ["a", NSNull()] as [Any], "price": 3, "other": try ObjectId(string: Self.id)]
          as [String: Any])
    }
    let before = realm.freeze()
    try realm.write {
      made.value = .int(5)
      made.values[0] = .string("a")
      made.values[1] = AnyRealmValue.none
      made.price = 3
      made.other = try ObjectId(string: Self.id)
    }
    #expect(realm.freeze() == before)
    try realm.write { made.value = .double(5) }
    #expect(realm.freeze() != before && made.value == .double(5))
  }

  /// Lists and dictionaries in mixed values, at every place that one can be assigned to.
  @Test(arguments: [false, true]) func equalCollections(skips: Bool) throws {
    let realm = try realm { $0.skipsEqualWrites = skips }
    let named = CreatingNamed()
    func content(_ last: AnyRealmValue = .double(.nan)) -> AnyRealmValue {
      .fromDictionary(["list": .fromArray([.int(1), .object(named), .none]), "text": .string("t"), "last": last])
    }
    let made = CreatingMixed()
    try realm.write {
      realm.add([named])
      realm.add(made)
      made.value = content()
      made.values.append(objectsIn: [content(), .int(1)])
      made.value.dictionaryValue?["inner"] = .fromArray([content()])
      made.values[0].dictionaryValue?["list"]?.listValue?.append(content())
    }
    /// Without addresses.
    func plain(_ value: Any?) -> String { "\(value as Any)".replacing(/<0x[0-9a-f]+>/, with: "") }
    let text = plain(made)
    let before = realm.freeze()
    let stored = try #require(made.value.dictionaryValue)
    func outer() -> AnyRealmValue {
      let value = content()
      if case .dictionary(let map) = value { map["inner"] = .fromArray([content()]) }
      return value
    }
    try realm.write {
      made.value = outer()
      made.value = made.value
      made["value"] = outer()
      made.value.dictionaryValue?["inner"] = .fromArray([content()])
      made.value.dictionaryValue?["inner"]?.listValue?[0] = content()
      made.values[0] = made.values[0]
      made.values[0].dictionaryValue?["list"]?.listValue?[3] = content()
    }
    #expect((realm.freeze() == before) == skips && stored.isInvalidated == !skips)
    #expect(plain(made) == text)
    let others: [AnyRealmValue] = [.int(1), .double(0), .none, .object(CreatingNamed()), .fromArray([])]
    for other in others {
      let before = realm.freeze()
      try realm.write { made.values[0] = content(other) }
      #expect(realm.freeze() != before, "\(other)")
      #expect(plain(made.values[0].dictionaryValue?["last"]) == plain(other))
    }
  }
}
