internal import Firn

/// Why the store of the board cannot be used, and what to do.
package struct StoreProblem: Error, CustomStringConvertible {
  package let description: String

  init(_ error: any Error, at location: StoreLocation) {
    let reason = (error as? Realm.Error)?.localizedDescription ?? "\(error)"
    guard let path = location.path else {
      description = "the board cannot be kept in memory: \(reason)"
      return
    }
    let store = "the store \(path)"
    let others = "name another file with --store, or keep the board in memory with --memory"
    switch (error as? Realm.Error)?.code {
    case .ownedByOtherProcess?, .alreadyOpen?:
      description = "\(store) is in use, perhaps by another board: end that one, or \(others) (\(reason))"
    case .schemaMismatch?, .invalidDatabase?, .unsupportedFileFormatVersion?, .fileFormatUpgradeRequired?:
      description = "\(store) was not written by this version of the program: \(others) (\(reason))"
    case .corrupted?:
      description = "\(store) is damaged: move it and \(path).journal away to begin anew, or \(others) (\(reason))"
    case .outOfDiskSpace?:
      description = "\(store) finds no room: make some, or \(others) (\(reason))"
    default:
      description = "\(store) cannot be opened: \(others) (\(reason))"
    }
  }
}
