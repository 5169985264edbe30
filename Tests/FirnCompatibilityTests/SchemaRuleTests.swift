import Firn
import Foundation
import Testing

final class CreatingMapped: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var title: String?
  @Persisted var owner: CreatingMapped?
  @Persisted var ranks: List<Double>

  override static func propertiesMapping() -> [String: String] { ["id": "_id", "title": "name", "owner": "title"] }
  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum CreatingPlain {
  /// The same columns under the names that the files have.
  final class CreatingMapped: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted(indexed: true) var name: String?
    @Persisted var title: CreatingPlain.CreatingMapped?
    @Persisted var ranks: List<Double>

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

final class CreatingWrongMapping: Object {
  @Persisted var one: Int
  @Persisted var two: Int

  override static func propertiesMapping() -> [String: String] { ["one": "two", "three": "drei"] }
  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class CreatingWrong: Object {
  @Persisted(primaryKey: true) var one: Int
  @Persisted(primaryKey: true) var flag: Bool
  @Persisted var strangers: List<CreatingLoose>

  override static func indexedProperties() -> [String] { ["strangers", "nothing"] }
  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class CreatingPropertyless: Object {
  var plain = 1

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class CreatingRenamed: Object {
  @Persisted var value: Int

  override static func _realmObjectName() -> String? { "CreatingOtherName" }
  override static func _realmIgnoreClass() -> Bool { true }
}

@Suite struct SchemaRuleTests {
  private func open(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  @Test func introspection() throws {
    let schema = try creatingRealm().schema
    #expect(schema.objectSchema.map(\.className) == schema.objectSchema.map(\.className).sorted())
    let keyed = try #require(schema["CreatingKeyed"])
    #expect(keyed.properties.map(\.name) == ["inherited", "id", "size", "note", "parent", "loose", "parts", "tags"])
    #expect(keyed.primaryKeyProperty?.name == "id" && keyed["id"]?.isIndexed == true)
    #expect(keyed["size"]?.isIndexed == false)
    #expect(ObjectIdentifier(keyed.objectClass) == ObjectIdentifier(CreatingKeyed.self))
    #expect(!keyed.isEmbedded && !keyed.isAsymmetric && keyed["nothing"] == nil && schema["Nothing"] == nil)
    let parent = try #require(keyed["parent"])
    #expect(parent.type == .object && parent.objectClassName == "CreatingKeyed" && parent.isOptional)
    let parts = try #require(keyed["parts"])
    #expect(parts.isArray && !parts.isSet && !parts.isMap && !parts.isOptional)
    #expect(parts.objectClassName == "CreatingKeyed")
    #expect(schema["CreatingLoose"]?["numbers"]?.isOptional == true, "of the elements")
    let types = schema["CreatingScalars"]?.properties.map(\.type) ?? []
    #expect(types.prefix(11) == [.bool, .int, .int, .int, .float, .double, .string, .data, .date, .UUID, .int])
    #expect(CreatingKeyed().objectSchema == keyed && keyed != schema["CreatingLoose"])
    #expect(schema == (try creatingRealm().schema))
  }

  @Test func rawValuesOfTypes() {
    let types: [PropertyType] = [
      .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any, .objectId, .decimal128,
      .UUID,
    ]
    #expect(types.map(\.rawValue) == Array(0...12))
  }

  @Test func descriptions() throws {
    let schema = try open([CreatingMapped.self]).schema
    let start = "Schema {\n\tCreatingMapped {\n\t\tid {\n\t\t\ttype = int;\n\t\t\tcolumnName = _id;\n"
    #expect(schema.description.hasPrefix(start))
    #expect(schema.description.hasSuffix("\t\t}\n\t}\n}"))
    #expect(
      schema["CreatingMapped"]?["owner"]?.description == """
        owner {
        \ttype = object;
        \tobjectClassName = CreatingMapped;
        \tlinkOriginPropertyName = (null);
        \tcolumnName = title;
        \tindexed = NO;
        \tisPrimary = NO;
        \tarray = NO;
        \tset = NO;
        \tdictionary = NO;
        \toptional = YES;
        }
        """)
  }

  @Test func renamedClasses() throws {
    let realm = try open([CreatingRenamed.self])
    try realm.write { realm.create(CreatingRenamed.self, value: [4]) }
    #expect(realm.schema["CreatingOtherName"] != nil && CreatingRenamed.className() == "CreatingOtherName")
    #expect(realm.dynamicObjects("CreatingOtherName").first?["value"] as? Int == 4)
  }

  @Test func storedNames() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("names.realm"), objectTypes: [CreatingMapped.self])
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      realm.create(
        CreatingMapped.self,
        value: ["id": 1, "title": "a", "owner": ["id": 2, "title": "b"], "ranks": [1]] as [String: Any])
      #expect(realm.objects(CreatingMapped.self).where { $0.owner.title == "b" }.count == 1)
      #expect(realm.objects(CreatingMapped.self).sorted(byKeyPath: "owner.title").count == 2)
      #expect(realm.objects(CreatingMapped.self).sorted(by: \.title).first?.id == 1)
      let mapped = try #require(realm.object(ofType: CreatingMapped.self, forPrimaryKey: 1))
      #expect(mapped["title"] as? String == "a" && mapped.description.contains("\ttitle = a;"))
      #expect(realm.dynamicObjects("CreatingMapped").first?.title as? String == "a")
      #expect(mapped.objectSchema["title"]?.columnName == "name" && mapped.objectSchema["ranks"]?.columnName == "ranks")
    }
    try await store.close()
    configuration.objectTypes = [CreatingPlain.CreatingMapped.self]
    let plain = try await RealmStore.open(configuration)
    let row = plain.freeze().object(ofType: CreatingPlain.CreatingMapped.self, forPrimaryKey: 1)
    #expect(row?.name == "a" && row?.title?.name == "b" && row.map { Array($0.ranks) } == [1])
    try await plain.write { realm in
      realm.object(ofType: CreatingPlain.CreatingMapped.self, forPrimaryKey: 2)?.name = "c"
    }
    try await plain.close()
    configuration.objectTypes = [CreatingMapped.self]
    let again = try await RealmStore.open(configuration)
    #expect(again.freeze().object(ofType: CreatingMapped.self, forPrimaryKey: 1)?.owner?.title == "c")
    try await again.close()
  }

  @Test func everyProblemIsListed() throws {
    let error = #expect(throws: Realm.Error.self) {
      try open([CreatingWrong.self, CreatingWrongMapping.self, CreatingPropertyless.self])
    }
    let problems = error?.schemaProblems ?? []
    func has(_ name: String, _ property: String?, _ text: String) -> Bool {
      problems.contains { $0.className == name && $0.propertyName == property && $0.description.contains(text) }
    }
    #expect(has("CreatingWrong", "flag", "both marked as the primary key"))
    #expect(has("CreatingWrong", "flag", "of type bool cannot be the primary key"))
    #expect(has("CreatingWrong", "strangers", "cannot be indexed"))
    #expect(has("CreatingWrong", "nothing", "named by indexedProperties(), does not exist"))
    #expect(has("CreatingWrong", "strangers", "Invalid class subset list:"))
    #expect(has("CreatingWrongMapping", "two", "both stored as 'two'"))
    #expect(has("CreatingWrongMapping", "three", "named by propertiesMapping(), does not exist"))
    #expect(has("CreatingPropertyless", nil, "No properties are defined for 'CreatingPropertyless'"))
    #expect(has("CreatingPropertyless", nil, "@Persisted var plain"))
    #expect(problems.count == 8, "\(problems)")
    let message = error?.localizedDescription ?? ""
    #expect(message.hasPrefix("The schema has 8 problems:\n- "))
    #expect(problems.allSatisfy { message.contains($0.description) })
    #expect(error?.code == .fail)
  }

  @Test func classesOfOneName() {
    let error = #expect(throws: Realm.Error.self) {
      try open([CreatingMapped.self, CreatingPlain.CreatingMapped.self])
    }
    #expect(error?.localizedDescription.contains("Two model classes are named 'CreatingMapped'") == true)
  }

  @Test func theOrderOfClassesMeansNothing() throws {
    let types: [ObjectBase.Type] = [CreatingKeyed.self, CreatingLoose.self, CreatingNamed.self]
    #expect(try open(types).schema == open(types.reversed()).schema)
  }

  @Test func subclassesAndBasesAreEntriesOfTheirOwn() throws {
    let below = try open([CreatingKeyed.self, CreatingLoose.self])
    #expect(below.schema["CreatingBase"] == nil && below.schema["CreatingKeyed"]?["inherited"] != nil)
    let above = try open([CreatingBase.self])
    #expect(above.schema.objectSchema.map(\.className) == ["CreatingBase"])
    let both = try open([CreatingBase.self, CreatingKeyed.self, CreatingLoose.self])
    try both.write {
      both.create(CreatingBase.self, value: ["inherited": "a"])
      both.create(CreatingKeyed.self, value: ["id": 1, "inherited": "b"] as [String: Any])
    }
    #expect(both.objects(CreatingBase.self).map(\.inherited) == ["a"], "a table holds objects of exactly its class")
    #expect(both.objects(CreatingKeyed.self).map(\.inherited) == ["b"])
  }

  @Test func everyMissingClassIsNamed() throws {
    let error = #expect(throws: Realm.Error.self) { try open([CreatingKeyed.self, EmbPerson.self, CreatingHub.self]) }
    let problems = error?.schemaProblems ?? []
    for (property, target) in [
      ("CreatingKeyed.loose", "CreatingLoose"), ("EmbPerson.home", "EmbAddress"), ("EmbPerson.previous", "EmbAddress"),
    ] {
      #expect(
        problems.contains {
          $0.description.contains("Invalid class subset list:") && $0.description.contains("'\(property)'")
            && $0.description.contains("'\(target)'")
        }, "\(property)")
    }
    #expect(problems.contains { $0.description.contains("'CreatingHub.spokes'") }, "classes that link here, too")
    #expect(problems.count == 4, "\(problems)")
  }

  @Test func propertiesComeInTheOrderOfDeclaration() throws {
    let names = try onOwnThread {
      let realm = try creatingRealm()
      let object = try realm.write { realm.create(CreatingKeyed.self) }
      var names: [String] = []
      let token = object.observe { (change: ObjectChange<CreatingKeyed>) in
        if case .change(_, let changes) = change { names = changes.map(\.name) }
      }
      realm.refresh()
      try realm.write {
        object.tags.append("t")
        object.note = "n"
        object.size = 1
        object.inherited = "i"
      }
      realm.refresh()
      token.invalidate()
      return names
    }
    #expect(names == ["inherited", "size", "note", "tags"])
  }

  @Test func nestedClassesHaveTheirUnqualifiedName() throws {
    let realm = try open([CreatingPlain.CreatingMapped.self])
    #expect(realm.schema.objectSchema.map(\.className) == ["CreatingMapped"])
    #expect(CreatingPlain.CreatingMapped.className() == "CreatingMapped")
  }
}
