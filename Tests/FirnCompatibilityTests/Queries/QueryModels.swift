import Firn
import Foundation
import Testing

enum QueryColour: String, PersistableEnum {
  case red, green, blue
}

enum QueryLevel: Int, PersistableEnum {
  case low = 1
  case middle = 5
  case high = 9
}

struct QueryCode: CustomPersistable, Comparable {
  typealias PersistedType = Int
  let number: Int

  init(_ number: Int) { self.number = number }
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int { number }
  static func < (lhs: QueryCode, rhs: QueryCode) -> Bool { lhs.number < rhs.number }
}

struct QueryTag: CustomPersistable {
  typealias PersistedType = String
  let text: String

  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

class QueryCoordinateObject: EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var label: String?
}

struct QueryCoordinate: CustomPersistable {
  typealias PersistedType = QueryCoordinateObject
  var latitude: Double
  var label: String?

  init(_ latitude: Double, _ label: String? = nil) {
    self.latitude = latitude
    self.label = label
  }
  init(persistedValue: QueryCoordinateObject) { self.init(persistedValue.latitude, persistedValue.label) }
  var persistableValue: QueryCoordinateObject {
    let object = QueryCoordinateObject()
    object.latitude = latitude
    object.label = label
    return object
  }
}

class QueryPlace: EmbeddedObject {
  @Persisted var city: String?
  @Persisted var number: Int
  @Persisted var isHub: Bool
  @Persisted var doors: List<Int>
}

class QueryChild: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var note: String?
  @Persisted var age: Int
  @Persisted var weight: Double?
  @Persisted var price: Decimal128
  @Persisted var born: Date
  @Persisted var isOut: Bool
  @Persisted var any: AnyRealmValue
  @Persisted var level: QueryLevel
  @Persisted var friend: QueryChild?
  @Persisted var friends: List<QueryChild>
  @Persisted var scores: List<Int>
  @Persisted var place: QueryPlace?
  @Persisted(originProperty: "children") var parents: LinkingObjects<QueryAll>
}

class QueryAll: Object {
  @Persisted(primaryKey: true) var id: Int

  @Persisted var int: Int
  @Persisted var other: Int
  @Persisted var int8: Int8
  @Persisted var intOpt: Int?
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var doubleOpt: Double?
  @Persisted var decimal: Decimal128
  @Persisted var bool: Bool
  @Persisted var boolOpt: Bool?
  @Persisted var string: String
  @Persisted var stringOpt: String?
  @Persisted var stringOther: String
  @Persisted var data: Data
  @Persisted var dataOpt: Data?
  @Persisted var date: Date
  @Persisted var dateOpt: Date?
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var any: AnyRealmValue
  @Persisted var colour: QueryColour
  @Persisted var colourOpt: QueryColour?
  @Persisted var level: QueryLevel
  @Persisted var levelOpt: QueryLevel?
  @Persisted var code: QueryCode
  @Persisted var codeOpt: QueryCode?
  @Persisted var tag: QueryTag
  @Persisted var coordinate: QueryCoordinate
  @Persisted var coordinateOpt: QueryCoordinate?
  @Persisted var child: QueryChild?
  @Persisted var place: QueryPlace?

  @Persisted var ints: List<Int>
  @Persisted var intOpts: List<Int?>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var decimals: List<Decimal128>
  @Persisted var bools: List<Bool>
  @Persisted var strings: List<String>
  @Persisted var stringOpts: List<String?>
  @Persisted var datas: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var uuids: List<UUID>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var colours: List<QueryColour>
  @Persisted var levelOpts: List<QueryLevel?>
  @Persisted var codes: List<QueryCode>
  @Persisted var coordinates: List<QueryCoordinate>
  @Persisted var children: List<QueryChild>
  @Persisted var places: List<QueryPlace>

  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringOptSet: MutableSet<String?>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var levelSet: MutableSet<QueryLevel>
  @Persisted var codeSet: MutableSet<QueryCode>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var childSet: MutableSet<QueryChild>

  @Persisted var intMap: Map<String, Int>
  @Persisted var doubleOptMap: Map<String, Double?>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var levelMap: Map<String, QueryLevel>
  @Persisted var codeMap: Map<String, QueryCode>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var childMap: Map<String, QueryChild?>
  @Persisted var placeMap: Map<String, QueryPlace?>
}

/// Values that the objects of these tests have; few, so that many are equal.
enum QueryValues {
  static let ints = [-3, 0, 1, 2, 5, 7]
  static let doubles = [-1.5, 0, 0.25, 2, 9.75]
  static let strings = ["", "a", "ab", "Ab", "é", "e\u{301}x", "zoo", "a*b", "nu\0l"]
  static let datas = strings.map { Data($0.utf8) } + [Data([255, 0])]
  static let dates = [-100.0, 0, 0.5, 1e6].map { Date(timeIntervalSinceReferenceDate: $0) }
  static let uuids = (0..<4).map { UUID(uuid: (UInt8($0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) }
  static let objectIds = (0..<4).compactMap { try? ObjectId(string: "50000000000000000000000\($0)") }
  static let keys = ["a", "b", "Key", "é"]
}

extension SeededRandom {
  mutating func one<Element>(of values: [Element]) -> Element { values[below(values.count)] }

  mutating func oneOrNil<Element>(of values: [Element]) -> Element? { below(4) == 0 ? nil : one(of: values) }

  mutating func some<Element>(of values: [Element]) -> [Element] { (0..<below(4)).map { _ in one(of: values) } }

  mutating func somePairs<Element>(of values: [Element]) -> [(String, Element)] {
    (0..<below(4)).map { _ in (one(of: QueryValues.keys), one(of: values)) }
  }

  mutating func mixed() -> AnyRealmValue {
    switch below(10) {
    case 0: .none
    case 1: .bool(below(2) == 0)
    case 2: .int(one(of: QueryValues.ints))
    case 3: .double(one(of: QueryValues.doubles))
    case 4: .float(Float(one(of: QueryValues.doubles)))
    case 5: .decimal128(Decimal128(value: one(of: QueryValues.ints)))
    case 6: .string(one(of: QueryValues.strings))
    case 7: .data(one(of: QueryValues.datas))
    case 8: .date(one(of: QueryValues.dates))
    default: .uuid(one(of: QueryValues.uuids))
    }
  }
}

/// A realm with objects that have a bit of everything.
struct QueryWorld {
  let realm: Realm
  let all: Results<QueryAll>
  let children: Results<QueryChild>
  let seed: UInt64

  static let types: [ObjectBase.Type] = [
    QueryAll.self, QueryChild.self, QueryPlace.self, QueryCoordinateObject.self,
  ]

  init(seed: UInt64 = 7, count: Int = 80) throws {
    realm = try Realm(configuration: relationsConfiguration(Self.types))
    all = realm.objects(QueryAll.self)
    children = realm.objects(QueryChild.self)
    self.seed = seed
    var random = SeededRandom(seed)
    let realm = realm
    try realm.write {
      let children = (0..<12).map { id in Self.child(id, &random) }
      realm.add(children)
      for child in children {
        child.friend = random.oneOrNil(of: children)
        child.friends.append(objectsIn: random.some(of: children))
      }
      for id in 0..<count { realm.add(Self.object(id, children, &random)) }
    }
  }

  private static func place(_ random: inout SeededRandom) -> QueryPlace {
    let place = QueryPlace()
    place.city = random.oneOrNil(of: ["Oslo", "Rome"])
    place.number = random.one(of: QueryValues.ints)
    place.isHub = random.below(2) == 0
    place.doors.append(objectsIn: random.some(of: QueryValues.ints))
    return place
  }

  private static func child(_ id: Int, _ random: inout SeededRandom) -> QueryChild {
    let child = QueryChild()
    child.id = id
    child.name = random.one(of: QueryValues.strings)
    child.note = random.oneOrNil(of: QueryValues.strings)
    child.age = random.one(of: QueryValues.ints)
    child.weight = random.oneOrNil(of: QueryValues.doubles)
    child.price = Decimal128(value: random.one(of: QueryValues.doubles))
    child.born = random.one(of: QueryValues.dates)
    child.isOut = random.below(2) == 0
    child.any = random.mixed()
    child.level = random.one(of: QueryLevel.allCases)
    child.scores.append(objectsIn: random.some(of: QueryValues.ints))
    child.place = random.below(3) == 0 ? nil : place(&random)
    return child
  }

  private static func object(_ id: Int, _ children: [QueryChild], _ random: inout SeededRandom) -> QueryAll {
    let object = QueryAll()
    object.id = id
    object.int = random.one(of: QueryValues.ints)
    object.other = random.one(of: QueryValues.ints)
    object.int8 = Int8(random.one(of: QueryValues.ints))
    object.intOpt = random.oneOrNil(of: QueryValues.ints)
    object.float = Float(random.one(of: QueryValues.doubles))
    object.double = random.one(of: QueryValues.doubles)
    object.doubleOpt = random.oneOrNil(of: QueryValues.doubles)
    object.decimal = Decimal128(value: random.one(of: QueryValues.doubles))
    object.bool = random.below(2) == 0
    object.boolOpt = random.oneOrNil(of: [true, false])
    object.string = random.one(of: QueryValues.strings)
    object.stringOpt = random.oneOrNil(of: QueryValues.strings)
    object.stringOther = random.one(of: QueryValues.strings)
    object.data = random.one(of: QueryValues.datas)
    object.dataOpt = random.oneOrNil(of: QueryValues.datas)
    object.date = random.one(of: QueryValues.dates)
    object.dateOpt = random.oneOrNil(of: QueryValues.dates)
    object.uuid = random.one(of: QueryValues.uuids)
    object.objectId = random.one(of: QueryValues.objectIds)
    object.any = random.mixed()
    object.colour = random.one(of: QueryColour.allCases)
    object.colourOpt = random.oneOrNil(of: QueryColour.allCases)
    object.level = random.one(of: QueryLevel.allCases)
    object.levelOpt = random.oneOrNil(of: QueryLevel.allCases)
    object.code = QueryCode(random.one(of: QueryValues.ints))
    object.codeOpt = random.oneOrNil(of: QueryValues.ints).map { QueryCode($0) }
    object.tag = QueryTag(random.one(of: QueryValues.strings))
    object.coordinate = coordinate(&random)
    object.coordinateOpt = random.below(3) == 0 ? nil : coordinate(&random)
    object.child = random.oneOrNil(of: children)
    object.place = random.below(4) == 0 ? nil : place(&random)
    fillLists(object, children, &random)
    fillSetsAndMaps(object, children, &random)
    return object
  }

  private static func coordinate(_ random: inout SeededRandom) -> QueryCoordinate {
    QueryCoordinate(random.one(of: QueryValues.doubles), random.oneOrNil(of: ["x", "y"]))
  }

  private static func fillLists(_ object: QueryAll, _ children: [QueryChild], _ random: inout SeededRandom) {
    object.ints.append(objectsIn: random.some(of: QueryValues.ints))
    object.intOpts.append(objectsIn: random.some(of: QueryValues.ints + [nil]))
    object.floats.append(objectsIn: random.some(of: QueryValues.doubles.map { Float($0) }))
    object.doubles.append(objectsIn: random.some(of: QueryValues.doubles))
    object.decimals.append(objectsIn: random.some(of: QueryValues.doubles.map { Decimal128(value: $0) }))
    object.bools.append(objectsIn: random.some(of: [true, false]))
    object.strings.append(objectsIn: random.some(of: QueryValues.strings))
    object.stringOpts.append(objectsIn: random.some(of: QueryValues.strings + [nil, nil]))
    object.datas.append(objectsIn: random.some(of: QueryValues.datas))
    object.dates.append(objectsIn: random.some(of: QueryValues.dates))
    object.uuids.append(objectsIn: random.some(of: QueryValues.uuids))
    object.objectIds.append(objectsIn: random.some(of: QueryValues.objectIds))
    for _ in 0..<random.below(4) { object.anys.append(random.mixed()) }
    object.colours.append(objectsIn: random.some(of: QueryColour.allCases))
    object.levelOpts.append(objectsIn: random.some(of: QueryLevel.allCases + [nil]))
    object.codes.append(objectsIn: random.some(of: QueryValues.ints).map { QueryCode($0) })
    for _ in 0..<random.below(4) { object.coordinates.append(coordinate(&random)) }
    object.children.append(objectsIn: random.some(of: children))
    for _ in 0..<random.below(3) { object.places.append(place(&random)) }
  }

  private static func fillSetsAndMaps(
    _ object: QueryAll, _ children: [QueryChild], _ random: inout SeededRandom
  ) {
    object.intSet.insert(objectsIn: random.some(of: QueryValues.ints))
    object.stringOptSet.insert(objectsIn: random.some(of: QueryValues.strings + [nil]))
    object.dateSet.insert(objectsIn: random.some(of: QueryValues.dates))
    object.levelSet.insert(objectsIn: random.some(of: QueryLevel.allCases))
    object.codeSet.insert(objectsIn: random.some(of: QueryValues.ints).map { QueryCode($0) })
    for _ in 0..<random.below(4) { object.anySet.insert(random.mixed()) }
    object.childSet.insert(objectsIn: random.some(of: children))
    for (key, value) in random.somePairs(of: QueryValues.ints) { object.intMap[key] = value }
    for (key, value) in random.somePairs(of: QueryValues.doubles + [nil]) { object.doubleOptMap[key] = .some(value) }
    for (key, value) in random.somePairs(of: QueryValues.strings) { object.stringMap[key] = value }
    for (key, value) in random.somePairs(of: QueryValues.dates) { object.dateMap[key] = value }
    for (key, value) in random.somePairs(of: QueryValues.uuids) { object.uuidMap[key] = value }
    for (key, value) in random.somePairs(of: QueryLevel.allCases) { object.levelMap[key] = value }
    for (key, value) in random.somePairs(of: QueryValues.ints) { object.codeMap[key] = QueryCode(value) }
    for _ in 0..<random.below(4) { object.anyMap[random.one(of: QueryValues.keys)] = random.mixed() }
    for (key, value) in random.somePairs(of: children + [nil, nil]) { object.childMap[key] = .some(value) }
    for _ in 0..<random.below(3) { object.placeMap[random.one(of: QueryValues.keys)] = place(&random) }
  }

  /// Compares a query with plain Swift on the same objects.
  ///
  /// - Parameter isTrivial: Whether all objects, or none, may satisfy it.
  func check(
    _ query: (Query<QueryAll>) -> Query<Bool>, _ plain: (QueryAll) -> Bool, isTrivial: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = all.filter(plain).map(\.id)
    let found = all.where(query)
    let text = query(Query<QueryAll>._constructForTesting())._constructPredicate().0
    #expect(found.map(\.id) == expected, "\(text), seed \(seed)", sourceLocation: sourceLocation)
    #expect(found.count == expected.count, "\(text), seed \(seed)", sourceLocation: sourceLocation)
    let negated = all.where { !query($0) }
    #expect(negated.count == all.count - expected.count, "NOT \(text), seed \(seed)", sourceLocation: sourceLocation)
    if !isTrivial {
      #expect(
        !expected.isEmpty && expected.count < all.count, "\(text) tells nothing, seed \(seed)",
        sourceLocation: sourceLocation)
    }
  }
}

/// Compares the format and the arguments of a query.
func expectFormat<Root>(
  _ format: String, _ arguments: [Any] = [], of query: (Query<Root>) -> Query<Bool>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let (text, found) = query(Query<Root>._constructForTesting())._constructPredicate()
  #expect(text == format, sourceLocation: sourceLocation)
  // Types and values of the arguments, also in arrays.
  func shown(_ values: [Any]) -> [String] {
    values.map { value in
      if let values = value as? [Any] { return "\(shown(values))" }
      let mirror = Mirror(reflecting: value)
      let content: Any? = mirror.displayStyle == .optional ? mirror.children.first?.value : value
      return content.map { "\(type(of: $0)) \($0)" } ?? "nil"
    }
  }
  #expect(shown(found) == shown(arguments), sourceLocation: sourceLocation)
}
