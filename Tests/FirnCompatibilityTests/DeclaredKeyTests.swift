import Firn
import Testing

private final class NamedKennel: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted(indexed: true) var city: String
  @Persisted(index: .ordered) var size: Int
  @Persisted(indexed: true) var note: AnyRealmValue
  @Persisted var left: Int
  @Persisted var plain: String

  override class func ignoredProperties() -> [String] { ["left"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class NamedBase: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var above: Int
  @Persisted var mixed: AnyRealmValue

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class NamedBelow: NamedBase {
  @Persisted(indexed: true) var below: Int

  override class func indexedProperties() -> [String] { super.indexedProperties() + ["mixed"] }
}

/// Classes name the keys and indexes that are declared with their properties.
@Suite struct DeclaredKeyTests {
  @Test func keysAndIndexesOfDeclarations() throws {
    #expect(NamedKennel.primaryKey() == "code")
    #expect(NamedKennel.indexedProperties() == ["city", "size", "note"])
    #expect(NamedBelow.primaryKey() == "id" && NamedBelow.indexedProperties() == ["above", "below", "mixed"])
    #expect(OrderedPlace.primaryKey() == nil && OrderedPlace.indexedProperties().isEmpty)
    #expect(Object.primaryKey() == nil)
    let realm = try Realm(configuration: relationsConfiguration([NamedKennel.self, NamedBelow.self]))
    let below = try #require(realm.schema["NamedBelow"])
    #expect(below.primaryKeyProperty?.name == NamedBelow.primaryKey())
    #expect(below.properties.filter(\.isIndexed).map(\.name) == ["id", "above", "mixed", "below"])
    #expect(realm.schema["NamedKennel"]?["note"]?.isIndexed == true)
  }

  @Test func indexesOfMixedValues() throws {
    let realm = try Realm(configuration: relationsConfiguration([NamedKennel.self, NamedBelow.self]))
    try realm.write {
      for number in 0..<400 {
        realm.create(NamedKennel.self, value: ["code": "\(number)", "note": "n\(number % 100)"] as [String: Any])
        realm.create(NamedBelow.self, value: ["id": number, "mixed": "m\(number % 100)"] as [String: Any])
      }
    }
    let kennels = realm.objects(NamedKennel.self).where { $0.note == .string("n3") }
    #expect(kennels.count == 4 && kennels.explain().contains("index note"))
    let below = realm.objects(NamedBelow.self).where { $0.mixed == .string("m2") }
    #expect(below.count == 4 && below.explain().contains("index mixed"))
  }
}
