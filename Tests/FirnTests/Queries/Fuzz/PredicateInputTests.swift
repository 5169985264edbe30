import Foundation
import TestSupport
import Testing

@testable import Firn

/// Whatever the text is and the arguments are: it is taken and evaluated, or an error says what is wrong with it.
@Suite struct PredicateInputTests {
  private static let inputsPerRound = 1_000

  /// `FIRN_PARSER_INPUTS` makes them more; `FIRN_PARSER_SEED` is the seed of the first.
  private static func number(_ name: String) -> Int? { environmentNumber(name) }

  @Test func anyInputIsTakenOrRefused() throws {
    let count = Self.number("FIRN_PARSER_INPUTS") ?? 4_000
    let first = Self.number("FIRN_PARSER_SEED").map { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    var tally = Tally()
    for start in stride(from: 0, to: count, by: Self.inputsPerRound) {
      let seed = first + UInt64(start)
      print("predicate inputs: seed \(seed)")
      let roundCount = min(count - start, Self.inputsPerRound)
      tally += try onOwnThread { try Self.round(seed, roundCount) }
    }
    print("predicate inputs: \(tally)")
    if count >= 1_000 {
      #expect(
        tally.taken > count / 20 && tally.bindingErrors > count / 20 && tally.syntaxErrors > count / 20, "\(tally)")
    }
  }

  struct Tally {
    var taken = 0
    var matches = 0
    var syntaxErrors = 0
    var bindingErrors = 0

    static func += (left: inout Tally, right: Tally) {
      left.taken += right.taken
      left.matches += right.matches
      left.syntaxErrors += right.syntaxErrors
      left.bindingErrors += right.bindingErrors
    }
  }

  private static func round(_ seed: UInt64, _ count: Int) throws -> Tally {
    // The data is the same in all rounds, so that an input can be run again alone.
    var random = SeededRandom(7)
    let realm = try FuzzNode.makeRealm(count: 12, &random)
    let values = try StrangeValues(realm, FuzzNode.makeRealm(count: 2, &random))
    var tally = Tally()
    for seed in seed..<seed + UInt64(count) {
      var random = SeededRandom(seed)
      let input = PredicateInput(&random, values)
      do {
        tally.matches += try evaluate(input, realm, random.below(100))
        tally.taken += 1
      } catch {
        let isSyntax = invalid(input) != nil
        if isSyntax { tally.syntaxErrors += 1 } else { tally.bindingErrors += 1 }
        if let problem = problem(of: error, input) {
          Issue.record("seed \(seed): \(problem) in \(error): \(input.text.prefix(1_000))")
        }
      }
    }
    return tally
  }

  /// How many objects satisfy it.
  private static func evaluate(_ input: PredicateInput, _ realm: Realm, _ choice: Int) throws -> Int {
    let (text, arguments, limits) = (input.text, input.arguments, input.limits)
    let nodes = realm.objects(FuzzNode.self)
    switch choice {
    case 0..<80: return try nodes.filter(parsing: text, arguments: arguments, limits: limits).count
    case 80..<84: return try nodes.index(parsing: text, arguments: arguments, limits: limits) == nil ? 0 : 1
    case 84..<88: return try nodes[3].friends.filter(parsing: text, arguments: arguments, limits: limits).count
    case 88..<91: return try nodes[3].roles.filter(parsing: text, arguments: arguments, limits: limits).count
    case 91..<94: return try nodes[3].children.filter(parsing: text, arguments: arguments, limits: limits).count
    case 94..<96: return try nodes.freeze().filter(parsing: text, arguments: arguments, limits: limits).count
    case 96..<98:
      return try nodes.filter("number > 0").filter(parsing: text, arguments: arguments, limits: limits).count
    case 98: return try nodes[3].spots.index(parsing: text, arguments: arguments, limits: limits) ?? 0
    default: return try nodes[3].numbers.index(parsing: text, arguments: arguments, limits: limits) ?? 0
    }
  }

  private static func invalid(_ input: PredicateInput) -> InvalidPredicate? {
    do {
      _ = try ParsedPredicate(input.text, input.arguments, input.limits)
      return nil
    } catch {
      return error
    }
  }

  /// What an error leaves out.
  private static func problem(of error: any Error, _ input: PredicateInput) -> String? {
    guard let failure = error as? Realm.Error, failure.code == .invalidInput, let invalid = failure.invalidPredicate
    else {
      return "no error of a predicate"
    }
    if invalid.description.isEmpty || invalid.description.utf8.count > 10_000 { return "no sentence" }
    if invalid.expected.isEmpty { return "no expectation" }
    if invalid.found.isEmpty { return "no finding" }
    if invalid.expected.utf8.count + invalid.found.utf8.count > 10_000 { return "no short finding" }
    // Too many bytes or arguments have no place.
    let isOfWhole =
      invalid.expected.hasSuffix(" bytes") || invalid.expected.hasSuffix("argument")
      || invalid.expected.hasSuffix("arguments")
    guard let position = invalid.position else { return isOfWhole ? nil : "no position" }
    if !(0...input.text.utf8.count).contains(position) { return "no position in the text" }
    if let argument = invalid.argument, !(1...input.arguments.count).contains(argument) { return "no argument" }
    return nil
  }
}
