import Firn
import Foundation
import Testing

private class Animal: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

private final class Dog: Animal {
  @Persisted(indexed: true) var breed: String?
  @Persisted var owner: Owner?
  var ignored = 3
}

private final class Owner: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var ages: List<Int?>
  @Persisted var skipped: Int
  @Persisted var counted: Int

  override class func ignoredProperties() -> [String] { ["skipped"] }
  override class func indexedProperties() -> [String] { ["counted"] }
}

private final class LateKey: Object {
  @Persisted var code: String

  override class func primaryKey() -> String? { "code" }
  override class func _realmObjectName() -> String? { "Renamed" }
}

private final class TwoKeys: Object {
  @Persisted(primaryKey: true) var one: Int
  @Persisted(primaryKey: true) var two: Int
}

private final class Empty: Object {
  var text = ""
}

private final class BoolKey: Object {
  @Persisted(primaryKey: true) var flag: Bool
}

private final class NoSuchKey: Object {
  @Persisted var code: String

  override class func primaryKey() -> String? { "cod" }
}

private final class WrongKey: Object {
  @Persisted var code: Double

  override class func primaryKey() -> String? { "code" }
}

private final class WrongIndex: Object {
  @Persisted var code: Double

  override class func indexedProperties() -> [String] { ["code"] }
}

private class Above: Object {
  @Persisted private var twice: Int
}

private final class Below: Above {
  @Persisted var twice: Int
}

private enum Elsewhere {
  final class Owner: Object {
    @Persisted var name: String
  }
}

struct SchemaTests {
  private func open(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  private func message(_ types: [ObjectBase.Type]) -> String {
    let error = #expect(throws: Realm.Error.self) { try open(types) }
    return error?.localizedDescription ?? ""
  }

  @Test func introspection() throws {
    let realm = try open([Owner.self, Dog.self])
    #expect(realm.schema.objectSchema.map(\.className) == ["Dog", "Owner"])
    let dog = try #require(realm.schema["Dog"])
    #expect(ObjectIdentifier(dog.objectClass) == ObjectIdentifier(Dog.self))
    #expect(dog.properties.map(\.name) == ["id", "name", "breed", "owner"])
    #expect(dog.primaryKeyProperty?.name == "id")
    #expect(dog["id"]?.isIndexed == true)
    #expect(dog["breed"]?.isIndexed == true)
    #expect(dog["breed"]?.isOptional == true)
    #expect(dog["name"]?.isIndexed == false)
    #expect(dog["owner"]?.type == .object)
    #expect(dog["owner"]?.objectClassName == "Owner")
    #expect(dog["owner"]?.isOptional == true)
    #expect(dog["ignored"] == nil)
    let owner = try #require(realm.schema["Owner"])
    #expect(owner.properties.map(\.name) == ["dogs", "ages", "counted"])
    #expect(owner["dogs"]?.isArray == true)
    #expect(owner["dogs"]?.isOptional == false)
    #expect(owner["ages"]?.isOptional == true)
    #expect(owner["counted"]?.isIndexed == true)
    #expect(owner.primaryKeyProperty == nil)
    #expect(Dog().objectSchema == dog)
    #expect(Dog().objectSchema != owner)
    #expect(realm.schema == realm.schema)
    #expect(realm.schema["Cat"] == nil)
  }

  @Test func descriptions() throws {
    let schema = try open([LateKey.self]).schema
    #expect(
      schema.description == """
        Schema {
        \tRenamed {
        \t\tcode {
        \t\t\ttype = string;
        \t\t\tcolumnName = code;
        \t\t\tindexed = YES;
        \t\t\tisPrimary = YES;
        \t\t\tarray = NO;
        \t\t\tset = NO;
        \t\t\tdictionary = NO;
        \t\t\toptional = NO;
        \t\t}
        \t}
        }
        """)
  }

  @Test func overriddenPrimaryKeys() throws {
    let realm = try open([LateKey.self])
    try realm.write { realm.add(LateKey(value: ["a"])) }
    #expect(realm.object(ofType: LateKey.self, forPrimaryKey: "a") != nil)
  }

  @Test func subclassesAreTablesOfTheirOwn() throws {
    let realm = try open([Animal.self, Dog.self, Owner.self])
    try realm.write {
      realm.add(Dog(value: ["id": 1]))
      realm.add(Animal(value: ["id": 1]))
    }
    #expect(realm.objects(Animal.self).count == 1)
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test func twoClassesOfOneName() {
    let message = message([Owner.self, Dog.self, Elsewhere.Owner.self])
    #expect(message.contains("'Owner'") && message.contains("Rename"))
  }

  @Test func linksOutOfTheList() {
    let message = message([Dog.self])
    #expect(message.contains("'Dog.owner'") && message.contains("'Owner'") && message.contains("objectTypes"))
  }

  @Test func twoPrimaryKeys() {
    let message = message([TwoKeys.self])
    #expect(message.contains("'one' and 'two'") && message.contains("both marked as the primary key"))
  }

  @Test func propertiesDeclaredTwice() {
    let message = message([Below.self])
    #expect(message.contains("'Below.twice'") && message.contains("declared multiple times"))
  }

  @Test func noProperties() {
    let message = message([Empty.self])
    #expect(message.contains("No properties are defined for 'Empty'") && message.contains("@Persisted"))
  }

  @Test func keysOfTypesThatCannotBeKeys() {
    #expect(message([BoolKey.self]).contains("'BoolKey.flag'"))
    #expect(message([WrongKey.self]).contains("'WrongKey.code'"))
  }

  @Test func namesThatAreNotProperties() {
    let message = message([NoSuchKey.self])
    #expect(message.contains("'cod'") && message.contains("'NoSuchKey'"))
  }

  @Test func indexesOfTypesThatCannotBeIndexed() {
    #expect(message([WrongIndex.self]).contains("'WrongIndex.code'"))
  }
}
