extension FileSystem {
  /// Writes a file under a temporary name, brings it onto the disk, reads it back, and only then gives it its name, which is
  /// on the disk as well when this returns. After an error before `willRename` was called the file of that name is what it
  /// was; after a later one nobody knows which file has the name, now or after a crash.
  func install(
    _ path: String, by temporaryPath: String, kind: SnapshotHeader.Kind = .base, willRename: () -> Void = {},
    _ write: (any StoreFile) throws -> SnapshotStatistics
  ) throws -> SnapshotStatistics {
    let statistics: SnapshotStatistics
    do {
      let file = try open(temporaryPath, .createEmpty)
      statistics = try write(file)
      try file.synchronize()
      _ = try SnapshotReader(file, kind: kind).verify()
    } catch {
      try? remove(temporaryPath)
      throw error
    }
    willRename()
    try rename(temporaryPath, to: path)
    try synchronizeFolder(folder(of: path))
    return statistics
  }
}
