import Firn
import Foundation
import Testing

/// Conditions on collections, compared with rules in Swift.
@Suite struct StringPredicateCollectionTests {
  private let data: TextRows

  init() throws {
    var random = SeededRandom.printed("string predicates on collections")
    data = try TextRows(random: &random)
  }

  @Test func someElementSatisfies() {
    data.check("ANY numbers = 3") { $0.numbers.contains(3) }
    data.check("SOME numbers > 3") { $0.numbers.contains { $0 > 3 } }
    data.check("NONE numbers = 3") { !$0.numbers.contains(3) }
    data.check("ANY numbers != 3") { $0.numbers.contains { $0 != 3 } }
    data.check("3 IN numbers") { $0.numbers.contains(3) }
    data.check("%@ IN names", "a") { $0.names.contains("a") }
    data.check("ANY maybeNumbers = nil") { $0.maybeNumbers.contains(nil) }
    data.check("nil IN maybeNumbers") { $0.maybeNumbers.contains(nil) }
    data.check("ANY names BEGINSWITH[c] 'b'") { $0.names.contains { $0.lowercased().hasPrefix("b") } }
    data.check("ANY numbers IN {1, 5}") { $0.numbers.contains { [1, 5].contains($0) } }
    data.check("NONE numbers IN %@", [1, 5]) { !$0.numbers.contains { [1, 5].contains($0) } }
    data.check("ANY numbers > 1 AND ANY numbers < 1") {
      $0.numbers.contains { $0 > 1 } && $0.numbers.contains { $0 < 1 }
    }
  }

  @Test func elementsHaveProperties() {
    data.check("ANY friends.number = 1") { $0.friends.contains { $0.number == 1 } }
    data.check("NONE friends.note = nil") { !$0.friends.contains { $0.note == nil } }
    data.check("ANY circle.parent.number > 1") { $0.circle.contains { ($0.parent?.number ?? 0) > 1 } }
    data.check("ANY friends.friends.number = 1") { $0.friends.contains { $0.friends.contains { $0.number == 1 } } }
    data.check("ANY parent.friends.number = 1") { $0.parent?.friends.contains { $0.number == 1 } ?? false }
    data.check("ANY children.number > 3") { $0.children.contains { $0.number > 3 } }
    data.check("ANY children.friends.numbers = 2") {
      $0.children.contains { $0.friends.contains { $0.numbers.contains(2) } }
    }
    data.check("ANY roles.number = 1") { $0.roles.values.contains { $0?.number == 1 } }
    data.check("ANY roles = nil") { $0.roles.values.contains { $0 == nil } }
    let row = data.rows[3]
    data.check("ANY friends = %@", row) { $0.friends.contains { $0.isSameObject(as: row) } }
    data.check("%@ IN circle", row) { $0.circle.contains { $0.isSameObject(as: row) } }
    data.check("ANY friends IN %@", data.rows.filter("id < 6")) { $0.friends.contains { $0.id < 6 } }
    data.check("ANY friends = %@", TextRow(value: [1])) { _ in false }
    data.check("SELF = %@", row) { $0.isSameObject(as: row) }
    data.check("SELF IN %@", [row]) { $0.isSameObject(as: row) }
  }

  @Test func collectionsAreCountedAndSummed() {
    data.check("numbers.@count = 2") { $0.numbers.count == 2 }
    data.check("friends.@count > %@", 1) { $0.friends.count > 1 }
    data.check("children.@count = number") { $0.children.count == $0.number }
    data.check("parent.friends.@count >= 1") { ($0.parent?.friends.count ?? 0) >= 1 }
    data.check("numbers.@max >= 4") { ($0.numbers.max() ?? -1) >= 4 }
    data.check("numbers.@min = nil") { $0.numbers.isEmpty }
    data.check("maybeNumbers.@max = nil") { $0.maybeNumbers.allSatisfy { $0 == nil } }
    data.check("numbers.@sum = 5") { $0.numbers.sum() == 5 }
    data.check("numbers.@sum = 0") { $0.numbers.sum() == 0 }
    data.check("numbers.@avg > 2") { row in
      row.numbers.isEmpty ? false : Double(row.numbers.sum()) / Double(row.numbers.count) > 2
    }
    data.check("friends.@max.price > 1.5") { ($0.friends.map(\.price).max() ?? 0) > 1.5 }
    data.check("friends.@sum.number < 3") { $0.friends.map(\.number).reduce(0, +) < 3 }
    data.check("friends.@min.maybeNumber = 0") { $0.friends.compactMap(\.maybeNumber).min() == 0 }
    data.check("prices.@max < 2") { ($0.prices.values.max() ?? 9) < 2 }
    data.check("dates.@min < %@", data.dates[2]) { row in row.dates.min().map { $0 < data.dates[2] } ?? false }
    data.check("numbers.@max > number") { row in row.numbers.max().map { $0 > row.number } ?? false }
    data.check("ANY numbers.@count = 2") { $0.numbers.count == 2 }
  }

  @Test func mapsHaveKeysAndValues() {
    data.check("prices['k'] > 1") { ($0.prices["k"] ?? 0) > 1 }
    data.check("prices['absent'] = nil") { _ in true }
    data.check("prices['k'] = nil") { $0.prices["k"] == nil }
    data.check("notes[%@] BEGINSWITH 'a'", "k") { $0.notes["k"]??.hasPrefix("a") ?? false }
    data.check("parent.prices['k'] = 1") { $0.parent?.prices["k"] == 1 }
    data.check("ANY prices = 1") { $0.prices.values.contains(1) }
    data.check("ANY prices.@allValues > 1") { $0.prices.values.contains { $0 > 1 } }
    data.check("1 IN prices") { $0.prices.values.contains(1) }
    data.check("prices.@allKeys = 'k'") { $0.prices.keys.contains("k") }
    data.check("ANY prices.@allKeys ==[c] 'k'") { $0.prices.keys.contains { $0.lowercased() == "k" } }
    data.check("prices.@allKeys BEGINSWITH 'k'") { $0.prices.keys.contains { $0.hasPrefix("k") } }
    data.check("prices.@allKeys ==[d] 'e'") { $0.prices.keys.contains("é") }
    data.check("prices.@allKeys != 'k'") { $0.prices.keys.contains { $0 != "k" } }
    data.check("prices.@count = 2") { $0.prices.count == 2 }
    data.expectRefusal("not supported for type", "prices.@allKeys IN {'k'}")
    data.expectRefusal("not supported for type", "prices.@allKeys > 'k'")
  }

  @Test func subqueriesCountElements() {
    data.check("SUBQUERY(friends, $x, $x.number > 0 AND $x.flag = TRUE).@count > 0") {
      $0.friends.contains { $0.number > 0 && $0.flag }
    }
    data.check("SUBQUERY(friends, $x, $x.number > 0).@count = %@", 2) {
      Array($0.friends).filter { $0.number > 0 }.count == 2
    }
    data.check("0 = SUBQUERY(children, $c, number > 0).@count") { !$0.children.contains { $0.number > 0 } }
    data.check("SUBQUERY(parent.friends, $x, $x.number = $x.maybeNumber).@count >= 1") {
      $0.parent?.friends.contains { $0.number == $0.maybeNumber } ?? false
    }
    data.check(
      "SUBQUERY(friends, $x, SUBQUERY($x.friends, $y, $y.number > 1).@count > 0 AND ANY $x.numbers = 2).@count > 0"
    ) {
      $0.friends.contains { $0.friends.contains { $0.number > 1 } && $0.numbers.contains(2) }
    }
    data.check("SUBQUERY(friends, $x, TRUEPREDICATE).@count = 1.9") { $0.friends.count == 1 }
    data.check("NOT SUBQUERY(friends, $x, $x = %@).@count > 0", data.rows[2]) {
      !$0.friends.contains { $0.isSameObject(as: data.rows[2]) }
    }
  }

  @Test func mixedValuesCompareAcrossKinds() {
    func number(_ value: AnyRealmValue) -> Double? {
      switch value {
      case .int(let value): Double(value)
      case .double(let value): value
      case .float(let value): Double(value)
      case .decimal128(let value): value.doubleValue
      default: nil
      }
    }
    func text(_ value: AnyRealmValue) -> [UInt8]? {
      switch value {
      case .string(let text): Array(text.utf8)
      case .data(let data): Array(data)
      default: nil
      }
    }
    data.check("any = 1") { number($0.any) == 1 }
    data.check("any != 1") { number($0.any) != 1 }
    data.check("any > 1") { number($0.any).map { $0 > 1 } ?? false }
    data.check("any BETWEEN {1, 2}") { number($0.any).map { (1...2).contains($0) } ?? false }
    data.check("any = TRUE") { $0.any == .bool(true) }
    data.check("any = nil") { $0.any == .none }
    data.check("any <= nil") { $0.any == .none }
    data.check("any = 'ab'") { text($0.any) == Array("ab".utf8) }
    data.check("any != 'ab'") { text($0.any) != Array("ab".utf8) }
    data.check("any = %@", Data("ab".utf8)) { $0.any == .data(Data("ab".utf8)) }
    data.check("any CONTAINS 'b'") { text($0.any)?.contains(UInt8(ascii: "b")) ?? false }
    data.check("any BEGINSWITH[c] 'B'") { text($0.any)?.first.map { $0 | 0x20 == UInt8(ascii: "b") } ?? false }
    data.check("any = %@", AnyRealmValue.int(2)) { number($0.any) == 2 }
    data.check("any['k'] = 1") { $0.any.dictionaryValue?["k"] == .int(1) }
    data.check("any[0] = 1") { ($0.any.listValue.map { Array($0) } ?? []).first == .int(1) }
    data.check("any[#any] = 1") {
      Array($0.any.listValue ?? List()).contains(.int(1)) || $0.any.dictionaryValue?.values.contains(.int(1)) ?? false
    }
    data.check("any['l'] CONTAINS 'x'") { $0.any.dictionaryValue?["l"] == .string("x") }
    data.check("anys['k'] > 1") { number($0.anys["k"] ?? .none).map { $0 > 1 } ?? false }
    data.check("ANY anys = 1") { $0.anys.values.contains { number($0) == 1 } }
    let list = List<AnyRealmValue>()
    list.append(.int(1))
    data.check("any = %@", AnyRealmValue.list(list)) { $0.any.listValue.map { Array($0) == [.int(1)] } ?? false }
  }
}
