extension FileSystem {
  /// Writes a file under a temporary name, brings it onto the disk, reads it back from there and decodes all of it, and only
  /// then gives it its name, which is on the disk as well when this returns. After an error before `willRename` was called the file of
  /// that name is what it was; after a later one nobody knows which file has the name, now or after a crash.
  ///
  /// - Parameter replaces: Whether another file may have the name. If not, and one has got it, `.exists` is thrown, and
  ///   nothing is left.
  /// - Returns: What was written, and what opening it takes in memory.
  func install(
    _ path: String, by temporaryPath: String, kind: SnapshotHeader.Kind = .base, key: StoreKey?,
    limits: SnapshotLimits, threadCount: Int, replaces: Bool = true, willRename: () -> Void = {},
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
    } catch {
      try? remove(temporaryPath)
      throw error
    }
    willRename()
    if replaces { try rename(temporaryPath, to: path) } else { try nameNew(temporaryPath, path) }
    try synchronizeFolder(folder(of: path))
    return (statistics, expandedByteCount)
  }

  private func nameNew(_ temporaryPath: String, _ path: String) throws(DiskError) {
    do throws(DiskError) {
      try renameNew(temporaryPath, to: path)
    } catch {
      if error.code == .exists { try? remove(temporaryPath) }
      throw error
    }
  }
}
