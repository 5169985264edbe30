import Firn
import Foundation
import Testing

final class CreatingObserved: Object {
  @Persisted var watched: Int {
    willSet { calls.append("will \(newValue)") }
    didSet { calls.append("did \(oldValue)") }
  }
  /// Not persisted: state of the instance alone.
  var calls: [String] = []
}

final class CreatingVerbs: Object {
  @Persisted var newName = "a"
  @Persisted var allocated: Int
  @Persisted var copyCount: Int
  @Persisted var initial: Bool
  @Persisted private var hidden: Int
  @Persisted fileprivate var shared: String?

  func set(_ value: Int) { hidden = value }
  var hiddenValue: Int { hidden }
}

class CreatingGeneric<Value: _Persistable>: Object {
  @Persisted var value: Value
}

final class CreatingOfInt: CreatingGeneric<Int> {
  @Persisted(primaryKey: true) var id: String
}

final class CreatingEarly: Object {
  @Persisted var number = 3
  var doubled = 0

  required init() {
    super.init()
    doubled = number * 2
  }
}

/// Members and rules of objects.
@Suite struct ObjectRuleTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [
          CreatingKeyed.self, CreatingLoose.self, CreatingScalars.self, CreatingObserved.self, CreatingVerbs.self,
          CreatingOfInt.self, CreatingEarly.self,
        ]))
  }

  @Test func unmanagedObjects() {
    let keyed = CreatingKeyed()
    #expect(keyed.realm == nil && !keyed.isInvalidated && !keyed.isFrozen)
    #expect(keyed.objectSchema.className == "CreatingKeyed")
    keyed.id = 4
    keyed.id = 5
    keyed.parent = keyed
    keyed.tags.append("t")
    #expect(keyed.id == 5 && keyed.parent === keyed && keyed.tags.count == 1, "no transaction, and the key is free")
    keyed.parent = nil
  }

  @Test func observersOfProperties() throws {
    let realm = try realm()
    let object = CreatingObserved()
    object.watched = 1
    try realm.write {
      realm.add(object)
      object.watched = 2
    }
    let other = try #require(realm.objects(CreatingObserved.self).first)
    try realm.write { other.watched = 3 }
    #expect(object.calls == ["will 1", "did 0", "will 2", "did 1"] && object.watched == 3)
    #expect(other.calls == ["will 3", "did 2"], "plain properties belong to the instance")
  }

  @Test func namesAndKindsOfProperties() throws {
    let realm = try realm()
    let object = CreatingVerbs(value: ["b", 1, 2, true, 3, "s"] as [Any])
    object.set(4)
    let early = CreatingEarly(value: ["number": 5])
    #expect(early.doubled == 6, "persisted properties are readable in init")
    try realm.write {
      realm.add(object)
      realm.create(CreatingOfInt.self, value: [9, "k"] as [Any])
    }
    let read = try #require(realm.objects(CreatingVerbs.self).first)
    #expect(read.newName == "b" && read.allocated == 1 && read.copyCount == 2 && read.initial)
    #expect(read.hiddenValue == 4 && read.shared == "s", "private ones are persisted too")
    #expect(realm.object(ofType: CreatingOfInt.self, forPrimaryKey: "k")?.value == 9, "those of a generic class too")
  }

  @Test func valuesByName() throws {
    let realm = try realm()
    let object = CreatingScalars(value: ["kind": 2, "small": 3] as [String: Any])
    for isManaged in [false, true] {
      if isManaged { try realm.write { realm.add(object) } }
      #expect(object["kind"] as? Int == 2 && object.value(forKey: "small") as? Int8 == 3)
      #expect(object["maybeKind"] == nil && object["maybeText"] == nil)
    }
    try realm.write {
      object["maybeKind"] = 77
      object["maybeText"] = "x"
      object.setValue(1.5, forKey: "double")
    }
    #expect(object.maybeKind == nil && object["maybeKind"] == nil, "an unknown raw value is nil")
    #expect(object.maybeText == "x" && object.double == 1.5)
    let keyed = CreatingKeyed()
    keyed["tags"] = ["a"]
    keyed["loose"] = ["l"]
    #expect(Array(keyed.tags) == ["a"] && keyed.loose?.name == "l" && keyed["tags"] as? List<String> === keyed.tags)
    try realm.write {
      realm.add(keyed)
      #expect(keyed["tags"] as? List<String> === keyed.tags, "one instance for each accessor")
      keyed["tags"] = nil
      keyed["loose"] = nil
      #expect(keyed.tags.isEmpty && keyed.loose == nil)
      keyed["parts"] = [["id": 5], keyed] as [Any]
      #expect(keyed.parts.map(\.id) == [5, 0])
      let added = CreatingLoose(value: ["new"])
      keyed["loose"] = added
      let loose = keyed["loose"] as? CreatingLoose
      #expect(added.realm == realm && added.isSameObject(as: loose), "an unmanaged object is added")
    }
  }

  @Test func equalityAndHashes() throws {
    let realm = try realm()
    let keyed = CreatingKeyed(value: ["id": 4])
    let twin = CreatingKeyed(value: ["id": 4])
    #expect(keyed != twin && keyed.hashValue == twin.hashValue, "unmanaged: identity; the hash is that of the key")
    let loose = CreatingLoose()
    #expect(loose == loose && loose != CreatingLoose())
    try realm.write {
      realm.add(keyed)
      realm.add(loose)
    }
    let again = try #require(realm.objects(CreatingKeyed.self).first)
    #expect(again == keyed && again.hashValue == keyed.hashValue && Set([again, keyed]).count == 1)
    let other = try #require(realm.objects(CreatingLoose.self).first)
    #expect(other != loose && other.isSameObject(as: loose), "without key: identity")
    #expect(again.isEqual(keyed) && !other.isEqual(loose) && !loose.isEqual(nil) && !loose.isEqual("loose"))
    #expect(!loose.isSameObject(as: nil) && !loose.isSameObject(as: keyed) && keyed != twin)
    let (first, second) = (loose.freeze(), other.freeze())
    #expect(first == second && first.hashValue == second.hashValue && first != loose, "frozen, of one version")
    try realm.write { other.name = "changed" }
    #expect(first != other.freeze(), "of another version")
    try realm.write { realm.delete(again) }
    #expect(again == again && again != keyed, "deleted: identity")
    #expect(!CreatingKeyed().isSameObject(as: CreatingKeyed()))
  }

  @Test func descriptions() throws {
    let realm = try realm()
    let keyed = CreatingKeyed(
      value: ["id": 1, "inherited": "two words", "loose": ["l"], "tags": ["a", "b"]] as [String: Any])
    let expected = #"""
      CreatingKeyed {
      	inherited = two words;
      	id = 1;
      	size = 7;
      	note = (null);
      	parent = (null);
      	loose = CreatingLoose {
      		name = l;
      		twin = (null);
      		numbers = List<[^>]+>+ <0x[0-9a-f]+> \(

      		\);
      	};
      	parts = List<CreatingKeyed> <0x[0-9a-f]+> \(

      	\);
      	tags = List<[a-zA-Z]+> <0x[0-9a-f]+> \(
      		\[0\] a,
      		\[1\] b
      	\);
      }
      """#
    let escaped = expected.replacing("{", with: "\\{").replacing("}", with: "\\}")
    // Empty lines are indented, too.
    let pattern = try Regex(
      escaped.replacing("(null)", with: "\\(null\\)").replacing("\n\n", with: "\n\\t*\n"))
    #expect(keyed.description.wholeMatch(of: pattern) != nil, "\(keyed.description)")
    try realm.write { realm.add(keyed) }
    #expect(keyed.description.wholeMatch(of: pattern) != nil, "\(keyed.description)")
    let chain = CreatingLoose(value: ["1"])
    chain.twin = chain
    chain.numbers.append(objectsIn: Array(repeating: nil, count: 101))
    #expect(chain.description.components(separatedBy: "<Maximum depth exceeded>").count == 2)
    #expect(chain.description.contains("\t[99] (null)\n\t\t... 1 objects skipped.\n"))
    #expect(!chain.description.contains("[100]"))
    chain.twin = nil
    let scalars = CreatingScalars(value: ["flag": true, "data": Data(repeating: 0xab, count: 30)] as [String: Any])
    #expect(scalars.description.contains("\tflag = 1;\n"))
    #expect(scalars.description.contains("<\(String(repeating: "ab", count: 24)) — 30 total bytes>"))
    try realm.write { realm.delete(keyed) }
    #expect(keyed.description == "[invalid object]")
  }

  @Test func deletedObjects() throws {
    let realm = try realm()
    let keyed = CreatingKeyed(value: ["id": 1, "note": "n", "parent": ["id": 2], "tags": ["t"]] as [String: Any])
    try realm.write { realm.add(keyed) }
    let other = try #require(realm.objects(CreatingKeyed.self).first)
    try realm.write {
      realm.delete(keyed)
      #expect(keyed.isInvalidated && other.isInvalidated && keyed.realm == nil)
      realm.delete(other)
    }
    #expect(keyed.note == "n" && other["id"] as? Int == 1 && keyed.parent?.id == 2, "last values stay readable")
    #expect(keyed == keyed && keyed != other && keyed.description == "[invalid object]")
    #expect(realm.objects(CreatingKeyed.self).map(\.id) == [2])
  }

  @Test func observersOfPropertiesHearNothingOfOtherWriters() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingObserved.self])
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let object = CreatingObserved()
      try realm.write { realm.add(object) }
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.objects(CreatingObserved.self).first?.watched = 7 }
      }
      #expect(realm.refresh() && object.watched == 7 && object.calls.isEmpty)
    }
  }

  @Test func membersThatMayBeOverridden() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingOverriding.self]))
    let object = CreatingOverriding(value: ["text": "t"])
    try realm.write { realm.add(object) }
    #expect("\(object)" == "t, overridden" && object["text"] as? String == "t!")
    #expect(object.isInvalidated, "as overridden")
    #expect(object.realm == realm && object.text == "t", "which changes nothing for the library")
    try realm.write { object["text"] = "u" }
    #expect(object.text == "u?")
    #expect(CreatingOverriding.className() == "CreatingOverriding")
  }

  @Test func objectsOfTwoRealmsAreNeverEqual() async throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingKeyed.self, CreatingLoose.self])
    // In a task each realm is one of its own.
    let one = try Realm(configuration: configuration, queue: nil)
    let two = try Realm(configuration: configuration, queue: nil)
    let keyed = try one.write { one.create(CreatingKeyed.self, value: ["id": 1]) }
    two.refresh()
    let same = try #require(two.object(ofType: CreatingKeyed.self, forPrimaryKey: 1))
    #expect(one != two && keyed != same && !keyed.isSameObject(as: same) && keyed.hashValue == same.hashValue)
    #expect(keyed.freeze() == same.freeze(), "frozen at one version")
  }

  @Test func deletedObjectsMayBeHashedAndCompared() throws {
    let realm = try realm()
    let (keyed, loose) = (CreatingKeyed(value: ["id": 3]), CreatingLoose())
    try realm.write { realm.add([keyed]) }
    try realm.write { realm.add(loose) }
    let hashes = (keyed.hashValue, loose.hashValue)
    try realm.write { realm.deleteAll() }
    #expect(keyed.hashValue == hashes.0 && loose.hashValue == hashes.1)
    #expect(Set([keyed as ObjectBase, loose, keyed]).count == 2)
    #expect(keyed.objectSchema.className == "CreatingKeyed" && !keyed.isFrozen && keyed.isInvalidated)
  }

  @Test func descriptionsOfEverythingElse() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingHub.self, CreatingSpoke.self]))
    let hub = CreatingHub(value: ["id": 1])
    try realm.write { realm.add(CreatingSpoke(value: ["number": 1, "hub": hub] as [String: Any])) }
    #expect(hub.description == "CreatingHub {\n\tid = 1;\n}", "without what links here")
    let scalars = CreatingScalars(
      value: ["data": Data([0, 255]), "text": "a\nb", "maybeFlag": false] as [String: Any])
    #expect(scalars.description.contains("\tflag = 0;\n") && scalars.description.contains("\tmaybeFlag = 0;\n"))
    #expect(scalars.description.contains("\tdata = <00ff — 2 total bytes>;\n"))
    #expect(scalars.description.contains("\ttext = a\n\tb;\n"), "inner lines are indented")
    let groups = CreatingGroups(value: ["id": 1, "ranks": ["a": 1, "b": 2]] as [String: Any])
    let text = groups.description.replacing(try Regex("<0x[0-9a-f]+>"), with: "<>")
    #expect(text.contains("\tranks = Map<string, Double> <> (\n\t[a]: 1.0,\n\t[b]: 2.0\n\t);\n"), "\(text)")
    #expect(text.contains("\tmembers = MutableSet<CreatingKeyed> <> (\n\t\n\t);\n"), "\(text)")
    for index in 0..<150 { groups.ranks["key \(index)"] = 0 }
    #expect(groups.description.contains("[key 149]: 0.0") && !groups.description.contains("skipped"), "all of a map")
    var nested = CreatingLoose(value: ["9"])
    for level in (0..<9).reversed() { nested = CreatingLoose(value: ["\(level)", nested] as [Any]) }
    #expect(nested.description.contains("name = 4;") && !nested.description.contains("name = 5;"), "five levels")
    while let next = nested.twin { (nested.twin, nested) = (nil, next) }
  }
}

class CreatingOverriding: Object {
  @Persisted var text: String

  override var description: String { "\(text), overridden" }
  override var isInvalidated: Bool { true }
  override subscript(key: String) -> Any? {
    get { (super[key] as? String).map { $0 + "!" } }
    set { super[key] = (newValue as? String).map { $0 + "?" } }
  }
  override class func className() -> String { "CreatingOverriding" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
