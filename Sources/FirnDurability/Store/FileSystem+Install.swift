extension FileSystem {
  /// Writes a file under a temporary name, brings it onto the disk, reads it back from there and decodes all of it, and only
  /// then gives it its name, which is on the disk as well when this returns. After an error before `willRename` was called the file of
  /// that name is what it was; after a later one nobody knows which file has the name, now or after a crash.
  ///
  /// - Parameter replaces: Whether another file may have the name. If not, and one has got it, `.exists` is thrown, and
  ///   nothing is left.
  /// - Parameter check: Throws when what opening the file takes in memory is too much: then nothing was done.
  /// - Returns: What was written, and what opening it takes in memory.
  func install(
    _ path: String, by temporaryPath: String, kind: SnapshotHeader.Kind = .base, key: StoreKey?,
    limits: SnapshotLimits, threadCount: Int, replaces: Bool = true, willRename: () -> Void = {},
    check: (SnapshotStatistics, _ expandedByteCount: Int) throws -> Void = { _, _ in },
    _ write: (any StoreFile) throws -> SnapshotStatistics
  ) throws -> (statistics: SnapshotStatistics, expandedByteCount: Int) {
    let statistics: SnapshotStatistics
    let expandedByteCount: Int
    // A leftover is not written to: somebody may have made it a second name of another file.
    try removeLeftover(temporaryPath)
    let file = try open(temporaryPath, .createNew)
    do {
      try file.reserveStart(byteCount: SnapshotHeader.byteCount)
      statistics = try write(file)
      try file.synchronize()
      try file.dropCached()
      let budget = ExpansionBudget.unlimited
      let reader = try SnapshotReader(file, kind: kind, key: key, limits: limits, budget: budget)
      try reader.verifyDecoding(threadCount: threadCount, budget)
      expandedByteCount = budget.byteCount
      try check(statistics, expandedByteCount)
    } catch {
      try? remove(temporaryPath)
      throw error
    }
    willRename()
    do throws(DiskError) {
      if replaces { try rename(temporaryPath, to: path) } else { try renameNew(temporaryPath, to: path) }
    } catch {
      // It has no other name, or has got it although the call failed.
      try? remove(temporaryPath)
      throw error
    }
    try synchronizeFolder(folder(of: path))
    return (statistics, expandedByteCount)
  }
}
