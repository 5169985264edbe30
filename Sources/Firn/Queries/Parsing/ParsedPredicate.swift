/// A predicate's text that has been read.
struct ParsedPredicate {
  let text: String
  let expression: QueryExpression
  let limits: PredicateLimits
  /// Which argument each placeholder takes, by its position in the text.
  private let places: [(position: Int, argument: Int)]

  /// Throws what is wrong with the text or the arguments, as far as that is known without a class.
  init(_ text: String, _ arguments: [Any], _ limits: PredicateLimits) throws(InvalidPredicate) {
    self.text = text
    self.limits = limits
    var places: [(position: Int, argument: Int)] = []
    do throws(QueryError) {
      var parser = try PredicateParser(text, arguments, limits)
      defer { places = parser.arguments.places }
      expression = try parser.parse()
    } catch {
      throw InvalidPredicate(error, in: text, places)
    }
    self.places = places
  }

  /// A text that the program itself gave; traps for a wrong one.
  static func ofProgram(_ text: String, _ arguments: [Any]) -> ParsedPredicate {
    InvalidPredicate.trapping { () throws(InvalidPredicate) in try ParsedPredicate(text, arguments, .ofProgram) }
  }

  /// What turned out to be wrong with it for a class.
  func invalid(_ error: QueryError) -> InvalidPredicate { InvalidPredicate(error, in: text, places) }
}
