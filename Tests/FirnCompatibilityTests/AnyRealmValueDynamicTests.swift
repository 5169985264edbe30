import Firn
import Foundation
import Testing

final class MixedNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
  @Persisted var distinct: MutableSet<AnyRealmValue>
}

/// Left out of the schema when files are opened again.
final class MixedLost: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var rank: Int
  @Persisted var price: Decimal128?
  @Persisted var next: MixedLost?
  @Persisted var note: MixedNote?
  @Persisted var others: List<MixedLost>
  @Persisted var tags: MutableSet<String>
  @Persisted var sizes: Map<String, Int?>
  @Persisted var any: AnyRealmValue
  @Persisted var part: MixedLostPart?
}

final class MixedLostPart: EmbeddedObject {
  @Persisted var text: String
}

/// Objects in mixed values whose class is known by name only: sections 4.5, 12.1 and 12.2.
@Suite struct AnyRealmValueDynamicTests {
  static let known = [MixedNote.self] as [ObjectBase.Type]
  static let all = [MixedNote.self, MixedLost.self, MixedLostPart.self] as [ObjectBase.Type]

  @Test func payloadsByName() throws {
    let (realm, owner) = try mixedOwner(.object(MixedDog(1, "Rex")))
    let dog = try #require(owner.value.dynamicObject)
    #expect(dog.name as? String == "Rex" && dog["id"] as? Int == 1 && dog.realm == realm)
    #expect(dog.isSameObject(as: owner.value.object(MixedDog.self)) && AnyRealmValue.object(dog).dynamicObject === dog)
    #expect(AnyRealmValue.int(1).dynamicObject == nil && AnyRealmValue.none.dynamicObject == nil)
    #expect(AnyRealmValue.object(MixedDog(2)).dynamicObject == nil, "an unmanaged object has no row")
    let value = owner.value
    try realm.write {
      dog.name = "Bo"
      owner.other = .object(dog)
    }
    #expect(owner.other.object(MixedDog.self)?.name == "Bo", "stored like any object")
    let frozen = owner.freeze().value.dynamicObject
    #expect(frozen?.isFrozen == true && frozen?.name as? String == "Bo")
    let handle = Unchecked(owner)
    try onOwnThread { #expect(handle.value.value.dynamicObject?["id"] as? Int == 1) }
    try realm.write { realm.delete(dog) }
    #expect(value.dynamicObject == nil && owner.value == .none && dog.name as? String == "Bo")
  }

  @Test func whatIsReadByNameIsByNameAtAnyDepth() throws {
    let (realm, owner) = try mixedOwner()
    try realm.write {
      let dog = MixedDog(1, "Rex")
      owner.value = .fromArray([.int(1), .fromDictionary(["d": .object(dog)])])
      owner.list.append(objectsIn: [.object(dog), .string("x")])
      owner.map["d"] = .object(dog)
      owner.set.insert(.object(dog))
    }
    let row = try #require(realm.dynamicObject(ofType: "MixedOwner", forPrimaryKey: 1))
    func name(_ value: AnyRealmValue?) -> String? {
      guard case .object(let object as DynamicObject)? = value else { return nil }
      return object["name"] as? String
    }
    let list = try #require(row["list"] as? List<AnyRealmValue>)
    #expect(name(list[0]) == "Rex" && name(list.first) == "Rex" && list[1] == .string("x"))
    #expect(list.compactMap { name($0) } == ["Rex"])
    let map = try #require(row["map"] as? Map<String, AnyRealmValue>)
    #expect(name(map["d"]) == "Rex" && name(map.values[0]) == "Rex")
    let set = try #require(row["set"] as? MutableSet<AnyRealmValue>)
    #expect(name(set.first) == "Rex" && set.contains(owner.list[0]))
    let nested = try #require(row["value"] as? List<AnyRealmValue>)
    #expect(name(nested[1].dictionaryValue?["d"]) == "Rex")
    #expect(name(nested.freeze()[1].dictionaryValue?["d"]) == "Rex" && nested == owner.value.listValue)
    #expect(owner.list[0].object(MixedDog.self)?.name == "Rex", "of the class where the class is known")
    try realm.write {
      nested[1].dictionaryValue?["d"] = .int(3)
      row["value"] = realm.dynamicObject(ofType: "MixedDog", forPrimaryKey: 1)
    }
    #expect(nested.isInvalidated && owner.value.object(MixedDog.self)?.id == 1)
    #expect((row["value"] as? DynamicObject)?.name as? String == "Rex" && row["other"] as? Int == 7)
  }

  /// Opens a file whose class `MixedLost` the schema does not have, and then again with it.
  static func withUnknown(
    _ body: @escaping @Sendable (Realm) throws -> Void,
    afterwards: @escaping @Sendable (Realm) throws -> Void = { _ in }
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("mixed.firn")
    try onOwnThread {
      do {
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: all))
        try realm.write {
          let note = realm.create(MixedNote.self, value: ["id": 1])
          let lost = realm.create(
            MixedLost.self,
            value: [
              "name": "l", "rank": 5, "price": "1.50", "note": note, "next": ["name": "m", "rank": 6],
              "others": [["name": "n"]], "tags": ["a", "b"], "sizes": ["s": 1, "t": nil],
              "any": [1, note] as [Any], "part": ["p"],
            ] as [String: Any])
          note.value = .object(lost)
          note.values.append(objectsIn: [.object(lost), .fromArray([.object(lost)])])
          note.named["k"] = .object(lost)
          note.distinct.insert(.object(lost))
        }
      }
      try body(try Realm(configuration: .init(fileURL: url, objectTypes: known)))
      try afterwards(try Realm(configuration: .init(fileURL: url, objectTypes: all)))
    }
  }

  @Test func objectsOfClassesThatTheProcessDoesNotHave() throws {
    try Self.withUnknown { realm in
      #expect(realm.schema.objectSchema.map(\.className) == ["MixedNote"])
      let note = try #require(realm.object(ofType: MixedNote.self, forPrimaryKey: 1))
      let lost = try #require(note.value.dynamicObject)
      guard case .object(let object) = note.value else { fatalError("There is no object.") }
      #expect(
        object is DynamicObject && lost.isSameObject(as: object) && (lost as Object) == object
          && object["name"] as? String == "l")
      #expect(lost.rank as? Int == 5 && lost.price as? Decimal128 == 1.5)
      #expect((lost.next as? DynamicObject)?.name as? String == "m")
      #expect((lost.note as? MixedNote)?.id == 1)
      #expect((lost.others as? List<DynamicObject>)?.map { $0.name as? String } == ["n"])
      #expect((lost.tags as? MutableSet<String>).map { Array($0) } == ["a", "b"])
      #expect((lost.sizes as? Map<String, Int?>)?["s"] == 1 && (lost.sizes as? Map<String, Int?>)?["t"] == .some(nil))
      #expect((lost.any as? List<AnyRealmValue>)?[1].dynamicObject?["id"] as? Int == 1)
      #expect((lost.part as? DynamicObject)?.text as? String == "p")
      #expect(lost.objectSchema.className == "MixedLost" && lost.objectSchema.primaryKeyProperty?.name == "name")
      #expect(lost.objectSchema["others"]?.isArray == true && lost.objectSchema["next"]?.objectClassName == "MixedLost")
      #expect(lost.objectSchema["any"]?.type == .any && lost.objectSchema["any"]?.isOptional == false)
      #expect(lost.description.hasPrefix("MixedLost {\n\tname = l;\n\trank = 5;"))
      #expect(note.description.contains("\tvalue = MixedLost {"))
      #expect(note["value"] is DynamicObject && lost.hashValue == object.hashValue)
      for value in [note.values.first, note.values[1].listValue?.first, note.named["k"], note.distinct.first] {
        #expect(value?.dynamicObject == lost)
      }
      #expect(realm.objects(MixedNote.self).where { $0.value == .object(lost) }.count == 1)
      let frozen = note.freeze().value.dynamicObject
      #expect(frozen?.rank as? Int == 5 && frozen?.thaw() == lost)
      let handle = Unchecked(note)
      try onOwnThread { #expect(handle.value.value.dynamicObject?.rank as? Int == 5) }
    }
  }

  @Test func suchObjectsAreChangedAndDeleted() throws {
    try Self.withUnknown { realm in
      let note = try #require(realm.object(ofType: MixedNote.self, forPrimaryKey: 1))
      let lost = try #require(note.value.dynamicObject)
      var changes: [String] = []
      let tokens = [
        lost.observe { (change: ObjectChange<DynamicObject>) in
          if case .change(_, let properties) = change {
            changes += properties.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
          }
        },
        lost.observe(keyPaths: ["next.rank"]) { (change: ObjectChange<DynamicObject>) in
          if case .change = change { changes.append("behind") }
        },
      ]
      realm.refresh()
      try realm.write {
        lost.rank = 9
        lost["price"] = nil
        lost["tags"] = ["z"]
        (lost.next as? DynamicObject)?["rank"] = 7
        lost["others"] = [lost]
        (lost.part as? DynamicObject)?["text"] = "q"
      }
      realm.refresh()
      #expect(
        changes.sorted() == ["behind", "others nil nil", "price 1.5 nil", "rank 5 9", "tags nil nil"], "\(changes)")
      #expect((lost.others as? List<DynamicObject>)?.first == lost && lost.rank as? Int == 9)
      let error = #expect(throws: Realm.Error.self) {
        try realm.write {
          realm.delete(lost)
          #expect(note.value == .none && lost.isInvalidated && lost.rank as? Int == 9)
          throw Realm.Error(.fail)
        }
      }
      #expect(error?.code == .fail && note.value.dynamicObject?.rank as? Int == 9)
      let again = try #require(note.value.dynamicObject)
      try realm.write { realm.delete(again) }
      #expect(
        note.value == .none && note.values[0] == .none && note.distinct.isEmpty && note.named["k"] == AnyRealmValue.none
      )
      #expect(again.isInvalidated && again.rank as? Int == 9)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func whatWasChangedByNameIsThereForTheClass() throws {
    try Self.withUnknown { realm in
      try realm.write {
        let lost = realm.object(ofType: MixedNote.self, forPrimaryKey: 1)?.value.dynamicObject
        lost?["rank"] = 11
        lost?["any"] = "text"
      }
    } afterwards: { realm in
      let lost = realm.object(ofType: MixedLost.self, forPrimaryKey: "l")
      #expect(lost?.rank == 11 && lost?.any == .string("text") && lost?.others.count == 1)
      #expect(realm.objects(MixedLost.self).where { $0.rank == 11 }.count == 1, "its index knows")
      let note = realm.objects(MixedNote.self).first
      #expect(note?.value.object(MixedLost.self)?.part?.text == "p")
    }
  }

  @Test func noneCanBeMade() throws {
    try Self.withUnknown { realm in
      let note = try #require(realm.object(ofType: MixedNote.self, forPrimaryKey: 1))
      let lost = try #require(note.value.dynamicObject)
      try realm.write {
        let copy = realm.create(MixedNote.self, value: ["id": 2, "value": lost, "values": [lost, 1]] as [String: Any])
        #expect(copy.value.dynamicObject == lost && copy.values.count == 2, "those that are there are linked to")
        let part = try #require(lost.part as? DynamicObject)
        let error = #expect(throws: Realm.Error.self) {
          try realm.create(MixedNote.self, checking: ["id": 3, "value": part] as [String: Any])
        }
        #expect(error?.invalidInput?.path == "$.value", "embedded objects belong to others")
      }
      #expect(realm.objects(MixedNote.self).count == 2)
    }
  }

  @Test func creatingOneTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try AnyRealmValueDynamicTests.withUnknown { realm in
        let lost = realm.object(ofType: MixedNote.self, forPrimaryKey: 1)?.value.dynamicObject
        try realm.write { lost?["next"] = ["name": "new"] }
      }
    }
    #expect(trapSaid("Objects of class 'MixedLost', which the process does not have, cannot be created", result))
  }
}
