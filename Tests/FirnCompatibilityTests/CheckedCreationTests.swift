import Firn
import Foundation
import Testing

/// Creating from what comes from outside: throws, and leaves realm and transaction as they were.
@Suite struct CheckedCreationTests {
  private func fault(
    _ json: String, _ type: Object.Type = CreatingKeyed.self, update: Realm.UpdatePolicy = .error,
    limits: CreationLimits = CreationLimits()
  ) throws -> InvalidInput {
    let realm = try creatingRealm()
    return try realm.write {
      realm.create(CreatingKeyed.self, value: ["id": 1])
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(type, json: json, update: update, limits: limits)
      }
      #expect(error?.code == .invalidInput || error?.code == .duplicatePrimaryKey)
      #expect(error?.localizedDescription.isEmpty == false)
      #expect(realm.objects(CreatingKeyed.self).count == 1 && realm.objects(CreatingLoose.self).isEmpty)
      realm.create(CreatingKeyed.self, value: ["id": 2])
      return try #require(error?.invalidInput)
    }
  }

  @Test func objectsFromJSON() throws {
    let realm = try creatingRealm()
    let json = #"""
      {"id": 5, "inherited": "\u00e9\n\ud83d\ude00", "note": null, "loose": {"name": "l", "numbers": [1, null, -3]},
       "parts": [{"id": 6}, ["x", 7]], "tags": ["a", "b"], "other": {"ignored": [true]}}
      """#
    let keyed = try realm.write {
      try realm.create(CreatingKeyed.self, json: json, limits: CreationLimits(positionalArrays: .accept))
    }
    #expect(keyed.inherited == "é\n😀" && keyed.note == nil && keyed.size == 7)
    #expect(keyed.loose?.name == "l" && keyed.loose.map { Array($0.numbers) } == [1, nil, -3])
    #expect(keyed.parts.map(\.id) == [6, 7] && Array(keyed.tags) == ["a", "b"])
    let again = try realm.write {
      try realm.create(CreatingKeyed.self, json: Data(#"{"id": 5, "size": 1}"#.utf8), update: .modified)
    }
    #expect(again == keyed && keyed.size == 1 && Array(keyed.tags) == ["a", "b"])
  }

  @Test func scalarsFromJSON() throws {
    let realm = try creatingRealm()
    let json = #"""
      {"flag": true, "small": -128, "medium": 1, "large": 9223372036854775807, "single": 2, "double": 1.5e-3, "text": "",
       "data": "AAH/", "date": "2024-02-29T12:30:15Z", "uuid": "4A8F2D10-0000-4000-8000-000000000001", "kind": 2,
       "maybeDate": "2024-02-29T12:30:15.250Z", "maybeFlag": false, "maybeDouble": 3}
      """#
    let made = try realm.write { try realm.create(CreatingScalars.self, json: json) }
    #expect(made.flag && made.small == -128 && made.large == .max && made.single == 2 && made.double == 0.0015)
    #expect(made.data == Data([0, 1, 255]) && made.date == Date(timeIntervalSince1970: 1_709_209_815))
    #expect(made.maybeDate == Date(timeIntervalSince1970: 1_709_209_815.25) && made.kind == .fancy)
    #expect(made.maybeFlag == false && made.maybeDouble == 3 && made.maybeText == nil)
  }

  private struct News: Codable {
    struct Loose: Codable {
      var name: String
      var numbers: [Int?]
    }

    var id: Int
    var inherited = "i"
    var note: String?
    var loose: Loose?
    var tags: [String]?
    var parts: [[String: Int]]?
    var size: Double?
  }

  private struct Scalars: Codable {
    var flag = true
    var small: Int8 = 3
    var single: Float = 0.5
    var data = Data([1, 2])
    var date = Date(timeIntervalSinceReferenceDate: 0.1)
    var uuid = UUID(uuidString: "4A8F2D10-0000-4000-8000-000000000001")
    var kind = CreatingKind.fancy.rawValue
  }

  private struct Endless: Encodable {
    enum Keys: CodingKey { case twin }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(self, forKey: .twin)
    }
  }

  @Test func objectsFromEncodableValues() throws {
    let realm = try creatingRealm()
    try realm.write {
      var news = News(id: 3, loose: .init(name: "l", numbers: [1, nil]), tags: ["a"], parts: [["id": 4]])
      let made = try realm.create(CreatingKeyed.self, from: news)
      #expect(made.id == 3 && made.inherited == "i" && made.size == 7 && made.note == nil)
      #expect(made.loose.map { Array($0.numbers) } == [1, nil] && made.parts.map(\.id) == [4])
      news = News(id: 3, inherited: "j", note: "n")
      #expect(try realm.create(CreatingKeyed.self, from: news, update: .modified) == made)
      #expect(made.inherited == "j" && made.note == "n" && Array(made.tags) == ["a"])
      let scalars = try realm.create(CreatingScalars.self, from: Scalars())
      #expect(scalars.flag && scalars.small == 3 && scalars.single == 0.5 && scalars.data == Data([1, 2]))
      #expect(scalars.date == Scalars().date && scalars.uuid == Scalars().uuid && scalars.kind == .fancy)
      #expect(try realm.create(CreatingNamed.self, from: ["name": "d"]).name == "d")
      news.size = 1.5
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingKeyed.self, from: news, update: .modified)
      }
      #expect(error?.invalidInput?.description == "$.size: expected an integer, found a number")
      #expect(throws: EncodingError.self) { try realm.create(CreatingLoose.self, from: Endless()) }
      #expect(realm.objects(CreatingLoose.self).count == 1)
    }
  }

  @Test func arraysStandForObjectsWhereThatIsAllowed() throws {
    let realm = try creatingRealm()
    let accepting = CreationLimits(positionalArrays: .accept)
    #expect(
      try fault(#"["n"]"#, CreatingLoose.self).description == "$: expected an object of 'CreatingLoose', found a list")
    #expect(try fault(#"{"id": 3, "loose": ["n"]}"#).path == "$.loose")
    try realm.write {
      for value in [["n"] as Any, ["name": "n"]] {
        let made = try realm.create(CreatingLoose.self, checking: value, limits: accepting)
        #expect(made.name == "n")
      }
      let made = try realm.create(CreatingLoose.self, json: #"["n"]"#, limits: accepting)
      #expect(made.name == "n")
      #expect(throws: Realm.Error.self) { try realm.create(CreatingLoose.self, checking: ["n"]) }
      #expect(realm.create(CreatingLoose.self, value: ["n"]).name == "n")
    }
  }

  @Test func mixedValuesHaveNoNaNEither() throws {
    let realm = try Realm(configuration: relationsConfiguration([CreatingMixed.self]))
    let nan = Decimal128("NaN")
    try realm.write {
      for value: [String: Any] in [["value": nan], ["values": [AnyRealmValue.decimal128(nan)]], ["value": ["a": nan]]] {
        #expect(throws: Realm.Error.self) { try realm.create(CreatingMixed.self, checking: value) }
      }
    }
  }

  @Test func valuesForLinkingObjectsAreRefusedAsSuch() throws {
    let realm = try Realm(configuration: relationsConfiguration([LinkingDog.self, LinkingPerson.self]))
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(
          LinkingDog.self, json: #"{"name": "x", "owners": []}"#, limits: CreationLimits(unknownKeys: .refuse))
      }
      #expect(error?.invalidInput?.description == "$: expected no value for 'owners', found one")
      #expect(
        error?.localizedDescription.contains(
          "'LinkingDog.owners' shows the objects whose property 'dogs' links here, and cannot be set") == true)
    }
  }

  @Test func decimalsAreFiniteUnlessOthersAreAllowed() throws {
    let realm = try Realm(configuration: relationsConfiguration([CreatingMixed.self]))
    try realm.write {
      for text in ["NaN", "Infinity", "-inf"] {
        let error = #expect(throws: Realm.Error.self) {
          try realm.create(CreatingMixed.self, json: #"{"price": "\#(text)"}"#)
        }
        #expect(error?.invalidInput?.description == "$.price: expected a finite decimal number, found \(text)")
        #expect(throws: Realm.Error.self) { try realm.create(CreatingMixed.self, checking: ["price": text]) }
        let limits = CreationLimits(nonFiniteDecimals: .accept)
        let made = try realm.create(CreatingMixed.self, json: #"{"price": "\#(text)"}"#, limits: limits)
        #expect(made.price == (try Decimal128(string: text)))
        #expect(realm.create(CreatingMixed.self, value: ["price": text]).price == made.price)
      }
    }
  }

  @Test func placesAndTypesAreReported() throws {
    #expect(
      try fault(#"{"id": 3, "parts": [{"id": 4}, {"id": 5, "loose": {"name": 8}}]}"#).description
        == "$.parts[1].loose.name: expected a string, found an integer")
    #expect(try fault(#"{"id": 3, "tags": ["a", 1]}"#).description == "$.tags[1]: expected a string, found an integer")
    #expect(try fault(#"{"id": 3, "size": null}"#).description == "$.size: expected an integer, found null")
    #expect(
      try fault(#"{"id": 3, "loose": 4}"#).description
        == "$.loose: expected an object of 'CreatingLoose' or null, found an integer")
    #expect(
      try fault(#"{"id": 3, "parts": [null]}"#).description
        == "$.parts[0]: expected an object of 'CreatingKeyed', found null")
    #expect(try fault(#"{"id": 3, "parts": {}}"#).path == "$.parts")
    #expect(try fault(#"{"id": 3, "tags": "a"}"#).description == "$.tags: expected a list of strings, found a string")
    #expect(try fault(#"{"id": 1}"#).path == "$.id")
    #expect(try fault(#"{"id": 3, "parent": {"id": 3, "size": 4}}"#).path == "$.parent.id")
    #expect(try fault(#"[1, 2, 3, 4, 5, 6, 7, 8, 9]"#).path == "$")
    #expect(try fault("4").path == "$")
    #expect(try fault("null").path == "$")
    #expect(try fault(#"{"name": "x"}"#, CreatingLoose.self, update: .all).expected == "a class with a primary key")
    #expect(
      try fault(#"{"date": "yesterday"}"#, CreatingScalars.self).description
        == "$.date: expected a date, found a string")
    #expect(try fault(#"{"small": 300}"#, CreatingScalars.self).path == "$.small")
    #expect(try fault(#"{"large": 9223372036854775808}"#, CreatingScalars.self).found == "9223372036854775808")
  }

  @Test func unknownKeys() throws {
    let limits = CreationLimits(unknownKeys: .refuse)
    let fault = try fault(#"{"id": 3, "loose": {"name": "n", "nane": 1}}"#, limits: limits)
    #expect(fault.path == "$.loose" && fault.found == "'nane'")
    let realm = try creatingRealm()
    try realm.write {
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(CreatingNamed.self, checking: [AnyHashable(4): 5], limits: limits)
      }
    }
  }

  @Test func limitsAreKept() throws {
    let nested = String(repeating: #"{"twin":"#, count: 5) + "null" + String(repeating: "}", count: 5)
    #expect(try fault(nested, CreatingLoose.self, limits: CreationLimits(depth: 4)).path == "$")
    #expect(
      try fault(#"{"numbers": [1, 2, 3]}"#, CreatingLoose.self, limits: CreationLimits(valueCount: 3)).found == "more")
    #expect(
      try fault(#"{"name": "12345678"}"#, CreatingLoose.self, limits: CreationLimits(byteCount: 10)).found == "20")
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(try fault(deep, CreatingLoose.self).expected == "JSON")
    let realm = try creatingRealm()
    try realm.write {
      let made = try realm.create(CreatingLoose.self, json: nested, limits: CreationLimits(depth: 5))
      #expect(made.twin?.twin?.twin?.twin?.twin == nil && made.twin?.twin?.twin?.twin != nil)
      let endless: [String: Any] = ["numbers": sequence(first: 1) { $0 }]
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingLoose.self, checking: endless, limits: CreationLimits(valueCount: 100))
      }
      #expect(error?.invalidInput?.path == "$.numbers")
      var value: Any = NSNull()
      for _ in 0..<200 { value = ["twin": value] as [String: Any] }
      let tooDeep = #expect(throws: Realm.Error.self) { try realm.create(CreatingLoose.self, checking: value) }
      #expect(tooDeep?.invalidInput?.expected == "a depth of at most 64")
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(
          CreatingNamed.self, checking: ["name": "12345678901"], limits: CreationLimits(byteCount: 10))
      }
      let long = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingScalars.self, checking: ["flag": String(repeating: "x", count: 10_000)])
      }
      #expect((long?.localizedDescription.count ?? .max) < 300, "values from outside are shown in short")
    }
  }

  /// Objects and collections are levels, values in them are none.
  @Test func depthOfMixedValues() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingMixed.self, CreatingNamed.self]))
    func depth(_ json: String) throws -> Int {
      for depth in 1... {
        do {
          try realm.write { try realm.create(CreatingMixed.self, json: json, limits: CreationLimits(depth: depth)) }
          return depth
        } catch Realm.Error.invalidInput where depth < 10 {
          continue
        }
      }
      return 0
    }
    #expect(try depth("{}") == 1)
    #expect(try depth(#"{"value": 5}"#) == 1 && depth(#"{"value": "text"}"#) == 1 && depth(#"{"value": null}"#) == 1)
    #expect(try depth(#"{"value": [1, "x"]}"#) == 2 && depth(#"{"value": {"a": 1}}"#) == 2)
    #expect(try depth(#"{"value": [[1]]}"#) == 3 && depth(#"{"value": [{"a": [1]}]}"#) == 4)
    #expect(try depth(#"{"values": [1]}"#) == 2 && depth(#"{"values": [[1], 2]}"#) == 3)
    try realm.write {
      let value: [String: Any] = ["value": CreatingNamed(value: ["n"])]
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(CreatingMixed.self, checking: value, limits: CreationLimits(depth: 1))
      }
      try realm.create(CreatingMixed.self, checking: value, limits: CreationLimits(depth: 2))
      for text in [["value": "12345678901"], ["values": ["12345", "678901"]], ["value": ["a": ["12345678901"]]]]
        as [Any]
      {
        #expect(throws: Realm.Error(.invalidInput), "texts in mixed values count, too") {
          try realm.create(CreatingMixed.self, checking: text, limits: CreationLimits(byteCount: 10))
        }
      }
    }
  }

  @Test(arguments: [
    "", " ", "{", "}", "[", "]", "{]", "[}", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#,
    #"{a: 1}"#, "{1: 2}", "[1 2]", "[1]]", "[1] 2", "nul", "tru", "falsey", "+1", "01", "-", "1.", ".5", "1e", "1e+",
    "0x1", "NaN", "Infinity", "'a'", #"""#, #""a"#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#,
    #""\ud800""#,
    #""\ud800\u0041""#, #""\udc00""#, "\"\u{1}\"", #"{"a": 1, "a": 2}"#, "[1] // no", "\u{FEFF}[]",
  ]) func brokenTextsAreRefused(text: String) throws {
    #expect(try fault(text).expected == "JSON")
  }

  @Test func bytesThatAreNotUTF8AreRefused() throws {
    let realm = try creatingRealm()
    try realm.write {
      for bytes in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3]] as [[UInt8]] {
        let json = Data(#"{"name": ""#.utf8) + Data(bytes) + Data(#""}"#.utf8)
        #expect(throws: Realm.Error(.invalidInput)) { try realm.create(CreatingNamed.self, json: json) }
      }
    }
    #expect(realm.isEmpty)
  }

  /// Valid text that is cut, changed or shuffled either creates or throws; it never traps.
  @Test(arguments: [UInt64(1), 2, 3, 4]) func damagedTexts(seed: UInt64) throws {
    var random = CreatingRandom(state: seed)
    let text = Array(
      #"{"id": 5, "inherited": "\u00e9\"", "loose": {"name": "l", "numbers": [1, null, -3e2]}, "parts": [["x", 7]]}"#
        .utf8)
    let realm = try creatingRealm()
    for round in 0..<500 {
      var bytes = text
      for _ in 0..<Int(random.next() % 3) + 1 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(text[Int(random.next() % UInt64(text.count))], at: place)
        default: bytes.swapAt(place, Int(random.next() % UInt64(bytes.count)))
        }
      }
      do {
        try realm.write { try realm.create(CreatingKeyed.self, json: Data(bytes), update: .modified) }
      } catch let error as Realm.Error {
        #expect(error.invalidInput != nil, "seed \(seed), round \(round)")
      }
    }
  }
}

struct CreatingRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
