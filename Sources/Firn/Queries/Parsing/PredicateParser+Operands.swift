internal import Foundation

extension PredicateParser {
  /// Reads one side of a comparison; nil when it is a subquery, which was opened.
  mutating func readOperand(_ comparison: OpenComparison) throws(QueryError) -> QueryOperand? {
    let position = token.position
    switch token.kind {
    case .openBrace: return .list(try readList())
    case .placeholder(.keyPath), .name, .variable, .collectionOperator, .keyword(.itself):
      return .keyPath(try readPath())
    case .keyword(let keyword) where keyword.mayBeName && comparison.hasBegun:
      return .keyPath(try readPath())
    case .placeholder, .argument:
      let value = try readArgument()
      return try arguments.operand(value, at: position)
    case .keyword(.subquery):
      try openSubquery(comparison)
      return nil
    case .openParenthesis:
      throw .unsupported("values do not stand in parentheses", "Leave them out.", at: position)
    case .arithmetic: throw arithmetic
    default: break
    }
    if let constant = try readConstant() { return .constant(QueryConstant(constant.value, position: position)) }
    throw missingValue(token)
  }

  func missingValue(_ token: PredicateToken) -> QueryError {
    var hint: String?
    if case .keyword = token.kind { hint = "Names that are keywords need '#' in front." }
    return .syntax("a key path or a value", lexer.shown(token), hint, at: token.position)
  }

  /// A value that the text itself says, in a box because it may be null; nil when there is none.
  private mutating func readConstant() throws(QueryError) -> (value: Any?, Void)? {
    let value: Any?
    switch token.kind {
    case .string(let string): value = string
    case .integer(let number): value = number
    case .unsigned(let number): value = number
    case .double(let number): value = number
    case .date(let date): value = date
    case .keyword(.true), .keyword(.yes): value = true
    case .keyword(.false), .keyword(.no): value = false
    case .keyword(.null), .keyword(.nil): value = nil
    default: return nil
    }
    try advance()
    return (value, ())
  }

  /// The argument that a placeholder or an index stands for.
  mutating func readArgument() throws(QueryError) -> Any {
    let position = token.position
    let value: Any
    switch token.kind {
    case .placeholder(let placeholder): value = try arguments.value(placeholder, at: position)
    case .argument(let index): value = try arguments.value(index, at: position)
    default: fatalError("Only placeholders and indexes take arguments.")
    }
    try advance()
    return value
  }

  // MARK: Lists

  /// Reads `{1, %@, 'x'}`.
  private mutating func readList() throws(QueryError) -> QueryList {
    var list = QueryList(elements: [], isWritten: true, position: token.position)
    try advance()
    if case .closeBrace = token.kind {
      try advance()
      return list
    }
    while true {
      try arguments.addListed(at: token.position)
      list.elements.append(try readElement())
      if case .comma = token.kind {
        try advance()
        continue
      }
      try expect("',' or '}'") { if case .closeBrace = $0 { true } else { false } }
      return list
    }
  }

  private mutating func readElement() throws(QueryError) -> Any? {
    let position = token.position
    switch token.kind {
    case .placeholder(.keyPath): break
    case .placeholder, .argument:
      let value = try readArgument()
      try arguments.checkElement(value, at: position)
      return value
    default: if let constant = try readConstant() { return constant.value }
    }
    throw .syntax(
      "a value", lexer.shown(token), "The values in braces must be constant values.", at: token.position)
  }

  // MARK: Subqueries

  /// Reads `SUBQUERY(path, $name,`, behind which the condition stands.
  private mutating func openSubquery(_ comparison: OpenComparison) throws(QueryError) {
    let position = token.position
    if variables.count >= limits.collectionDepth {
      throw .excess(
        "collections within each other", most: limits.collectionDepth, "Use fewer subqueries.", at: position)
    }
    try advance()
    guard case .openParenthesis = token.kind else {
      throw .syntax(
        "'(' behind SUBQUERY", lexer.shown(token), "A property of this name needs '#' in front.", at: token.position)
    }
    try advance()
    let collection = try readPath()
    try expect("','") { if case .comma = $0 { true } else { false } }
    guard case .variable(let variable) = token.kind else {
      throw .syntax("a variable such as $x", lexer.shown(token), at: token.position)
    }
    if variables.contains(variable) {
      throw .syntax(
        "a variable that is new", "'$\(variable)'", "That is the variable of the SUBQUERY around this one.",
        at: token.position)
    }
    try advance()
    try expect("','") { if case .comma = $0 { true } else { false } }
    try open(
      .subquery(.init(collection: collection, variable: variable, comparison: comparison)), at: position)
    variables.append(variable)
  }

  /// Reads the `.@count` that has to stand behind a subquery.
  mutating func readCountOfSubquery(at position: Int) throws(QueryError) {
    if case .dot = token.kind {
      try advance()
      if case .collectionOperator("count") = token.kind {
        try advance()
        return
      }
    }
    throw QueryError(
      "SUBQUERY is only supported when immediately followed by .@count that is compared with a constant number.",
      expected: "'.@count' behind the SUBQUERY", found: lexer.shown(token), at: token.position)
  }
}
