/// What all engines agree on in rows 16a to 16c.
enum Files {
  static let compressionLabel = "zstd -1 of the columns"
  static let fullCheckpointLabel = "everything"

  /// One per cent of the persons.
  static func changedCount(of objectCount: Int) -> Int { objectCount / 100 }
}
