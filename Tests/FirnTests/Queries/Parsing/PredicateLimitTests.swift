import Foundation
import Testing

@testable import Firn

/// What texts from outside may cost, at the edge of each limit and beyond it.
@Suite struct PredicateLimitTests {
  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// How many nodes lie within each other.
  private static func depth(_ expression: QueryExpression) -> Int {
    switch expression {
    case .and(let parts), .or(let parts): 1 + (parts.map(depth).max() ?? 0)
    case .joined(let junction): junction.depth
    case .not(let part): 1 + depth(part)
    case .comparison(let comparison):
      if case .subquery(let subquery) = comparison.left { 1 + depth(subquery.condition) } else { 0 }
    case .constant, .flag, .own, .closure: 0
    }
  }

  @Test func textsHaveAMebibyteAtMost() throws {
    let limit = 1 << 20
    let text = "a = '" + Self.repeated("x", limit - 6) + "'"
    #expect(text.utf8.count == limit)
    #expect(invalid(text) == nil)
    let failure = try #require(invalid(text + " "))
    #expect(
      failure.description == "The predicate has more than 1048576 bytes. Give values as arguments, or allow more.")
    #expect(failure.position == nil)
    #expect(try parsed("a = 1", limits: PredicateLimits(byteCount: 5)) == "a == Int:1")
  }

  @Test func conditionsLieAHundredDeepAtMost() throws {
    func text(_ depth: Int) -> String {
      // Each pair is an OR in an AND.
      let pairs = depth / 2
      let odd = depth % 2 == 1
      return Self.repeated("(a = 1 AND (b = 2 OR ", pairs) + (odd ? "NOT c = 1" : "c = 1") + Self.repeated("))", pairs)
    }
    let expression = try ParsedPredicate(text(100), [], PredicateLimits()).expression
    #expect(Self.depth(expression) == 100)
    #expect(Self.depth(try ParsedPredicate(text(99), [], PredicateLimits()).expression) == 99)
    let failure = try #require(invalid(text(101)))
    #expect(failure.expected == "at most 100 conditions within each other")
    #expect(try ParsedPredicate(text(5), [], PredicateLimits(depth: 5)).text == text(5))
    #expect(throws: InvalidPredicate.self) { try ParsedPredicate(text(6), [], PredicateLimits(depth: 5)) }
    #expect(PredicateLimits(depth: 1_000).depth == 100)
  }

  @Test func negationsAndSubqueriesAreLevels() throws {
    func negations(_ count: Int) -> String { Self.repeated("NOT (", count) + "a = 1" + Self.repeated(")", count) }
    #expect(invalid(negations(100)) == nil)
    #expect(invalid(negations(101)) != nil)
    func subqueries(_ count: Int) -> String {
      (0..<count).map { "SUBQUERY(a, $x\($0), " }.joined() + "b = 1" + Self.repeated(").@count = 1", count)
    }
    #expect(invalid(subqueries(4)) == nil)
    #expect(invalid(subqueries(5))?.expected == "at most 4 collections within each other")
    let most = PredicateLimits(collectionDepth: 100)
    #expect(most.collectionDepth == 16)
    #expect(invalid(subqueries(16), limits: most) == nil)
    #expect(invalid(subqueries(17), limits: most)?.position == 16 * 17 + 6)
    let mixed = Self.repeated("NOT (", 84) + subqueries(16) + Self.repeated(")", 84)
    #expect(invalid(mixed, limits: most) == nil)
    #expect(invalid("NOT (" + mixed + ")", limits: most)?.expected == "at most 100 conditions within each other")
  }

  @Test func parenthesesAloneAreNoLevels() throws {
    func text(_ count: Int) -> String { Self.repeated("(", count) + "a = 1" + Self.repeated(")", count) }
    #expect(try parsed(text(10_000)) == "a == Int:1")
    let failure = try #require(invalid(text(10_001)))
    #expect(failure.position == 10_000)
    #expect(failure.expected == "at most 10000 parentheses open")
  }

  @Test func chainsMayBeInParenthesesFromTheLeft() throws {
    for joint in ["AND", "||"] {
      let text = Self.repeated("(", 9_999) + "a = 1" + Self.repeated(" \(joint) b = 2)", 9_999)
      let expression = try ParsedPredicate(text, [], PredicateLimits()).expression
      #expect(Self.depth(expression) == 1)
    }
    // A chain that goes on within others.
    let text = "(" + Self.repeated("(a = 1 AND b = 2 OR ", 100) + "c = 1" + Self.repeated(")", 101)
    #expect(invalid(text) != nil)
  }

  @Test func manyNegationsAreOne() throws {
    #expect(try parsed(Self.repeated("NOT ", 100_001) + "a = 1") == "not(a == Int:1)")
  }

  @Test func aHundredThousandComparisonsAreOneChain() throws {
    let text = Self.repeated("a == 1 OR ", 99_999) + "a == 1"
    let expression = try ParsedPredicate(text, [], PredicateLimits()).expression
    guard case .or(let parts) = expression else {
      Issue.record("no chain")
      return
    }
    #expect(parts.count == 100_000)
    let failure = try #require(invalid("a==1 OR " + text))
    #expect(failure.expected == "at most 100000 comparisons")
    #expect(failure.position == 8 + text.utf8.count - 6)
  }

  @Test func listsHaveAMillionValuesTogether() throws {
    let million = Array(repeating: 1, count: 1_000_000)
    #expect(invalid("a IN %@", million) == nil)
    #expect(invalid("a IN %@", million + [1])?.position == 5)
    #expect(invalid("a IN %@ OR a IN {1}", million)?.position == 17)
    let limits = PredicateLimits(valueCount: 3)
    #expect(invalid("a IN {1, 2, 3}", limits: limits) == nil)
    #expect(invalid("a IN {1, 2, 3, 4}", limits: limits)?.position == 15)
    #expect(invalid("a IN {1, 2} OR b IN %@", [3], limits: limits) == nil)
    #expect(invalid("a IN {1, 2} OR b IN %@", [3, 4], limits: limits)?.expected == "at most 3 values in lists")
  }

  @Test func pathsHaveAHundredNamesAtMost() throws {
    func path(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
    #expect(invalid(path(100) + " = 1") == nil)
    #expect(invalid("b = 1 AND " + path(101) + " = 1")?.position == 10)
    #expect(invalid("%K = 1", path(100)) == nil)
    #expect(invalid("%K = 1", path(101))?.argument == 1)
    #expect(invalid("a" + Self.repeated("[0]", 99) + " = 1") == nil)
    #expect(invalid("a" + Self.repeated("[0]", 100) + " = 1") != nil)
  }

  /// Comparing names takes the square of their number.
  @Test func namesHaveFewMarksOnACharacter() throws {
    func name(_ count: Int) -> String { "a" + Self.repeated("\u{301}\u{323}", count / 2) }
    #expect(invalid(name(30) + " = 1") == nil)
    #expect(invalid("%K = 1", name(30)) == nil)
    for count in [32, 200_000] {
      let name = name(count)
      for start in ["", "b.", "$", "@", "b.@", "#", "SUBQUERY(b, $", "SUBQUERY(b, $x, $"] {
        let failure = try #require(invalid(start + name + " = 1"))
        #expect(
          failure.expected == "a name with at most 30 marks on a character" && failure.found == "more", "\(failure)")
        #expect(failure.description.utf8.count < 500, "\(failure)")
      }
      for argument in [name, "b." + name, "@" + name, "b." + name + ".c"] {
        let failure = try #require(invalid("%K = 1", argument))
        #expect(
          failure.expected == "a name with at most 30 marks on a character" && failure.argument == 1, "\(failure)")
      }
      #expect(try parsed("b[%K] = 1", name) == "b['\(name)'] == Int:1")
    }
    // These are the first and last of the first block of marks, and others.
    for mark in ["\u{300}", "\u{301}", "\u{36f}", "\u{483}", "\u{5bf}", "\u{3099}", "\u{fe20}"] {
      #expect(invalid("a" + Self.repeated(mark, 30) + " = 1") == nil)
      #expect(invalid("a" + Self.repeated(mark, 31) + " = 1")?.found == "more", "\(mark.unicodeScalars.first!.value)")
    }
  }

  @Test func whatTheProgramGivesIsBoundByTheStackOnly() throws {
    let text = Self.repeated("a == 1 OR ", 120_000) + "a == 1"
    #expect(throws: Never.self) { try ParsedPredicate(text, [], .ofProgram) }
    #expect(invalid(Self.repeated("NOT (", 101) + "a = 1" + Self.repeated(")", 101), limits: .ofProgram) != nil)
  }
}
