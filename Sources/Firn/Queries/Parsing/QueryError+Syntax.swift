extension QueryError {
  /// A text that does not follow the grammar.
  ///
  /// - Parameters:
  ///   - expected: What may stand at the place.
  ///   - found: What does, in quotes, or `the end`.
  ///   - hint: A sentence that says what to do.
  static func syntax(_ expected: String, _ found: String, _ hint: String? = nil, at position: Int) -> QueryError {
    QueryError(
      "Unable to parse the format string: expected \(expected), found \(found)." + (hint.map { " " + $0 } ?? ""),
      expected: expected, found: found, at: position)
  }

  /// What the grammar of the reference has, and its queries have not.
  static func unsupported(_ what: String, _ hint: String, at position: Int) -> QueryError {
    QueryError(
      "Only support compound, comparison, and constant predicates: \(what). \(hint)",
      expected: "a comparison", found: what, at: position)
  }

  /// More than a limit allows.
  static func excess(_ what: String, most: Int, _ hint: String, at position: Int? = nil) -> QueryError {
    QueryError(
      "The predicate has more than \(most) \(what). \(hint)", expected: "at most \(most) \(what)", found: "more",
      at: position)
  }
}
