/// Files that were being written when a process died, told from those of others that have got such a name.
extension FileSystem {
  /// Whether a file may be the beginning of a base, delta or segment: it has the first bytes of one, or nothing but
  /// zeros, which a crash leaves, or the writing of a header as the last thing. False when there is none.
  func isLeftover(_ path: String) throws(DiskError) -> Bool {
    let head: [UInt8]
    do throws(DiskError) {
      head = try open(path, .read).bytes(count: SnapshotHeader.byteCount)
    } catch {
      if error.code == .notFound { return false }
      throw error
    }
    if head.allSatisfy({ $0 == 0 }) { return true }
    return ["FIRNBASE", "FIRNDELT", "FIRNJRNL"].contains { $0.utf8.starts(with: head.prefix(8)) }
  }

  /// Removes what a crash left of a file, if there is anything. Throws `.foreign` where it is none that a store wrote.
  func removeLeftover(_ path: String) throws(DiskError) {
    if try !exists(path) { return }
    if try !isLeftover(path) { throw DiskError(.foreign, call: "unlink", path: path) }
    try remove(path)
  }
}
