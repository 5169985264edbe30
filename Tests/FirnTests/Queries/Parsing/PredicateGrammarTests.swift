import Foundation
import Testing

@testable import Firn

/// Each production of the grammar becomes the expression that it stands for.
@Suite struct PredicateGrammarTests {
  // MARK: Logic

  @Test func notBindsTighterThanAndAndThatTighterThanOr() throws {
    #expect(
      try parsed("NOT a = 1 AND b = 2 OR c = 3 AND d = 4")
        == "or(and(not(a == Int:1), b == Int:2), and(c == Int:3, d == Int:4))")
    #expect(try parsed("a = 1 || b = 2 && !c = 3") == "or(a == Int:1, and(b == Int:2, not(c == Int:3)))")
    #expect(try parsed("(a = 1 OR b = 2) AND c = 3") == "and(or(a == Int:1, b == Int:2), c == Int:3)")
    #expect(try parsed("NOT (a = 1 OR b = 2)") == "not(or(a == Int:1, b == Int:2))")
    #expect(try parsed("a = 1 AND (b = 2 AND c = 3)") == "and(a == Int:1, and(b == Int:2, c == Int:3))")
  }

  @Test func chainsAreOneNodeHoweverTheyAreInParenthesesFromTheLeft() throws {
    let flat = "and(a == Int:1, b == Int:2, c == Int:3)"
    #expect(try parsed("a = 1 AND b = 2 AND c = 3") == flat)
    #expect(try parsed("(((a = 1) AND b = 2) && c = 3)") == flat)
    #expect(try parsed("((a = 1 OR b = 2) OR c = 3) OR d = 4").hasPrefix("or(a == Int:1, b == Int:2, c == "))
    #expect(
      try parsed("(a = 1 AND b = 2) AND c = 3 OR d = 4") == "or(\(flat), d == Int:4)")
    #expect(try parsed("((a = 1 AND b = 2) OR c = 3) OR d = 4").hasPrefix("or(and(a == Int:1, b == Int:2), c == "))
    #expect(try parsed("(NOT (a = 1 AND b = 2)) AND c = 3") == "and(not(and(a == Int:1, b == Int:2)), c == Int:3)")
  }

  @Test func notTwiceIsNothing() throws {
    #expect(try parsed("NOT NOT a = 1") == "a == Int:1")
    #expect(try parsed("!!!a = 1") == "not(a == Int:1)")
    #expect(try parsed("NOT (NOT a = 1)") == "not(not(a == Int:1))")
  }

  @Test func constantsAreConditions() throws {
    #expect(try parsed("TRUEPREDICATE") == "true")
    #expect(try parsed("not falsePredicate or TRUEpredicate") == "or(not(false), true)")
    #expect(try parsed("((TRUEPREDICATE))") == "true")
  }

  @Test func keywordsAreReadInAnyCase() throws {
    #expect(try parsed("a = yes and b = No or not c = True") == parsed("a = TRUE AND b = FALSE OR NOT c = TRUE"))
    #expect(try parsed("any a in {nil} Or None b LiKe 'x'") == "or(ANY a IN {null}, NONE b LIKE 'x')")
  }

  // MARK: Operators

  @Test(
    arguments: [
      ("=", "=="), ("==", "=="), ("!=", "!="), ("<>", "!="), ("<", "<"), ("<=", "<="), ("=<", "<="), (">", ">"),
      (">=", ">="), ("=>", ">="), ("BEGINSWITH", "BEGINSWITH"), ("ENDSWITH", "ENDSWITH"), ("CONTAINS", "CONTAINS"),
      ("LIKE", "LIKE"), ("MATCHES", "MATCHES"), ("IN", "IN"), ("BETWEEN", "BETWEEN"),
    ])
  func operatorsHaveSeveralSpellings(_ spelling: String, _ operation: String) throws {
    #expect(try parsed("a \(spelling) 'x'") == "a \(operation) 'x'")
    #expect(try parsed("a \(spelling)'x'") == "a \(operation) 'x'")
    #expect(try parsed("a \(spelling)[c] b") == "a \(operation)[c] b")
  }

  @Test func optionsFollowTheOperator() throws {
    #expect(try parsed("a ==[c] 'x'") == "a ==[c] 'x'")
    #expect(try parsed("a BEGINSWITH[cd]'x'") == "a BEGINSWITH[cd] 'x'")
    #expect(try parsed("a LIKE [dc] 'x'") == "a LIKE[cd] 'x'")
    #expect(try parsed("a CONTAINS[n] 'x'") == "a CONTAINS 'x'")
    #expect(try parsed("a ENDSWITH [ LCD ] 'x'") == "a ENDSWITH[cd] 'x'")
  }

  @Test func modifiersStandInFrontOfComparisons() throws {
    #expect(try parsed("ANY a.b = 1") == "ANY a.b == Int:1")
    #expect(try parsed("SOME a.b = 1") == "ANY a.b == Int:1")
    #expect(try parsed("NONE a.b = 1") == "NONE a.b == Int:1")
    #expect(try parsed("ALL a.b = 1") == "ALL a.b == Int:1")
    #expect(try parsed("NOT ANY a = 1") == "not(ANY a == Int:1)")
  }

  @Test func bothSidesMayBeAnything() throws {
    #expect(try parsed("a == b") == "a == b")
    #expect(try parsed("3 < a") == "Int:3 < a")
    #expect(try parsed("%@ IN a.b", 4) == "Int:4 IN a.b")
    #expect(try parsed("nil = NULL") == "null == null")
  }

  // MARK: Key paths

  @Test func keyPathsHaveNamesAndOperators() throws {
    #expect(try parsed("a.b.c = 1") == "a.b.c == Int:1")
    #expect(try parsed("a . b= 1") == "a.b == Int:1")
    #expect(try parsed("a.@count = 1") == "a.@count == Int:1")
    #expect(try parsed("a.@min.b = 1 AND a.@max = 2") == "and(a.@min.b == Int:1, a.@max == Int:2)")
    #expect(try parsed("a.@sum = 1 AND a.@avg.b = 2") == "and(a.@sum == Int:1, a.@avg.b == Int:2)")
    #expect(
      try parsed("a.@allKeys = 'k' AND ANY a.@allValues = 2") == "and(a.@allKeys == 'k', ANY a.@allValues == Int:2)")
    #expect(try parsed("straße.имя = 1") == "straße.имя == Int:1")
    #expect(try parsed("_a1 = 1") == "_a1 == Int:1")
  }

  @Test func selfIsTheElement() throws {
    #expect(try parsed("SELF == %@", 5) == "SELF == Int:5")
    #expect(try parsed("self.a = 1 AND Self IN {1}") == "and(SELF.a == Int:1, SELF IN {Int:1})")
    #expect(try parsed("SELF.@count = 1") == "SELF.@count == Int:1")
  }

  @Test func keywordsAreNamesBehindAHashOrAPoint() throws {
    #expect(try parsed("#in = 1 AND #self = 2 AND #a = 3") == "and(in == Int:1, self == Int:2, a == Int:3)")
    #expect(
      try parsed("a.in = 1 AND a.SELF = 2 AND a.#like = 3") == "and(a.in == Int:1, a.SELF == Int:2, a.like == Int:3)")
    #expect(try parsed("ANY #any.any = 1") == "ANY any.any == Int:1")
  }

  @Test func modifiersAreNamesWhereNoOperandFollows() throws {
    #expect(try parsed("any == 1") == "any == Int:1")
    #expect(try parsed("(any[%@][%@][%K] == %@)", 0, "k", "#any", 7) == "any[0]['k'][#any] == Int:7")
    #expect(try parsed("any = any AND NOT like CONTAINS contains") == "and(any == any, not(like CONTAINS contains))")
    #expect(
      try parsed("in = 1 AND matches.in = 2 AND ANY any = 3")
        == "and(in == Int:1, matches.in == Int:2, ANY any == Int:3)")
    #expect(try parsed("ANY in <= 1 AND NONE in IN {1}") == "and(ANY in <= Int:1, NONE in IN {Int:1})")
    #expect(try parsed("ANY in.a = 1 AND any LIKE[c] 'x'") == "and(ANY in.a == Int:1, any LIKE[c] 'x')")
    #expect(try parsed("all.b = 1 AND none IN {1}") == "and(all.b == Int:1, none IN {Int:1})")
  }

  @Test func subscriptsAreKeysIndexesOrAnything() throws {
    #expect(try parsed("m['k'] = 1") == "m['k'] == Int:1")
    #expect(try parsed("m[\"k.l\"][0][#any] = 1") == "m['k.l'][0][#any] == Int:1")
    #expect(try parsed("a.m[ 12 ] = 1") == "a.m[12] == Int:1")
    #expect(try parsed("m[%@][%@] = %@", "k", 3, 4) == "m['k'][3] == Int:4")
    #expect(try parsed("m[%K][%K] = 1", "#any", "k") == "m[#any]['k'] == Int:1")
    #expect(try parsed("m[%@] = 1", "#any") == "m['#any'] == Int:1")
    #expect(try parsed("m[%d] = 1", 3) == "m[3] == Int:1")
    #expect(try parsed("m[$1] = $0", 3, "k") == "m['k'] == Int:3")
    #expect(try parsed("m['k'].b = 1") == "m['k'].b == Int:1")
  }

  // MARK: Constants

  @Test func numbersAreIntegersOrDoubles() throws {
    #expect(try parsed("a = -12 OR a = 0012") == "or(a == Int:-12, a == Int:12)")
    #expect(try parsed("a = 1.5 OR a = -.5 OR a = 2e3") == "or(a == Double:1.5, a == Double:-0.5, a == Double:2000.0)")
    #expect(try parsed("a = 1.5E-2 OR a = 1e+2") == "or(a == Double:0.015, a == Double:100.0)")
    #expect(try parsed("a = 0x1F OR a = 0o17 OR a = -0b101") == "or(a == Int:31, a == Int:15, a == Int:-5)")
    #expect(try parsed("a = 9223372036854775807") == "a == Int:9223372036854775807")
    #expect(try parsed("a = -9223372036854775808") == "a == Int:-9223372036854775808")
    #expect(try parsed("a = 18446744073709551615") == "a == UInt64:18446744073709551615")
    #expect(try parsed("a = 18446744073709551616") == "a == Double:1.8446744073709552e+19")
  }

  @Test func stringsHaveEitherQuotesAndEscapes() throws {
    #expect(try parsed("a = 'x\"y' OR a = \"x'y\"") == "or(a == 'x\"y', a == 'x'y')")
    #expect(try parsed(#"a = 'x\'\"\\\n\t\r\f\/'"#) == "a == 'x'\"\\\n\t\r\u{c}/'")
    #expect(try parsed(#"a = '\x41\u00e9\uD83D\uDE00\u0000'"#) == "a == 'Aé😀\0'")
    #expect(try parsed("a = '%@ $0 # é\0'") == "a == '%@ $0 # é\0'")
    #expect(try parsed("a = ''") == "a == ''")
  }

  @Test func datesAreISO8601BehindAnAtSign() throws {
    let date = Date(timeIntervalSince1970: 1_709_209_815.25)
    let comparison = try ParsedPredicate("a > @2024-02-29T13:30:15.250+01:00", [], PredicateLimits()).expression
    guard case .comparison(let comparison) = comparison, case .constant(let constant) = comparison.right else {
      Issue.record("no constant")
      return
    }
    #expect(constant.given as? Date == date)
    #expect(try parsed("a IN {@2024-02-29T12:30:00Z, NULL}").hasPrefix("a IN {Date:2024-02-29 12:30:00"))
  }

  @Test func wordsAreConstants() throws {
    #expect(
      try parsed("a IN {TRUE, YES, FALSE, NO, NULL, NIL}")
        == "a IN {Bool:true, Bool:true, Bool:false, Bool:false, null, null}")
  }

  @Test func listsMixConstantsAndPlaceholders() throws {
    #expect(try parsed("a IN {}") == "a IN {}")
    #expect(try parsed("a IN {1, 'x', %@, nil, $1, %d}", "y", 2) == "a IN {Int:1, 'x', 'y', null, Int:2, Int:2}")
    #expect(try parsed("a BETWEEN {%@, %@}", 1, 2.5) == "a BETWEEN {Int:1, Double:2.5}")
    #expect(try parsed("{1,2} = a") == "{Int:1, Int:2} == a")
  }

  // MARK: Subqueries

  @Test func subqueriesHoldConditions() throws {
    #expect(
      try parsed("SUBQUERY(a.b, $x, $x.c = 1 AND $x.d = 2).@count > 0")
        == "SUBQUERY(a.b, $x, and($x.c == Int:1, $x.d == Int:2)) > Int:0")
    #expect(try parsed("0 = subquery(a, $x, d = 2).@count") == "Int:0 == SUBQUERY(a, $x, d == Int:2)")
    #expect(
      try parsed("NOT SUBQUERY(a, $x, $x = %@).@count == 0 OR b = 1", 7)
        == "or(not(SUBQUERY(a, $x, $x == Int:7) == Int:0), b == Int:1)")
    #expect(
      try parsed("SUBQUERY(%K, $x, ($x.b = 1)).@count = SUBQUERY(c, $x, TRUEPREDICATE).@count", "a")
        == "SUBQUERY(a, $x, $x.b == Int:1) == SUBQUERY(c, $x, true)")
  }

  @Test func subqueriesNest() throws {
    #expect(
      try parsed(
        "(SUBQUERY(list, $col1, (($col1.n > %@) && (SUBQUERY(list, $col2, ($col2.m == %@)).@count > %@))).@count > %@)",
        0, 1, 2, 3)
        == "SUBQUERY(list, $col1, and($col1.n > Int:0, SUBQUERY(list, $col2, $col2.m == Int:1) > Int:2)) > Int:3")
    #expect(
      try parsed("SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c = $x.d).@count > 1).@count > 0")
        == "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d) > Int:1) > Int:0")
  }

  // MARK: Spaces

  @Test func spacesAreWhereverAndOnlyWhereTheyDivideWords() throws {
    #expect(try parsed(" \n\ta\r=\u{b}1\u{c}AND(b=2)OR!c=3") == "or(and(a == Int:1, b == Int:2), not(c == Int:3))")
    #expect(try parsed("aIN=1||andy=2") == "or(aIN == Int:1, andy == Int:2)")
  }

  @Test func textsOfPrintedQueriesAreRead() throws {
    #expect(try parsed("(NOT a == %@)", 1) == "not(a == Int:1)")
    #expect(try parsed("((a >= %@) && (a < %@))", 1, 2) == "and(a >= Int:1, a < Int:2)")
    #expect(try parsed("NOT ((a == %@) || flag == false)", 1) == "not(or(a == Int:1, flag == Bool:false))")
    #expect(try parsed("(self == %@)", 1) == "SELF == Int:1")
  }
}
