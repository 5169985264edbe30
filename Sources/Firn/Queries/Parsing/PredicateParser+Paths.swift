internal import Foundation

extension PredicateParser {
  /// Reads `owner.dogs.@max.age`, `any[0]['key']`, `%K.name`.
  mutating func readPath() throws(QueryError) -> QueryKeyPath {
    let position = token.position
    var components: [QueryKeyPath.Component] = []
    switch token.kind {
    case .keyword(.itself):
      components = [.itself]
      try advance()
    case .variable(let name):
      components = [try variable(name)]
      try advance()
    default: components = try readStep()
    }
    return try readPath(continuing: components, at: position)
  }

  /// Reads what follows the first name of a path.
  mutating func readPath(
    startingWith component: QueryKeyPath.Component, at position: Int
  ) throws(QueryError) -> QueryKeyPath {
    try readPath(continuing: [component], at: position)
  }

  private mutating func readPath(
    continuing start: [QueryKeyPath.Component], at position: Int
  ) throws(QueryError) -> QueryKeyPath {
    var components = start
    while true {
      if components.count > PredicateLimits.pathLengthMax {
        throw .excess(
          "names in a key path", most: PredicateLimits.pathLengthMax, "Take a shorter way.", at: position)
      }
      switch token.kind {
      case .dot:
        try advance()
        components += try readStep()
      case .openBracket:
        try advance()
        components.append(try readSubscript())
        try expect("']'") { if case .closeBracket = $0 { true } else { false } }
      case .openParenthesis: throw function
      default: return QueryKeyPath(components, position: position)
      }
    }
  }

  /// Reads a name, an operator, or what `%K` says. Behind a `.` keywords are names.
  private mutating func readStep() throws(QueryError) -> [QueryKeyPath.Component] {
    let position = token.position
    let components: [QueryKeyPath.Component]
    switch token.kind {
    case .name(let name, _): components = [.property(name)]
    case .keyword: components = [.property(lexer.text(token.range))]
    case .collectionOperator(let name): components = [try collectionOperator(name, at: position)]
    case .placeholder(.keyPath):
      guard let text = try readArgument() as? String else { fatalError("A key path was not checked.") }
      return try self.components(of: text, at: position)
    default: throw noName(lexer.shown(token), at: position)
    }
    try advance()
    return components
  }

  /// What an argument for `%K` says. Its names may be keywords.
  private func components(of text: String, at position: Int) throws(QueryError) -> [QueryKeyPath.Component] {
    try PredicateLexer.checkMarks(in: text.utf8, at: position)
    let names = text.split(separator: ".", maxSplits: PredicateLimits.pathLengthMax, omittingEmptySubsequences: false)
    var components: [QueryKeyPath.Component] = []
    for (index, name) in names.enumerated() {
      if name.isEmpty { throw noName("'\(ShownValue.text(text))'", at: position) }
      if name.first == "@" {
        components.append(try collectionOperator(String(name.dropFirst()), at: position))
      } else if index == 0, name.lowercased() == "self" {
        components.append(.itself)
      } else {
        components.append(.property(String(name)))
      }
    }
    return components
  }

  private func noName(_ found: String, at position: Int) -> QueryError {
    QueryError(
      "Invalid key path: there is no key name, but \(found). Write names of properties with '.' between them.",
      expected: "the name of a property", found: found, at: position)
  }

  private func collectionOperator(
    _ name: String, at position: Int
  ) throws(QueryError) -> QueryKeyPath.Component {
    if let aggregate = QueryAggregate(rawValue: "@" + name) { return .aggregate(aggregate) }
    switch name {
    case "allKeys": return .allKeys
    case "allValues": return .allValues
    default:
      let known = ["@count", "@min", "@max", "@sum", "@avg", "@allKeys", "@allValues"]
      let shown = ShownValue.text("@" + name)
      throw QueryError(
        "Unsupported collection operation '\(shown)'.\(Spelling.suggestion(for: "@" + name, among: known)) There are "
          + known.joined(separator: ", ") + ".",
        expected: "a collection operator", found: "'\(shown)'", at: position)
    }
  }

  private func variable(_ name: String) throws(QueryError) -> QueryKeyPath.Component {
    if variables.contains(name) { return .variable(name) }
    throw QueryError(
      "The variable '$\(ShownValue.text(name))' stands for nothing here. Only SUBQUERY has variables; values are written "
        + "%@, and the first argument also $0.",
      expected: "a key path or a value", found: "'$\(ShownValue.text(name))'", at: token.position)
  }

  // MARK: Subscripts

  private mutating func readSubscript() throws(QueryError) -> QueryKeyPath.Component {
    let position = token.position
    switch token.kind {
    case .string(let key):
      try advance()
      return .key(key)
    case .integer(let index) where index >= 0:
      try advance()
      return .index(index)
    case .name(let name, isEscaped: true) where name.lowercased() == "any":
      try advance()
      return .anyElement
    case .placeholder(.keyPath):
      guard let key = try readArgument() as? String else { fatalError("A key path was not checked.") }
      // Texts of other lengths may take long to compare.
      return key.utf8.count == 4 && key.lowercased() == "#any" ? .anyElement : .key(key)
    case .placeholder, .argument: return try subscripted(try readArgument(), at: position)
    default: throw noSubscript(lexer.shown(token), at: position)
    }
  }

  private func subscripted(_ argument: Any, at position: Int) throws(QueryError) -> QueryKeyPath.Component {
    let value = Unwrapping.value(argument).map { Unwrapping.persisted($0) }
    if let value, let key = PredicateArgument.text(value) { return .key(key) }
    if let number = value as? any FixedWidthInteger, let index = Int(exactly: number), index >= 0 {
      return .index(index)
    }
    throw noSubscript(
      value.map { "a value of type '\(ShownValue.typeName($0))'" } ?? "nil", at: position)
  }

  private func noSubscript(_ found: String, at position: Int) -> QueryError {
    .syntax("a key in quotes, an index from 0 on, or #any", found, at: position)
  }
}
