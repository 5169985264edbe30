import Foundation
import TestSupport

@testable import Firn

/// A text that may be a predicate, with arguments that may suit it. The seed says all of it but the objects.
struct PredicateInput {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  private(set) var limits = PredicateLimits()

  init(_ random: inout SeededRandom, _ values: StrangeValues) {
    switch random.below(100) {
    case 0..<5: text = Self.bytes(&random)
    case 5..<20: text = Self.soup(&random)
    case 20..<45: text = Self.sentence(&random)
    case 45..<99: take(Self.valid(random.next()), &random)
    default: text = Self.extreme(&random)
    }
    // A million values take long.
    if random.below(2_000) > 0 { limits.valueCount = 500 }
    if random.chance(3) {
      limits = PredicateLimits(
        byteCount: random.below(200), depth: random.below(4), conditionCount: random.below(4),
        valueCount: random.below(4), collectionDepth: random.below(20))
    }
    changeArguments(&random, values)
  }

  // MARK: Arguments

  private mutating func changeArguments(_ random: inout SeededRandom, _ values: StrangeValues) {
    let placeCount =
      text.utf8.count > 1_000 ? 0 : text.utf8.count { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "$") }
    while arguments.count < placeCount, !random.chance(2) { arguments.append(values.value(&random)) }
    if random.chance(80) { return }
    for _ in 0...random.below(2) {
      let place = random.below(arguments.count + 1)
      switch random.below(5) {
      case 0 where place < arguments.count: arguments.remove(at: place)
      case 1: arguments.insert(values.value(&random), at: place)
      default: if place < arguments.count { arguments[place] = values.value(&random) }
      }
    }
  }

  // MARK: Texts

  private static func bytes(_ random: inout SeededRandom) -> String {
    let count = random.below(random.chance(2) ? 2_000 : 40)
    let highest = random.chance(50) ? 128 : 256
    return String(decoding: (0..<count).map { _ in UInt8(random.below(highest)) }, as: UTF8.self)
  }

  private static func soup(_ random: inout SeededRandom) -> String {
    let separator = random.chance(80) ? " " : ""
    return (0..<random.below(random.chance(5) ? 100 : 12)).map { _ in piece(&random) }.joined(separator: separator)
  }

  private static func sentence(_ random: inout SeededRandom) -> String {
    (0...random.below(2)).map { _ in comparisons[random.below(comparisons.count)] }
      .joined(separator: [" AND ", " || "][random.below(2)])
  }

  private static func valid(_ seed: UInt64) -> PredicateSpelling {
    var generator = RandomExpression(SeededRandom(seed))
    let depth = generator.random.below(4)
    let expression = generator.expression(depth: depth)
    return PredicateSpelling(expression, generator.random)
  }

  private mutating func take(_ spelling: PredicateSpelling, _ random: inout SeededRandom) {
    text = spelling.text
    arguments = spelling.arguments
    if random.chance(50) { return }
    for _ in 0...random.below(random.chance(50) ? 1 : 3) {
      text = random.chance(50) ? changedBytes(&random) : changedTokens(&random)
    }
  }

  private func changedBytes(_ random: inout SeededRandom) -> String {
    var bytes = Array(text.utf8)
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + random.below(random.chance(20) ? 60 : 3))
    switch random.below(5) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    case 2: bytes.insert(contentsOf: Self.piece(&random).utf8, at: place)
    case 3: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
    default: bytes.removeSubrange(place...)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func changedTokens(_ random: inout SeededRandom) -> String {
    var lexer = PredicateLexer(text)
    var tokens: [String] = []
    while let token = try? lexer.next(), !token.range.isEmpty {
      tokens.append(String(decoding: lexer.bytes[token.range], as: UTF8.self))
    }
    let place = random.below(tokens.count + 1)
    let other = random.below(tokens.count + 1)
    switch random.below(6) {
    case 0 where place < tokens.count: tokens.remove(at: place)
    case 1 where place < tokens.count: tokens.insert(tokens[place], at: other)
    case 2 where max(place, other) < tokens.count: tokens.swapAt(place, other)
    case 3 where place < tokens.count: tokens[place] = Self.piece(&random)
    case 4:
      // A part of another one: its arguments are not there.
      let words = Self.valid(random.next()).text.split(separator: " ").map { String($0) }
      tokens.insert(contentsOf: words.dropFirst(random.below(words.count + 1)).prefix(random.below(8)), at: place)
    default: tokens.insert(Self.piece(&random), at: place)
    }
    return tokens.joined(separator: " ")
  }

  /// Far more of something than anybody writes.
  private static func extreme(_ random: inout SeededRandom) -> String {
    let count = 1 << random.below(random.chance(2) ? 16 : 9)
    func many(_ text: String) -> String { String(repeating: text, count: count) }
    switch random.below(16) {
    case 0: return many("(") + "number = 1" + many(")")
    case 1: return many("NOT (") + "number = 1" + many(")")
    case 2: return many("NOT ") + "number = 1"
    case 3: return many("(number = 1 OR (flag = TRUE AND ") + "number = 2" + many("))")
    case 4: return many(["number = 1 OR ", "ANY friends.number = 1 AND "][random.below(2)]) + "number = 2"
    case 5: return "number IN {" + many("1, ") + "2}"
    case 6: return "any IN {" + many("'\(FuzzValues.text(&random))', ") + "2.5}"
    case 7: return "name LIKE '" + many(["*a", "?", "é*", "\\u0301"][random.below(4)]) + "'"
    case 8: return "number = " + many("9")
    case 9: return many(["parent.", "friends.", "any[0]"][random.below(3)]) + "number = 1"
    case 10: return "any" + many(["[0]", "['k']", "[#any]"][random.below(3)]) + " = 1"
    case 11:
      let depth = count.bitWidth - count.leadingZeroBitCount
      return (0..<depth).map { "SUBQUERY(friends, $x\($0), " }.joined() + "number = 1"
        + String(repeating: ").@count > 0", count: depth)
    case 12: return ["name = '", "flag", "$", "@", "#"][random.below(5)] + "a" + many("\u{301}\u{323}") + " = 1"
    case 13: return "name =[cd] '" + many("a\u{323}\u{301}") + "'"
    case 14: return many(piece(&random) + " ")
    default: return many("\(soup(&random)) AND ")
    }
  }

  /// A word, a sign or a value of the language, or of none.
  private static func piece(_ random: inout SeededRandom) -> String {
    let pieces = [keywords, signs, names, names, literals, comparisons][random.below(6)]
    return pieces[random.below(pieces.count)]
  }

  private static let keywords = [
    "AND", "OR", "NOT", "ANY", "SOME", "NONE", "ALL", "IN", "BETWEEN", "LIKE", "CONTAINS", "MATCHES", "BEGINSWITH",
    "ENDSWITH", "NULL", "NIL", "TRUE", "FALSE", "YES", "NO", "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY",
    "CAST", "FIRST", "SIZE", "FUNCTION", "in", "aNy",
  ]
  private static let signs = [
    "(", ")", "{", "}", "[", "]", ",", ".", "&&", "||", "!", "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>",
    "+", "-", "*", "/", "^", "?", ":", ":=", "&", "|", "%@", "%K", "%d", "%lld", "%f", "%s", "%", "%y", "%%", "$0",
    "$1",
    "$99999", "$", "@", "#", "~", "\\", "'", "\"", "[c]", "[cd]", "[d]", "[#any]", "[0]", "['k']", "[%@]", "[%K]",
    "[-1]",
  ]
  private static let names = [
    "id", "flag", "number", "maybeNumber", "small", "ratio", "price", "name", "note", "bytes", "date", "amount", "oid",
    "token", "any", "colour", "metres", "spot", "parent", "place", "#in", "#true", "numbers", "notes", "names", "anys",
    "prices", "mixed", "friends", "circle", "roles", "spots", "children", "city", "height", "@count", "@min", "@max",
    "@sum", "@avg", "@allKeys", "@allValues", "@size", "parent.number", "place.city", "friends.@max.number", "$x",
    "$x.id",
    "friends.number", "friends.@count", "parent.children.@count", "prices['k']", "mixed[0]", "any[0]['k']",
    "prices.@allKeys", "roles.@allValues", "SELF.number", "SUBQUERY(friends, $x, $x.number = 1).@count", "nose", "#",
    "SUBQUERY(children, $y,", "a\u{301}", "名", "ＡＮＤ", "\u{202e}a", "_", "friends.circle.roles.children.number",
  ]
  private static let literals = [
    "0", "1", "-1", "2.5", "1e10", "1e999", "-1e-999", ".5", "0x1F", "0x", "0b12", "9223372036854775807",
    "-9223372036854775808", "18446744073709551615", "99999999999999999999999999", "'a'", "\"B\"", "''", "'\\u0000'",
    "'\\ud83d\\ude00'", "'\\ud83d'", "'\0'", "'*'", "'a?*'", "'é'", "'e\u{301}'", "@2024-02-29T12:30:00Z",
    "@0000-01-01T00:00:00Z", "@9999-12-31T23:59:59.999Z", "@2024", "{}", "{1}", "{1, 2}", "{nil, 1.5, 'x'}", "{{1}}",
    "\u{fffd}", "\u{10ffff}", "\u{feff}", "\0", "\n", "“a”", "'x",
  ]
  private static let comparisons = [
    "number = 1", "name CONTAINS[cd] 'a'", "ANY numbers = 1", "NONE friends.number IN {1, 2}", "price BETWEEN {0, 1}",
    "any != nil", "parent = %@", "%@ IN numbers", "name IN %@", "%K = %@", "any[%@] = %@", "date > %@", "spot = %@",
    "ANY spots = %@", "SELF = %@", "place = %@", "any = %@", "any IN %@", "amount = %@", "ratio < %@", "ANY anys = %@",
    "number BETWEEN %@", "token = %@", "SUBQUERY(friends, $x, $x.any = %@).@count = %@", "numbers.@avg = %@",
    "anys.@max > %@", "prices.@allKeys = %@", "mixed['k'] = %@", "colour = %@", "metres = %@", "bytes = %@", "oid = %@",
    "friends.@count = %@", "name LIKE %@", "NOT place.city =[c] %@", "ANY roles = %@", "ANY children = %@",
    "SELF IN %@", "parent IN %@", "%d = number", "number > %f", "parent.spot != %@", "spot IN %@", "ANY spots IN %@",
    "NONE spots != %@", "mixed.@sum = %@", "flag = %@", "note > %@", "spot = parent.spot",
  ]
}
