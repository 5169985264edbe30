internal import Foundation

/// The least part of a predicate's text that means something.
struct PredicateToken {
  enum Kind {
    case end
    case openParenthesis, closeParenthesis
    case openBrace, closeBrace
    case openBracket, closeBracket
    case comma, dot
    case and, or, not
    case comparison(QueryOperator)
    case keyword(PredicateKeyword)
    /// A name; with `#` in front even a keyword is one.
    case name(String, isEscaped: Bool)
    /// `@` and a name.
    case collectionOperator(String)
    /// `$` and a name.
    case variable(String)
    /// `$` and a number: the argument with this index.
    case argument(Int)
    /// `%` and what follows: takes the next argument.
    case placeholder(PredicatePlaceholder)
    case string(String)
    case integer(Int)
    /// A number that no `Int` holds.
    case unsigned(UInt64)
    case double(Double)
    case date(Date)
    /// Part of an expression that computes something.
    case arithmetic
  }

  var kind: Kind
  /// Where it stands in the text, in UTF-8 code units.
  var range: Range<Int>

  var position: Int { range.lowerBound }
}

/// Words that are no names unless `#` stands in front, or a `.`.
enum PredicateKeyword: String {
  case and, or, not
  case any, some, none, all
  case isIn = "in"
  case between, like, contains, matches
  case beginsWith = "beginswith"
  case endsWith = "endswith"
  case null, `nil`, `true`, `false`, yes, no
  case itself = "self"
  case truePredicate = "truepredicate"
  case falsePredicate = "falsepredicate"
  case subquery

  /// The operator between operands that the word is.
  var operation: QueryOperator? {
    switch self {
    case .isIn: .isIn
    case .between: .between
    case .like: .like
    case .contains: .contains
    case .matches: .matches
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    default: nil
    }
  }

  /// Whether the word is a name where an operand stands: behind an operator, or in front of one.
  var mayBeName: Bool { operation != nil || modifier != nil }

  /// What a comparison that begins with the word says of collections.
  var modifier: QueryComparison.Modifier? {
    switch self {
    case .any, .some: .any
    case .none: QueryComparison.Modifier.none
    case .all: .all
    default: nil
    }
  }
}

/// What an argument has to be.
enum PredicatePlaceholder: Equatable {
  /// `%@`: anything.
  case value
  /// `%K`: a key path.
  case keyPath
  /// `%d` and its relatives.
  case integer
  /// `%f` and its relatives.
  case number
  /// `%s`.
  case text

  /// What messages call it.
  var expected: String {
    switch self {
    case .value: "a value"
    case .keyPath: "a String with a key path"
    case .integer: "an integer"
    case .number: "a number"
    case .text: "a String"
    }
  }

  /// What a letter behind `%` and lengths stands for.
  init?(_ letter: UInt8, hasLength: Bool) {
    switch letter {
    case UInt8(ascii: "@") where !hasLength: self = .value
    case UInt8(ascii: "K") where !hasLength: self = .keyPath
    case UInt8(ascii: "s") where !hasLength: self = .text
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "o"),
      UInt8(ascii: "D"), UInt8(ascii: "U"), UInt8(ascii: "X"), UInt8(ascii: "O"):
      self = .integer
    case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "g"), UInt8(ascii: "G"), UInt8(ascii: "e"),
      UInt8(ascii: "E"), UInt8(ascii: "a"), UInt8(ascii: "A"):
      self = .number
    default: return nil
    }
  }
}
