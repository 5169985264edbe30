import Firn
import Foundation
import Testing

@Suite struct PropertyTypesTests {
  @Test func everyTypeIsThere() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let (scalars, lists, sets, maps) = (Scalars(), Lists(), Sets(), Maps())
    lists.int8s.append(objectsIn: [1, 2])
    lists.optionalDates.append(nil)
    lists.embedded.append(Location())
    sets.strings.insert(objectsIn: ["a", "b", "a"])
    sets.mixed.insert(.bool(true))
    maps.floats["half"] = 0.5
    maps.optionalUuids["none"] = .some(nil)
    maps.objects["link"] = scalars
    try realm.write { realm.add([scalars, lists, sets, maps]) }
    #expect(scalars.integerMark == .one && scalars.textMark == .left && scalars.optionalTextMark == nil)
    #expect(scalars.mixed == .none && scalars.link == nil && scalars.stringValue.isEmpty && !scalars.boolValue)
    #expect(lists.int8s.sum() == 3 && lists.optionalDates.first == .some(nil) && lists.embedded.count == 1)
    #expect(Array(sets.strings) == ["a", "b"] && sets.mixed.contains(.bool(true)))
    #expect(maps.floats["half"] == 0.5 && maps.optionalUuids["none"] == .some(nil))
    #expect(maps.objects["link"]??.isSameObject(as: scalars) == true)
    let schema = try #require(realm.schema["Scalars"])
    #expect(schema["optionalInt16"]?.type == .int && schema["optionalInt16"]?.isOptional == true)
    #expect(realm.schema["Indexes"]?["mark"]?.isIndexed == true && realm.schema["Sets"]?["dates"]?.isSet == true)
  }

  @Test func initialValuesAreDefaults() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    let made = try realm.write { realm.create(Defaults.self) }
    #expect(made.name == "none" && made.flag && made.count == 5 && made.ratio == 0.5 && made.price == 9.99)
    #expect(made.made.timeIntervalSince1970 == 0 && made.bytes.count == 2 && made.mark == .right)
    #expect(made.mixed.stringValue == "m" && made.key.stringValue.hasPrefix("0123") && made._id != Defaults()._id)
    let value: [String: Any?] = ["_id": made._id, "count": nil]
    try realm.write { realm.create(Defaults.self, value: value, update: .all) }
    #expect(made.count == nil && made.name == "none")
  }
}
