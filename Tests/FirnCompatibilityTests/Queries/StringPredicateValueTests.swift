import Firn
import Foundation
import Testing

/// Conditions on values of one row, compared with rules in Swift.
@Suite struct StringPredicateValueTests {
  private let data: TextRows

  init() throws {
    var random = SeededRandom.printed("string predicates on values")
    data = try TextRows(random: &random)
  }

  @Test func numbersCompare() {
    data.check("number = 3") { $0.number == 3 }
    data.check("number <> %@", 3) { $0.number != 3 }
    data.check("3 < number") { $0.number > 3 }
    data.check("%d >= number", 3) { $0.number <= 3 }
    data.check("number => 2 AND number =< 4") { (2...4).contains($0.number) }
    data.check("number == TRUE") { $0.number == 1 }
    data.check("small > -2") { $0.small > -2 }
    data.check("small < 1000") { _ in true }
    data.check("ratio >= 1.5") { $0.ratio >= 1.5 }
    data.check("ratio = 2") { $0.ratio == 2 }
    data.check("price < %f", 1.25) { $0.price < 1.25 }
    data.check("price > %@", NSNumber(value: 1)) { $0.price > 1 }
    data.check("amount > 1.5 AND amount != %@", Decimal128(3)) { $0.amount > 1.5 && $0.amount != 3 }
    data.check("amount = '2.5'") { $0.amount == 2.5 }
    data.check("metres > %@", TextMetres(1)) { $0.metres.count > 1 }
    data.check("metres = 2") { $0.metres.count == 2 }
  }

  @Test func otherTypesCompare() {
    data.check("flag = YES") { $0.flag }
    data.check("flag != 1") { !$0.flag }
    data.check("maybeFlag = false") { $0.maybeFlag == false }
    data.check("date > %@", data.dates[1]) { $0.date > data.dates[1] }
    data.check("date > @2023-11-15T22:13:20Z") { $0.date > data.dates[1] }
    data.check("oid = %@", data.keys[0]) { $0.oid == data.keys[0] }
    data.check("token = %@", data.tokens[0]) { $0.token == data.tokens[0] }
    data.check("token = %@", data.tokens[0].uuidString) { $0.token == data.tokens[0] }
    data.check("colour = %@", TextColour.red) { $0.colour == .red }
    data.check("colour = 'red'") { $0.colour == .red }
    data.check("level = %@ OR level = 1", TextLevel.high) { $0.level != nil }
    data.check("bytes = %@", Data("ab".utf8)) { $0.bytes == Data("ab".utf8) }
    data.check("id IN {1, 2} OR parent.id = 3") { [1, 2].contains($0.id) || $0.parent?.id == 3 }
  }

  @Test func nullCompares() {
    data.check("maybeNumber = nil") { $0.maybeNumber == nil }
    data.check("maybeNumber != NULL") { $0.maybeNumber != nil }
    data.check("maybeNumber = %@", NSNull()) { $0.maybeNumber == nil }
    data.check("maybeNumber = %@", Int?.none as Any) { $0.maybeNumber == nil }
    data.check("maybeNumber != 2") { $0.maybeNumber != 2 }
    data.check("maybeNumber < 2") { $0.maybeNumber.map { $0 < 2 } ?? false }
    data.check("maybeNumber > nil") { _ in false }
    data.check("maybeNumber <= nil") { $0.maybeNumber == nil }
    data.check("note = nil") { $0.note == nil }
    data.check("note > nil") { $0.note != nil }
    data.check("note >= nil") { _ in true }
    data.check("note < nil") { _ in false }
    data.check("note <= nil") { $0.note == nil }
    data.check("note < 'ab'") { $0.note.map { Array($0.utf8).lexicographicallyPrecedes(Array("ab".utf8)) } ?? true }
    data.check("parent.note < 'ab'") {
      $0.parent?.note.map { Array($0.utf8).lexicographicallyPrecedes(Array("ab".utf8)) } ?? false
    }
    data.check("parent = nil") { $0.parent == nil }
    data.check("parent.parent.number = 1") { $0.parent?.parent?.number == 1 }
    data.check("parent.number != 1") { $0.parent?.number != 1 }
    data.check("place = nil OR place.height = nil") { $0.place?.height == nil }
    data.check("place.city BEGINSWITH 'a'") { $0.place?.city.hasPrefix("a") ?? false }
  }

  @Test func columnsCompare() {
    data.check("number > maybeNumber") { row in row.maybeNumber.map { row.number > $0 } ?? false }
    data.check("number = parent.number") { $0.number == $0.parent?.number }
    data.check("note = other") { $0.note.map { Array($0.utf8) } == $0.other.map { Array($0.utf8) } }
    data.check("note <= other") { row in
      guard let note = row.note, let other = row.other else { return row.note == nil && row.other == nil }
      return !Array(other.utf8).lexicographicallyPrecedes(Array(note.utf8))
    }
    data.check("note CONTAINS other") { row in Self.contains(row.note, row.other) }
    data.check("any = any") { _ in true }
    data.check("any != any") { _ in false }
    data.check("parent != parent.parent") {
      !($0.parent == nil && $0.parent?.parent == nil) && $0.parent !== $0.parent?.parent
        && !($0.parent?.isSameObject(as: $0.parent?.parent) ?? false)
    }
    data.expectRefusal("Property type mismatch between", "number = price")
    data.expectRefusal("Property type mismatch between", "name = bytes")
    data.expectRefusal("not supported for type 'mixed'", "any > any")
    data.expectRefusal("must use aggregate operations", "number = numbers")
    data.expectRefusal("must use aggregate operations", "ANY friends.number = number")
  }

  private static func contains(_ text: String?, _ part: String?) -> Bool {
    guard let text = text.map({ Array($0.utf8) }), let part = part.map({ Array($0.utf8) }), !part.isEmpty else {
      return false
    }
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  @Test func textsAreSearched() {
    data.check("name CONTAINS 'b'") { Self.contains($0.name, "b") }
    data.check("name CONTAINS ''") { _ in false }
    data.check("name CONTAINS %@", NSNull()) { _ in false }
    data.check("note BEGINSWITH 'a'") { $0.note?.utf8.starts(with: "a".utf8) ?? false }
    data.check("note ENDSWITH 'b'") { $0.note?.utf8.last == UInt8(ascii: "b") }
    data.check("note BEGINSWITH[c] 'b'") { ["b", "B"].contains($0.note?.unicodeScalars.first.map { String($0) }) }
    data.check("name ==[c] 'ba'") { $0.name.lowercased() == "ba" }
    data.check("name ==[cd] 'ba'") { ["ba", "bä"].contains($0.name.lowercased()) }
    data.check("name ==[d] 'e'") { ["é"].contains($0.name) }
    data.check("note !=[c] 'ba'") { $0.note?.lowercased() != "ba" }
    data.check("name CONTAINS %@", "\0") { $0.name.utf8.contains(0) }
    data.check(#"name CONTAINS '\u0000z'"#) { $0.name == "z\0z" }
    data.check("bytes CONTAINS %@", Data("b".utf8)) { $0.bytes.contains(UInt8(ascii: "b")) }
    data.check("name ==[nl] 'a'") { $0.name == "a" }
  }

  @Test func patternsMatchWholeTexts() {
    data.check("name LIKE 'a*'") { $0.name.hasPrefix("a") }
    data.check("name LIKE '?'") { $0.name.unicodeScalars.count == 1 }
    data.check("name LIKE[c] '?A'") {
      $0.name.unicodeScalars.count == 2 && $0.name.lowercased().hasSuffix("a") && $0.name != "bä"
    }
    data.check("note LIKE '*'") { $0.note != nil }
    data.check("note LIKE nil") { $0.note == nil }
    data.check("name LIKE ''") { $0.name.isEmpty }
    data.check("name LIKE 'x*y'") { $0.name == "x*y" }
  }

  @Test func listsOfValuesAreSearched() {
    data.check("number IN {1, 2, 9}") { [1, 2, 9].contains($0.number) }
    data.check("number IN %@", [1, 2]) { [1, 2].contains($0.number) }
    data.check("number IN %@", Set([1, 2])) { [1, 2].contains($0.number) }
    data.check("number IN %@", NSArray(array: [1, 2])) { [1, 2].contains($0.number) }
    data.check("number IN %@", data.rows[0].numbers) { row in data.rows[0].numbers.contains(row.number) }
    data.check("number IN %@", [] as [Int]) { _ in false }
    data.check("number IN {}") { _ in false }
    data.check("maybeNumber IN {1, nil}") { $0.maybeNumber == nil || $0.maybeNumber == 1 }
    data.check("name IN[c] {'b', 'BA'}") { ["b", "ba"].contains($0.name.lowercased()) }
    data.check("colour IN %@", [TextColour.red, .blue]) { $0.colour != .green }
    data.check("any IN {1, 'a', %@}", NSNull()) {
      $0.any == .none || $0.any == .int(1) || $0.any == .double(1) || $0.any == .decimal128(1) || $0.any == .string("a")
        || $0.any == .data(Data("a".utf8))
    }
    data.check("parent IN %@", data.rows.filter("id < 5")) { ($0.parent?.id ?? 9) < 5 }
    data.check("NOT number IN {1}") { $0.number != 1 }
    data.expectRefusal("IN clause requires an array", "number IN 3")
    data.expectRefusal("Cannot compare value", "number IN {1, 'x'}")
    data.expectRefusal("Cannot compare value", "number IN {1, nil}")
    data.expectRefusal("IN operator must compare a KeyPath with an aggregate", "number IN maybeNumber")
  }

  @Test func rangesIncludeBothEnds() {
    data.check("number BETWEEN {1, 3}") { (1...3).contains($0.number) }
    data.check("number BETWEEN %@", [1, 3]) { (1...3).contains($0.number) }
    data.check("maybePrice BETWEEN {%@, 2}", 0.5) { $0.maybePrice.map { (0.5...2).contains($0) } ?? false }
    data.check("number BETWEEN {3, 1}") { _ in false }
    data.check("date BETWEEN {%@, %@}", data.dates[1], data.dates[2]) { data.dates[1...2].contains($0.date) }
    data.check("ANY numbers BETWEEN {2, 3}") { $0.numbers.contains { (2...3).contains($0) } }
    data.expectRefusal("must be of type NSArray for BETWEEN", "number BETWEEN 3")
    data.expectRefusal("exactly two objects", "number BETWEEN {1, 2, 3}")
    data.expectRefusal("BETWEEN", "number BETWEEN {1, 'x'}")
    data.expectRefusal("must be constant values", "number BETWEEN {small, 3}")
    data.expectRefusal("BETWEEN operator must compare a KeyPath with an aggregate", "3 BETWEEN {1, 2}")
    data.expectRefusal("not supported for type", "name BETWEEN {'a', 'b'}")
  }
}
