import Firn
import Foundation
import Synchronization
import Testing

private let defaultCount = Atomic<Int>(0)

private func nextDefault() -> Int { defaultCount.add(1, ordering: .relaxed).newValue }

/// Every way to declare a property.
class PersistedForms: Object {
  @Persisted var plain: Int
  @Persisted var initial = "a"
  @Persisted(indexed: true) var indexed: Int?
  @Persisted(indexed: false) var notIndexed: String
  @Persisted(indexed: true) var initialIndexed = UUID(uuidString: "4A8F2D10-0000-4000-8000-000000000001") ?? UUID()
  @Persisted(wrappedValue: true, indexed: true) var spelled: Bool
  @Persisted(primaryKey: false) var noKey: Int
  @Persisted(wrappedValue: "k", primaryKey: true) var name: String
  @Persisted(originProperty: "next") var previous: LinkingObjects<PersistedForms>
  @Persisted var next: PersistedForms?
  @Persisted var counted = nextDefault()
  @Persisted var stamp: UUID
  @Persisted final var last: Bool

  var ordinary = 5
  static let shared = 3
  lazy var computedLater = plain + 1

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class PersistedInitialKey: Object {
  @Persisted(primaryKey: true) var id = ObjectId("507f1f77bcf86cd799439011")
  /// Redundant, and allowed.
  override class func indexedProperties() -> [String] { ["id"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Of each kind of key one class, whose key may be nil where types allow.
final class PersistedOptionalKey: Object {
  @Persisted(primaryKey: true) var id: String?
  @Persisted var number: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class PersistedNarrowKey: Object {
  @Persisted(primaryKey: true) var id: Int8?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class PersistedUUIDKey: Object {
  @Persisted(primaryKey: true) var id: UUID
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class PersistedEnumKey: Object {
  @Persisted(primaryKey: true) var id: CreatingKind
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class PersistedKeyAbove: Object {
  @Persisted(primaryKey: true) var above: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class PersistedKeyBelow: PersistedKeyAbove {
  @Persisted(primaryKey: true) var below: Int
}

/// The property wrapper. One test after the other, because they count defaults.
@Suite(.serialized) struct PersistedRuleTests {
  private func open(_ types: ObjectBase.Type...) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  @Test func everyFormOfDeclaration() throws {
    let realm = try open(PersistedForms.self)
    let schema = try #require(realm.schema["PersistedForms"])
    #expect(
      schema.properties.map(\.name) == [
        "plain", "initial", "indexed", "notIndexed", "initialIndexed", "spelled", "noKey", "name", "next", "counted",
        "stamp", "last",
      ], "in the order of declaration; properties without the wrapper are none of the realm's")
    #expect(schema.properties.filter(\.isIndexed).map(\.name) == ["indexed", "initialIndexed", "spelled", "name"])
    #expect(schema.primaryKeyProperty?.name == "name")
    for isManaged in [false, true] {
      let object = PersistedForms()
      if isManaged { try realm.write { realm.add(object) } }
      #expect(object.plain == 0 && object.initial == "a" && object.indexed == nil && object.notIndexed.isEmpty)
      #expect(object.initialIndexed.uuidString.hasPrefix("4A8F2D10") && object.spelled && object.noKey == 0)
      #expect(object.name == "k" && object.next == nil && object.previous.isEmpty && !object.last)
      #expect(object.ordinary == 5 && object.computedLater == 1)
    }
  }

  @Test func initialValuesBelongToTheInstance() throws {
    let realm = try open(PersistedForms.self)
    let (one, two) = (PersistedForms(), PersistedForms())
    #expect(one.counted != two.counted && one.counted == one.counted, "evaluated for each object, once")
    #expect(one.stamp == one.stamp && one.stamp != two.stamp, "the default of a type, too")
    let (counted, stamp) = (one.counted, one.stamp)
    try realm.write { realm.add(one) }
    #expect(one.counted == counted && one.stamp == stamp)
    let count = defaultCount.load(ordering: .relaxed)
    let again = try #require(realm.object(ofType: PersistedForms.self, forPrimaryKey: "k"))
    #expect(again.counted == counted && again.stamp == stamp && realm.freeze().objects(PersistedForms.self).count == 1)
    #expect(defaultCount.load(ordering: .relaxed) > count, "and dropped, because the class has ordinary properties")
    again.ordinary = 6
    #expect(one.ordinary == 5, "ordinary properties belong to the accessor")
    try realm.write { realm.create(PersistedForms.self, value: ["name": "l"]) }
    #expect(realm.object(ofType: PersistedForms.self, forPrimaryKey: "l")?.counted ?? 0 > count)
  }

  @Test func collectionsKeepTheirIdentity() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CreatingGroups.self, CreatingKeyed.self, CreatingLoose.self]))
    let groups = CreatingGroups(value: ["id": 1, "numbers": [1, 2], "ranks": ["a": 1]] as [String: Any])
    let keyed = CreatingKeyed(value: ["id": 1, "tags": ["a", "b"]] as [String: Any])
    let (numbers, ranks, tags) = (groups.numbers, groups.ranks, keyed.tags)
    func assign() {
      groups.numbers = groups.numbers
      groups.ranks = ranks
      keyed.tags = keyed.tags
      #expect(numbers.count == 2 && ranks.count == 1 && Array(tags) == ["a", "b"], "nothing happens")
      let (otherNumbers, otherRanks, otherTags) = (MutableSet<Int>(), Map<String, Double>(), List<String>())
      otherNumbers.insert(objectsIn: [7, 8, 9])
      otherRanks["z"] = 2
      otherTags.append("c")
      groups.numbers = otherNumbers
      groups.ranks = otherRanks
      keyed.tags = otherTags
      otherTags.append("d")
      #expect(groups.numbers === numbers && groups.ranks === ranks && keyed.tags === tags, "the content is copied")
      #expect(Set(numbers) == [7, 8, 9] && ranks.keys == ["z"] && Array(tags) == ["c"])
      #expect(otherTags.count == 2 && otherNumbers.realm == nil)
    }
    assign()
    try realm.write {
      realm.add(groups)
      realm.add(keyed)
      (groups["numbers"], groups["ranks"], keyed["tags"]) = ([1, 2], ["a": 1], ["a", "b"])
      assign()
    }
    #expect(Set(numbers) == [7, 8, 9] && numbers.realm == realm)
  }

  @Test func keysOfEveryType() throws {
    let realm = try open(
      PersistedInitialKey.self, PersistedOptionalKey.self, PersistedNarrowKey.self, PersistedUUIDKey.self,
      PersistedEnumKey.self)
    try realm.write {
      realm.create(PersistedInitialKey.self)
      realm.create(PersistedOptionalKey.self, value: ["id": NSNull(), "number": 1] as [String: Any])
      realm.create(PersistedOptionalKey.self, value: ["id": "", "number": 2] as [String: Any])
      realm.create(PersistedNarrowKey.self, value: [Int8(-5)])
      realm.create(PersistedNarrowKey.self)
      realm.create(PersistedUUIDKey.self)
      realm.create(PersistedUUIDKey.self)
      realm.create(PersistedEnumKey.self, value: [CreatingKind.fancy])
    }
    let id = ObjectId("507f1f77bcf86cd799439011")
    #expect(realm.object(ofType: PersistedInitialKey.self, forPrimaryKey: id)?.id == id)
    #expect(realm.schema["PersistedInitialKey"]?["id"]?.isIndexed == true)
    #expect(realm.object(ofType: PersistedOptionalKey.self, forPrimaryKey: String?.none)?.number == 1, "nil is a key")
    #expect(realm.object(ofType: PersistedOptionalKey.self, forPrimaryKey: NSNull())?.number == 1)
    #expect(realm.object(ofType: PersistedOptionalKey.self, forPrimaryKey: "")?.number == 2)
    #expect(realm.object(ofType: PersistedNarrowKey.self, forPrimaryKey: -5)?.id == -5, "an integer of any width")
    #expect(realm.object(ofType: PersistedNarrowKey.self, forPrimaryKey: Int?.none).map { $0.id == nil } == true)
    #expect(realm.objects(PersistedNarrowKey.self).count == 2 && realm.objects(PersistedUUIDKey.self).count == 2)
    let uuid = try #require(realm.objects(PersistedUUIDKey.self).last?.id)
    #expect(realm.object(ofType: PersistedUUIDKey.self, forPrimaryKey: uuid)?.id == uuid)
    #expect(realm.object(ofType: PersistedUUIDKey.self, forPrimaryKey: UUID()) == nil)
    #expect(realm.object(ofType: PersistedEnumKey.self, forPrimaryKey: CreatingKind.fancy) != nil)
    #expect(realm.object(ofType: PersistedEnumKey.self, forPrimaryKey: 2)?.id == .fancy, "or the raw value")
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(PersistedOptionalKey.self, checking: ["id": NSNull()])
      }
      #expect(error?.localizedDescription.contains("existing primary key value") == true, "nil is unique, too")
      realm.create(PersistedOptionalKey.self, value: ["id": NSNull(), "number": 3] as [String: Any], update: .modified)
    }
    #expect(realm.objects(PersistedOptionalKey.self).map(\.number) == [3, 2])
  }

  @Test func oneKeyInAHierarchy() {
    let error = #expect(throws: Realm.Error.self) { try open(PersistedKeyBelow.self) }
    #expect(error?.localizedDescription.contains("both marked as the primary key") == true)
    #expect(error?.localizedDescription.contains("'above' and 'below' of 'PersistedKeyBelow'") == true)
  }
}
