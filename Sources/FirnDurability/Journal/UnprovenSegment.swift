internal import CFirn

/// The part that counts of the segment that was written to last, when nothing proves that it is on disk.
///
/// A process that dies leaves what it wrote without a sync. Worse, after a sync that failed the system may show bytes that
/// the disk never got and take them for synchronized: another sync succeeds and does nothing. So they are written once
/// more, to another file: in place, sectors with acknowledged commits would be at risk.
package struct UnprovenSegment: Equatable, Sendable {
  package let path: String
  /// The bytes up to the end of the last whole commit.
  package let byteCount: Int
  /// Their CRC.
  package let chain: UInt32

  /// Puts a copy, which is on disk with its name when this returns, in the place of the segment.
  ///
  /// - Returns: Whether the bytes are still those that were read; if not, nothing was done. The system may let go of bytes
  ///   that the disk never got at any time.
  package func secure(in fileSystem: any FileSystem) throws(DiskError) -> Bool {
    let temporaryPath = path + StorePaths.temporarySuffix
    let source = try fileSystem.open(path, .read)
    try fileSystem.removeLeftover(temporaryPath)
    let copy = try fileSystem.open(temporaryPath, .createNew)
    do throws(DiskError) {
      try copy.reserveStart(byteCount: JournalFormat.segmentHeaderByteCount)
      guard try isCopied(source, to: copy) else {
        try fileSystem.remove(temporaryPath)
        return false
      }
      try fileSystem.rename(temporaryPath, to: path)
    } catch {
      try? fileSystem.remove(temporaryPath)
      throw error
    }
    try fileSystem.synchronizeFolder(fileSystem.folder(of: path))
    return true
  }

  private func isCopied(_ source: any StoreFile, to copy: any StoreFile) throws(DiskError) -> Bool {
    var crc: UInt32 = 0
    var offset = 0
    while offset < byteCount {
      let bytes = try source.bytes(at: offset, count: min(byteCount - offset, 1 << 20))
      if bytes.isEmpty { return false }
      crc = bytes.withUnsafeBytes { firn_crc32c(crc, $0.baseAddress, $0.count) }
      try copy.write(bytes, at: offset)
      offset += bytes.count
    }
    if crc != chain { return false }
    try copy.synchronize()
    return true
  }
}
