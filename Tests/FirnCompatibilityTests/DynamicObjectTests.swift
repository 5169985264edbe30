import Firn
import Foundation
import Testing

final class CreatingHub: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(originProperty: "hub") var spokes: LinkingObjects<CreatingSpoke>
}

final class CreatingSpoke: Object {
  @Persisted var number: Int
  @Persisted var hub: CreatingHub?
}

@Suite struct DynamicObjectTests {
  private func filled() throws -> (Realm, CreatingScalars, CreatingKeyed) {
    let realm = try creatingRealm()
    return try realm.write {
      let scalars = realm.create(
        CreatingScalars.self,
        value: [
          "flag": true, "small": 5, "large": 6, "single": 1.5, "double": 2.5, "text": "t", "data": Data([1]),
          "date": Date(timeIntervalSinceReferenceDate: 3), "kind": 2, "maybeInt": 4, "maybeText": NSNull(),
        ] as [String: Any])
      let keyed = realm.create(
        CreatingKeyed.self,
        value: [
          "id": 1, "note": "n", "parent": ["id": 2], "parts": [["id": 3], ["id": 2]], "tags": ["a", "b"],
          "loose": ["l", NSNull(), [1, nil] as [Int?]] as [Any],
        ] as [String: Any], update: .modified)
      return (realm, scalars, keyed)
    }
  }

  @Test func scalarsComeInStoredForm() throws {
    let (realm, _, _) = try filled()
    let row = try #require(realm.dynamicObjects("CreatingScalars").first)
    #expect(row["flag"] as? Bool == true && row["small"] as? Int == 5 && row["large"] as? Int == 6)
    #expect(row["single"] as? Float == 1.5 && row["double"] as? Double == 2.5 && row["text"] as? String == "t")
    #expect(row["data"] as? Data == Data([1]) && row["date"] as? Date == Date(timeIntervalSinceReferenceDate: 3))
    #expect(row["uuid"] is UUID && row["kind"] as? Int == 2 && row["maybeInt"] as? Int == 4)
    #expect(row["maybeText"] == nil && row["maybeKind"] == nil && row["maybeDate"] == nil)
    #expect(row.small as? Int == 5 && row.maybeText == nil && row.value(forKey: "text") as? String == "t")
    #expect(row.objectSchema.className == "CreatingScalars")
    #expect(row.description.hasPrefix("CreatingScalars {\n\tflag = 1;\n\tsmall = 5;\n"))
  }

  @Test func linksAndCollections() throws {
    let (realm, _, keyed) = try filled()
    let row = try #require(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 1))
    #expect((row["parent"] as? CreatingKeyed)?.id == 2)
    #expect((row.loose as? CreatingLoose)?.name == "l")
    let parts = try #require(row["parts"] as? List<DynamicObject>)
    #expect(parts.map { $0["id"] as? Int } == [3, 2] && parts[0].parent == nil)
    #expect((row["tags"] as? List<String>).map { Array($0) } == ["a", "b"])
    #expect((row.loose as? CreatingLoose).map { Array($0.numbers) } == [1, nil])
    #expect(keyed.dynamicList("parts").map { $0["id"] as? Int } == [3, 2])
    #expect(row.dynamicList("parts").count == 2)
    #expect(parts.sorted(byKeyPath: "id").first?["id"] as? Int == 2)
    #expect(parts.freeze()[0]["id"] as? Int == 3 && parts.freeze().thaw()?[1]["id"] as? Int == 2)
    #expect(row.description.contains("\t\t\tid = 3;"))
  }

  @Test func descriptionsNameTheClassOfElements() throws {
    let (realm, _) = try Ordered.owner { $0.items.append(OrderedItem(1)) }
    let row = try #require(realm.dynamicObjects("OrderedOwner").first)
    #expect(row.description.contains("\titems = List<OrderedItem> <0x") && !row.description.contains("DynamicObject"))
    #expect("\(row.dynamicList("items"))".contains("\t\tfriends = List<OrderedItem> <0x"), "on each level")
    #expect("\(row.dynamicMutableSet("itemSet"))".hasPrefix("MutableSet<OrderedItem> <0x"))
    #expect("\(row.dynamicMap("itemMap") as Map<String, DynamicObject?>)".hasPrefix("Map<string, OrderedItem> <0x"))
    #expect("\(row.dynamicList("items").freeze())".hasPrefix("List<OrderedItem> <0x"))
    #expect("\(List<DynamicObject>())".hasPrefix("List<DynamicObject> <0x"), "of no class")
  }

  @Test func collectionsOfValues() throws {
    let (realm, _, keyed) = try filled()
    let row = try #require(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 1))
    let tags: List<String> = row.dynamicList("tags")
    #expect(Array(tags) == ["a", "b"] && keyed.dynamicList("tags") as List<String> == keyed.tags)
    #expect(
      row.loose.flatMap { $0 as? CreatingLoose }.map { Array($0.dynamicList("numbers") as List<Int?>) } == [1, nil])
    let parts: List<CreatingKeyed> = row.dynamicList("parts")
    #expect(parts.map(\.id) == [3, 2])
    try realm.write { tags.append("c") }
    #expect(Array(keyed.tags) == ["a", "b", "c"])
    let (_, owner) = try Ordered.owner {
      $0.intSet.insert(4)
      $0.intMap["k"] = 5
    }
    #expect(Array(owner.dynamicMutableSet("intSet") as MutableSet<Int>) == [4])
    let map: Map<String, Int> = owner.dynamicMap("intMap")
    #expect(map["k"] == 5)
  }

  @Test func backlinks() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingHub.self, CreatingSpoke.self]))
    let hub = try realm.write {
      let hub = realm.dynamicCreate("CreatingHub")
      for number in 1...3 {
        realm.dynamicCreate("CreatingSpoke", value: ["number": number, "hub": hub] as [String: Any])
      }
      return hub
    }
    let spokes = try #require(hub["spokes"] as? LinkingObjects<DynamicObject>)
    #expect(Set(spokes.compactMap { $0["number"] as? Int }) == [1, 2, 3])
    #expect(spokes.sorted(byKeyPath: "number").last?.number as? Int == 3)
    #expect((spokes.first?.hub as? CreatingHub)?.isSameObject(as: hub) == true)
    #expect(spokes.freeze().count == 3 && (spokes.freeze().first?.hub as? CreatingHub)?.isFrozen == true)
  }

  @Test func oneRowSeenInBothWays() throws {
    let (realm, _, keyed) = try filled()
    let row = try #require(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 1))
    #expect(row.isSameObject(as: keyed) && row == keyed as ObjectBase && row.hashValue == keyed.hashValue)
    #expect(realm.dynamicObjects("CreatingKeyed").index(of: row) == 0)
    try realm.write {
      row["size"] = 70
      row.note = nil
      row.tags = ["z"]
      row["parent"] = keyed
      row["loose"] = ["name": "made"]
      (row["parts"] as? List<DynamicObject>)?.append(row)
    }
    #expect(keyed.size == 70 && keyed.note == nil && Array(keyed.tags) == ["z"] && keyed.parent == keyed)
    #expect(keyed.loose?.name == "made" && keyed.parts.map(\.id) == [3, 2, 1])
    try realm.write {
      keyed.size = 71
      row["tags"] = NSNull()
      row["parent"] = row
    }
    #expect(row.size as? Int == 71 && keyed.tags.isEmpty && keyed.parent == keyed)
  }

  @Test func creatingAndFinding() throws {
    let realm = try creatingRealm()
    try realm.write {
      let made = realm.dynamicCreate("CreatingKeyed", value: ["id": 1, "parts": [["id": 2]]] as [String: Any])
      #expect(made["size"] as? Int == 7 && (made.parts as? List<DynamicObject>)?.count == 1)
      let given: [String: Any] = ["id": 1, "size": 3]
      #expect(realm.dynamicCreate("CreatingKeyed", value: given, update: .modified) == made)
      #expect(realm.dynamicCreate("CreatingKeyed", value: made, update: .modified) === made)
      #expect(realm.dynamicCreate("CreatingNamed", value: made["parent"] ?? ["n"])["name"] as? String == "n")
      let copied = realm.dynamicCreate("CreatingNamed", value: realm.dynamicCreate("CreatingLoose", value: ["l"]))
      #expect(copied.name as? String == "l")
      let other = realm.create(CreatingKeyed.self, value: ["id": 5, "parent": made] as [String: Any])
      #expect(other.parent?.id == 1, "a dynamic object is linked to")
      let assigned = realm.create(CreatingNamed.self, value: copied)
      #expect(assigned.name == "l")
    }
    #expect(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 9) == nil)
    #expect(realm.dynamicObjects("CreatingKeyed").count == 3)
    let sorted = realm.dynamicObjects("CreatingKeyed").sorted(byKeyPath: "id", ascending: false)
    #expect(sorted.map { $0.id as? Int } == [5, 2, 1])
  }

  @Test func deletionFreezingAndOtherThreads() throws {
    let (realm, _, keyed) = try filled()
    let row = try #require(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 1))
    let second = try #require(realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 2))
    let frozen = row.freeze()
    #expect(frozen["note"] as? String == "n" && (frozen["parent"] as? CreatingKeyed)?.isFrozen == true)
    #expect(realm.dynamicObjects("CreatingKeyed").freeze().first?.id as? Int == 1)
    try realm.write {
      realm.delete(row)
      realm.delete(realm.dynamicObjects("CreatingKeyed").where(id: 2))
    }
    #expect(row.isInvalidated && keyed.isInvalidated && second.isInvalidated)
    #expect(row["note"] as? String == "n" && second["id"] as? Int == 2 && row["parent"] == nil)
    #expect(row.description == "[invalid object]" && row.realm == nil)
    #expect(frozen["note"] as? String == "n" && (frozen.parts as? List<DynamicObject>)?.count == 2)
    #expect(frozen.thaw() == nil)
  }

  @Test func observing() throws {
    let configuration = Realm.Configuration.creating()
    let changes = try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let value: [String: Any] = ["id": 1, "parent": ["id": 2]]
      let keyed = try realm.write { realm.create(CreatingKeyed.self, value: value) }
      let row = realm.dynamicObject(ofType: "CreatingKeyed", forPrimaryKey: 1)
      var texts: [String] = []
      let token = row?.observe { (change: ObjectChange<DynamicObject>) in
        if case .change(_, let changes) = change {
          for change in changes {
            let new = (change.newValue as? CreatingKeyed)?.id ?? change.newValue
            texts.append("\(change.name): \(change.oldValue ?? "nil") -> \(new ?? "nil")")
          }
        }
      }
      realm.refresh()
      try realm.write {
        keyed.size = 8
        keyed.parent = keyed
      }
      realm.refresh()
      token?.invalidate()
      return texts
    }
    #expect(changes.count == 2 && changes[0] == "size: 7 -> 8")
    #expect(changes.last?.hasPrefix("parent: CreatingKeyed {") == true && changes.last?.hasSuffix("-> 1") == true)
  }

  @Test func theClassItself() throws {
    #expect(!DynamicObject.shouldIncludeInDefaultSchema())
    #expect(DynamicObject().realm == nil && !DynamicObject().isInvalidated)
    #expect(try creatingRealm().schema["DynamicObject"] == nil)
  }
}

extension Results<DynamicObject> {
  fileprivate func `where`(id: Int) -> [DynamicObject] { filter { $0["id"] as? Int == id } }
}

final class CreatingPart: EmbeddedObject {
  @Persisted var name: String
}

final class CreatingWhole: Object {
  @Persisted var part: CreatingPart?
  @Persisted var parts: List<CreatingPart>
}

@Suite struct DynamicEmbeddedObjectTests {
  @Test func embeddedObjects() throws {
    let realm = try wholeRealm()
    try realm.write {
      let whole = realm.dynamicCreate(
        "CreatingWhole", value: ["part": ["a"], "parts": [["b"], ["name": "c"]]] as [String: Any])
      let part = try #require(whole.part as? CreatingPart)
      #expect(part.name == "a" && realm.dynamicObjects("CreatingPart").count == 3)
      whole["part"] = ["name": "d"]
      #expect(part.isInvalidated && (whole.part as? CreatingPart)?.name == "d")
      #expect((whole["parts"] as? List<DynamicObject>)?.map { $0.name as? String } == ["b", "c"])
      #expect(realm.schema["CreatingPart"]?.isEmbedded == true)
      whole["parts"] = nil
      #expect(realm.dynamicObjects("CreatingPart").count == 1)
    }
  }

  @Test func createdDirectly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try wholeRealm()
      try realm.write { realm.dynamicCreate("CreatingPart") }
    }
    #expect(trapSaid("Embedded objects cannot be created directly", result))
  }
}

private func wholeRealm() throws -> Realm {
  try Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingWhole.self, CreatingPart.self]))
}

@Suite struct DynamicObjectTrapTests {
  @Test func unknownClasses() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try creatingRealm().dynamicObjects("Nothing")
    }
    #expect(trapSaid("Object type 'Nothing' is not managed by the Realm", result))
  }

  @Test func unknownNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.dynamicCreate("CreatingNamed")["nane"] = 1 }
    }
    #expect(trapSaid("Invalid property name 'nane' for class 'CreatingNamed'. Is 'name' meant?", result))
  }

  @Test func readingUnknownNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CreatingNamed()["nane"]
    }
    #expect(trapSaid("Invalid property name 'nane' for class 'CreatingNamed'. Is 'name' meant?", result))
  }

  @Test func primaryKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.dynamicCreate("CreatingKeyed")["id"] = 0 }
    }
    #expect(trapSaid("Primary key can't be changed", result))
  }

  @Test func wrongValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.dynamicCreate("CreatingKeyed").size = "large" }
    }
    #expect(trapSaid("Invalid value 'large' of type 'String' for 'int' property 'CreatingKeyed.size'", result))
  }

  @Test func addingOne() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.add(DynamicObject()) }
    }
    #expect(trapSaid("is not managed by the Realm", result))
  }

  @Test func valuesOfAnotherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      let keyed = try realm.write { realm.create(CreatingKeyed.self) }
      let _: List<Int> = keyed.dynamicList("tags")
    }
    #expect(trapSaid("'CreatingKeyed.tags' is not a List of 'int', but string array", result))
  }

  @Test func listsOfValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      let keyed = try realm.write { realm.create(CreatingKeyed.self) }
      _ = keyed.dynamicList("tags")
    }
    #expect(trapSaid("'CreatingKeyed.tags' is not a List of objects", result))
  }
}
