extension StoreError {
  /// A file of the journal that has the id of another store: mostly one that was left when a copy was put in place of the
  /// base.
  static func foreign(_ path: String, of other: StoreID, not storeID: StoreID, in paths: StorePaths) -> StoreError {
    StoreError(
      .corrupted,
      "'\(path)' belongs to the store \(other), but '\(paths.base)' to \(storeID). If '\(paths.base)' is a backup that "
        + "was put here, remove the folder '\(paths.journal)', which belongs to what was here before; else restore the "
        + "base that belongs to it.", path: path)
  }

  /// What to do when the lock file or the journal speaks of commits that no file has: mostly the base is an older one that
  /// was put in its place.
  static func adviceOnMissing(_ paths: StorePaths) -> String {
    "If '\(paths.base)' is a backup that was put here, remove '\(paths.journal)' and '\(paths.lock)', which speak of what "
      + "was here before; else restore the missing files, or the store from a backup."
  }
}
