/// Files that were being written when a process died, told from those of others that have got such a name.
extension FileSystem {
  /// Whether a file may be the beginning of a base, delta or segment: it has the first bytes of one, or zeros in place
  /// of some or all of them, as the header is written last and a crash may leave a part of it. False without a file.
  func isLeftover(_ path: String) throws(DiskError) -> Bool {
    let head: [UInt8]
    do throws(DiskError) {
      head = try open(path, .read).bytes(count: SnapshotHeader.byteCount)
    } catch {
      if error.code == .notFound { return false }
      throw error
    }
    return ["FIRNBASE", "FIRNDELT", "FIRNJRNL"].contains { head.areStart(of: $0) }
  }

  /// Removes what a crash left of a file, if there is anything. Throws `.foreign` where it is none that a store wrote.
  func removeLeftover(_ path: String) throws(DiskError) {
    if try !exists(path) { return }
    if try !isLeftover(path) { throw DiskError(.foreign, call: "unlink", path: path) }
    try remove(path)
  }
}

extension [UInt8] {
  /// Whether a file that has these bytes begins with `text`, or with a part of it and then only zeros, as it does while
  /// its beginning is being written.
  func areStart(of text: String) -> Bool {
    starts(with: text.utf8) || text.utf8.starts(with: prefix(1 + (lastIndex { $0 != 0 } ?? -1)))
  }
}
