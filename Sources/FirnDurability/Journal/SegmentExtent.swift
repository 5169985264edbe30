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
  /// The chain value at the end of the segment before.
  package var previousChain: UInt32 = 0
  /// When it was begun, in nanoseconds since 1970; 0 where it does not say.
  package var beganAt: UInt64 = 0

  /// The length that the file is cut to when nothing more is written to it. Whole blocks go; the last one stays as it is,
  /// since it may hold the end of a frame.
  var cutByteCount: Int { (end + 4_095) / 4_096 * 4_096 }
}

extension FileSalt {
  /// One number that stands for the salt.
  var mark: UInt64 { low ^ (high << 1 | high >> 63) | 1 }
}

extension [SegmentExtent] {
  /// Tells the commit of a version from all others that have, or had, its number: by the segment that holds it, or by the chain
  /// value that leads to the first one, or to the next. Nil where nothing is known of it.
  ///
  /// - Parameters:
  ///   - last: The version of the last commit.
  ///   - chain: The chain value after it.
  func mark(of version: UInt64, last: UInt64, chain: UInt32) -> UInt64? {
    if version > last { return nil }
    let written = self.lazy.filter { $0.mark != 0 }
    if let extent = written.last(where: { $0.lastVersion < version }) { return extent.mark }
    if let first = written.first, first.lastVersion == version { return Self.mark(first.previousChain) }
    return version == last ? Self.mark(chain) : nil
  }

  /// No mark of a segment, which are odd.
  private static func mark(_ chain: UInt32) -> UInt64 { UInt64(chain) << 1 }
}
