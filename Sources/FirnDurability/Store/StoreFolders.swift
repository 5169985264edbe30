/// The folders of a store, which are held while it is open: whatever gets their names meanwhile, nothing else is read
/// or written.
struct StoreFolders: Sendable {
  let paths: StorePaths
  /// Holds the folders.
  private(set) var fileSystem: any FileSystem
  /// The path to the base, through whatever links.
  private let path: String

  /// Holds the folder of a base, which may be missing.
  init(of path: String, _ fileSystem: any FileSystem) throws(DiskError) {
    self.path = path
    paths = StorePaths(try fileSystem.destination(of: path))
    self.fileSystem = try fileSystem.holdingFolder(of: paths.base)
  }

  /// The folder of a base, and that of its journal if there is one; nil when there is not even the former.
  static func existing(of path: String, _ fileSystem: any FileSystem) throws(DiskError) -> StoreFolders? {
    var folders: StoreFolders
    do throws(DiskError) {
      folders = try StoreFolders(of: path, fileSystem)
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
    if try !folders.fileSystem.exists(folders.paths.journal) { return folders }
    do throws(DiskError) {
      try folders.holdJournal()
    } catch {
      // It may have gone meanwhile.
      if error.code != .notFound { throw error }
    }
    return folders
  }

  /// Holds the folder of the journal as well, which has to be there.
  mutating func holdJournal() throws(DiskError) { fileSystem = try fileSystem.holding([paths.journal]) }

  /// Whether the path leads here still, so that the next opening finds what is written. About three calls to the
  /// system.
  func areInPlace() throws(DiskError) -> Bool {
    if try !fileSystem.isInPlace() { return false }
    return try fileSystem.destination(of: path) == paths.base
  }

  /// The error of those who find that they are not.
  var moved: StoreError {
    StoreError(
      .ownedByOtherProcess,
      "The path '\(path)' does not lead any more to the store that was opened there: its folder, or that of its journal, was "
        + "moved, removed or replaced while it was open, and there may be another store in its place by now. Nothing is "
        + "written any more; what was acknowledged before is in the files that were moved. Close a store before moving or "
        + "replacing its files or a link to them, or call deleteFiles.", path: path)
  }
}

extension FileSystem {
  /// The same disk with the folder of a file held.
  func holdingFolder(of path: String) throws(DiskError) -> any FileSystem {
    if name(of: path).isEmpty { throw DiskError(.notRegularFile, call: "open", path: path) }
    return try holding([folder(of: path)])
  }
}
