internal import Foundation

/// What is wrong with a value from outside that was to become an object, and where.
public struct InvalidInput: Sendable, Hashable, CustomStringConvertible {
  /// The place in the input, from `$`, the whole of it: `$.parts[3].size`.
  public let path: String
  /// What would have been right: a type, or a limit.
  public let expected: String
  /// What was there: a type, or a number.
  public let found: String

  /// Path, expectation and finding in a line.
  public var description: String { "\(path): expected \(expected), found \(found)" }
}

extension Realm.Error {
  static let invalidInputKey = "FirnInvalidInput"

  /// What is wrong and where, in an error of ``Code/invalidInput`` or ``Code/duplicatePrimaryKey`` that a creating method
  /// threw; else nil.
  public var invalidInput: InvalidInput? { userInfo[Self.invalidInputKey] as? InvalidInput }

  init(_ invalid: InvalidValue) {
    let path = invalid.path ?? "$"
    self.init(
      invalid.code,
      userInfo: [
        NSLocalizedDescriptionKey: "\(invalid.message) (at \(path))",
        Self.invalidInputKey: InvalidInput(path: path, expected: invalid.expected, found: invalid.found),
      ])
  }
}
