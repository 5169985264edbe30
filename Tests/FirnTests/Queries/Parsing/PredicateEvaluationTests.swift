import Foundation
import Testing

@testable import Firn

private final class Node: Object {
  @Persisted var number: Int
  @Persisted var name: String
  @Persisted var any: AnyRealmValue
  @Persisted var parent: Node?
  @Persisted var nodes: List<Node>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What the limits allow is read, bound, evaluated and freed, on a thread with little stack too.
@Suite struct PredicateEvaluationTests {
  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// How many of three nodes, with the numbers 0 to 2, satisfy a condition.
  private static func count(_ text: String, _ arguments: [Any] = [], _ limits: PredicateLimits = PredicateLimits())
    throws -> Int
  {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Node.self]))
    try realm.write {
      for number in 0..<3 {
        let node = realm.create(
          Node.self, value: ["number": number, "name": "n\(number)", "any": number] as [String: Any])
        node.nodes.append(node)
        node.parent = node
      }
    }
    return try realm.objects(Node.self).filter(parsing: text, arguments: arguments, limits: limits).count
  }

  /// The same on a thread with half a mebibyte of stack.
  private static func countWithLittleStack(
    _ text: String, _ arguments: [Any] = [], _ limits: PredicateLimits = PredicateLimits()
  ) throws -> Int {
    nonisolated(unsafe) let arguments = arguments
    nonisolated(unsafe) var result = Result<Int, any Error>.success(-1)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      result = Result { try count(text, arguments, limits) }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    return try result.get()
  }

  @Test func chainsOfAHundredThousand() throws {
    let alternatives = Self.repeated("number == 7 OR ", 69_000) + "number == 1"
    #expect(try Self.countWithLittleStack(alternatives) == 1)
    let factors = Self.repeated("any != 7 AND ", 80_000) + "number > 0"
    #expect(try Self.countWithLittleStack(factors) == 2)
    let numbers = (0..<100_000).map { _ in 7 as Any } + [1]
    #expect(
      try Self.countWithLittleStack(Self.repeated("any=%@||", 99_999) + "any=%@ ", Array(numbers.suffix(100_000))) == 1)
  }

  @Test func depthOfAHundred() throws {
    func text(_ open: String, _ close: String, _ count: Int) -> String {
      Self.repeated(open, count) + "number = 1" + Self.repeated(close, count)
    }
    #expect(try Self.countWithLittleStack(text("NOT (", ")", 100)) == 1)
    #expect(try Self.countWithLittleStack(text("NOT (", ")", 99)) == 2)
    #expect(try Self.countWithLittleStack(text("(number < 9 AND (number = 8 OR ", "))", 50)) == 1)
    let path = Self.repeated("parent.", 99) + "number = 1"
    #expect(try Self.countWithLittleStack(path) == 1)
    let steps = "any" + Self.repeated("[0]", 99) + " = 1"
    #expect(try Self.countWithLittleStack(steps) == 0)
  }

  @Test func collectionsWithinEachOther() throws {
    let limits = PredicateLimits(collectionDepth: 16)
    func subqueries(_ count: Int, _ inner: String) -> String {
      (0..<count).map { "SUBQUERY(nodes, $x\($0), " }.joined() + inner + Self.repeated(").@count = 1", count)
    }
    func path(_ count: Int) -> String { "ANY " + Self.repeated("nodes.", count) + "number = 1" }
    let negated = Self.repeated("NOT (", 84) + subqueries(16, "number = 1") + Self.repeated(")", 84)
    for allowed in [subqueries(16, "number = 1"), path(16), subqueries(8, path(8)), negated] {
      #expect(try Self.countWithLittleStack(allowed, [], limits) == 1, "\(allowed)")
    }
    for tooDeep in [path(17), subqueries(16, path(1)), subqueries(1, path(16))] {
      #expect(throws: Realm.Error.self) { try Self.count(tooDeep, [], limits) }
    }
    #expect(try Self.count(path(4)) == 1)
    #expect(throws: Realm.Error.self) { try Self.count(path(5)) }
  }

  @Test func longLists() throws {
    let numbers = Array(1...1_000_000)
    #expect(try Self.count("number IN %@", [numbers]) == 2)
    #expect(try Self.count("any IN %@", [Array(2...50_000)]) == 1)
    let texts = (1...100_000).map { "n\($0)" }
    #expect(try Self.count("name IN %@", [texts]) == 2)
    #expect(try Self.count("name IN[c] %@", [(2...5_000).map { "N\($0)" }]) == 1)
  }

  @Test func pathsAndTextsAsLongAsAllowed() throws {
    #expect(try Self.count("name != '" + Self.repeated("x", 1_000_000) + "'") == 3)
    #expect(try Self.count("name LIKE '" + Self.repeated("*", 1_000_000) + "'") == 3)
    #expect(try Self.count(Self.repeated("(", 10_000) + "number = 1" + Self.repeated(")", 10_000)) == 1)
    #expect(try Self.count(Self.repeated("(", 9_999) + "number = 1" + Self.repeated(" OR number = 2)", 9_999)) == 2)
  }
}
