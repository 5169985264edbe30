import Foundation
import TestSupport
import Testing

@testable import Firn

/// Random conditions, written and read, are the same again, and find the same.
@Suite struct PredicateRoundTripTests {
  /// What a text is read as, or why it cannot be.
  private static func read(_ text: String, _ arguments: [Any]) -> String {
    do {
      return ExpressionText.of(try ParsedPredicate(text, arguments, PredicateLimits()).expression)
    } catch {
      return "\(error)"
    }
  }

  @Test func spellingsAreReadAsWhatTheySay() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    for seed in seed..<seed + 3_000 {
      var generator = RandomExpression(SeededRandom(seed))
      let expression = generator.expression()
      let spelling = PredicateSpelling(expression, generator.random)
      let read = Self.read(spelling.text, spelling.arguments)
      #expect(read == ExpressionText.of(expression), "seed \(seed): \(spelling.text)")
    }
  }

  @Test func whatIsPrintedIsReadAgain() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    for seed in seed..<seed + 3_000 {
      var generator = RandomExpression(SeededRandom(seed))
      let expression = generator.expression()
      let (text, arguments) = QueryPrinter.format(of: expression)
      #expect(Self.read(text, arguments) == ExpressionText.of(expression), "seed \(seed): \(text)")
    }
  }

  @Test func bothFindTheSame() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededRandom(seed)
    let rows = try FuzzNode.makeRealm(count: 40, &random).objects(FuzzNode.self)
    let core = rows._query.core
    var boundCount = 0
    var matchCount = 0
    for seed in seed..<seed + 2_000 {
      var generator = RandomExpression(SeededRandom(seed))
      let expression = generator.expression()
      let (text, arguments) = QueryPrinter.format(of: expression)
      var binder = QueryBinder(core, collectionDepthMax: PredicateLimits().collectionDepth)
      guard let predicate = try? binder.bind(expression) else {
        #expect(throws: Realm.Error.self, "seed \(seed): \(text)") {
          try rows.filter(parsing: text, arguments: arguments)
        }
        continue
      }
      boundCount += 1
      let wanted = Array(Results<FuzzNode>(core: core.filtered(.predicate(predicate)))).map(\.id)
      let found = try rows.filter(parsing: text, arguments: arguments)
      #expect(Array(found).map(\.id) == wanted, "seed \(seed): \(text)")
      let rest = try rows.filter(parsing: "NOT (\(text))", arguments: arguments)
      #expect(rest.count == rows.count - wanted.count, "seed \(seed): NOT \(text)")
      matchCount += wanted.count
    }
    #expect(boundCount > 1_000 && matchCount > 5_000, "\(boundCount) \(matchCount)")
  }
}
