/// Reads the text of a predicate, with its arguments, into an expression.
///
///     predicate  := or
///     or         := and { (OR | ||) and }
///     and        := not { (AND | &&) not }
///     not        := (NOT | !) not | primary
///     primary    := "(" predicate ")" | TRUEPREDICATE | FALSEPREDICATE | comparison
///     comparison := [ANY | SOME | NONE | ALL] operand operator ["[" letters "]"] operand
///     operand    := path | constant | placeholder | "{" [value {"," value}] "}"
///                 | SUBQUERY "(" path "," $name "," predicate ")" ".@count"
///
/// For text from outside: works without recursion, in a time that is proportional to the bytes, and keeps to limits.
/// Chains are one node each, however they are put in parentheses from the left, so that no later recursion over the
/// expression goes deeper than the limit.
struct PredicateParser {
  let limits: PredicateLimits
  var lexer: PredicateLexer
  /// The token that comes next.
  var token: PredicateToken
  var arguments: PredicateArguments
  /// The parentheses that are open, the whole text outermost.
  var frames: [PredicateFrame] = []
  /// The variables of the subqueries that are open, outermost first.
  var variables: [String] = []
  private var conditionCount = 0

  init(_ text: String, _ arguments: [Any], _ limits: PredicateLimits) throws(QueryError) {
    if text.utf8.count > limits.byteCount {
      throw .excess("bytes", most: limits.byteCount, "Give values as arguments, or allow more.")
    }
    self.limits = limits
    lexer = PredicateLexer(text)
    self.arguments = PredicateArguments(arguments, PredicateListLimit(limits.valueCount))
    token = PredicateToken(kind: .end, range: 0..<0)
    try advance()
  }

  /// Reads everything.
  mutating func parse() throws(QueryError) -> QueryExpression {
    if case .end = token.kind {
      throw .syntax("a condition", "the end", "TRUEPREDICATE is true of everything.", at: token.position)
    }
    frames = [PredicateFrame(.whole, at: 0)]
    while true {
      guard var condition = try beginCondition() else { continue }
      // A condition that ends a group is one of the frame around it.
      while true {
        try frames[frames.count - 1].add(condition, limits)
        if try isJoined() { break }
        guard var closed = try closeFrame() else { return try finish() }
        guard let outer = try end(&closed) else { break }
        condition = outer
      }
    }
  }

  /// Reads up to the first condition that is complete: nil when a parenthesis was opened in front of it.
  private mutating func beginCondition() throws(QueryError) -> PredicatePart? {
    while case .not = unescaped(token.kind) {
      frames[frames.count - 1].isNegated.toggle()
      try advance()
    }
    switch token.kind {
    case .openParenthesis:
      try open(.group, at: token.position)
      try advance()
      return nil
    case .keyword(.truePredicate): return try constant(true)
    case .keyword(.falsePredicate): return try constant(false)
    default:
      conditionCount += 1
      if conditionCount > limits.conditionCount {
        throw .excess(
          "comparisons", most: limits.conditionCount, "Compare with many values by IN, or allow more.",
          at: token.position)
      }
      return try readComparison(try beginComparison())
    }
  }

  private mutating func constant(_ holds: Bool) throws(QueryError) -> PredicatePart {
    try advance()
    return PredicatePart(.constant(holds), depth: 0)
  }

  /// Goes over `AND` or `OR`; false when there is neither.
  private mutating func isJoined() throws(QueryError) -> Bool {
    switch unescaped(token.kind) {
    case .and: break
    case .or: try frames[frames.count - 1].endFactors(limits)
    default: return false
    }
    try advance()
    return true
  }

  // MARK: Frames

  mutating func open(_ kind: PredicateFrame.Kind, at position: Int) throws(QueryError) {
    if frames.count > PredicateLimits.parenthesisCountMax {
      throw .excess(
        "parentheses open", most: PredicateLimits.parenthesisCountMax, "Leave out those that are not needed.",
        at: position)
    }
    frames.append(PredicateFrame(kind, at: position))
  }

  /// Takes what a parenthesis closes out of the stack; nil at the end of the text.
  private mutating func closeFrame() throws(QueryError) -> PredicateFrame? {
    switch token.kind {
    case .closeParenthesis where frames.count > 1:
      try advance()
      return frames.removeLast()
    case .end where frames.count == 1: return nil
    default: throw unexpectedEnd()
    }
  }

  private func unexpectedEnd() -> QueryError {
    let found = lexer.shown(token)
    if case .end = token.kind {
      let place = frames[frames.count - 1].position
      return .syntax("')' for the parenthesis at byte \(place)", found, at: token.position)
    }
    if case .arithmetic = token.kind { return arithmetic }
    let expected = frames.count > 1 ? "AND, OR or ')'" : "AND, OR or the end"
    return .syntax(expected, found, at: token.position)
  }

  /// What a closed frame is in the one around it; nil when another parenthesis was opened meanwhile.
  private mutating func end(_ closed: inout PredicateFrame) throws(QueryError) -> PredicatePart? {
    let content = try closed.end(limits)
    guard case .subquery(let subquery) = closed.kind else { return content }
    variables.removeLast()
    try readCountOfSubquery(at: closed.position)
    let operand = QueryOperand.subquery(
      QuerySubquery(
        collection: subquery.collection, variable: subquery.variable, condition: content.expression,
        position: closed.position))
    var comparison = subquery.comparison
    comparison.take(operand, depth: content.depth + 1)
    return try readComparison(comparison)
  }

  private mutating func finish() throws(QueryError) -> QueryExpression {
    try arguments.checkAllTaken()
    return try frames[0].end(limits).expression
  }

  // MARK: Tokens

  mutating func advance() throws(QueryError) { token = try lexer.next() }

  /// `AND`, `OR` and `NOT` are the same as their signs.
  private func unescaped(_ kind: PredicateToken.Kind) -> PredicateToken.Kind {
    switch kind {
    case .keyword(.and): .and
    case .keyword(.or): .or
    case .keyword(.not): .not
    default: kind
    }
  }

  var arithmetic: QueryError {
    .unsupported(
      "\(lexer.shown(token)) is arithmetic", "Compute the value before, and give it as an argument.",
      at: token.position)
  }
}
