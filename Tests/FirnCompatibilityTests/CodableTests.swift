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
