internal import FirnEngine

/// A condition by names, not yet bound to a class.
///
/// Typed queries and texts become expressions; `QueryBinder` makes of one what the engine evaluates, `QueryPrinter` a text
/// with arguments.
indirect enum QueryExpression {
  case constant(Bool)
  /// In the order of the text. `a && b && c` is one case, printed as `((a && b) && c)`. Of nothing: true.
  case and([QueryExpression])
  /// As `and`. Of nothing: false.
  case or([QueryExpression])
  case not(QueryExpression)
  /// Two conditions of a typed query.
  case joined(QueryJunction)
  case comparison(QueryComparison)
  /// Whether a Bool property that stands for itself has a value. Null has none.
  case flag(QueryKeyPath, Bool)
  /// A property of the queried class itself against a constant, whose column is known already.
  case own(OwnComparison)
  /// What only code can tell of the queried object.
  case closure(RowClosure)
}

/// Two operands and what is said of them.
struct QueryComparison {
  enum Modifier {
    case direct
    /// Some element of the collection on the way. `SOME` is the same.
    case any
    /// No element.
    case none
    /// Each element; no class supports it.
    case all
  }

  var modifier = Modifier.direct
  var left: QueryOperand
  var operation: QueryOperator
  var options: StringOptions = []
  var right: QueryOperand
  /// The offset of the comparison in the text, in UTF-8 code units; nil for typed queries.
  var position: Int?
}

/// What stands between operands; the raw value is how it is written.
enum QueryOperator: String {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case isIn = "IN"
  case between = "BETWEEN"
  case matches = "MATCHES"
}

/// One side of a comparison.
indirect enum QueryOperand {
  case keyPath(QueryKeyPath)
  case constant(QueryConstant)
  case list(QueryList)
  /// The number of elements that satisfy a condition: `SUBQUERY(list, $x, $x.age > 3).@count`.
  case subquery(QuerySubquery)
}

/// A value, as the user gave it: the case of an enumeration, an object, a number of Foundation.
struct QueryConstant {
  /// Nil for null; may also hold a nil or an `NSNull`.
  var given: Any?
  /// Where it stands in the text.
  var position: Int?

  init(_ given: Any?, position: Int? = nil) {
    self.given = given
    self.position = position
  }
}

/// Values to the right of `IN` and `BETWEEN`.
struct QueryList {
  /// Each as in ``QueryConstant``.
  var elements: [Any?]
  /// Whether it is written in braces, `{1, 2}`; else it is one argument.
  var isWritten = false
  /// Where it stands in the text.
  var position: Int?
}

/// A condition on the elements of a collection.
struct QuerySubquery {
  var collection: QueryKeyPath
  /// The name that stands for the element in the condition, without `$`.
  var variable: String
  var condition: QueryExpression
  /// Where it stands in the text.
  var position: Int?
}

/// The way from an object to a value: `owner.dogs.@max.age`, `any[0]['key'][#any]`, `$dog.age`, `SELF`.
struct QueryKeyPath {
  enum Component: Hashable, Sendable {
    case property(String)
    /// An operator on a collection; it stands behind the collection and before a property of its elements.
    case aggregate(QueryAggregate)
    case allKeys
    case allValues
    /// A position in a mixed list.
    case index(Int)
    /// A key of a map, or of a mixed dictionary.
    case key(String)
    /// Any position or key: `#any`.
    case anyElement
    /// The object or value itself, first in a path only.
    case itself
    /// The variable of a subquery, without `$`, first in a path only.
    case variable(String)
  }

  var components: [Component]
  /// Which components are collections that stand for their elements, ascending. Only typed queries know.
  var collections: [Int] = []
  /// Where it stands in the text.
  var position: Int?

  init(_ components: [Component], position: Int? = nil) {
    self.components = components
    self.position = position
  }
}

/// An operator on a collection; the raw value is how it is written.
enum QueryAggregate: String {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}
