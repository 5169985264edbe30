internal import Foundation

/// What is wrong with the text of a predicate, or with an argument of it, and where.
public struct InvalidPredicate: Error, Hashable, CustomStringConvertible {
  /// Where the wrong part begins in the text, in UTF-8 code units; nil when no part of it is wrong, but the text as a
  /// whole.
  public let position: Int?
  /// The number of the argument that is wrong, the first being 1; nil when none is.
  public let argument: Int?
  /// What would have been right; empty where the message says all.
  public let expected: String
  /// What was there.
  public let found: String
  /// A sentence that says what is wrong and what to do, and shows the place with ▸ in front.
  public let description: String

  /// - Parameter places: Which argument each placeholder takes, by its position.
  init(_ error: QueryError, in text: String, _ places: [(position: Int, argument: Int)]) {
    position = error.position
    argument = places.last { $0.position == error.position }.map { $0.argument + 1 }
    expected = error.expected
    found = error.found
    var place = argument.map { "argument \($0), " } ?? ""
    if let position { place += "at byte \(position): \(PredicateExcerpt.around(position, in: text))" }
    description = place.isEmpty ? error.message : "\(error.message) (\(place))"
  }

  /// About a predicate that is no text.
  init(_ message: String, expected: String, found: String) {
    self.init(QueryError(message, expected: expected, found: found), in: "", [])
  }
}

extension InvalidPredicate {
  /// Ends the process for a predicate that the program itself gave.
  static func trapping<Result>(_ body: () throws(InvalidPredicate) -> Result) -> Result {
    do throws(InvalidPredicate) {
      return try body()
    } catch {
      fatalError(error.description)
    }
  }
}

extension Realm.Error {
  static let invalidPredicateKey = "FirnInvalidPredicate"

  /// What is wrong with a predicate and where, in an error of ``Code/invalidInput`` that a method threw which takes one as
  /// text from outside; else nil.
  public var invalidPredicate: InvalidPredicate? { userInfo[Self.invalidPredicateKey] as? InvalidPredicate }

  init(_ invalid: InvalidPredicate) {
    self.init(
      .invalidInput,
      userInfo: [NSLocalizedDescriptionKey: invalid.description, Self.invalidPredicateKey: invalid])
  }
}

/// A part of a text with a mark in it.
enum PredicateExcerpt {
  private static let characterCount = 30

  /// The text around a position, in quotes and in one line.
  static func around(_ position: Int, in text: String) -> String {
    let utf8 = text.utf8
    let place = utf8.index(utf8.startIndex, offsetBy: position, limitedBy: utf8.endIndex) ?? utf8.endIndex
    let before = text.unicodeScalars[..<place].suffix(characterCount)
    let after = text.unicodeScalars[place...].prefix(characterCount)
    let opening = before.startIndex == text.startIndex ? "" : "…"
    let closing = after.endIndex == text.endIndex ? "" : "…"
    return "\"\(opening)\(line(before))▸\(line(after))\(closing)\""
  }

  private static func line(_ part: Substring.UnicodeScalarView) -> String {
    var line = String.UnicodeScalarView()
    for scalar in part { line.append(scalar.properties.generalCategory == .control ? " " : scalar) }
    return String(line)
  }
}
