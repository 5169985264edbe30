import Firn
import Foundation
import Testing

/// The format and the arguments that a typed query stands for.
@Suite struct QueryFormatTests {
  private typealias Condition = (Query<QueryAll>) -> Query<Bool>

  private func expect(
    _ format: String, _ arguments: [Any] = [], _ query: Condition, sourceLocation: SourceLocation = #_sourceLocation
  ) { expectFormat(format, arguments, of: query, sourceLocation: sourceLocation) }

  @Test func comparisons() {
    expect("(int == %@)", [1]) { $0.int == 1 }
    expect("(int != %@)", [1]) { $0.int != 1 }
    expect("(int < %@)", [1]) { $0.int < 1 }
    expect("(int <= %@)", [1]) { $0.int <= 1 }
    expect("(double > %@)", [1.5]) { $0.double > 1.5 }
    expect("(double >= %@)", [1.5]) { $0.double >= 1.5 }
    expect("(intOpt == %@)", [NSNull()]) { $0.intOpt == nil }
    expect("(intOpt != %@)", [3]) { $0.intOpt != 3 }
    expect("(int == other)") { $0.int == $0.other }
    expect("(string > stringOther)") { $0.string > $0.stringOther }
    expect("(colour == %@)", [QueryColour.red]) { $0.colour == .red }
    expect("(colour == %@)", ["red"]) { $0.colour.rawValue == "red" }
    expect("(code == %@)", [QueryCode(3)]) { $0.code == QueryCode(3) }
    expect("(code > %@)", [3]) { $0.code.persistableValue > 3 }
    expect("(int IN %@)", [[1, 2] as [Any]]) { $0.int.in([1, 2]) }
    expect("(intOpt IN %@)", [[1, NSNull()] as [Any]]) { $0.intOpt.in([1, nil]) }
    expect("(child.name == %@)", ["x"]) { $0.child.name == "x" }
    expect("(child.friend.age == %@)", [1]) { $0.child.friend.age == 1 }
    expect("(place.city == %@)", [NSNull()]) { $0.place.city == nil }
  }

  @Test func ranges() {
    expect("((int >= %@) && (int < %@))", [1, 5]) { $0.int.contains(1..<5) }
    expect("(int BETWEEN {%@, %@})", [1, 5]) { $0.int.contains(1...5) }
    expect("((intOpt >= %@) && (intOpt < %@))", [1, 5]) { $0.intOpt.contains(1..<5) }
    expect("(intOpt BETWEEN {%@, %@})", [1, 5]) { $0.intOpt.contains(1...5) }
    expect("(NOT int BETWEEN {%@, %@})", [1, 5]) { !$0.int.contains(1...5) }
    expect("NOT ((int >= %@) && (int < %@))", [1, 5]) { !$0.int.contains(1..<5) }
    expect("(ANY children.age BETWEEN {%@, %@})", [1, 5]) { $0.children.age.contains(1...5) }
    expect("((ANY children.age >= %@) && (ANY children.age < %@))", [1, 5]) { $0.children.age.contains(1..<5) }
  }

  @Test func texts() {
    expect("(string CONTAINS[cd] %@)", ["x"]) {
      $0.string.contains("x", options: [.caseInsensitive, .diacriticInsensitive])
    }
    expect("(string CONTAINS %@)", ["x"]) { $0.string.contains("x") }
    expect("(string BEGINSWITH[c] %@)", ["x"]) { $0.string.starts(with: "x", options: .caseInsensitive) }
    expect("(string ENDSWITH[d] %@)", ["x"]) { $0.string.ends(with: "x", options: .diacriticInsensitive) }
    expect("(string ==[cd] %@)", ["x"]) { $0.string.equals("x", options: [.caseInsensitive, .diacriticInsensitive]) }
    expect("(string !=[c] %@)", ["x"]) { $0.string.notEquals("x", options: .caseInsensitive) }
    expect("(string == %@)", ["x"]) { $0.string.equals("x") }
    expect("(string LIKE[c] %@)", ["x*"]) { $0.string.like("x*", caseInsensitive: true) }
    expect("(string LIKE %@)", ["x*"]) { $0.string.like("x*") }
    expect("(stringOpt LIKE %@)", [NSNull()]) { $0.stringOpt.like(nil) }
    expect("(string LIKE[c] stringOpt)") { $0.string.like($0.stringOpt, caseInsensitive: true) }
    expect("(string CONTAINS[c] stringOther)") { $0.string.contains($0.stringOther, options: .caseInsensitive) }
    expect("(string BEGINSWITH child.name)") { $0.string.starts(with: $0.child.name) }
    expect("(string ENDSWITH stringOpt)") { $0.string.ends(with: $0.stringOpt) }
    expect("(string ==[c] stringOther)") { $0.string.equals($0.stringOther, options: .caseInsensitive) }
    expect("(string != stringOther)") { $0.string.notEquals($0.stringOther) }
    expect("(data CONTAINS %@)", [Data([1])]) { $0.data.contains(Data([1])) }
    expect("(tag BEGINSWITH %@)", [QueryTag("x")]) { $0.tag.starts(with: QueryTag("x")) }
    expect("(colour LIKE %@)", ["r*"]) { $0.colour.rawValue.like("r*") }
    expect("(string > %@)", ["x"]) { $0.string > "x" }
  }

  @Test func logic() {
    expect("bool == true") { $0.bool }
    expect("bool == false") { !$0.bool }
    expect("bool == true") { !(!$0.bool) }
    expect("place.isHub == true") { $0.place.isHub }
    expect("(bool == %@)", [true]) { $0.bool == true }
    expect("(NOT int == %@)", [1]) { !($0.int == 1) }
    expect("NOT (NOT int == %@)", [1]) { !(!($0.int == 1)) }
    expect("((int == %@) && (other == %@))", [1, 2]) { $0.int == 1 && $0.other == 2 }
    expect("((int == %@) || bool == true)", [1]) { $0.int == 1 || $0.bool }
    expect("NOT ((int == %@) || (other == %@))", [1, 2]) { !($0.int == 1 || $0.other == 2) }
    expect("(((int == %@) && (int == %@)) && (int == %@))", [1, 2, 3]) { $0.int == 1 && $0.int == 2 && $0.int == 3 }
    expect("((int == %@) && ((int == %@) && (int == %@)))", [1, 2, 3]) { $0.int == 1 && ($0.int == 2 && $0.int == 3) }
    expect("(((int == %@) && bool == false) || ((int == %@) || (int == %@)))", [1, 2, 3]) {
      $0.int == 1 && !$0.bool || ($0.int == 2 || $0.int == 3)
    }
    expect("(int == %@)", [1]) { ($0.int == 1) == true }
    expect("(NOT int == %@)", [1]) { ($0.int == 1) == false }
  }

  @Test func collections() {
    expect("(ANY ints == %@)", [1]) { $0.ints == 1 }
    expect("(ANY ints != %@)", [1]) { $0.ints != 1 }
    expect("(ANY intSet > %@)", [1]) { $0.intSet > 1 }
    expect("(ANY intOpts == %@)", [NSNull()]) { $0.intOpts == nil }
    expect("(NOT ANY ints == %@)", [1]) { !($0.ints == 1) }
    expect("(%@ IN ints)", [1]) { $0.ints.contains(1) }
    expect("(%@ IN intOpts)", [NSNull()]) { $0.intOpts.contains(nil) }
    expect("(ANY ints IN %@)", [[1, 2] as [Any]]) { $0.ints.containsAny(in: [1, 2]) }
    expect("((ints.@min >= %@) && (ints.@max <= %@))", [1, 5]) { $0.ints.contains(1...5) }
    expect("((ints.@min >= %@) && (ints.@max < %@))", [1, 5]) { $0.ints.contains(1..<5) }
    expect("((intOpts.@min >= %@) && (intOpts.@max <= %@))", [1, 5]) { $0.intOpts.contains(1...5) }
    expect("(ints.@count == %@)", [2]) { $0.ints.count == 2 }
    expect("(ints.@max > %@)", [1]) { $0.ints.max > 1 }
    expect("(ints.@min > %@)", [1]) { $0.ints.min > 1 }
    expect("(ints.@sum > %@)", [1]) { $0.ints.sum > 1 }
    expect("(ints.@avg > %@)", [1]) { $0.ints.avg > 1 }
    expect("(ints.@max > other)") { $0.ints.max > $0.other }
    expect("(ANY children.name == %@)", ["x"]) { $0.children.name == "x" }
    expect("(ANY children.friend.name == %@)", ["x"]) { $0.children.friend.name == "x" }
    expect("(ANY children.scores == %@)", [1]) { $0.children.scores == 1 }
    expect("(children.@max.age > %@)", [1]) { $0.children.age.max > 1 }
    expect("(children.@avg.weight > %@)", [1.5]) { $0.children.weight.avg > 1.5 }
    expect("(ANY children.name CONTAINS[c] %@)", ["x"]) { $0.children.name.contains("x", options: .caseInsensitive) }
    expect("(ANY children.age IN %@)", [[1, 2] as [Any]]) { $0.children.age.in([1, 2]) }
    expect("(child.friends.@count == %@)", [1]) { $0.child.friends.count == 1 }
    expect("(child.scores.@max == %@)", [1]) { $0.child.scores.max == 1 }
    expect("(%@ IN child.scores)", [1]) { $0.child.scores.contains(1) }
    expect("children.isOut == true") { $0.children.isOut }
    expect("(ANY children.isOut == %@)", [true]) { $0.children.isOut == true }
    expect("(ANY colours == %@)", [QueryColour.red]) { $0.colours == .red }
    expect("(ANY colours == %@)", ["red"]) { $0.colours.rawValue == "red" }
    expect("(levelSet.@max > %@)", [3]) { $0.levelSet.rawValue.max > 3 }
    expect("(ANY levelOpts > %@)", [3]) { $0.levelOpts.rawValue > 3 }
    expect("(%@ IN codes)", [3]) { $0.codes.persistableValue.contains(3) }
    expect("(%@ IN codes)", [QueryCode(3)]) { $0.codes.contains(QueryCode(3)) }
    expectFormat("(ANY parents.int == %@)", [1]) { (query: Query<QueryChild>) in query.parents.int == 1 }
    expectFormat("(parents.@count == %@)", [1]) { (query: Query<QueryChild>) in query.parents.count == 1 }
  }

  @Test func maps() {
    expect("(ANY intMap.@allValues == %@)", [1]) { $0.intMap.values == 1 }
    expect("(ANY intMap.@allKeys == %@)", ["k"]) { $0.intMap.keys == "k" }
    expect("(ANY intMap.@allKeys BEGINSWITH[c] %@)", ["k"]) {
      $0.intMap.keys.starts(with: "k", options: .caseInsensitive)
    }
    expect("(intMap[%@] == %@)", ["k", 1]) { $0.intMap["k"] == 1 }
    expect("(doubleOptMap[%@] == %@)", ["k", NSNull()]) { $0.doubleOptMap["k"] == nil }
    expect("(stringMap[%@] CONTAINS %@)", ["k", "x"]) { $0.stringMap["k"].contains("x") }
    expect("(%@ IN intMap)", [1]) { $0.intMap.contains(1) }
    expect("(ANY intMap IN %@)", [[1, 2] as [Any]]) { $0.intMap.containsAny(in: [1, 2]) }
    expect("((intMap.@min >= %@) && (intMap.@max <= %@))", [1, 5]) { $0.intMap.contains(1...5) }
    expect("((doubleOptMap.@min >= %@) && (doubleOptMap.@max < %@))", [1.0, 5.0]) { $0.doubleOptMap.contains(1..<5) }
    expect("(intMap.@count == %@)", [2]) { $0.intMap.count == 2 }
    expect("(intMap.@sum > %@)", [2]) { $0.intMap.sum > 2 }
    expect("(intMap.@max > %@)", [2]) { $0.intMap.values.max > 2 }
    expect("(ANY childMap.@allValues.name == %@)", ["x"]) { $0.childMap.values.name == "x" }
    expect("(ANY levelMap.@allValues == %@)", [5]) { $0.levelMap.rawValue.values == 5 }
    expect("(codeMap.@max == %@)", [5]) { $0.codeMap.persistableValue.max == 5 }
  }

  @Test func mixedValues() {
    expect("(any == %@)", [AnyRealmValue.int(1)]) { $0.any == .int(1) }
    expect("(any == %@)", [AnyRealmValue.none]) { $0.any == .none }
    expect("(any[%@][%@][%K] == %@)", [0, "k", "#any", AnyRealmValue.int(1)]) { $0.any[0]["k"].any == .int(1) }
    expect("(any[%@] == %@)", ["#any", AnyRealmValue.int(1)]) { $0.any["#any"] == .int(1) }
    expect("(any > %@)", [AnyRealmValue.int(1)]) { $0.any > .int(1) }
    expect("(anyMap[%@][%@] == %@)", ["k", 2, AnyRealmValue.int(1)]) { $0.anyMap["k"][2] == .int(1) }
    expect("(ANY anys == %@)", [AnyRealmValue.int(1)]) { $0.anys == .int(1) }
    expect("(ANY anys > %@)", [AnyRealmValue.int(1)]) { $0.anys > .int(1) }
  }

  @Test func subqueries() {
    expect("(SUBQUERY(children, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) { ($0.children.age == 1).count > 0 }
    expect(
      "(SUBQUERY(children, $col1, (($col1.age == %@) && ($col1.name CONTAINS %@))).@count == %@)", [1, "x", 2]
    ) { ($0.children.age == 1 && $0.children.name.contains("x")).count == 2 }
    expect(
      "((SUBQUERY(children, $col1, ($col1.age == %@)).@count > %@) && (SUBQUERY(childSet, $col2, "
        + "($col2.age == %@)).@count > %@))", [1, 0, 2, 0]
    ) { ($0.children.age == 1).count > 0 && ($0.childSet.age == 2).count > 0 }
    expectFormat(
      "(SUBQUERY(friends, $col1, (($col1.age > %@) && (SUBQUERY(friends, $col2, ($col2.age == %@)).@count > %@))).@count > "
        + "%@)", [0, 1, 0, 0]
    ) { (query: Query<QueryChild>) in (query.friends.age > 0 && (query.friends.age == 1).count > 0).count > 0 }
    expect("(SUBQUERY(children, $col1, ($col1.friend.age == %@)).@count > %@)", [1, 0]) {
      ($0.children.friend.age == 1).count > 0
    }
    expect("(SUBQUERY(children, $col1, ($col1.age == int)).@count > %@)", [0]) {
      ($0.children.age == $0.int).count > 0
    }
    expect("(SUBQUERY(children, $col1, $col1.isOut == true).@count > %@)", [0]) { $0.children.isOut.count > 0 }
    expect("(SUBQUERY(children, $col1, (ANY $col1.scores == %@)).@count > %@)", [1, 0]) {
      ($0.children.scores == 1).count > 0
    }
    expect("(SUBQUERY(children, $col1, ($col1.scores.@count == %@)).@count > %@)", [1, 0]) {
      ($0.children.scores.count == 1).count > 0
    }
    expect("(NOT SUBQUERY(children, $col1, (NOT $col1.age == %@)).@count > %@)", [1, 0]) {
      !((!($0.children.age == 1)).count > 0)
    }
    expect("(SUBQUERY(child.friends, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) {
      ($0.child.friends.age == 1).count > 0
    }
  }

  @Test func values() {
    expectFormat("(self == %@)", [1]) { (query: Query<Int>) in query == 1 }
    expectFormat("((self > %@) && (self BETWEEN {%@, %@}))", [1, 2, 3]) { (query: Query<Int>) in
      query > 1 && query.contains(2...3)
    }
    expectFormat("(self BEGINSWITH %@)", ["x"]) { (query: Query<String?>) in query.starts(with: "x") }
  }

  /// A query in a realm says the same.
  @Test func boundQueries() throws {
    let world = try QueryWorld(count: 1)
    var formats: [String] = []
    _ = world.all.where { query in
      formats.append((query.int == 1)._constructPredicate().0)
      formats.append((query.bool && !query.bool)._constructPredicate().0)
      formats.append((query.string > "x" && query.intOpt == nil)._constructPredicate().0)
      return query.int == 1
    }
    #expect(formats == ["(int == %@)", "(bool == true && bool == false)", "((string > %@) && (intOpt == %@))"])
  }
}
