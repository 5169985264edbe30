/// A comparison as far as it has been read.
struct OpenComparison {
  var modifier = QueryComparison.Modifier.direct
  var position: Int
  var left: QueryOperand?
  var operation: QueryOperator?
  var options: StringOptions = []
  var right: QueryOperand?
  /// How deep conditions lie in its operands.
  var depth = 0

  /// Whether only an operand can follow.
  var hasBegun: Bool { operation != nil || modifier != .direct }

  init(at position: Int) { self.position = position }

  mutating func take(_ operand: QueryOperand, depth: Int = 0) {
    if left == nil { left = operand } else { right = operand }
    self.depth = max(self.depth, depth)
  }
}

extension PredicateParser {
  /// Reads `ANY` and its relatives. They and operators are names if what follows says so: `any == 1`, `like[0] == 1`.
  mutating func beginComparison() throws(QueryError) -> OpenComparison {
    var comparison = OpenComparison(at: token.position)
    guard case .keyword(let keyword) = token.kind, keyword.mayBeName else { return comparison }
    let word = token
    try advance()
    if followsName(keyword) {
      comparison.take(.keyPath(try readPath(startingWith: .property(lexer.text(word.range)), at: word.position)))
    } else if let modifier = keyword.modifier {
      comparison.modifier = modifier
    } else {
      throw missingValue(word)
    }
    return comparison
  }

  /// Whether the next token stands behind a name, as which a word is meant then.
  private func followsName(_ word: PredicateKeyword) -> Bool {
    switch token.kind {
    case .comparison, .dot, .openBracket: return true
    case .keyword(let keyword) where keyword.operation != nil:
      // In `ANY in == 1` this is a name, too.
      if word.modifier == nil { return true }
      var ahead = lexer
      switch (try? ahead.next())?.kind {
      case .comparison, .dot: return false
      case .keyword(let keyword): return keyword.operation == nil
      default: return true
      }
    default: return false
    }
  }

  /// Reads what is missing of a comparison; nil when a subquery was opened meanwhile.
  mutating func readComparison(_ open: OpenComparison) throws(QueryError) -> PredicatePart? {
    var comparison = open
    if comparison.left == nil {
      guard let operand = try readOperand(comparison) else { return nil }
      comparison.take(operand)
    }
    if comparison.operation == nil {
      comparison.operation = try readOperator()
      comparison.options = try readOptions()
    }
    if comparison.right == nil {
      guard let operand = try readOperand(comparison) else { return nil }
      comparison.take(operand)
    }
    guard let left = comparison.left, let operation = comparison.operation, let right = comparison.right else {
      fatalError("A comparison was read without all its parts.")
    }
    return PredicatePart(
      .comparison(
        QueryComparison(
          modifier: comparison.modifier, left: left, operation: operation, options: comparison.options, right: right,
          position: comparison.position)), depth: comparison.depth)
  }

  private mutating func readOperator() throws(QueryError) -> QueryOperator {
    let operation: QueryOperator
    switch token.kind {
    case .comparison(let found): operation = found
    case .keyword(let keyword):
      guard let found = keyword.operation else { throw noOperator() }
      operation = found
    default: throw noOperator()
    }
    try advance()
    return operation
  }

  private func noOperator() -> QueryError {
    let hint: String
    switch token.kind {
    case .arithmetic: return arithmetic
    case .openParenthesis: return function
    case .keyword(.not): hint = "NOT stands in front: NOT name IN {'a', 'b'}."
    case .end, .closeParenthesis, .and, .or, .keyword(.and), .keyword(.or):
      hint = "A Bool is compared as well: flag == TRUE."
    default: hint = "Names that are keywords need '#' in front."
    }
    return .syntax("an operator such as ==, < or CONTAINS", lexer.shown(token), hint, at: token.position)
  }

  var function: QueryError {
    .unsupported(
      "functions are not supported", "Compute the value before, and give it as an argument.", at: token.position)
  }

  /// `[cd]` behind an operator. `n` and `l` mean nothing here.
  private mutating func readOptions() throws(QueryError) -> StringOptions {
    guard case .openBracket = token.kind else { return [] }
    try advance()
    let letters = lexer.text(token.range)
    var options: StringOptions = []
    var isKnown = !letters.isEmpty
    for letter in letters.utf8 {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"), UInt8(ascii: "l"): break
      default: isKnown = false
      }
    }
    guard isKnown else {
      throw .syntax("options of c and d, as in ==[cd]", lexer.shown(token), at: token.position)
    }
    try advance()
    try expect("']'") { if case .closeBracket = $0 { true } else { false } }
    return options
  }

  /// Goes over a token.
  mutating func expect(_ expected: String, _ isRight: (PredicateToken.Kind) -> Bool) throws(QueryError) {
    guard isRight(token.kind) else { throw .syntax(expected, lexer.shown(token), at: token.position) }
    try advance()
  }
}
