import Firn
public import FirnMapping
import Foundation
import TestSupport
import Testing

typealias MapColumn = ColumnEncodable & ColumnDecodable

/// A structure over any type of column.
struct MapStructure<Stored: MapColumn>: ColumnCodable {
  var value: Stored

  static var columnType: ColumnType { Stored.columnType }
  init(_ value: Stored) { self.value = value }
  init?(with value: Value) {
    guard let value = Stored(with: value) else { return nil }
    self.value = value
  }
  func archivedValue() -> Value { value.archivedValue() }
}

/// A class over any type of column.
class MapClass<Stored: MapColumn>: ColumnCodable {
  var value: Stored

  static var columnType: ColumnType { Stored.columnType }
  init(_ value: Stored) { self.value = value }
  required init?(with value: Value) {
    guard let value = Stored(with: value) else { return nil }
    self.value = value
  }
  func archivedValue() -> Value { value.archivedValue() }
}

/// An enumeration over any type of column.
enum MapEnumeration<Stored: MapColumn>: ColumnCodable {
  case one(Stored)

  static var columnType: ColumnType { Stored.columnType }
  init?(with value: Value) {
    guard let value = Stored(with: value) else { return nil }
    self = .one(value)
  }
  func archivedValue() -> Value {
    switch self {
    case .one(let value): value.archivedValue()
    }
  }
  var value: Stored {
    switch self {
    case .one(let value): value
    }
  }
}

final class MapEvery: Object {
  @Persisted(primaryKey: true) var id: MapStructure<String>
  @Persisted var structure32: MapStructure<Int32>
  @Persisted(indexed: true) var structure64: MapStructure<Int64>
  @Persisted var structureFloat: MapStructure<Double>
  @Persisted var structureText: MapStructure<String>
  @Persisted var structureBytes: MapStructure<Data>
  @Persisted var class32: MapClass<Int32>
  @Persisted var class64: MapClass<Int64>
  @Persisted var classFloat: MapClass<Double>
  @Persisted var classText: MapClass<String>
  @Persisted var classBytes: MapClass<Data>
  @Persisted var enumeration32: MapEnumeration<Int32>
  @Persisted var enumeration64: MapEnumeration<Int64>
  @Persisted var enumerationFloat: MapEnumeration<Double>
  @Persisted(indexed: true) var enumerationText: MapEnumeration<String>
  @Persisted var enumerationBytes: MapEnumeration<Data>
  @Persisted var maybe32: MapStructure<Int32>?
  @Persisted var maybe64: MapClass<Int64>?
  @Persisted var maybeFloat: MapStructure<Double>?
  @Persisted var maybeText: MapClass<String>?
  @Persisted var maybeBytes: MapEnumeration<Data>?
  @Persisted var date: MapStructure<Date>
  @Persisted var flag: MapStructure<Bool>
}

/// A class that is stored as JSON, and one derived from it that adds a property.
class MapAnimal: ColumnJSONCodable {
  var name = ""
  init() {}
}

final class MapBird: MapAnimal {
  private enum Keys: CodingKey { case span }
  var span = 0

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    span = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .span)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(span, forKey: .span)
  }
}

/// A type of Foundation, which the library leaves to its users.
extension CGPoint: ColumnJSONCodable {}

/// Refuses what it did not write, but can be made from 0.
struct MapPercentage: ColumnCodable {
  var number: Int32

  static var columnType: ColumnType { .integer32 }
  init(_ number: Int32) { self.number = number }
  init?(with value: Value) {
    guard (0...100).contains(value.int64Value) else { return nil }
    number = value.int32Value
  }
  func archivedValue() -> Value { Value(number) }
}

final class MapZoo: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var animal: MapAnimal?
  @Persisted var bird: MapBird?
  @Persisted var place: CGPoint?
  @Persisted var share: MapPercentage
  @Persisted var maybeShare: MapPercentage?
}

/// The same table by its stored types.
final class MapRawZoo: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var animal: Data?
  @Persisted var bird: Data?
  @Persisted var place: Data?
  @Persisted var share: Int
  @Persisted var maybeShare: Int?

  override class func _realmObjectName() -> String? { "MapZoo" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapFloatIndexed: Object {
  @Persisted(indexed: true) var number: MapStructure<Double>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapFloatKeyed: Object {
  @Persisted(primaryKey: true) var number: MapStructure<Double>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MapBytesKeyed: Object {
  @Persisted(primaryKey: true) var bytes: MapStructure<Data>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct MappedTypesTests {
  /// A folder that goes with the value.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func configuration(_ types: [ObjectBase.Type]) -> Realm.Configuration {
      .init(fileURL: url.appendingPathComponent("mapped.firn"), objectTypes: types)
    }
  }

  private func memory(_ types: [ObjectBase.Type]) -> Realm.Configuration {
    .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
  }

  private static func fill(_ object: MapEvery, _ round: Int) {
    let (int32, int64): (Int32, Int64) = round == 0 ? (.min, .max) : (.max, .min)
    let float = round == 0 ? -Double.greatestFiniteMagnitude : .leastNonzeroMagnitude
    let text = round == 0 ? String(repeating: "ä\0", count: 500) : ""
    let bytes = round == 0 ? Data((0..<4000).map { UInt8(truncatingIfNeeded: $0) }) : Data()
    object.structure32 = MapStructure(int32)
    object.structure64 = MapStructure(int64)
    object.structureFloat = MapStructure(float)
    object.structureText = MapStructure(text)
    object.structureBytes = MapStructure(bytes)
    object.class32 = MapClass(int32)
    object.class64 = MapClass(int64)
    object.classFloat = MapClass(float)
    object.classText = MapClass(text)
    object.classBytes = MapClass(bytes)
    object.enumeration32 = .one(int32)
    object.enumeration64 = .one(int64)
    object.enumerationFloat = .one(float)
    object.enumerationText = .one(text)
    object.enumerationBytes = .one(bytes)
    object.maybe32 = round == 0 ? nil : MapStructure(int32)
    object.maybe64 = round == 0 ? nil : MapClass(int64)
    object.maybeFloat = round == 0 ? nil : MapStructure(float)
    object.maybeText = round == 0 ? nil : MapClass(text)
    object.maybeBytes = round == 0 ? nil : .one(bytes)
    object.date = MapStructure(round == 0 ? .distantPast : .distantFuture)
    object.flag = MapStructure(round == 0)
  }

  /// What an object holds, in the order of its properties.
  private static func values(_ object: MapEvery) -> [Value] {
    let integers = [
      object.structure32.archivedValue(), object.structure64.archivedValue(), object.class32.archivedValue(),
      object.class64.archivedValue(), object.enumeration32.archivedValue(), object.enumeration64.archivedValue(),
      object.flag.archivedValue(),
    ]
    let others = [
      object.structureFloat.archivedValue(), object.structureText.archivedValue(),
      object.structureBytes.archivedValue(), object.classFloat.archivedValue(), object.classText.archivedValue(),
      object.classBytes.archivedValue(), object.enumerationFloat.archivedValue(),
      object.enumerationText.archivedValue(), object.enumerationBytes.archivedValue(), object.date.archivedValue(),
    ]
    let optional = [
      object.maybe32?.archivedValue(), object.maybe64?.archivedValue(), object.maybeFloat?.archivedValue(),
      object.maybeText?.archivedValue(), object.maybeBytes?.archivedValue(),
    ]
    return integers + others + optional.map { $0 ?? Value(nil) }
  }

  @Test func everyKindOfTypeOverEveryTypeOfColumn() async throws {
    let folder = try Folder()
    let configuration = folder.configuration([MapEvery.self])
    var expected: [[Value]] = []
    do {
      let fresh = MapEvery()
      #expect(fresh.structure32.value == 0 && fresh.classText.value == "" && fresh.enumerationBytes.value == Data())
      #expect(fresh.maybe64 == nil && fresh.date.value == Date(timeIntervalSince1970: 0) && !fresh.flag.value)
      let store = try await RealmStore.open(configuration)
      for round in 0...1 {
        try await store.write { realm in
          let object = MapEvery()
          object.id = MapStructure("\(round)")
          if round == 0 { Self.fill(object, round) }
          realm.add(object)
          if round == 1 { Self.fill(object, round) }
        }
        // The first comes back from the snapshot, the second from the journal.
        if round == 0 { try await store.checkpoint() }
        let twin = MapEvery()
        Self.fill(twin, round)
        expected.append(Self.values(twin))
      }
      #expect(store.freeze().objects(MapEvery.self).map { Self.values($0) } == expected)
    }
    let realm = try Realm(configuration: configuration, queue: nil)
    let all = realm.objects(MapEvery.self)
    #expect(all.map { Self.values($0) } == expected, "reopened")
    #expect(realm.object(ofType: MapEvery.self, forPrimaryKey: MapStructure("1"))?.class32.value == .max)
    #expect(all[0].maybe32 == nil && all[0].maybeText == nil && all[0].maybeBytes == nil, "null is not asked for")
    func ids(_ isIncluded: (Query<MapEvery>) -> Query<Bool>) -> [String] { all.where(isIncluded).map(\.id.value) }
    #expect(ids { $0.structure32 == MapStructure(.min) } == ["0"] && ids { $0.class64 != MapClass(.max) } == ["1"])
    #expect(ids { $0.structure64 == MapStructure(.min) } == ["1"] && ids { $0.class32 > MapClass(0) } == ["1"])
    #expect(ids { $0.enumerationText == .one("") } == ["1"] && ids { $0.structureText > MapStructure("") } == ["0"])
    #expect(ids { $0.classBytes == MapClass(Data()) } == ["1"] && ids { $0.enumerationFloat < .one(0) } == ["0"])
    #expect(ids { $0.maybe64 == nil } == ["0"] && ids { $0.maybeText == MapClass("") } == ["1"])
    #expect(ids { $0.maybeBytes.dataValue == Data() } == ["1"] && ids { $0.maybeFloat.doubleValue == nil } == ["0"])
    #expect(ids { $0.maybe32.int64Value > 0 } == ["1"] && ids { $0.maybeText.stringValue != nil } == ["1"])
    #expect(ids { $0.date.doubleValue < 0 } == ["0"] && ids { $0.structureBytes.dataValue != Data() } == ["0"])
  }

  @Test func subclassesAndTypesOfFoundation() throws {
    let realm = try Realm(configuration: memory([MapZoo.self]))
    let zoo = MapZoo()
    let bird = MapBird()
    bird.name = "kea"
    bird.span = 90
    zoo.bird = bird
    zoo.animal = bird
    zoo.place = CGPoint(x: 1.5, y: -2)
    try realm.write { realm.add(zoo) }
    #expect(zoo.bird?.name == "kea" && zoo.bird?.span == 90)
    #expect(zoo.animal?.name == "kea" && !(zoo.animal is MapBird), "read as the type of the property")
    #expect(zoo.place == CGPoint(x: 1.5, y: -2))
    #expect(realm.objects(MapZoo.self).where { $0.place == CGPoint(x: 1.5, y: -2) }.count == 1)
    #expect(realm.objects(MapZoo.self).where { $0.bird == bird }.count == 1)
  }

  @Test func whatCannotBeReadIsListedAndKept() throws {
    let folder = try Folder()
    do {
      let realm = try Realm(configuration: folder.configuration([MapRawZoo.self]))
      try realm.write {
        let place = Data("[1]".utf8)
        realm.create(MapRawZoo.self, value: ["id": 4, "share": 101, "maybeShare": -1, "place": place] as [String: Any])
      }
    }
    let configuration = folder.configuration([MapZoo.self])
    let unreadable = try RealmStore.verify(configuration).unreadableValues
    #expect(unreadable.map(\.propertyName) == ["place", "share", "maybeShare"], "\(unreadable)")
    #expect(unreadable.allSatisfy { $0.className == "MapZoo" && $0.object == "4" } && unreadable[1].value == "101")
    do {
      let realm = try Realm(configuration: configuration)
      let zoo = try #require(realm.objects(MapZoo.self).first)
      #expect(zoo.share.number == 0, "without a declared value, what is made of 0")
      #expect(zoo.maybeShare == nil && zoo.place == nil && zoo.animal == nil)
      try realm.write { zoo.animal = MapAnimal() }
    }
    let raw = try Realm(configuration: folder.configuration([MapRawZoo.self]))
    let zoo = try #require(raw.objects(MapRawZoo.self).first)
    #expect(zoo.share == 101 && zoo.maybeShare == -1 && zoo.place == Data("[1]".utf8) && zoo.animal != nil)
  }

  @Test func observersHearOncePerChange() throws {
    for skips in [false, true] {
      var configuration = memory([MapZoo.self])
      configuration.skipsEqualWrites = skips
      let names = try observedNames(configuration)
      #expect(names == (skips ? ["share"] : ["animal", "place", "share", "share"]), "skips equal writes: \(skips)")
    }
  }

  /// What an observer hears of an equal write to three properties, then of a real one.
  private func observedNames(_ configuration: Realm.Configuration) throws -> [String] {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let zoo = MapZoo()
      zoo.animal = MapAnimal()
      zoo.place = CGPoint(x: 1, y: 2)
      try realm.write { realm.add(zoo) }
      var names: [String] = []
      let token = zoo.observe { (change: ObjectChange<MapZoo>) in
        if case .change(_, let all) = change { names += all.map(\.name) }
      }
      realm.refresh()
      try realm.write {
        zoo.animal = MapAnimal()
        zoo.place = CGPoint(x: 1, y: 2)
        zoo.share = MapPercentage(0)
      }
      realm.refresh()
      try realm.write { zoo.share = MapPercentage(7) }
      realm.refresh()
      token.invalidate()
      return names
    }
  }

  @Test func onlyIntegersAndTextsAreKeysAndIndexes() {
    for (type, part) in [
      (MapFloatIndexed.self as ObjectBase.Type, "cannot be indexed"), (MapFloatKeyed.self, "cannot be the primary key"),
      (MapBytesKeyed.self, "cannot be the primary key"),
    ] {
      #expect { try Realm(configuration: memory([type])) } throws: { "\($0.localizedDescription)".contains(part) }
    }
  }
}
