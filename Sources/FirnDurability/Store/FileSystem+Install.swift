extension FileSystem {
  /// Writes a file under a temporary name, brings it onto the disk, reads it back from there and decodes all of it, and only
  /// then gives it its name, which is on the disk as well when this returns. After an error before `willRename` was called the file of
  /// that name is what it was; after a later one nobody knows which file has the name, now or after a crash.
  ///
  /// - Returns: What was written, and what opening it takes in memory.
  func install(
    _ path: String, by temporaryPath: String, kind: SnapshotHeader.Kind = .base, key: StoreKey?,
    limits: SnapshotLimits, threadCount: Int, willRename: () -> Void = {},
    _ write: (any StoreFile) throws -> SnapshotStatistics
  ) throws -> (statistics: SnapshotStatistics, expandedByteCount: Int) {
    let statistics: SnapshotStatistics
    let expandedByteCount: Int
    // A leftover is not written to: somebody may have made it a second name of another file.
    try removeLeftover(temporaryPath)
    let file = try open(temporaryPath, .createNew)
    do {
      statistics = try write(file)
      try file.synchronize()
      try file.dropCached()
      let reader = try SnapshotReader(file, kind: kind, key: key, limits: limits)
      expandedByteCount = try reader.verifyDecoding(threadCount: threadCount)
    } catch {
      try? remove(temporaryPath)
      throw error
    }
    willRename()
    try rename(temporaryPath, to: path)
    try synchronizeFolder(folder(of: path))
    return (statistics, expandedByteCount)
  }
}
