import Firn
import Foundation
import Testing

final class ValReport: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var title: String = "untitled"
  @Persisted var score: Double?
  @Persisted var day: Date
  @Persisted var photo: Data?
  @Persisted var token: UUID
  @Persisted var author: ObjectId
  @Persisted var price: Decimal128
  @Persisted var level: ValLevel
  @Persisted var mark: ValLevel?
  @Persisted var warmth: ValCelsius?
  @Persisted var days: List<Date>
  @Persisted var notes: List<String?>
  @Persisted var next: ValReport?
  @Persisted var parts: List<ValReport>
}

final class ValHeap: Object, Codable {
  @Persisted var tags: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var gaps: Map<String, Date?>
}

final class ValStop: EmbeddedObject, Codable {
  @Persisted var place: String
  @Persisted var gate: Int?
}

final class ValTrip: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var start: ValStop?
  @Persisted var stops: List<ValStop>
  @Persisted var byName: Map<String, ValStop?>
  @Persisted var stamp: Data
  @Persisted var tickets: List<Data>
  @Persisted var seals: Map<String, Data>

  override class func propertiesMapping() -> [String: String] { ["stamp": "_stamp", "byName": "stops_by_name"] }
}

/// A user's own wrapper that takes part in the rule for missing keys.
@propertyWrapper struct ValMaybe<Value: Codable>: Codable, OptionalCodingWrapper {
  var wrappedValue: Value?

  init() {}
  init(from decoder: any Decoder) throws { wrappedValue = try decoder.singleValueContainer().decode(Value?.self) }
  func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

struct ValLetter: Codable {
  var text: String
  @ValMaybe var subject: String?
}

enum ValLevel: String, PersistableEnum, Codable { case low, high }

/// Encodes managed objects too.
final class ValOwnCoding: Object, Encodable {
  @Persisted var name: String
  @Persisted var numbers: List<Int>

  enum CodingKeys: String, CodingKey { case name, numbers }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(numbers, forKey: .numbers)
  }
}

/// Section 34.
@Suite struct CodableRuleTests {
  private static let json = """
    {"id":7,"title":"T","score":null,"day":0,"photo":"AQI=","token":"7D444840-9DC0-11D1-B245-5FFDCE74FAD2",
     "author":"0123456789abcdef01234567","price":"12.50","level":"high","mark":null,"warmth":{"degrees":3},
     "days":[0,60],"notes":["a",null],"next":null,"parts":[]}
    """

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return decoder
  }

  private func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  @Test func decodedObjectsAreUnmanaged() throws {
    let report = try decoder().decode(ValReport.self, from: Data(Self.json.utf8))
    #expect(report.realm == nil && report.id == 7 && report.title == "T" && report.score == nil)
    #expect(report.day == Date(timeIntervalSince1970: 0) && report.photo == Data([1, 2]))
    #expect(
      report.token.uuidString == "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
        && report.author == ObjectId("0123456789abcdef01234567"))
    #expect(report.price == 12.5 && report.level == .high && report.mark == nil && report.warmth?.degrees == 3)
    #expect(
      report.days.map(\.timeIntervalSince1970) == [0, 60] && Array(report.notes) == ["a", nil] && report.next == nil)
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValReport.self]))
    try realm.write { realm.add(report) }
    #expect(realm.object(ofType: ValReport.self, forPrimaryKey: 7)?.price == 12.5 && report.days.count == 2)
  }

  @Test func objectsGoThereAndBack() throws {
    let report = ValReport()
    report.id = 1
    report.score = 2.5
    report.day = Date(timeIntervalSince1970: 100)
    report.warmth = ValCelsius(degrees: 1)
    report.days.append(Date(timeIntervalSince1970: 5))
    report.author = ObjectId()
    report.token = UUID()
    let next = ValReport()
    next.author = ObjectId()
    next.token = UUID()
    next.day = Date(timeIntervalSince1970: 1)
    report.next = next
    report.parts.append(next)
    let data = try encoder().encode(report)
    let copy = try decoder().decode(ValReport.self, from: data)
    #expect(try encoder().encode(copy) == data)
    let text = String(decoding: data, as: UTF8.self)
    for part in [
      "\"mark\":null", "\"photo\":null", "\"days\":[5]", "\"day\":100", "\"price\":\"0\"", "\"level\":\"low\"",
      "\"author\":\"000000000000000000000000\"", "\"title\":\"untitled\"", "\"warmth\":{\"degrees\":1}",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test func setsAndMaps() throws {
    let json = #"{"counts":{"aKey":1,"b":2},"gaps":{"x":null,"y":60},"tags":["b","a","b"]}"#
    let heap = try decoder().decode(ValHeap.self, from: Data(json.utf8))
    #expect(Set(heap.tags) == ["a", "b"] && heap.counts["aKey"] == 1 && heap.gaps.count == 2)
    #expect(heap.gaps["x"] == .some(nil) && heap.gaps["y"] == .some(Date(timeIntervalSince1970: 60)))
    let encoder = encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = String(decoding: try encoder.encode(heap), as: UTF8.self)
    #expect(text == #"{"counts":{"aKey":1,"b":2},"gaps":{"x":null,"y":60},"tags":["b","a"]}"#)
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValHeap.self]))
    try realm.write { realm.add(heap) }
    #expect(String(decoding: try encoder.encode(heap.tags), as: UTF8.self) == #"["a","b"]"#)
    #expect(String(decoding: try encoder.encode(heap.counts), as: UTF8.self) == #"{"aKey":1,"b":2}"#)
    for bad in [#"{"$a":1}"#, #"{"a.b":1}"#, #"{"a":"x"}"#, #"{"a":null}"#, "[1]"] {
      #expect(throws: DecodingError.self, "\(bad)") {
        try decoder().decode(Map<String, Int>.self, from: Data(bad.utf8))
      }
    }
    #expect(throws: DecodingError.self) {
      try decoder().decode(ValHeap.self, from: Data(#"{"counts":{},"gaps":{}}"#.utf8))
    }
  }

  @Test func keysThatDifferInTheirBytesOnlyAreAllEncodedOrNone() throws {
    let map = Map<String, Int>()
    map["caf\u{e9}"] = 1
    map["a"] = 2
    let decoded = try JSONDecoder().decode(Map<String, Int>.self, from: JSONEncoder().encode(map))
    #expect(decoded.count == 2 && decoded["caf\u{e9}"] == 1)
    map["cafe\u{301}"] = 3
    #expect(map.count == 3)
    #expect {
      try JSONEncoder().encode(map)
    } throws: { error in
      guard case EncodingError.invalidValue(let key, let context)? = error as? EncodingError else { return false }
      return (key as? String) == "café" && context.debugDescription.contains("differ in their bytes only")
    }
  }

  @Test func missingKeys() throws {
    func decode(without keys: String..., replacing: [String: Any] = [:]) throws -> ValReport {
      var object = try #require(try JSONSerialization.jsonObject(with: Data(Self.json.utf8)) as? [String: Any])
      for key in keys { object[key] = nil }
      for (key, value) in replacing { object[key] = value }
      return try decoder().decode(ValReport.self, from: JSONSerialization.data(withJSONObject: object))
    }
    let report = try decode(without: "score", "photo", "mark", "warmth", "next")
    #expect(
      report.score == nil && report.photo == nil && report.mark == nil && report.warmth == nil && report.next == nil)
    for key in ["id", "title", "day", "token", "author", "price", "level", "days", "notes", "parts"] {
      #expect(throws: DecodingError.self, "\(key) is missing") { try decode(without: key) }
      #expect(throws: DecodingError.self, "\(key) is null") { try decode(replacing: [key: NSNull()]) }
    }
    #expect(throws: DecodingError.self) { try decode(replacing: ["level": "middle"]) }
    #expect(throws: DecodingError.self) { try decode(replacing: ["score": "x"]) }
    #expect(throws: DecodingError.self) { try decode(replacing: ["notes": [1]]) }
    #expect(try decode(replacing: ["price": 3]).price == 3 && decode(replacing: ["price": 0.25]).price == 0.25)
  }

  @Test func keyStrategiesSeeThePropertyNames() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      ValKey(stringValue: path.last?.stringValue.lowercased() ?? "")
    }
    let report = try decoder.decode(ValPlain.self, from: Data(#"{"NAME":"x"}"#.utf8))
    #expect(report.name == "x" && report.other == nil)
  }

  @Test func embeddedObjectsAndDataStrategies() throws {
    let json = """
      {"byName":{"x":{"gate":null,"place":"X"},"y":null},"id":1,"seals":{"s":[3]},"stamp":[1,2],\
      "start":{"gate":7,"place":"A"},"stops":[{"gate":null,"place":"B"}],"tickets":[[],[9]]}
      """
    let decoder = decoder()
    decoder.dataDecodingStrategy = .deferredToData
    let trip = try decoder.decode(ValTrip.self, from: Data(json.utf8))
    #expect(trip.start?.gate == 7 && trip.stops.map(\.place) == ["B"] && trip.byName["y"] == .some(nil))
    #expect(trip.byName["x"]??.place == "X", "stored names count for nothing")
    #expect(trip.stamp == Data([1, 2]) && Array(trip.tickets) == [Data(), Data([9])] && trip.seals["s"] == Data([3]))
    let encoder = encoder()
    encoder.dataEncodingStrategy = .deferredToData
    #expect(String(decoding: try encoder.encode(trip), as: UTF8.self) == json)
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValTrip.self, ValStop.self]))
    try realm.write { realm.add(trip) }
    #expect(realm.objects(ValTrip.self).where { $0.start.place == "A" }.count == 1 && trip.stops.first?.realm == realm)
    let snake = JSONDecoder()
    snake.keyDecodingStrategy = .convertFromSnakeCase
    let other = try snake.decode(
      ValTrip.self, from: Data(#"{"by_name":{},"id":2,"seals":{},"stamp":"","stops":[],"tickets":[]}"#.utf8))
    #expect(other.start == nil && other.id == 2)
    for key in ["by_name", "seals", "stamp", "stops", "tickets"] {
      let json = #"{"by_name":{},"id":2,"seals":{},"stamp":"","stops":[],"tickets":[]}"#.replacing(key, with: "other")
      #expect(throws: DecodingError.self, "\(key) is missing") {
        try snake.decode(ValTrip.self, from: Data(json.utf8))
      }
    }
  }

  @Test func wrappersOfUsersFollowTheRuleForMissingKeys() throws {
    let letter = try JSONDecoder().decode(ValLetter.self, from: Data(#"{"text":"t"}"#.utf8))
    #expect(letter.text == "t" && letter.subject == nil)
    #expect(try JSONDecoder().decode(ValLetter.self, from: Data(#"{"text":"","subject":"s"}"#.utf8)).subject == "s")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ValLetter.self, from: Data("{}".utf8)) }
  }

  @Test func whatHasCodableForms() {
    let both: [Any.Type] = [
      List<Int>.self, MutableSet<String?>.self, Map<String, Date>.self, Persisted<Int?>.self,
      Persisted<List<UUID>>.self, ObjectId.self, Decimal128.self,
    ]
    for type in both { #expect(type is any Decodable.Type && type is any Encodable.Type, "\(type)") }
    let neither: [Any.Type] = [AnyRealmValue.self, List<AnyRealmValue>.self, Persisted<AnyRealmValue>.self]
    for type in neither { #expect(!(type is any Decodable.Type) && !(type is any Encodable.Type), "\(type)") }
    let results: Any.Type = Results<ValPlain>.self
    #expect(results is any Encodable.Type && !(results is any Decodable.Type), "results are encoded only")
    let (optional, required): (Any.Type, Any.Type) = (Persisted<Int?>.self, Persisted<Int>.self)
    #expect(optional is any OptionalCodingWrapper.Type && !(required is any OptionalCodingWrapper.Type))
  }

  /// A hundred levels, whatever holds the objects.
  @Test func levelsOfObjects() throws {
    func chain(_ count: Int, _ link: (ValChain, ValChain) -> Void) -> ValChain {
      let last = ValChain()
      return (1..<count).reduce(last) { inner, _ in
        let outer = ValChain()
        link(outer, inner)
        return outer
      }
    }
    let links: [(ValChain, ValChain) -> Void] = [
      { $0.next = $1 }, { $0.list.append($1) }, { $0.map["k"] = $1 },
    ]
    for link in links {
      let text = String(decoding: try encoder().encode(chain(100, link)), as: UTF8.self)
      #expect(text.components(separatedBy: "next").count == 101)
      #expect {
        try encoder().encode(chain(101, link))
      } throws: { error in
        guard case EncodingError.invalidValue(_, let context) = error else { return false }
        return context.debugDescription.contains("nested more than 100 levels deep")
      }
    }
    #expect(throws: EncodingError.self) { try encoder().encode(chain(10_000) { $0.list.append($1) }) }
  }

  @Test func managedObjectsAndCollections() throws {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [ValReport.self, ValOwnCoding.self, ValPlain.self]))
    let plain = ValPlain()
    let own = ValOwnCoding(value: ["name": "n", "numbers": [1, 2]] as [String: Any])
    try realm.write {
      realm.add(plain)
      realm.add(own)
      realm.create(ValReport.self, value: ["id": 1, "days": [Date(timeIntervalSince1970: 9)]] as [String: Any])
    }
    #expect { try encoder().encode(plain) } throws: { error in
      guard case EncodingError.invalidValue(_, let context) = error else { return false }
      return context.debugDescription.contains("Only unmanaged Realm objects can be encoded")
    }
    #expect(String(decoding: try encoder().encode(own), as: UTF8.self) == #"{"name":"n","numbers":[1,2]}"#)
    #expect(String(decoding: try encoder().encode(own.numbers), as: UTF8.self) == "[1,2]")
    let all = realm.objects(ValOwnCoding.self)
    #expect(String(decoding: try encoder().encode(all), as: UTF8.self) == #"[{"name":"n","numbers":[1,2]}]"#)
    let days = try #require(realm.objects(ValReport.self).first?.days)
    #expect(String(decoding: try encoder().encode(days), as: UTF8.self) == "[9]")
    let list = try decoder().decode(List<Int?>.self, from: Data("[1,null,3]".utf8))
    #expect(Array(list) == [1, nil, 3] && list.realm == nil)
    #expect(String(decoding: try encoder().encode(list), as: UTF8.self) == "[1,null,3]")
  }
}

final class ValChain: Object, Codable {
  @Persisted var next: ValChain?
  @Persisted var list: List<ValChain>
  @Persisted var map: Map<String, ValChain?>
}

final class ValPlain: Object, Codable {
  @Persisted var name: String
  @Persisted var other: Int?
}

struct ValKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
