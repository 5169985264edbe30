import Firn
import FirnMapping
import Foundation
import Testing

/// The example of WCDB's page.
class MyClass: ColumnJSONCodable {
  var a: String = ""
  var b: String = ""
}

final class MapStored: Object {
  @Persisted(primaryKey: true) var id: StructureAsInteger
  @Persisted(indexed: true) var kind: EnumerationAsInteger32 = .second
  @Persisted var maybeKind: EnumerationAsInteger32?
  @Persisted var weight: StructureAsDouble
  @Persisted var title: ClassAsText
  @Persisted var bytes: ClassAsData?
  @Persisted var place = StructureAsJSON(name: "home")
  @Persisted var maybePlace: StructureAsJSON?
  @Persisted var mine: MyClass?
}

/// The same table by its stored types.
final class MapRaw: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var kind: Int
  @Persisted var maybeKind: Int?
  @Persisted var weight: Double
  @Persisted var title: String
  @Persisted var bytes: Data?
  @Persisted var place: Data
  @Persisted var maybePlace: Data?
  @Persisted var mine: Data?

  override class func _realmObjectName() -> String? { "MapStored" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Archives what it is told to.
struct MapOdd: ColumnCodable {
  var archive: Int

  static var columnType: ColumnType { .text }
  init(_ archive: Int) { self.archive = archive }
  init?(with value: Value) { archive = value.stringValue.count }
  func archivedValue() -> Value {
    archive == 0 ? Value(nil) : archive == 1 ? Value(7) : Value(String(repeating: "x", count: archive))
  }
}

final class MapOddHolder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var odd = MapOdd(3)
  @Persisted var maybe: MapOdd?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

struct MapNothing: ColumnCodable {
  static var columnType: ColumnType { .null }
  init?(with value: Value) {}
  func archivedValue() -> Value { Value(nil) }
}

final class MapNothingLists: Object {
  @Persisted var list: List<MapNothing>
  @Persisted var set: MutableSet<MapNothing>
  @Persisted var map: Map<String, MapNothing>
  @Persisted var gaps: List<MapNothing?>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapNothingHolder: Object {
  @Persisted var nothing: MapNothing?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapNoDefault: Object {
  @Persisted var place: StructureAsJSON
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapBlobIndexed: Object {
  @Persisted(indexed: true) var place: StructureAsJSON?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct MappedPropertyTests {
  private func open(_ types: [ObjectBase.Type] = [MapStored.self]) throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  private func stored(_ id: Int64) -> MapStored {
    let object = MapStored()
    object.id = StructureAsInteger(number: id)
    return object
  }

  @Test func everyKindGoesThereAndBack() throws {
    let realm = try open()
    let object = stored(.max)
    #expect(object.kind == .second && object.weight.number == 0 && object.title.text == "" && object.bytes == nil)
    #expect(object.place.name == "home" && object.mine == nil)
    let mine = MyClass()
    mine.a = "x"
    object.mine = mine
    #expect(object.mine === mine, "an unmanaged object holds the instance")
    try realm.write {
      realm.add(object)
      object.kind = .first
      object.maybeKind = .second
      object.weight = StructureAsDouble(number: -.infinity)
      object.title = ClassAsText(text: String(repeating: "ä", count: 1000))
      object.bytes = ClassAsData(bytes: Data([1, 2]))
      object.place = StructureAsJSON(name: "away", numbers: Array(0..<10_000))
      object.maybePlace = StructureAsJSON()
    }
    #expect(object.id.number == .max && object.kind == .first && object.maybeKind == .second)
    #expect(
      object.weight.number == -.infinity && object.title.text.count == 1000 && object.bytes?.bytes == Data([1, 2]))
    #expect(object.place.numbers.count == 10_000 && object.maybePlace?.name == "")
    #expect(object.mine?.a == "x" && object.mine !== object.mine, "each read makes an instance")
    object.mine?.a = "changed"
    #expect(object.mine?.a == "x", "a change inside is not stored")
    try realm.write {
      object.maybeKind = nil
      object.mine = nil
    }
    #expect(object.maybeKind == nil && object.mine == nil)
    #expect(object["kind"] as? Int == 1 && object["title"] as? String == object.title.text)
    let schema = try #require(realm.schema["MapStored"])
    for (name, type) in [
      ("id", PropertyType.int), ("kind", .int), ("weight", .double), ("title", .string), ("mine", .data),
    ] {
      #expect(schema[name]?.type == type)
    }
  }

  @Test func queriesCompareTheStoredForm() throws {
    let realm = try open()
    try realm.write {
      for id in 0..<6 {
        let object = stored(Int64(id))
        object.kind = id < 2 ? .first : .second
        object.maybeKind = id == 4 ? .first : nil
        object.weight.number = Double(id) / 2
        object.title = ClassAsText(text: "t\(id)")
        object.place = StructureAsJSON(name: "p\(id % 2)", numbers: [1])
        realm.add(object)
      }
    }
    let all = realm.objects(MapStored.self)
    func ids(_ isIncluded: (Query<MapStored>) -> Query<Bool>) -> [Int64] { all.where(isIncluded).map(\.id.number) }
    #expect(ids { $0.kind == .first } == [0, 1] && ids { $0.kind.int64Value == 2 }.count == 4)
    #expect(ids { $0.maybeKind == .first } == [4] && ids { $0.maybeKind == nil }.count == 5)
    #expect(
      ids { $0.weight > StructureAsDouble(number: 1.5) } == [4, 5] && ids { $0.weight.doubleValue <= 0.5 } == [0, 1])
    #expect(
      ids { $0.title == ClassAsText(text: "t3") } == [3] && ids { $0.title.stringValue.starts(with: "t") }.count == 6)
    #expect(ids { $0.place == StructureAsJSON(name: "p1", numbers: [1]) } == [1, 3, 5])
    #expect(ids { $0.id.in([StructureAsInteger(number: 2)]) } == [2])
    #expect(all.sorted(by: \.title, ascending: false).first?.id.number == 5)
    #expect(realm.object(ofType: MapStored.self, forPrimaryKey: StructureAsInteger(number: 3))?.title.text == "t3")
  }

  @Test func creatingFromValues() throws {
    let realm = try open()
    try realm.write {
      let mapped = realm.create(
        MapStored.self,
        value: [
          "id": StructureAsInteger(number: 1), "kind": EnumerationAsInteger32.first,
          "place": StructureAsJSON(name: "n"),
        ]
          as [String: Any])
      let plain = realm.create(
        MapStored.self, value: ["id": 2, "kind": 1, "place": Data(#"{"name":"n","numbers":[]}"#.utf8)] as [String: Any])
      for object in [mapped, plain] {
        #expect(object.kind == .first && object.place.name == "n" && object.weight.number == 0 && object.mine == nil)
      }
    }
  }

  @Test func storedValuesThatCannotBeRead() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("mapped.firn")
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [MapRaw.self]))
      try realm.write {
        realm.create(
          MapRaw.self,
          value: [
            "id": 1, "kind": 77, "maybeKind": 77, "place": Data("x".utf8), "maybePlace": Data(), "mine": Data("{".utf8),
          ]
            as [String: Any])
      }
    }
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [MapStored.self]))
    let object = try #require(realm.objects(MapStored.self).first)
    for object in [object, object.freeze()] {
      #expect(object.kind == .second && object.place.name == "home", "the declared value")
      #expect(object.maybeKind == nil && object.maybePlace == nil && object.mine == nil)
    }
  }

  @Test func valuesThatCannotBeStored() throws {
    let realm = try open([MapOddHolder.self])
    let holder = MapOddHolder()
    holder.id = 5
    try realm.write { realm.add(holder) }
    for (archive, part) in [(0, "gave null"), (1, "integer64")] {
      #expect {
        try realm.write {
          holder.odd = MapOdd(2)
          holder.odd = MapOdd(archive)
        }
      } throws: { error in
        let text = "\(error.localizedDescription)"
        return text.contains(part) && text.contains("MapOddHolder.odd") && text.contains("MapOdd'")
          && text.contains("5")
      }
      #expect(holder.odd.archive == 3 && !realm.isInWriteTransaction, "nothing of the transaction stays")
      #expect(throws: Realm.Error.self) {
        try realm.write {
          let other = MapOddHolder()
          other.id = 6
          other.odd = MapOdd(archive)
          realm.add(other)
        }
      }
      #expect(realm.objects(MapOddHolder.self).count == 1)
    }
    try realm.write { holder.maybe = MapOdd(4) }
    try realm.write { holder.maybe = MapOdd(0) }
    #expect(holder.maybe == nil, "null is stored in an optional property")
    #expect(throws: Realm.Error.self) { try realm.write { holder.maybe = MapOdd(1) } }
  }

  @Test func numbersOfMoreThan32BitsAreRefusedWhereTheColumnHasAsMany() throws {
    let realm = try open([MapStored.self])
    try realm.write {
      for name in ["kind", "maybeKind"] {
        for number in [4_294_967_297, Int(Int32.max) + 1, Int(Int32.min) - 1, Int.max] {
          let error = #expect(throws: Realm.Error.self) {
            try realm.create(MapStored.self, json: #"{"id": 1, "\#(name)": \#(number)}"#)
          }
          #expect(error?.code == .invalidInput && error?.invalidInput?.path == "$.\(name)")
          #expect(throws: Realm.Error.self) {
            try realm.create(MapStored.self, checking: ["id": 1, name: number] as [String: Any])
          }
        }
      }
      try realm.create(MapStored.self, json: #"{"id": 4294967297, "kind": 2, "maybeKind": 1}"#)
    }
    let stored = realm.objects(MapStored.self)
    #expect(stored.count == 1 && stored[0].kind == .second && stored[0].maybeKind == .first)
    #expect(stored[0].id.archivedValue() == Value(Int64(4_294_967_297)), "columns of 64 bits take more")
  }

  @Test func declarationsThatTheSchemaRefuses() {
    for (type, part) in [
      (MapNothingHolder.self as ObjectBase.Type, "'MapNothingHolder.nothing'"),
      (MapNothingLists.self, "'MapNothingLists.list' has type 'MapNothing' with columnType null"),
      (MapNothingLists.self, "'MapNothingLists.set' has type"),
      (MapNothingLists.self, "'MapNothingLists.map' has type"),
      (MapNothingLists.self, "'MapNothingLists.gaps' has type"),
      (MapNoDefault.self, "Give it a default"),
      (MapBlobIndexed.self, "cannot be indexed"),
    ] {
      #expect { try open([type]) } throws: { error in "\(error.localizedDescription)".contains(part) }
    }
  }
}
