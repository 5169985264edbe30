import Firn
import Foundation
import Testing

enum TypesMood: String, PersistableEnum {
  case calm, wild
}

final class TypesPart: EmbeddedObject {
  @Persisted var text: String
}

/// A property of each type.
final class TypesRequired: Object {
  @Persisted var flag: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var decimal: Decimal128
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var mixed: AnyRealmValue
  @Persisted var mood: TypesMood
  @Persisted var custom: ValCelsius
}

/// A property of each optional type, and of those types that never are, or always.
final class TypesOptional: Object {
  @Persisted var flag: Bool?
  @Persisted var int: Int?
  @Persisted var int8: Int8?
  @Persisted var int16: Int16?
  @Persisted var int32: Int32?
  @Persisted var int64: Int64?
  @Persisted var float: Float?
  @Persisted var double: Double?
  @Persisted var string: String?
  @Persisted var data: Data?
  @Persisted var date: Date?
  @Persisted var decimal: Decimal128?
  @Persisted var objectId: ObjectId?
  @Persisted var uuid: UUID?
  @Persisted var mood: TypesMood?
  @Persisted var custom: ValCelsius?
  @Persisted var link: TypesOptional?
  @Persisted var part: TypesPart?
  @Persisted(originProperty: "link") var backlinks: LinkingObjects<TypesOptional>
}

/// Every type that can be indexed.
final class TypesIndexed: Object {
  @Persisted(indexed: true) var flag: Bool
  @Persisted(indexed: true) var int: Int
  @Persisted(indexed: true) var int8: Int8?
  @Persisted(indexed: true) var int16: Int16
  @Persisted(indexed: true) var int32: Int32
  @Persisted(indexed: true) var int64: Int64?
  @Persisted(indexed: true) var string: String
  @Persisted(indexed: true) var date: Date?
  @Persisted(indexed: true) var objectId: ObjectId
  @Persisted(indexed: true) var uuid: UUID?
  @Persisted(indexed: true) var mood: TypesMood
}

final class TypesLists: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flags: List<Bool>
  @Persisted var ints: List<Int>
  @Persisted var bytes: List<Int8>
  @Persisted var shorts: List<Int16?>
  @Persisted var words: List<Int32>
  @Persisted var longs: List<Int64?>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double?>
  @Persisted var strings: List<String?>
  @Persisted var datas: List<Data>
  @Persisted var dates: List<Date?>
  @Persisted var decimals: List<Decimal128>
  @Persisted var objectIds: List<ObjectId?>
  @Persisted var uuids: List<UUID>
  @Persisted var moods: List<TypesMood?>
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var objects: List<TypesRequired>
  @Persisted var parts: List<TypesPart>
}

final class TypesSets: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flags: MutableSet<Bool?>
  @Persisted var ints: MutableSet<Int?>
  @Persisted var bytes: MutableSet<Int8>
  @Persisted var shorts: MutableSet<Int16>
  @Persisted var words: MutableSet<Int32?>
  @Persisted var longs: MutableSet<Int64>
  @Persisted var floats: MutableSet<Float?>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var strings: MutableSet<String>
  @Persisted var datas: MutableSet<Data?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var decimals: MutableSet<Decimal128?>
  @Persisted var objectIds: MutableSet<ObjectId>
  @Persisted var uuids: MutableSet<UUID?>
  @Persisted var moods: MutableSet<TypesMood>
  @Persisted var mixed: MutableSet<AnyRealmValue>
  @Persisted var objects: MutableSet<TypesRequired>
}

final class TypesMaps: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flags: Map<String, Bool>
  @Persisted var ints: Map<String, Int>
  @Persisted var bytes: Map<String, Int8?>
  @Persisted var shorts: Map<String, Int16>
  @Persisted var words: Map<String, Int32?>
  @Persisted var longs: Map<String, Int64>
  @Persisted var floats: Map<String, Float>
  @Persisted var doubles: Map<String, Double?>
  @Persisted var strings: Map<String, String?>
  @Persisted var datas: Map<String, Data>
  @Persisted var dates: Map<String, Date?>
  @Persisted var decimals: Map<String, Decimal128>
  @Persisted var objectIds: Map<String, ObjectId?>
  @Persisted var uuids: Map<String, UUID>
  @Persisted var moods: Map<String, TypesMood?>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var objects: Map<String, TypesRequired?>
  @Persisted var parts: Map<String, TypesPart?>
}

final class TypesRefused: Object {
  @Persisted var value: Int
  @Persisted var list: List<TypesRequired?>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What properties may be, and what they hold when nothing was assigned.
@Suite struct PropertyTypeTests {
  private static let classes: [ObjectBase.Type] = [
    TypesRequired.self, TypesOptional.self, TypesIndexed.self, TypesLists.self, TypesSets.self, TypesMaps.self,
    TypesPart.self,
  ]

  private func realm() throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: Self.classes))
  }

  private static let types: [(String, PropertyType)] = [
    ("flag", .bool), ("int", .int), ("int8", .int), ("int16", .int), ("int32", .int), ("int64", .int),
    ("float", .float), ("double", .double), ("string", .string), ("data", .data), ("date", .date),
    ("decimal", .decimal128), ("objectId", .objectId), ("uuid", .UUID), ("mixed", .any), ("mood", .string),
    ("custom", .double), ("link", .object), ("part", .object),
  ]

  @Test func theSchemaNamesTypes() throws {
    let schema = try realm().schema
    for (name, type) in Self.types {
      if let property = schema["TypesRequired"]?[name] {
        #expect(property.type == type && !property.isOptional, "\(name)")
      }
      if let property = schema["TypesOptional"]?[name] {
        #expect(property.type == type && property.isOptional, "\(name)?")
        #expect((property.objectClassName != nil) == (type == .object), "\(name)?")
      }
    }
    #expect(schema["TypesRequired"]?.properties.count == 17 && schema["TypesOptional"]?.properties.count == 18)
    for (name, kind) in [("TypesLists", \Property.isArray), ("TypesSets", \.isSet), ("TypesMaps", \.isMap)] {
      for property in schema[name]?.properties.dropFirst() ?? [] {
        #expect(property[keyPath: kind], "\(name).\(property.name)")
        #expect([property.isArray, property.isSet, property.isMap].count { $0 } == 1, "\(name).\(property.name)")
      }
    }
    #expect(schema["TypesLists"]?["shorts"]?.isOptional == true && schema["TypesLists"]?["bytes"]?.isOptional == false)
    #expect(schema["TypesLists"]?["mixed"]?.type == .any && schema["TypesSets"]?["moods"]?.type == .string)
    #expect(schema["TypesMaps"]?["parts"]?.objectClassName == "TypesPart")
    #expect(schema["TypesIndexed"]?.properties.allSatisfy(\.isIndexed) == true)
  }

  @Test func defaults() throws {
    let realm = try realm()
    let start = Date()
    for isManaged in [false, true] {
      let object = try isManaged ? realm.write { realm.create(TypesRequired.self) } : TypesRequired()
      #expect(!object.flag && object.int == 0 && object.int8 == 0 && object.int16 == 0 && object.int32 == 0)
      #expect(object.int64 == 0 && object.float == 0 && object.double == 0 && object.string.isEmpty)
      #expect(object.data.isEmpty && object.decimal == 0 && object.mixed == .none && object.mood == .calm)
      #expect(object.custom.degrees == 0)
      #expect(object.date >= start && object.date <= Date() && object.date == object.date)
      #expect(object.uuid != UUID() && object.uuid == object.uuid && object.objectId == object.objectId)
      #expect(object.objectId != TypesRequired().objectId && object.uuid != TypesRequired().uuid)
      let optional = try isManaged ? realm.write { realm.create(TypesOptional.self) } : TypesOptional()
      for (name, _) in Self.types where name != "mixed" { #expect(optional[name] == nil, "\(name)") }
      #expect(optional.flag == nil && optional.date == nil && optional.objectId == nil && optional.custom == nil)
      #expect(optional.backlinks.isEmpty)
    }
    for name in ["TypesLists", "TypesSets", "TypesMaps"] {
      let text = try realm.write { realm.dynamicCreate(name).description }
      #expect(!text.contains("[0]") && !text.contains("]:"), "collections start empty: \(text)")
    }
  }

  /// Values at the limits of their types.
  private static func fill(_ object: TypesRequired, _ sign: Int) {
    object.flag = sign > 0
    object.int = sign > 0 ? .max : .min
    object.int8 = sign > 0 ? .max : .min
    object.int16 = sign > 0 ? .max : .min
    object.int32 = sign > 0 ? .max : .min
    object.int64 = sign > 0 ? .max : .min
    object.float = sign > 0 ? .greatestFiniteMagnitude : -.infinity
    object.double = sign > 0 ? .leastNonzeroMagnitude : -.infinity
    object.string = "a\0b \u{1F98A} e\u{301}"
    object.data = Data([0, 255, 0])
    object.date = Date(timeIntervalSinceReferenceDate: Double(sign) * 700_000_000.123_456_789)
    object.decimal = sign > 0 ? "9.999999999999999999999999999999999E+6144" : "-1E-6176"
    object.mixed = .double(Double(sign) * 0.1)
    object.mood = .wild
    object.custom = ValCelsius(degrees: Double(sign))
  }

  @Test func valuesComeBack() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("types.realm"), objectTypes: Self.classes)
    for round in 0..<3 {
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        if round == 0 {
          try realm.write {
            for sign in [1, -1] {
              let object = TypesRequired()
              Self.fill(object, sign)
              realm.add(object)
            }
          }
        }
        for (object, sign) in zip(realm.objects(TypesRequired.self), [1, -1]) {
          let expected = TypesRequired()
          Self.fill(expected, sign)
          for (name, _) in Self.types where !["objectId", "uuid", "link", "part"].contains(name) {
            #expect(
              object[name] as? AnyHashable == expected[name] as? AnyHashable, "\(name), sign \(sign), round \(round)")
          }
          #expect(object.string.utf8.elementsEqual(expected.string.utf8), "every scalar is kept")
          #expect(object.custom == expected.custom && object.decimal == expected.decimal)
        }
      }
      if round == 1 { try onOwnThread { try Self.checkpoint(configuration) } }
    }
  }

  /// Brings what was written from the journal into the file.
  private static func checkpoint(_ configuration: Realm.Configuration) throws {
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    _ = try Realm(configuration: configuration)
  }

  @Test func optionalsComeAndGo() throws {
    let realm = try realm()
    let object = TypesOptional()
    let values: [String: Any] = [
      "flag": true, "int": 1, "int8": Int8(2), "int16": Int16(3), "int32": Int32(4), "int64": Int64(5),
      "float": Float(0.5), "double": 0.25, "string": "s", "data": Data([1]), "date": Date(timeIntervalSince1970: 1),
      "decimal": Decimal128(7), "objectId": ObjectId("507f1f77bcf86cd799439011"),
      "uuid": UUID(uuidString: "4A8F2D10-0000-4000-8000-000000000001") ?? UUID(), "mood": "wild", "custom": 1.5,
    ]
    for isManaged in [false, true] {
      if isManaged { try realm.write { realm.add(object) } }
      func change(_ body: () -> Void) throws { if isManaged { try realm.write(body) } else { body() } }
      for (name, value) in values {
        try change { object[name] = value }
        #expect(object[name] as? AnyHashable == value as? AnyHashable, "\(name), managed: \(isManaged)")
      }
      #expect(object.mood == .wild && object.custom?.degrees == 1.5 && object.int8 == 2 && object.decimal == 7)
      for name in values.keys {
        try change { object[name] = nil }
        #expect(object[name] == nil, "\(name), managed: \(isManaged)")
      }
    }
  }

  @Test func indexesChangeNothingThatIsSeen() throws {
    let realm = try realm()
    let ids = (0..<5).map { _ in ObjectId.generate() }
    let uuids = (0..<5).map { _ in UUID() }
    let day = Date(timeIntervalSince1970: 0)
    try realm.write {
      for number in 0..<100 {
        let object = TypesIndexed()
        object.flag = number % 2 == 0
        object.int = number
        object.int8 = number % 3 == 0 ? nil : Int8(number)
        object.int16 = Int16(number % 10)
        object.int32 = Int32(number % 10)
        object.int64 = number % 5 == 0 ? nil : Int64(number)
        object.string = "text \(number % 10)"
        object.date = number % 4 == 0 ? nil : day + Double(number % 10)
        object.objectId = ids[number % 5]
        object.uuid = number % 5 == 0 ? nil : uuids[number % 5]
        object.mood = number % 3 == 0 ? .wild : .calm
        realm.add(object)
      }
      for object in realm.objects(TypesIndexed.self).where({ $0.int < 10 }) { object.string = "changed" }
    }
    let objects = realm.objects(TypesIndexed.self)
    #expect(objects.where { $0.flag == true }.count == 50 && objects.where { $0.int == 42 }.count == 1)
    #expect(objects.where { $0.int8 == nil }.count == 34 && objects.where { $0.int8 == 7 }.count == 1)
    #expect(objects.where { $0.int16 == 3 }.count == 10 && objects.where { $0.int32 == 3 }.count == 10)
    #expect(objects.where { $0.int64 == nil }.count == 20 && objects.where { $0.int64 != 7 }.count == 99)
    #expect(objects.where { $0.string == "text 4" }.count == 9 && objects.where { $0.string == "changed" }.count == 10)
    #expect(objects.where { $0.date == nil }.count == 25 && objects.where { $0.date == day + 3 }.count == 10)
    #expect(objects.where { $0.objectId == ids[2] }.count == 20 && objects.where { $0.uuid == uuids[2] }.count == 20)
    #expect(objects.where { $0.uuid == nil }.count == 20 && objects.where { $0.mood == .wild }.count == 34)
    #expect(objects.where { $0.mood.in([.wild]) && $0.flag }.count == 17)
  }

  @Test func listsOfEveryType() throws {
    let realm = try realm()
    let (id, uuid, day) = (ObjectId.generate(), UUID(), Date(timeIntervalSince1970: 0.5))
    let lists = TypesLists()
    lists.flags.append(objectsIn: [true, false])
    lists.ints.append(objectsIn: [.min, .max])
    lists.bytes.append(objectsIn: [-128, 127])
    lists.shorts.append(objectsIn: [nil, 1])
    lists.words.append(objectsIn: [.min])
    lists.longs.append(objectsIn: [.max, nil])
    lists.floats.append(objectsIn: [0.5])
    lists.doubles.append(objectsIn: [nil, 0.25])
    lists.strings.append(objectsIn: ["a", nil, ""])
    lists.datas.append(objectsIn: [Data(), Data([1])])
    lists.dates.append(objectsIn: [day, nil])
    lists.decimals.append(objectsIn: ["0.1"])
    lists.objectIds.append(objectsIn: [nil, id])
    lists.uuids.append(objectsIn: [uuid])
    lists.moods.append(objectsIn: [.wild, nil])
    lists.mixed.append(objectsIn: [.int(1), .none])
    lists.objects.append(TypesRequired())
    lists.parts.append(TypesPart(value: ["p"]))
    try realm.write { realm.add(lists) }
    let read = try #require(realm.object(ofType: TypesLists.self, forPrimaryKey: 0))
    #expect(
      Array(read.flags) == [true, false] && Array(read.ints) == [.min, .max] && Array(read.bytes) == [-128, 127])
    #expect(Array(read.shorts) == [nil, 1] && Array(read.words) == [.min] && Array(read.longs) == [.max, nil])
    #expect(
      Array(read.floats) == [0.5] && Array(read.doubles) == [nil, 0.25] && Array(read.strings) == ["a", nil, ""])
    #expect(Array(read.datas) == [Data(), Data([1])] && Array(read.dates) == [day, nil])
    #expect(Array(read.decimals) == ["0.1"] && Array(read.objectIds) == [nil, id] && Array(read.uuids) == [uuid])
    #expect(Array(read.moods) == [.wild, nil] && Array(read.mixed) == [.int(1), .none])
    #expect(read.objects.count == 1 && read.parts.map(\.text) == ["p"])
    let copy = try realm.write {
      realm.create(TypesLists.self, value: ["id": 1, "moods": read.moods, "dates": read.dates] as [String: Any])
    }
    #expect(Array(copy.moods) == [.wild, nil] && Array(copy.dates) == [day, nil])
  }

  @Test func setsOfEveryType() throws {
    let realm = try realm()
    let (id, uuid, day) = (ObjectId.generate(), UUID(), Date(timeIntervalSince1970: 0.5))
    let sets = TypesSets()
    sets.flags.insert(objectsIn: [true, nil, true])
    sets.ints.insert(objectsIn: [3, nil, 3])
    sets.bytes.insert(objectsIn: [-128, 127])
    sets.shorts.insert(objectsIn: [2, 1])
    sets.words.insert(objectsIn: [nil, 7])
    sets.longs.insert(objectsIn: [.max])
    sets.floats.insert(objectsIn: [0.5, nil])
    sets.doubles.insert(objectsIn: [0.25])
    sets.strings.insert(objectsIn: ["b", "a"])
    sets.datas.insert(objectsIn: [Data([1]), nil, Data()])
    sets.dates.insert(objectsIn: [day])
    sets.decimals.insert(objectsIn: ["0.10", "0.1", nil])
    sets.objectIds.insert(objectsIn: [id, id])
    sets.uuids.insert(objectsIn: [nil, uuid])
    sets.moods.insert(objectsIn: [.wild, .calm])
    sets.mixed.insert(objectsIn: [.string("x"), .int(1), .none])
    sets.objects.insert(TypesRequired())
    try realm.write { realm.add(sets) }
    let read = try #require(realm.object(ofType: TypesSets.self, forPrimaryKey: 0))
    #expect(Array(read.flags) == [nil, true] && Array(read.ints) == [nil, 3] && Array(read.bytes) == [-128, 127])
    #expect(Array(read.shorts) == [1, 2] && Array(read.words) == [nil, 7] && Array(read.longs) == [.max])
    #expect(Array(read.floats) == [nil, 0.5] && Array(read.doubles) == [0.25] && Array(read.strings) == ["a", "b"])
    #expect(Array(read.datas) == [nil, Data(), Data([1])] && Array(read.dates) == [day])
    #expect(Array(read.decimals) == [nil, "0.1"] && Array(read.objectIds) == [id] && Array(read.uuids) == [nil, uuid])
    #expect(Array(read.moods) == [.calm, .wild] && Array(read.mixed) == [.none, .int(1), .string("x")])
    #expect(read.objects.count == 1 && read.mixed.contains(.int(1)) && read.uuids.contains(nil))
  }

  @Test func mapsOfEveryType() throws {
    let realm = try realm()
    let (id, uuid, day) = (ObjectId.generate(), UUID(), Date(timeIntervalSince1970: 0.5))
    let maps = TypesMaps()
    maps.flags["k"] = true
    maps.ints["k"] = .min
    maps.bytes["k"] = 127
    maps.bytes["n"] = .some(nil)
    maps.shorts["k"] = 1
    maps.words["n"] = .some(nil)
    maps.longs["k"] = .max
    maps.floats["k"] = 0.5
    maps.doubles["k"] = 0.25
    maps.doubles["n"] = .some(nil)
    maps.strings["k"] = "s"
    maps.strings["n"] = .some(nil)
    maps.datas["k"] = Data([1])
    maps.dates["k"] = day
    maps.decimals["k"] = "0.1"
    maps.objectIds["k"] = id
    maps.objectIds["n"] = .some(nil)
    maps.uuids["k"] = uuid
    maps.moods["k"] = .wild
    maps.moods["n"] = .some(nil)
    maps.mixed["k"] = .int(1)
    maps.objects["k"] = TypesRequired()
    maps.parts["k"] = TypesPart(value: ["p"])
    try realm.write { realm.add(maps) }
    let read = try #require(realm.object(ofType: TypesMaps.self, forPrimaryKey: 0))
    #expect(read.flags["k"] == true && read.ints["k"] == .min && read.bytes["k"] == 127 && read.shorts["k"] == 1)
    #expect(read.bytes["n"] == .some(nil) && read.words["n"] == .some(nil) && read.words.count == 1)
    #expect(read.longs["k"] == .max && read.floats["k"] == 0.5 && read.doubles["k"] == 0.25)
    #expect(read.doubles["n"] == .some(nil) && read.strings["k"] == "s" && read.strings["n"] == .some(nil))
    #expect(read.datas["k"] == Data([1]) && read.dates["k"] == day && read.decimals["k"] == "0.1")
    #expect(read.objectIds["k"] == id && read.objectIds["n"] == .some(nil) && read.uuids["k"] == uuid)
    #expect(read.moods["k"] == .wild && read.moods["n"] == .some(nil) && read.mixed["k"] == .int(1))
    #expect(read.objects["k"]??.int == 0 && read.parts["k"]??.text == "p" && read.flags["zzz"] == nil)
  }

  @Test func nanInQueriesAndOrder() throws {
    let realm = try realm()
    let values: [Double] = [1, .nan, -.infinity, .infinity, -0.0, 0]
    try realm.write {
      for (index, value) in values.enumerated() {
        let object = TypesRequired()
        object.int = index
        object.double = value
        object.float = Float(value)
        realm.add(object)
      }
    }
    let objects = realm.objects(TypesRequired.self)
    #expect(objects[1].double.isNaN && objects[1].float.isNaN)
    #expect(objects.where { $0.double == .nan }.isEmpty && objects.where { $0.float == .nan }.isEmpty)
    #expect(objects.where { $0.double != .nan }.count == 6 && objects.where { $0.double == 0 }.map(\.int) == [4, 5])
    #expect(objects.where { $0.double < 1 || $0.double >= 1 }.count == 5, "no order with other numbers")
    #expect(objects.sorted(by: \.double).map(\.int) == [1, 2, 4, 5, 0, 3], "but first when sorted")
    #expect(objects.sorted(by: \.float, ascending: false).map(\.int) == [3, 0, 4, 5, 2, 1])
  }

  @Test func textsAreComparedByTheirBytes() throws {
    let realm = try realm()
    let texts = ["\u{e9}", "e\u{301}", "a\0", "a", "Z", ""]
    try realm.write {
      for text in texts {
        let (plain, indexed) = (TypesRequired(), TypesIndexed())
        (plain.string, indexed.string) = (text, text)
        realm.add(plain)
        realm.add(indexed)
      }
    }
    for text in texts {
      let (plain, indexed) = (
        realm.objects(TypesRequired.self).where { $0.string == text },
        realm.objects(TypesIndexed.self).where { $0.string == text }
      )
      #expect(plain.count == 1 && indexed.count == 1, "\(Array(text.unicodeScalars))")
      #expect(plain.first?.string.utf8.elementsEqual(text.utf8) == true)
      #expect(indexed.first?.string.utf8.elementsEqual(text.utf8) == true)
    }
    #expect("\u{e9}" == "e\u{301}", "which is not how Swift compares")
    let sorted = realm.objects(TypesRequired.self).sorted(by: \.string).map { Array($0.string.utf8) }
    let expected = ["", "Z", "a", "a\0", "e\u{301}", "\u{e9}"]
    #expect(Array(sorted) == expected.map { Array($0.utf8) })
  }

  @Test func datesKeepEveryBit() throws {
    let realm = try realm()
    let dates: [Date] = [
      .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
      Date(timeIntervalSince1970: 1_700_000_000.123_456_7), Date(timeIntervalSinceReferenceDate: -1e-9),
    ]
    for date in dates {
      let object = try realm.write { realm.create(TypesRequired.self, value: ["date": date]) }
      #expect(object.date == date)
      #expect(realm.objects(TypesRequired.self).where { $0.date == date }.count == 1)
    }
  }

  @Test func declarationsThatAreRefused() {
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString,
          objectTypes: [TypesRefused.self, TypesRequired.self]))
    }
    #expect(error?.localizedDescription.contains("'TypesRefused.list' must not be marked as optional") == true)
  }

  private func names<Value: RealmCollectionValue>(_ type: Value.Type) -> String { "\(Value.PersistedType.self)" }
  private func isPersistable<Value: _Persistable & _RealmSchemaDiscoverable>(_ type: Value.Type) -> Bool { true }
  private func makes<Value: _DefaultConstructible & _ObjcBridgeable>(_ type: Value.Type) -> Value { Value() }
  private func mayBeNil<Value: _RealmCollectionValueInsideOptional>(_ type: Value.Type) -> Bool { true }
  private func mayBeNil<Value: _PersistableInsideOptional>(stored type: Value.Type) -> Bool { true }
  private func hasLimits<Value: MinMaxType>(_ type: Value.Type) -> Bool { true }
  private func hasSum<Value: AddableType>(_ type: Value.Type) -> Bool { true }
  private func isKey<Value: _PrimaryKey & _Indexable>(_ type: Value.Type) -> Bool { true }
  private func isSortable<Value: KeypathSortable & RealmFetchable>(_ type: Value.Type) -> Bool { true }
  private func isMapKey<Key: _MapKey>(_ type: Key.Type) -> Bool { true }
  private func isOptional<Value: OptionalProtocol>(_ type: Value.Type) -> String { "\(Value.Wrapped.self)" }
  private func isCustom<Value: _CustomPersistable & _HasPersistedType>(_ type: Value.Type) -> Bool { true }

  @Test func protocolsForGenericCode() {
    #expect(
      names(Int?.self) == "Optional<Int>" && names(TypesMood.self) == "String" && names(ValCelsius.self) == "Double")
    #expect(isPersistable(String?.self) && isPersistable(List<Int>.self) && isPersistable(TypesOptional?.self))
    #expect(makes(Int8.self) == 0 && makes(String.self).isEmpty && makes(Decimal128.self) == 0 && !makes(Bool.self))
    #expect(makes(Data.self).isEmpty && makes(Double.self) == 0 && makes(UUID.self) != makes(UUID.self))
    #expect(mayBeNil(Date.self) && mayBeNil(TypesRequired.self) && mayBeNil(TypesMood.self))
    #expect(mayBeNil(stored: TypesPart.self) && mayBeNil(stored: Bool.self))
    #expect(hasLimits(Date?.self) && hasLimits(AnyRealmValue.self) && hasSum(Int16.self) && hasSum(Decimal128?.self))
    #expect(isKey(UUID.self) && isKey(Int?.self) && isKey(ObjectId.self) && isKey(Bool.self))
    #expect(isSortable(TypesRequired.self) && isMapKey(String.self) && isOptional(Int?.self) == "Int")
    #expect(isCustom(ValCelsius.self))
  }
}
