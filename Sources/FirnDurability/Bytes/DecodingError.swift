/// Bytes that are not what the format says, and where.
package struct DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String
  /// Where the offending value begins, counted from the start of what the reader was given.
  package var offset: Int

  package init(_ message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  package var description: String { "\(message) at byte \(offset)" }
}
