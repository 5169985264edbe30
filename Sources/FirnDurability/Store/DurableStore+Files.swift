package import FirnEngine

extension DurableStore {
  /// Whether there is a store at `path`.
  package static func exists(_ path: String, _ fileSystem: any FileSystem) -> Bool {
    (try? fileSystem.exists(fileSystem.destination(of: path))) ?? false
  }

  /// Removes all files of a store: the base first, so that a crash in between leaves no store that looks whole. Other files in the
  /// folder of the journal stay, and the folder with them.
  ///
  /// - Returns: Whether there was a base.
  /// - Throws: `StoreError` `.ownedByOtherProcess` when it is open, `.filePermissionDenied` when a folder, a link or another thing
  ///   that is no file has the name of one; then nothing was removed.
  package static func deleteFiles(_ path: String, _ fileSystem: any FileSystem) throws -> Bool {
    try StoreError.wrapping {
      guard var folders = try StoreFolders.existing(of: path, fileSystem) else { return false }
      let paths = folders.paths
      let folder = fileSystem.folder(of: paths.base)
      try paths.checkName()
      let isThere = { [fileSystem = folders.fileSystem] (path: String) in try fileSystem.exists(path) }
      // A lock file alone is not much of a store, least of all somebody else's.
      if try !isThere(paths.base), try !isThere(paths.journal), try !StoreLock.isOwn(paths.lock, in: folders.fileSystem)
      {
        return false
      }
      try expectFile(paths.base, folders.fileSystem)
      let lock = try StoreLock.take(paths.lock, by: .current(), in: folders.fileSystem)
      defer { lock.release() }
      // Only now: another process may have made the store meanwhile.
      let hasBase = try isThere(paths.base)
      let hasJournal = try isThere(paths.journal)
      // Refuses what is no folder before anything is gone.
      if hasJournal { try folders.holdJournal() }
      let fileSystem = folders.fileSystem
      let names = hasJournal ? try fileSystem.list(paths.journal) : []
      if hasJournal { try lock.lockFolders(folders) }
      if hasBase { try fileSystem.remove(paths.base) }
      // Also if it is gone already: who removed it may have died before that was on disk.
      try fileSystem.synchronizeFolder(folder)
      if try fileSystem.isLeftover(paths.temporaryBase) { try fileSystem.remove(paths.temporaryBase) }
      if hasJournal {
        var isEmpty = true
        for name in names {
          let path = "\(paths.journal)/\(name)"
          var isOwn = try StorePaths.isOwn(name) && fileSystem.isFile(path)
          if isOwn, StorePaths.isTemporary(name) { isOwn = try fileSystem.isLeftover(path) }
          if isOwn { try fileSystem.remove(path) } else { isEmpty = false }
        }
        try fileSystem.synchronizeFolder(paths.journal)
        if isEmpty { try fileSystem.removeFolder(paths.journal) }
      }
      try fileSystem.remove(paths.lock)
      try fileSystem.synchronizeFolder(folder)
      return hasBase
    }
  }

  private static func expectFile(_ path: String, _ fileSystem: any FileSystem) throws(DiskError) {
    if try fileSystem.exists(path), try !fileSystem.isFile(path) {
      throw DiskError(.notRegularFile, call: "unlink", path: path)
    }
  }

  /// Reads all files of a store, history included, and checks them against their checksums and each other. Changes nothing.
  ///
  /// - Throws: `StoreError` naming file and place of the first thing that is wrong.
  package static func verify(
    _ path: String, _ fileSystem: any FileSystem, options given: Options = Options(),
    inspect: (GraphContents, [TableDescription]) -> Void = { _, _ in }
  ) throws -> VerifyRecord {
    try StoreError.wrapping {
      guard let folders = try StoreFolders.existing(of: path, fileSystem),
        try folders.fileSystem.exists(folders.paths.base)
      else {
        throw StoreError(.fileNotFound, "There is no store at '\(path)'.", path: path)
      }
      let (paths, fileSystem) = (folders.paths, folders.fileSystem)
      var options = given
      options.isReadOnly = true
      let files = try StoreFiles(paths, fileSystem, options)
      let recovery = try StoreRecovery(
        files, paths, hint: try StoreLock.hint(paths.lock, in: fileSystem), schema: nil, options: options, fileSystem)
      let (graph, report) = try recovery.run(seed: HashSeed(1, 2))
      let version = graph.holdHead()
      let journal = try JournalReader(
        folder: paths.journal, storeID: files.storeID, key: options.key, budget: files.budget, in: fileSystem)
      var record = VerifyRecord()
      do {
        record.historyCommitCount = try journal.verifyHistory(
          through: version.number, base: files.version, recovery.merge.map)
      } catch let error as StoreError where error.code == .corrupted {
        throw StoreError(
          .corrupted, "The content of '\(paths.base)' is sound, but not its history. \(error.message)", path: error.path
        )
      }
      version.withContents { inspect($0, recovery.merge.graphSchema) }
      record.fileCount = 1 + files.deltas.count + report.segmentCount
      record.byteCount = files.base.byteCount + files.deltaByteCount + report.position.replayedByteCount
      record.version = version.number
      record.rowCounts = recovery.merge.graphSchema.enumerated().map { index, table in
        (table.name, version.withContents { $0.rowCount(TableID(index)) })
      }
      record.journalCommitCount = report.commitCount
      record.cutByteCount = report.cut?.byteCount ?? 0
      return record
    }
  }
}

extension StoreError {
  /// Calls `body`; errors of the disk come out as those of the store.
  static func wrapping<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw wrapped(error) }
  }

  static func wrapped(_ error: any Error) -> any Error {
    if let error = error as? DiskError { return StoreError(error) }
    return error
  }
}
