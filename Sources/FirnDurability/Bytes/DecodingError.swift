/// Bytes that are not what the format says, and where.
package struct DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String
  /// Where the offending value begins, counted from the start of what the reader was given.
  package var offset: Int

  /// What may be taken in memory, when the bytes stand for more than that.
  package private(set) var budget: Int?

  /// Bytes that may be right, but stand for too much.
  init(beyondBudget byteCountMax: Int) {
    self.init("More than \(byteCountMax) bytes of memory are needed", offset: 0)
    budget = byteCountMax
  }

  package init(_ message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  package var description: String { "\(message) at byte \(offset)" }
}
