internal import FirnEngine

extension DurableStore {
  /// How often files are looked up anew that were changed while they were looked up.
  private static var attemptCountMax: Int { 100 }

  /// Opens the files for reading only. Without a process that writes this shows what opening for writing would; beside one,
  /// what was on disk for certain.
  ///
  /// A checkpoint of the process that writes may take files away while they are opened; then they are looked up anew.
  /// Once they are open, nothing that happens to them matters.
  static func openForReading(
    _ path: String, _ schema: [TableDescription]?, _ options: Options, _ seed: HashSeed, _ fileSystem: any FileSystem
  ) throws -> DurableStore {
    let start = StoreClock.nanoseconds
    return try recoverForReading(path, schema, options, fileSystem) { folders, recovery in
      try DurableStore(readOnly: folders, recovery, options, seed, start: start)
    }
  }

  /// Calls `body` with what the files say, again when they were changed meanwhile.
  static func recoverForReading<Result>(
    _ path: String, _ schema: [TableDescription]?, _ options: Options, _ fileSystem: any FileSystem,
    _ body: (StoreFolders, StoreRecovery) throws -> Result
  ) throws -> Result {
    var lastDamage: String?
    for attempt in 1...attemptCountMax {
      // All files of an attempt lie in the same folders. The next one looks for these anew.
      let folders = try StoreFolders.existing(of: path, fileSystem)
      let before = try state(folders)
      do {
        return try recoverOnce(path, folders, schema, options, attempt: attempt, body)
      } catch {
        if error is ChangedMeanwhile { continue }
        if try state(StoreFolders.existing(of: path, fileSystem)) != before { continue }
        // Without the lock file nobody knows of a process that writes, and what it is writing may look like damage: but not
        // twice like the same.
        guard let damage = error as? StoreError, damage.code == .corrupted, damage.message != lastDamage, let folders,
          try !folders.fileSystem.exists(folders.paths.lock)
        else { throw error }
        lastDamage = damage.message
      }
    }
    throw StoreError(
      .fileAccess,
      "The files of the store '\(path)' were changed by the process that writes, each of the \(attemptCountMax) times that "
        + "they were read. Open it again, or let that process make fewer checkpoints.",
      path: path)
  }

  private static func recoverOnce<Result>(
    _ path: String, _ folders: StoreFolders?, _ schema: [TableDescription]?, _ options: Options, attempt: Int,
    _ body: (StoreFolders, StoreRecovery) throws -> Result
  ) throws -> Result {
    guard let folders, try folders.fileSystem.exists(folders.paths.base) else {
      throw StoreError(
        .fileNotFound, "There is no store at '\(path)': No such file or directory. Open it once for writing.",
        path: path)
    }
    let (paths, fileSystem) = (folders.paths, folders.fileSystem)
    let isHeld = StoreLock.isHeld(paths.lock, in: fileSystem)
    let files = try StoreFiles(paths, fileSystem, options)
    // Read before the segments are looked at: what was on disk then is in them.
    let hint = try StoreLock.hint(paths.lock, in: fileSystem)
    var limit: UInt64?
    if isHeld {
      let known = hint.flatMap { $0.storeID == files.storeID ? $0.version : nil }
      // The line may be in the middle of being written. Where it is missing, base and deltas are on disk for certain.
      if known == nil, attempt < 10 { throw ChangedMeanwhile() }
      limit = max(known ?? 0, files.version)
    }
    let recovery = try StoreRecovery(
      files, paths, hint: hint, schema: schema, limit: limit, options: options, fileSystem)
    let result = try body(folders, recovery)
    // A process that began to write meanwhile may have written some of what was read, and not have it on disk.
    if !isHeld, StoreLock.isHeld(paths.lock, in: fileSystem) { throw ChangedMeanwhile() }
    return result
  }

  private struct ChangedMeanwhile: Error {}

  /// The names of the files, and the beginning of the base: all that a checkpoint changes.
  private static func state(_ folders: StoreFolders?) throws -> [String] {
    guard let folders else { return [] }
    let (paths, fileSystem) = (folders.paths, folders.fileSystem)
    do throws(DiskError) {
      // The base first: where nothing can be read, it is what an error is to name.
      var state: [String] = []
      if try fileSystem.exists(paths.base) {
        state.append("\(try fileSystem.open(paths.base, .read).bytes(count: SnapshotHeader.byteCount))")
      }
      if try fileSystem.exists(paths.journal) {
        state += try fileSystem.list(paths.journal).filter { !$0.hasSuffix(StorePaths.temporarySuffix) }
      }
      return state
    } catch {
      if error.code != .notFound { throw error }
      return ["removed at \(StoreClock.nanoseconds)"]
    }
  }
}
