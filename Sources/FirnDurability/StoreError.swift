/// What the outside world did to a store's files, with a sentence that says what to do.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure, named like the codes of `Realm.Error`.
  package enum Code: Sendable {
    case fail, fileAccess, filePermissionDenied, fileExists, fileNotFound, outOfDiskSpace, fileOperationFailed
    case invalidDatabase, unsupportedFileFormatVersion, schemaMismatch
    case ownedByOtherProcess, corrupted, durabilityLost, storeClosed, historyUnavailable
  }

  package let code: Code
  package let message: String
  /// The file concerned.
  package let path: String?

  package init(_ code: Code, _ message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  package var description: String { message }

  /// What to do about files that were damaged.
  static let adviceOnDamage = "Restore the store from a backup."
}
