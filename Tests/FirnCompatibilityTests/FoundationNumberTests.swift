import Firn
import Foundation
import Testing

/// Numbers of Foundation, as `JSONSerialization` makes them, go by the type that they were made from.
@Suite struct FoundationNumberTests {
  private func value(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test func everyKindOfProperty() throws {
    let realm = try creatingRealm()
    let value = try value(
      #"""
      {"flag": true, "small": 1, "medium": 0, "large": 9223372036854775807, "single": 1, "double": 1, "text": "t",
       "kind": 1, "maybeFlag": false, "maybeInt": 1, "maybeFloat": 0, "maybeDouble": 1.0, "maybeText": null,
       "maybeKind": 2, "uuid": "4A8F2D10-0000-4000-8000-000000000001"}
      """#)
    let made = try realm.write { realm.create(CreatingScalars.self, value: value) }
    for object in [made, CreatingScalars(value: value)] {
      #expect(object.flag && object.small == 1 && object.medium == 0 && object.large == .max)
      #expect(object.single == 1 && object.double == 1 && object.text == "t" && object.kind == .plain)
      #expect(object.maybeFlag == false && object.maybeInt == 1 && object.maybeFloat == 0 && object.maybeDouble == 1)
      #expect(object.maybeText == nil && object.maybeKind == .fancy && object.uuid.uuidString.hasPrefix("4A8F2D10"))
    }
    try realm.write {
      made["double"] = NSNumber(value: 0)
      made["large"] = NSNumber(value: true)
      made["flag"] = NSNumber(value: Int8(0))
      made["single"] = NSDecimalNumber(string: "2.5")
      made["maybeDouble"] = NSNumber(value: UInt64.max)
    }
    #expect(made.double == 0 && made.large == 1 && !made.flag && made.single == 2.5)
    #expect(made.maybeDouble == Double(UInt64.max))
  }

  @Test func mixedValuesKeepTheKind() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingMixed.self, CreatingNamed.self]))
    let numbers: [(NSNumber, AnyRealmValue)] = [
      (NSNumber(value: 0), .int(0)), (NSNumber(value: 1), .int(1)), (NSNumber(value: 7), .int(7)),
      (NSNumber(value: true), .bool(true)), (NSNumber(value: false), .bool(false)), (NSNumber(value: 1.0), .double(1)),
      (NSNumber(value: Float(1)), .float(1)), (NSNumber(value: Int8(1)), .int(1)),
      (NSNumber(value: UInt64(3)), .int(3)),
      (NSDecimalNumber(string: "1.5"), .decimal128("1.5")),
    ]
    let made = try realm.write { realm.create(CreatingMixed.self) }
    for (number, expected) in numbers {
      try realm.write { made["value"] = number }
      #expect(made.value == expected, "\(number) of type \(String(cString: number.objCType))")
      #expect(CreatingMixed(value: ["value": number]).value == expected)
    }
    let json = try value(#"{"value": {"a": 1, "b": [true, 1.5, 0]}, "values": [1, false, 2.0, null], "price": 1}"#)
    for object in [try realm.write { realm.create(CreatingMixed.self, value: json) }, CreatingMixed(value: json)] {
      #expect(object.value.dictionaryValue?["a"] == .int(1))
      #expect(object.value.dictionaryValue?["b"]?.listValue.map { Array($0) } == [.bool(true), .double(1.5), .int(0)])
      #expect(Array(object.values) == [.int(1), .bool(false), .double(2), .none] && object.price == 1)
    }
    try realm.write {
      made.values.setValue(NSNumber(value: 1), forKey: "self")
      made["values"] = [NSNumber(value: 1), NSNumber(value: true)] as NSArray
    }
    #expect(Array(made.values) == [.int(1), .bool(true)])
  }

  @Test func collections() throws {
    let (realm, owner) = try Ordered.owner()
    let json = try value(
      #"""
      {"ints": [0, 1, 2], "optionalInts": [1, null], "doubles": [1, 0, 1.5], "flags": [true, 0, 1], "intSet": [1, 0, 1],
       "decimals": [1, 2.5], "intMap": {"a": 1, "b": 0}, "items": [{"id": 1, "score": 1, "any": 1}]}
      """#)
    try realm.write { for (key, value) in json { owner[key] = value } }
    for owner in [owner, OrderedOwner(value: json)] {
      #expect(Array(owner.ints) == [0, 1, 2] && Array(owner.optionalInts) == [1, nil])
      #expect(Array(owner.doubles) == [1, 0, 1.5] && Array(owner.flags) == [true, false, true])
      #expect(Set(owner.intSet) == [0, 1] && Array(owner.decimals) == [1, 2.5])
      #expect(owner.intMap["a"] == 1 && owner.intMap["b"] == 0)
      #expect(owner.items.first?.score == 1 && owner.items.first?.any == .int(1))
    }
    try realm.write { owner.intMap.setValue(NSNumber(value: 1), forKey: "c") }
    #expect(owner.intMap["c"] == 1)
    #expect(realm.object(ofType: OrderedItem.self, forPrimaryKey: NSNumber(value: 1))?.id == 1)
  }

  @Test func otherKindsAreRefused() throws {
    let realm = try creatingRealm()
    try realm.write {
      for (name, number) in [
        ("double", NSNumber(value: true)), ("single", NSNumber(value: false)), ("single", NSNumber(value: 1e300)),
        ("large", NSNumber(value: 1.0)), ("large", NSNumber(value: UInt64.max)), ("small", NSNumber(value: 300)),
        ("large", NSDecimalNumber(string: "1")), ("flag", NSNumber(value: 1.0)), ("flag", NSNumber(value: 2)),
        ("text", NSNumber(value: 1)), ("date", NSNumber(value: 1)), ("kind", NSNumber(value: 1.0)),
      ] {
        let error = #expect(throws: Realm.Error.self, "\(name): \(number)") {
          try realm.create(CreatingScalars.self, checking: [name: number])
        }
        #expect(error?.invalidInput?.path == "$.\(name)")
      }
    }
    #expect(realm.isEmpty)
  }
}
