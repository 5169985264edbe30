import Firn
import Foundation
import Testing

private enum Kind: Int, PersistableEnum {
  case plain = 1
  case fancy = 2
}

private class Base: Object {
  @Persisted var first: String
}

private final class Part: Base {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 7
  @Persisted var note: String?
  @Persisted(indexed: true) var kind: Kind
  @Persisted var parent: Part?
  @Persisted var loose: Piece?
  @Persisted var parts: List<Part>
  @Persisted var tags: List<String>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Piece: Object {
  @Persisted var name: String
  @Persisted var twin: Piece?
}

private final class Scalars: Object {
  @Persisted var flag: Bool
  @Persisted var small: Int8
  @Persisted var large: Int
  @Persisted var single: Float
  @Persisted var double: Double
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var kind: Kind?
  @Persisted var optional: Int?
  @Persisted(indexed: true) var word: String?
}

private final class Defaults: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var text: String
  @Persisted var optional: Int?
  @Persisted var kind: Kind
  @Persisted var set = 3
  @Persisted var setText = "a text that is longer than a short one"
  @Persisted var setOptional: Double? = 4.5
  @Persisted(indexed: true) var setKind = Kind.fancy
  @Persisted var setFlag = true
  @Persisted var setDate = Date(timeIntervalSinceReferenceDate: 7)
  @Persisted var link: Piece?
  @Persisted var setLink: Piece? = Piece(value: ["piece"])
  @Persisted var list: List<Int>
  @Persisted var setList = List<Int>.of(1, 2)
  @Persisted var mixed: AnyRealmValue
  @Persisted var setMixed = AnyRealmValue.string("mixed")

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension List {
  fileprivate static func of(_ elements: Element...) -> List {
    let list = List()
    list.append(objectsIn: elements)
    return list
  }
}

private func configuration() -> Realm.Configuration {
  Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Part.self, Piece.self, Scalars.self])
}

struct CreateTests {
  private let configuration = FirnTests.configuration()

  /// What is not given is what a new object has, whatever it is.
  @Test func absentPropertiesGetTheirDefaults() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Defaults.self, Piece.self])
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let (made, added) = try realm.write {
        let added = Defaults()
        added.id = 1
        realm.add(added)
        return (realm.create(Defaults.self, value: ["id": 0] as [String: Any]), added)
      }
      for object in [made, added] {
        #expect(object.number == 0 && object.text == "" && object.optional == nil && object.kind == .plain)
        #expect(object.set == 3 && object.setText == "a text that is longer than a short one")
        #expect(object.setOptional == 4.5 && object.setKind == .fancy && object.setFlag)
        #expect(object.setDate == Date(timeIntervalSinceReferenceDate: 7))
        #expect(object.link == nil && object.setLink?.name == "piece")
        #expect(object.list.isEmpty && Array(object.setList) == [1, 2])
        #expect(object.mixed == .none && object.setMixed == .string("mixed"))
      }
      #expect(realm.objects(Piece.self).count == 2)
      // A row that exists keeps what is not given.
      try realm.write {
        made.set = 9
        realm.create(Defaults.self, value: ["id": 0, "number": 5] as [String: Any], update: .modified)
      }
      #expect(made.set == 9 && made.number == 5 && made.setText == "a text that is longer than a short one")
    }
  }

  @Test func fromDictionaries() throws {
    let realm = try Realm(configuration: configuration)
    let part = try realm.write {
      realm.create(
        Part.self,
        value: [
          "id": 3, "first": "a", "parent": ["id": 4, "first": "b"], "loose": ["piece"],
          "parts": [["id": 5], ["id": 6]], "tags": ["x", "y"], "unknown": 1, "kind": 2,
        ] as [String: Any])
    }
    #expect(part.realm == realm)
    #expect(part.first == "a")
    #expect(part.size == 7)
    #expect(part.note == nil)
    #expect(part.kind == .fancy)
    #expect(part.parent?.id == 4)
    #expect(part.parent?.kind == .plain)
    #expect(part.loose?.name == "piece")
    #expect(part.parts.map(\.id) == [5, 6])
    #expect(Array(part.tags) == ["x", "y"])
    #expect(realm.objects(Part.self).count == 4)
  }

  @Test func fromArraysAndNothing() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      // Properties of the superclass come first.
      let part = realm.create(Part.self, value: ["a", 3, 9] as [Any])
      #expect(part.first == "a")
      #expect(part.id == 3)
      #expect(part.size == 9)
      let empty = realm.create(Part.self)
      #expect(empty.id == 0)
      #expect(empty.size == 7)
      #expect(realm.create(Piece.self, value: [:] as [AnyHashable: Any]).name.isEmpty)
    }
  }

  @Test func fromObjects() throws {
    let realm = try Realm(configuration: configuration)
    let piece = Piece(value: ["name": "p"])
    piece.twin = piece
    let copy = try realm.write { realm.create(Piece.self, value: piece) }
    #expect(piece.realm == nil)
    #expect(copy.name == "p")
    #expect(copy.twin?.isSameObject(as: copy) == true)
    let second = try realm.write { realm.create(Piece.self, value: copy) }
    #expect(!second.isSameObject(as: copy))
    #expect(second.twin?.isSameObject(as: copy) == true)

    let other = try Realm(configuration: FirnTests.configuration())
    let moved = try other.write { other.create(Piece.self, value: copy.freeze()) }
    #expect(moved.realm == other)
    #expect(moved.twin?.isSameObject(as: moved) == true)
    #expect(other.objects(Piece.self).count == 1)

    let linked = try realm.write { realm.create(Part.self, value: ["id": 1, "loose": copy] as [String: Any]) }
    #expect(linked.loose?.isSameObject(as: copy) == true)
    try realm.write {
      #expect(realm.create(Part.self, value: linked, update: .modified) === linked)
    }
  }

  @Test func coercions() throws {
    let realm = try Realm(configuration: configuration)
    let id = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    let values: [String: Any] = [
      "flag": 1, "small": UInt64(5), "large": true, "single": 2, "double": Float(0.5), "text": "t",
      "data": Data([1]), "date": date, "uuid": id.uuidString, "kind": Kind.fancy, "optional": Int8(-3), "word": "w",
    ]
    let scalars = try realm.write { realm.create(Scalars.self, value: values) }
    #expect(scalars.flag)
    #expect(scalars.small == 5)
    #expect(scalars.large == 1)
    #expect(scalars.single == 2)
    #expect(scalars.double == 0.5)
    #expect(scalars.text == "t")
    #expect(scalars.data == Data([1]))
    #expect(scalars.date == date)
    #expect(scalars.uuid == id)
    #expect(scalars.kind == .fancy)
    #expect(scalars.optional == -3)
    #expect(scalars.word == "w")
    let nothing: [String: Any] = ["kind": NSNull(), "optional": Int?.none as Any, "word": String?.none as Any]
    let empty = try realm.write { realm.create(Scalars.self, value: nothing) }
    #expect(empty.kind == nil)
    #expect(empty.optional == nil)
    #expect(empty.word == nil)
    // A raw value that no case has is kept, and reads as nil.
    let unknown = try realm.write { realm.create(Scalars.self, value: ["kind": 99]) }
    #expect(unknown.kind == nil)
    let json = try JSONSerialization.jsonObject(
      with: Data(#"{"flag": true, "small": 3, "large": 4000000000, "double": 1.5, "single": 2, "text": "j"}"#.utf8))
    let parsed = try realm.write { realm.create(Scalars.self, value: json) }
    #expect(parsed.flag)
    #expect(parsed.small == 3)
    #expect(parsed.large == 4_000_000_000)
    #expect(parsed.double == 1.5)
    #expect(parsed.single == 2)
    #expect(parsed.text == "j")
  }

  @Test func updatesLeaveWhatIsNotGiven() throws {
    let realm = try Realm(configuration: configuration)
    let part = try realm.write {
      realm.create(Part.self, value: ["id": 3, "note": "n", "size": 1, "tags": ["x"]] as [String: Any])
    }
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let again = try realm.write {
        realm.create(Part.self, value: ["id": 3, "size": 2, "tags": ["x", "y"]] as [String: Any], update: policy)
      }
      #expect(again == part)
      #expect(part.note == "n")
      #expect(part.size == 2)
      #expect(Array(part.tags) == ["x", "y"])
    }
    try realm.write {
      realm.create(
        Part.self, value: ["id": 3, "note": NSNull(), "tags": [String]()] as [String: Any], update: .modified)
    }
    #expect(part.note == nil)
    #expect(part.tags.isEmpty)
  }

  @Test func updatesFollowLinks() throws {
    let realm = try Realm(configuration: configuration)
    let child = try realm.write { realm.create(Part.self, value: ["id": 1, "size": 1]) }
    let parent = try realm.write {
      realm.create(
        Part.self, value: ["id": 2, "parent": ["id": 1, "size": 5], "loose": ["a"]] as [String: Any],
        update: .modified)
    }
    #expect(child.size == 5)
    #expect(parent.parent == child)
    try realm.write {
      realm.create(Part.self, value: ["id": 2, "loose": ["b"]] as [String: Any], update: .modified)
    }
    // A target without primary key is a new row.
    #expect(realm.objects(Piece.self).count == 2)
    #expect(parent.loose?.name == "b")
    #expect(parent.parent == child)
  }

  @Test func addWithPolicy() throws {
    let realm = try Realm(configuration: configuration)
    let stored = try realm.write {
      realm.create(Part.self, value: ["id": 1, "size": 1, "tags": ["x"]] as [String: Any])
    }
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let part = Part(value: ["id": 1, "size": 8, "tags": ["y", "z"]] as [String: Any])
      let tags = part.tags
      let child = Part(value: ["id": 2, "size": policy.rawValue])
      part.parent = child
      child.parent = part
      part.parts.append(child)
      try realm.write { realm.add(part, update: policy) }
      #expect(part == stored)
      #expect(stored.size == 8)
      #expect(part.tags === tags)
      #expect(Array(stored.tags) == ["y", "z"])
      #expect(child.realm == realm)
      #expect(stored.parent?.size == policy.rawValue)
      #expect(stored.parent?.parent == stored)
      #expect(stored.parts.map(\.id) == [2])
      #expect(realm.objects(Part.self).count == 2)
    }
    let new = Part(value: ["id": 3])
    new.parent = Part(value: ["id": 2, "size": 77])
    try realm.write { realm.add(new, update: .modified) }
    #expect(stored.parent?.size == 77)
  }

  @Test func whatFailsGoesWithTheTransaction() throws {
    let realm = try Realm(configuration: configuration)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try realm.write {
        realm.create(Part.self, value: ["id": 1, "parent": ["id": 2]] as [String: Any])
        throw Failure()
      }
    }
    #expect(realm.isEmpty)
  }
}

/// Values that do not fit end the process with a sentence that names class, property and value.
struct CreateTrapTests {
  private static func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
  }

  @Test func wrongTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Scalars.self, value: ["large": "one"]) }
    }
    #expect(Self.said("Invalid value 'one' of type 'String' for 'int' property 'Scalars.large'", result))
  }

  @Test func floatingPointForIntegers() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Scalars.self, value: ["optional": 1.0]) }
    }
    #expect(Self.said("for 'int?' property 'Scalars.optional'", result))
  }

  @Test func integersThatAreTooLarge() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Scalars.self, value: ["small": 128]) }
    }
    #expect(Self.said("'Scalars.small'", result))
  }

  @Test func nilForRequired() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Scalars.self, value: ["text": NSNull()]) }
    }
    #expect(Self.said("for 'string' property 'Scalars.text'", result))
  }

  @Test func tooManyValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Piece.self, value: ["a", NSNull(), 3] as [Any]) }
    }
    #expect(Self.said("more values (3) than properties (2)", result))
  }

  @Test func listsOfSomethingElse() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Part.self, value: ["id": 1, "tags": "x"] as [String: Any]) }
    }
    #expect(Self.said("value is not enumerable", result) || Self.said("not enumerable", result))
  }

  @Test func objectsOfAnotherClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Part.self, value: ["id": 1, "loose": Part()] as [String: Any]) }
    }
    #expect(Self.said("for 'Piece?' property 'Part.loose'", result))
  }

  @Test func missingNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Part.self, value: Piece()) }
    }
    #expect(Self.said("missing key 'first'", result))
  }

  @Test func existingKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write {
        realm.create(Part.self, value: ["id": 1])
        realm.create(Part.self, value: ["id": 2, "parent": ["id": 1]] as [String: Any])
      }
    }
    #expect(Self.said("'Part' with an existing primary key value '1'", result))
  }

  @Test func updatingWithoutPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: configuration())
      try realm.write { realm.create(Piece.self, value: ["name": "x"], update: .all) }
    }
    #expect(Self.said("'Piece' does not have a primary key and can not be updated", result))
  }

  @Test func outsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Realm(configuration: configuration()).create(Piece.self)
    }
    #expect(Self.said("in a write transaction", result))
  }
}

/// What observers are told of updates.
struct UpdateReportTests {
  /// The names that are reported when one part is updated from a dictionary.
  private static func names(_ policy: Realm.UpdatePolicy, _ value: [String: Any]) throws -> [String] {
    let value = Unchecked(value)
    return try onOwnThread {
      let realm = try Realm(configuration: configuration())
      let part = try realm.write {
        realm.create(Part.self, value: ["id": 1, "size": 1, "note": "n", "tags": ["x", "y"]] as [String: Any])
      }
      var names: [String] = []
      let token = part.observe { (change: ObjectChange<Part>) in
        if case .change(_, let properties) = change { names += properties.map(\.name) }
      }
      realm.refresh()
      try realm.write { realm.create(Part.self, value: value.value, update: policy) }
      realm.refresh()
      token.invalidate()
      return names.sorted()
    }
  }

  @Test func modifiedReportsWhatDiffers() throws {
    #expect(try Self.names(.modified, ["id": 1, "size": 1, "note": "n", "tags": ["x", "y"]]) == [])
    #expect(try Self.names(.modified, ["id": 1, "size": 2, "note": "n", "tags": ["x"]]) == ["size", "tags"])
  }

  @Test func allReportsWhatIsGiven() throws {
    #expect(try Self.names(.all, ["id": 1, "size": 1, "note": "n"]) == ["note", "size"])
    #expect(try Self.names(.all, ["id": 1, "tags": ["x", "y"]]) == ["tags"])
  }

  /// Objects that exist only while they are read are different ones, also when they lie in the same place of memory.
  @Test func objectsThatAreMadeOnTheWay() throws {
    try onOwnThread {
      let undelivered = try Undelivered()
      let realm = undelivered.realm
      func made(_ id: Int) -> Any {
        (0..<1).lazy.map { _ -> Noted in
          let new = Noted()
          new.id = id
          return new
        }
      }
      let ids = 100..<150
      try realm.write {
        let groups = ids.map { ["id": $0, "friends": made(1000 + $0)] as [String: Any] }
        realm.create(Noted.self, value: ["id": 99, "friends": groups] as [String: Any])
      }
      for id in ids {
        let group = realm.object(ofType: Noted.self, forPrimaryKey: id)
        #expect(group?.friends.map(\.id) == [1000 + id])
      }
    }
  }

  @Test func listsOfValuesCountAsALevel() throws {
    try onOwnThread {
      let realm = try Watched.realm(0)
      try realm.write {
        let limits = CreationLimits(depth: 1)
        #expect(throws: Realm.Error.self) {
          try realm.create(WatchedItem.self, checking: ["id": 1, "codes": [1, 2]] as [String: Any], limits: limits)
        }
        let item = try realm.create(
          WatchedItem.self, checking: ["id": 2, "codes": [Int]()] as [String: Any], limits: limits)
        #expect(item.id == 2 && item.codes.isEmpty)
        try realm.create(
          WatchedItem.self, checking: ["id": 3, "codes": [1, 2]] as [String: Any], limits: CreationLimits(depth: 2))
      }
      #expect(realm.objects(WatchedItem.self).map(\.id) == [2, 3])
    }
  }
}
