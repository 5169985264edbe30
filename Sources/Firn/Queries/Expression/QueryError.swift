/// What is wrong with a query.
package struct QueryError: Error, Hashable, Sendable {
  /// A sentence, without the place.
  package var message: String
  /// What would have been right; empty where the message says all.
  package var expected: String
  /// What was found instead.
  package var found: String
  /// The offset in the text, in UTF-8 code units; nil for typed queries, and where it is not known.
  package var position: Int?

  package init(_ message: String, expected: String = "", found: String = "", at position: Int? = nil) {
    self.message = message
    self.expected = expected
    self.found = found
    self.position = position
  }
}
