import Firn
import Foundation
import Testing

final class CreatingColoured: Object {
  @Persisted var colour: OrderedColour
}

/// What JSON text may say of values, and how much work it may cause.
@Suite struct JSONInputTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CreatingColoured.self, CreatingMixed.self, CreatingNamed.self, CreatingScalars.self]))
  }

  private func fault<T: Object>(
    _ json: String, _ type: T.Type = CreatingScalars.self, limits: CreationLimits = CreationLimits()
  ) throws -> (message: String, input: InvalidInput) {
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = try realm.create(type, json: json, limits: limits) }
    }
    return (error?.localizedDescription ?? "", try #require(error?.invalidInput))
  }

  private func scalars(_ json: String, _ limits: CreationLimits = CreationLimits()) throws -> CreatingScalars {
    try realm.write { try realm.create(CreatingScalars.self, json: json, limits: limits) }
  }

  // MARK: Work

  /// Takes minutes where closing one container, or adding one key, moves what the others hold.
  @Test func manyContainersAndKeys() throws {
    let objects = (0..<200_000).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    let keys = (0..<100_000).map { #""k\#($0)":[]"# }.joined(separator: ",")
    let json = #"{"name": "n", "objects": [\#(objects)], "keys": {\#(keys)}}"#
    #expect(try realm.write { try realm.create(CreatingNamed.self, json: json).name } == "n")
  }

  /// Takes hours where keys are compared as Swift compares texts.
  @Test func keysOfManyMarks() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 500_000)
    for key in ["e" + marks, marks, String(repeating: "\u{323}", count: 31)] {
      let json = #"{"name": "n", "\#(key)": {"\#(key)": 1}, "\#(key)x": [{"\#(key)": 1}]}"#
      #expect(try realm.write { try realm.create(CreatingNamed.self, json: json).name } == "n")
      let duplicate = try fault(#"{"\#(key)": 1, "\#(key)": 1}"#, CreatingNamed.self)
      #expect(duplicate.message.contains("a key given twice"))
      let unknown = try fault(#"{"\#(key)": 1}"#, CreatingNamed.self, limits: CreationLimits(unknownKeys: .refuse))
      #expect(unknown.input.path == "$" && unknown.message.utf8.count < 500)
    }
    #expect(try fault(#"{"flag": "\#(marks)"}"#).message.utf8.count < 500)
    let noCase = try fault(#"{"colour": "red\#(marks)"}"#, CreatingColoured.self)
    #expect(noCase.message.contains("has no such value") && noCase.message.utf8.count < 500)
    let map = #"{"id": "507f1f77bcf86cd799439011", "value": {"e\#(marks)": 1, "e\#(marks)x": 2}}"#
    let mixed = try realm.write { try realm.create(CreatingMixed.self, json: map).value }
    #expect(mixed.dictionaryValue?["e" + marks] == .int(1) && mixed.dictionaryValue?.count == 2)
  }

  /// Takes minutes where each level is made into objects of Foundation at every cast.
  @Test func mixedValuesOfManyLevels() throws {
    let deep = String(repeating: "[", count: 90) + "1" + String(repeating: "]", count: 90)
    let json =
      #"{"id": "507f1f77bcf86cd799439011", "values": [\#(Array(repeating: deep, count: 300).joined(separator: ","))]}"#
    let values = try realm.write {
      try realm.create(CreatingMixed.self, json: json, limits: CreationLimits(depth: 200)).values
    }
    #expect(values.count == 300 && values[299].listValue?.first?.listValue?.count == 1)
  }

  @Test func mixedValuesOfManyElements() throws {
    for value in ["[1, [2, 3, 4, 5]]", "[1, 2, 3, 4, 5, 6]"] {
      let json = #"{"id": "507f1f77bcf86cd799439011", "value": \#(value)}"#
      let fault = try fault(json, CreatingMixed.self, limits: CreationLimits(valueCount: 4))
      #expect(fault.input.description == "$.value: expected at most 4 values, found more", "\(value)")
    }
  }

  @Test func integersOutOfRangeAreCalledIntegers() throws {
    let fault = try fault(#"{"large": 9223372036854775808}"#)
    #expect(fault.message.contains("'9223372036854775808' of type 'Int' for 'int' property"))
  }

  @Test func keysAreToldApartByTheirBytes() throws {
    let keys = #""\u00e9": 1, "e\u0301": 2"#
    let json = #"{"id": "507f1f77bcf86cd799439011", "value": {\#(keys)}}"#
    let stored = try realm.write { try realm.create(CreatingMixed.self, json: json).value }
    #expect(stored.dictionaryValue?["\u{e9}"] == .int(1) && stored.dictionaryValue?["e\u{301}"] == .int(2))
    #expect(try realm.write { try realm.create(CreatingNamed.self, json: "{\(keys)}").name }.isEmpty)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = try realm.create(CreatingNamed.self, json: #"{"e\u0301": 2, "e\u0301": 3}"#) }
    }
    #expect(error?.localizedDescription.contains("a key given twice") == true)
  }

  @Test func depthHasABound() throws {
    var limits = CreationLimits(depth: 10_000_000)
    #expect(limits.depth == CreationLimits.depthMax)
    limits.depth = .max
    #expect(limits.depth == CreationLimits.depthMax)
    for count in [10_000, 200_000] {
      let nested = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      #expect(try fault(#"{"other": \#(nested)}"#, CreatingNamed.self, limits: limits).input.expected == "JSON")
    }
  }

  // MARK: Numbers

  @Test func decimalsKeepTheirDigits() throws {
    for text in [
      "12345678901234567.89", "18446744073709551615", "1e400", "-0.1234567890123456789012345678901234", "0.1", "7",
    ] {
      let made = try realm.write {
        try realm.create(
          CreatingMixed.self, json: #"{"id": "\#(ObjectId.generate())", "price": \#(text)}"#)
      }
      #expect(made.price == (try Decimal128(string: text)))
    }
    #expect(try fault(#"{"price": 1e7000}"#, CreatingMixed.self).input.path == "$.price")
  }

  @Test func numbersThatDoNotFit() throws {
    #expect(try fault(#"{"double": 1e400}"#).message.contains("It holds Double ("))
    #expect(try fault(#"{"single": 1e400}"#).message.contains("It holds Float ("))
    #expect(try fault(#"{"large": 18446744073709551615}"#).message.contains("It holds Int ("))
    #expect(try fault(#"{"large": 1.0}"#).input.found == "a number")
    #expect(try scalars(#"{"double": 18446744073709551615}"#).double == 0x1p64)
    for number in ["18446744073709551615", "-9223372036854775809", "1e400"] {
      let fault = try fault(#"{"value": {"a": [1, \#(number)]}}"#, CreatingMixed.self)
      #expect(fault.input.path == #"$.value["a"][1]"# && fault.input.found == number)
      #expect(fault.message.contains("9223372036854775807"))
    }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try realm.create(CreatingMixed.self, checking: ["values": [NSNumber(value: UInt64.max)]]) }
    }
    #expect(error?.invalidInput?.path == "$.values[0]")
    #expect(error?.localizedDescription.contains("9223372036854775807") == true)
  }

  @Test func kindsAreNotMixedUp() throws {
    for json in [
      #"{"large": true}"#, #"{"maybeInt": false}"#, #"{"kind": true}"#, #"{"maybeKind": true}"#, #"{"double": true}"#,
      #"{"flag": 1}"#, #"{"maybeFlag": 0}"#, #"{"flag": 1.0}"#, #"{"flag": "true"}"#,
      #"{"uuid": "4A8F2D10-0000-4000-8000-000000000001\u0000"}"#,
      #"{"uuid": "4A8F2D10-0000-4000-8000-000000000001\u0000x"}"#,
      #"{"uuid": "4A8F2D10-0000-4000-8000-000000000001 "}"#, #"{"uuid": "4A8F2D10-0000-4000-8000-00000000000\u0000"}"#,
    ] {
      #expect(try fault(json).input.path != "$", "\(json)")
    }
    #expect(try realm.write { realm.create(CreatingScalars.self, value: ["flag": 1, "large": true]) }.flag)
  }

  // MARK: Dates

  @Test(arguments: [
    "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z",
    "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-02-29T25:61:00Z",
    "2024-02-29T24:00:00Z", "2024-02-29T12:60:00Z", "2024-12-31T23:59:60Z", "2024-02-29T12:30:15Zjunk",
    "2024-02-29T12:30:15Z ", "2024-02-29T12:30:15", "2024-02-29T12:30:15.Z", "2024-02-29T12:30:15+", "2024-02-29",
    "2024-02-29T12:30:15+1", "2024-02-29T12:30:15+24:00", "2024-02-29T12:30:15+01:60", "2024-02-29T12:30:15+01:",
    "2024-02-29T12:30:15+01:00:00", "+024-02-29T12:30:15Z", "2024-02-29T12:30:1\u{664}Z", "",
  ]) func datesThatThereAreNot(text: String) throws {
    #expect(try fault(#"{"date": "\#(text)"}"#).input.description == "$.date: expected a date, found a string")
  }

  @Test(arguments: [
    "2024-02-29T12:30:15Z", "2000-02-29T00:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "1500-02-29T00:00:00Z", "2024-02-29T12:30:15+01:00", "2024-02-29T12:30:15-0130",
    "2024-02-29T12:30:15+05", "2024-01-01T00:00:00+14:00",
  ]) func datesAsFoundationReadsThem(text: String) throws {
    let date = try Date.ISO8601FormatStyle().parse(text)
    #expect(try scalars(#"{"date": "\#(text)"}"#).date == date)
    let digits = String(repeating: "0", count: 300)
    let split = text.index(text.startIndex, offsetBy: 19)
    let precise = "\(text[..<split]).25\(digits)\(text[split...])"
    #expect(try scalars(#"{"date": "\#(precise)"}"#).date == date.addingTimeInterval(0.25))
  }

  @Test func numericDatesHaveARange() throws {
    var limits = CreationLimits(numericDates: .secondsSince1970)
    #expect(try scalars(#"{"date": 1.5}"#, limits).date == Date(timeIntervalSince1970: 1.5))
    #expect(try scalars(#"{"date": -1e15}"#, limits).date == Date(timeIntervalSince1970: -1e15))
    for number in ["1e16", "-1e300", "1e400", "9223372036854775807", "9223372036854775808"] {
      let fault = try fault(#"{"date": \#(number)}"#, limits: limits)
      #expect(fault.input.found == number && fault.message.contains("1000000000000000 seconds"))
    }
    limits.numericDates = .millisecondsSince1970
    #expect(try scalars(#"{"date": 1500}"#, limits).date == Date(timeIntervalSince1970: 1.5))
    #expect(try fault(#"{"date": 1e19}"#, limits: limits).input.path == "$.date")
    #expect(try fault(#"{"date": true}"#, limits: limits).input.found == "a Boolean")
    #expect(try fault(#"{"date": 1e400}"#).input.found == "a number")
  }

  // MARK: Keys

  @Test func keysOfNestedDictionariesAreNamed() throws {
    let fault = try fault(#"{"value": {"a": {"$x.y": 1}}}"#, CreatingMixed.self)
    #expect(fault.input.description == #"$.value["a"]["$x.y"]: expected a key for a map, found $x.y"#)
    #expect(fault.message.contains("Invalid map key '$x.y': keys must not begin with '$'."))
    #expect(try self.fault(#"{"values": [{"x.y": 1}]}"#, CreatingMixed.self).message.contains("must not contain '.'"))
  }

  // MARK: Encodable values

  private struct Offer: Encodable {
    var id: ObjectId
    var price: Decimal
    var value: URL
    var other: String?
  }

  private struct Amount: Encodable {
    var id: String
    var price: Decimal128
    var values: [URL]
  }

  @Test func encodableValuesOfOtherTypes() throws {
    let id = ObjectId.generate()
    let price = try #require(Decimal(string: "12345678901234567.89"))
    let page = try #require(URL(string: "https://firn.example/a?b=c"))
    try realm.write {
      let made = try realm.create(
        CreatingMixed.self, from: Offer(id: id, price: price, value: page, other: id.stringValue))
      #expect(made.id == id && made.price == Decimal128(value: price) && made.other == id)
      #expect(made.value == .string(page.absoluteString))
      let amount = Amount(id: ObjectId.generate().stringValue, price: "1e400", values: [page])
      let other = try realm.create(CreatingMixed.self, from: amount)
      #expect(other.id.stringValue == amount.id && other.price == "1e400")
      #expect(Array(other.values) == [.string(page.absoluteString)])
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(CreatingMixed.self, from: Amount(id: "x", price: 1, values: []))
      }
    }
  }
}
