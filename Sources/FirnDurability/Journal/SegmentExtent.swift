/// A segment in the folder of the journal, as far as its length and its commits matter.
package struct SegmentExtent: Equatable, Sendable {
  package var sequence: UInt64
  /// The version of the last commit before the segment.
  package var lastVersion: UInt64
  /// Bytes in it that an opening would read: what this process wrote, or the opening read.
  package var byteCount = 0
  /// Where the last frame ends: that of the last commit, or a proof of it.
  package var end: Int
  /// The length of the file.
  package var allottedByteCount: Int
  /// Tells the segment from all others that ever held commits of such versions: from its salt. 0 for one without header.
  package var mark: UInt64 = 0

  /// The length that the file is cut to when nothing more is written to it. Whole blocks go; the last one stays as it is,
  /// since it may hold the end of a frame.
  var cutByteCount: Int { (end + 4_095) / 4_096 * 4_096 }
}

extension FileSalt {
  /// One number that stands for the salt.
  var mark: UInt64 { low ^ (high << 1 | high >> 63) | 1 }
}

extension [SegmentExtent] {
  /// The mark of the segment that holds the commit of a version; 0 for one that ends where the segments begin, or is the last
  /// one and in none of them; nil where nothing is known of it.
  ///
  /// - Parameter last: The version of the last commit.
  func mark(of version: UInt64, last: UInt64) -> UInt64? {
    if version > last { return nil }
    if let extent = self.last(where: { $0.lastVersion < version && $0.mark != 0 }) { return extent.mark }
    return version == last || first?.lastVersion == version ? 0 : nil
  }
}
