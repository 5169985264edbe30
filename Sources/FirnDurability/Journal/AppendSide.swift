/// Where the next commit goes in the journal, in the order of commits. Guarded by the journal's `appending`.
final class AppendSide {
  /// The bytes of the commit in the making; empty in between.
  var scratch = ByteWriter()
  /// The segment that commits go to; nil until the first one after opening or rolling, which allots it.
  private(set) var segment: Segment?
  /// Seals the frames of an encrypted segment, once it has a header.
  ///
  /// What is sealed either gets its place for good or is the last: a segment is left, or the journal takes nothing more, when
  /// anything goes wrong after sealing.
  var seal: FrameSeal?
  /// Where the next frame goes; 0 while the segment has no header.
  var position = 0
  /// The chain value after the last commit, which the header of the next segment names.
  var chain: UInt32
  /// The chain value after the last frame, which the next frame names.
  var runningChain: UInt32
  /// The last commit.
  var version: UInt64
  /// The number of the segment that was ordered ahead; nil if there is none.
  var preparedSequence: UInt64?
  /// The current segment is old: the next commit goes to another one, if there is room for it.
  var isToBeLeft = false
  /// The bytes behind the last frames of segments that were left uncut since the last commit.
  var unusedByteCount = 0
  /// The last segment could not be allotted in full length.
  var isShortOfRoom = false
  var isClosed = false
  /// Commits up to here need no frame that says they are on disk.
  var provenThrough: UInt64
  /// The segments in the folder, oldest first. The current one is the last.
  var extents: [SegmentExtent]
  /// The number of the first segment that an opening would need.
  private(set) var firstNeeded: UInt64
  /// The number of the first segment that stays: those before it are being removed.
  private(set) var firstKept: UInt64 = 0
  private var nextSequence: UInt64
  /// The last version of the checkpoint that is being made, and the bytes of the current segment that lead to it.
  private var rolled: (version: UInt64, sequence: UInt64, byteCount: Int) = (0, 0, 0)
  /// The bytes of a segment that the last checkpoint has.
  private var covered: (sequence: UInt64, byteCount: Int) = (0, 0)

  init(_ position: JournalPosition) {
    chain = position.chain
    runningChain = position.chain
    version = position.version
    provenThrough = position.version
    nextSequence = position.nextSequence
    extents = position.extents
    firstNeeded = position.firstNeeded
  }

  /// A number for a segment. One whose segment could not be allotted is not used again: its file may still be there.
  func takeSequence() -> UInt64 {
    defer { nextSequence += 1 }
    return nextSequence
  }

  /// Goes on in another segment.
  func enter(_ segment: Segment) {
    leaveUncut()
    self.segment = segment
    position = 0
    extents.append(
      SegmentExtent(
        sequence: segment.sequence, lastVersion: version, end: 0, allottedByteCount: segment.byteCount,
        mark: segment.salt.mark, previousChain: chain))
  }

  /// The current segment gets its header.
  func didBegin(at time: UInt64) { extents[extents.count - 1].beganAt = time }

  /// When the current segment was begun, if it was.
  var beganAt: UInt64? { position > 0 ? extents.last?.beganAt : nil }

  /// The current segment has become longer.
  func didAppend(byteCount: Int) {
    position += byteCount
    let last = extents.count - 1
    extents[last].byteCount += byteCount
    extents[last].end = position
    extents[last].allottedByteCount = max(extents[last].allottedByteCount, position)
  }

  /// The current segment has become longer by a frame that is no commit.
  func didAppendProof(byteCount: Int, chain: UInt32) {
    position += byteCount
    runningChain = chain
    let last = extents.count - 1
    extents[last].end = position
    extents[last].allottedByteCount = max(extents[last].allottedByteCount, position)
  }

  /// Whether nothing was added to a segment behind `position`.
  func isEnd(_ position: Int, of segment: Segment) -> Bool {
    extents.last { $0.sequence == segment.sequence }.map { $0.end == position } ?? true
  }

  /// Nothing more is written to the current segment, which stays as long as it is until the next checkpoint.
  func leaveUncut() {
    if let segment { unusedByteCount += segment.byteCount - min(position, segment.byteCount) }
    leave()
  }

  /// Nothing more is written to the current segment.
  func leave() {
    segment = nil
    position = 0
    isToBeLeft = false
  }

  /// The segments before this one are going to be removed.
  func keep(from sequence: UInt64) { firstKept = max(firstKept, sequence) }

  /// Bytes of commits that an opening would replay.
  var neededByteCount: Int {
    extents.reduce(0) { sum, extent in
      if extent.sequence < firstNeeded { return sum }
      return sum + extent.byteCount - (extent.sequence == covered.sequence ? covered.byteCount : 0)
    }
  }

  /// Notes how far the current segment goes, in the gate in which a checkpoint takes its version.
  func noteRoll() { rolled = (version, segment?.sequence ?? 0, segment == nil ? 0 : extents.last?.byteCount ?? 0) }

  /// The segments whose commits are all at or below `version` are not needed any more. The first that is.
  func drop(through version: UInt64) -> UInt64 {
    if rolled.version == version { covered = (rolled.sequence, rolled.byteCount) }
    var needed = segment?.sequence ?? preparedSequence ?? nextSequence
    for (index, extent) in extents.enumerated() where extent.sequence != segment?.sequence {
      let last = index + 1 < extents.count ? extents[index + 1].lastVersion : self.version
      if last > version {
        needed = extent.sequence
        break
      }
    }
    firstNeeded = max(firstNeeded, needed)
    return firstNeeded
  }
}
