import Foundation
import Testing

@testable import Firn

/// Each error says where it is, what may stand there, and what does.
@Suite struct PredicateSyntaxErrorTests {
  struct Wrong: CustomTestStringConvertible, Sendable {
    var text: String
    var position: Int?
    var expected: String
    var found: String

    var testDescription: String { text }

    init(_ text: String, _ position: Int?, _ expected: String, _ found: String) {
      self.text = text
      self.position = position
      self.expected = expected
      self.found = found
    }
  }

  static let operand = "a key path or a value"
  static let operation = "an operator such as ==, < or CONTAINS"

  @Test(
    arguments: [
      Wrong("", 0, "a condition", "the end"),
      Wrong(" \n ", 3, "a condition", "the end"),
      Wrong("age", 3, operation, "the end"),
      Wrong("age >", 5, operand, "the end"),
      Wrong("age > > 3", 6, operand, "'>'"),
      Wrong("age ~ 3", 4, "a key path, a value or an operator", "'~'"),
      Wrong("age & 3", 4, "'&&'", "'&'"),
      Wrong("age = 1 | age = 2", 8, "'||'", "'|'"),
      Wrong("age is 3", 4, operation, "'is'"),
      Wrong("age NOT IN {1}", 4, operation, "'NOT'"),
      Wrong("age = 3 4", 8, "AND, OR or the end", "'4'"),
      Wrong("(age = 3 4)", 9, "AND, OR or ')'", "'4'"),
      Wrong("(age = 3", 8, "')' for the parenthesis at byte 0", "the end"),
      Wrong("age = 3)", 7, "AND, OR or the end", "')'"),
      Wrong("()", 1, operand, "')'"),
      Wrong("age = 3 AND", 11, operand, "the end"),
      Wrong("age = 3 AND OR age = 4", 12, operand, "'OR'"),
      Wrong("NOT", 3, operand, "the end"),
      Wrong("ANY", 3, operand, "the end"),
      Wrong("IN {1}", 0, operand, "'IN'"),
      Wrong("LIKE a", 0, operand, "'LIKE'"),
      Wrong("a = ANY b", 8, "AND, OR or the end", "'b'"),
      Wrong("age IN {1, 2", 12, "',' or '}'", "the end"),
      Wrong("age IN {1 2}", 10, "',' or '}'", "'2'"),
      Wrong("age IN {1,}", 10, "a value", "'}'"),
      Wrong("age IN {other}", 8, "a value", "'other'"),
      Wrong("age IN {{1}}", 8, "a value", "'{'"),
      Wrong("age =[x] 3", 6, "options of c and d, as in ==[cd]", "'x'"),
      Wrong("age =[] 3", 6, "options of c and d, as in ==[cd]", "']'"),
      Wrong("age =[c 3", 8, "']'", "'3'"),
      Wrong("name = 'x", 7, "' at the end of the string", "the end of the text"),
      Wrong("name = \"x'", 7, "\" at the end of the string", "the end of the text"),
      Wrong("name = '\\q'", 8, "one of the escapes \\' \\\" \\\\ \\/ \\n \\r \\t \\f \\xXX \\uXXXX", "'\\' and 'q'"),
      Wrong("name = '\\", 8, "a letter behind '\\'", "the end of the text"),
      Wrong("name = '\\u12g4'", 12, "4 hexadecimal digits", "'g'"),
      Wrong("name = '\\x1'", 11, "2 hexadecimal digits", "'''"),
      Wrong("name = '\\ud800x'", 8, "both halves of a surrogate pair", "one"),
      Wrong("name = '\\udc00'", 8, "both halves of a surrogate pair", "one"),
      Wrong("name = '\\ud800\\u0041'", 8, "both halves of a surrogate pair", "one"),
      Wrong("name = “x”", 7, "a key path, a value or an operator", "'“'"),
      Wrong("name = \0", 7, "a key path, a value or an operator", "the character U+0"),
      Wrong("age = 12abc", 6, "a number of at most 1000 characters", "'12abc'"),
      Wrong("age = 0x", 6, "an integer of 64 bits", "'0x'"),
      Wrong("age = 0x1FFFFFFFFFFFFFFFF", 6, "an integer of 64 bits", "'0x1FFFFFFFFFFFFFFFF'"),
      Wrong("age = 1e999", 6, "a number that a Double holds", "'1e999'"),
      Wrong(
        "d = @2024-02-30T00:00:00Z", 4, "a date in ISO 8601 behind '@', as @2024-02-29T12:30:00Z",
        "'@2024-02-30T00:00:00Z'"),
      Wrong("d = @2024-02-28", 4, "a date in ISO 8601 behind '@', as @2024-02-29T12:30:00Z", "'@2024-02-28'"),
      Wrong("d = @", 4, "a collection operator such as '@count'", "'@'"),
      Wrong("age = %y", 6, "'%@' for a value, '%K' for a key path, or '%d', '%u', '%f' and such for numbers", "'%y'"),
      Wrong("age = %", 6, "'%@' for a value, '%K' for a key path, or '%d', '%u', '%f' and such for numbers", "'%'"),
      Wrong(
        "age = %lllld", 6, "'%@' for a value, '%K' for a key path, or '%d', '%u', '%f' and such for numbers", "'%lll'"),
      Wrong("age = $", 7, "a name behind '$', or the index of an argument", "the end"),
      Wrong("age = $9999999999", 6, "the index of an argument", "'$9999999999'"),
      Wrong("age = #", 7, "a name behind '#'", "the end"),
      Wrong("m[] = 1", 2, "a key in quotes, an index from 0 on, or #any", "']'"),
      Wrong("m[-1] = 1", 2, "a key in quotes, an index from 0 on, or #any", "'-1'"),
      Wrong("m[FIRST] = 1", 2, "a key in quotes, an index from 0 on, or #any", "'FIRST'"),
      Wrong("m['k' = 1", 6, "']'", "'='"),
      Wrong("a. = 1", 3, "the name of a property", "'='"),
      Wrong("a..b = 1", 2, "the name of a property", "'.'"),
      Wrong(".a = 1", 0, operand, "'.'"),
      Wrong("a.@size = 1", 2, "a collection operator", "'@size'"),
      Wrong("$x.a = 1", 0, "a key path or a value", "'$x'"),
      Wrong("a + 1 = 2", 2, "a comparison", "'+' is arithmetic"),
      Wrong("a = 1 + 1", 6, "a comparison", "'+' is arithmetic"),
      Wrong("a = -b", 4, "a comparison", "'-' is arithmetic"),
      Wrong("a = 1 ? b : c", 6, "a comparison", "'?' is arithmetic"),
      Wrong("max(a) = 1", 3, "a comparison", "functions are not supported"),
      Wrong("a = CAST('x', 'NSDate')", 8, "a comparison", "functions are not supported"),
      Wrong("(a) = 1", 2, operation, "')'"),
      Wrong("a = (1)", 4, "a comparison", "values do not stand in parentheses"),
      Wrong("SUBQUERY a", 9, "'(' behind SUBQUERY", "'a'"),
      Wrong("SUBQUERY(a, x, b = 1).@count = 1", 12, "a variable such as $x", "'x'"),
      Wrong("SUBQUERY(a; $x, b = 1).@count = 1", 10, "a key path, a value or an operator", "';'"),
      Wrong("SUBQUERY(a $x, b = 1).@count = 1", 11, "','", "'$x'"),
      Wrong("SUBQUERY(a, $x b = 1).@count = 1", 15, "','", "'b'"),
      Wrong("SUBQUERY(a, $x, b = 1) = 1", 23, "'.@count' behind the SUBQUERY", "'='"),
      Wrong("SUBQUERY(a, $x, b = 1).c = 1", 23, "'.@count' behind the SUBQUERY", "'c'"),
      Wrong("SUBQUERY(a, $x, b = 1).@max = 1", 23, "'.@count' behind the SUBQUERY", "'@max'"),
      Wrong("SUBQUERY(a, $x, b = 1", 21, "')' for the parenthesis at byte 0", "the end"),
      Wrong("SUBQUERY(a, $x, SUBQUERY(b, $x, c = 1).@count = 1).@count = 1", 28, "a variable that is new", "'$x'"),
      Wrong("SUBQUERY(a, $x, b = 1).@count = 1 AND $x.a = 1", 38, "a key path or a value", "'$x'"),
      Wrong("SUBQUERY(3, $x, b = 1).@count = 1", 9, "the name of a property", "'3'"),
    ])
  func wrongTextsAreRefused(_ wrong: Wrong) throws {
    let failure = try #require(invalid(wrong.text))
    #expect(failure.position == wrong.position, "\(failure)")
    #expect(failure.expected == wrong.expected, "\(failure)")
    #expect(failure.found == wrong.found, "\(failure)")
  }

  @Test func sentencesSayWhatToDoAndShowThePlace() {
    #expect(
      invalid("age > > 3")?.description
        == "Unable to parse the format string: expected a key path or a value, found '>'. (at byte 6: \"age > ▸> 3\")")
    #expect(invalid("age")?.description.contains("A Bool is compared as well: flag == TRUE.") == true)
    #expect(invalid("a NOT IN {1}")?.description.contains("NOT name IN {'a', 'b'}.") == true)
    #expect(invalid("and = 1")?.description.contains("need '#' in front") == true)
    #expect(invalid("name = “x”")?.description.contains("Strings stand in ' or \".") == true)
    #expect(
      invalid("max(a) = 1")?.description.contains("Only support compound, comparison, and constant predicates") == true)
    #expect(invalid("a.@cuont = 1")?.description.contains("Is '@count' meant?") == true)
    #expect(invalid("a = 1 + 1")?.description.contains("give it as an argument") == true)
  }

  @Test func excerptsAreShortAndInOneLine() {
    let text =
      "name = 'é" + String(repeating: "x", count: 100) + "'\n AND\n age >> 3 AND " + String(repeating: "y", count: 90)
    let description = invalid(text)?.description ?? ""
    #expect(description.contains("(at byte 123: \"…xxxxxxxxxxxxxxxxx'  AND  age >▸> 3 AND yyy"), "\(description)")
    #expect(!description.contains("\n"))
    #expect(description.utf8.count < 250)
    #expect((invalid("a = " + String(repeating: "1x", count: 10_000))?.description.utf8.count ?? 0) < 1_500)
  }

  @Test func errorsOfTheParserAreRealmErrors() throws {
    let wrong = try #require(invalid("age >"))
    let error = Realm.Error(wrong)
    #expect(error.code == .invalidInput && error.invalidPredicate == wrong && error.invalidInput == nil)
    #expect(error.localizedDescription == wrong.description)
  }
}
