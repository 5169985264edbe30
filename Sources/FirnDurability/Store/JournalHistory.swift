/// Which segments are kept though opening does not need them, and which may be read: section 6 of the format page,
/// *Keeping the past*.
struct JournalHistory: Sendable {
  /// So many bytes are kept at least, as far as they are not too old.
  private let byteCount: Int
  /// Commits that are older are neither given out nor kept; nil for any age.
  private let age: UInt64?
  private let clock: StoreClock
  /// Segments that bear no time may be as young as that.
  private let openedAt: UInt64

  init(_ options: DurableStore.Options) {
    byteCount = options.historyByteCount
    age = options.historyByteCount > 0 ? options.historyNanoseconds : nil
    clock = options.clock
    openedAt = clock.nanosecondsSince1970()
  }

  /// How often age is looked after; nil where nothing has one.
  var agePeriod: UInt64? {
    age.map { max(1_000_000_000, min($0 / 64, 86_400_000_000_000)) }
  }

  /// Commits from before this time are too old; nil where none are.
  var oldestTime: UInt64? {
    age.map { age in
      let now = clock.nanosecondsSince1970()
      return now - min(now, age)
    }
  }

  /// When each segment was begun or, where that is not known, the next one.
  func times(_ extents: [SegmentExtent]) -> [UInt64] {
    let now = clock.nanosecondsSince1970()
    var next = min(openedAt, now)
    var times: [UInt64] = []
    for extent in extents.reversed() {
      // A time that is still to come is a mistake of the clock.
      if extent.beganAt > 0, extent.beganAt <= now { next = extent.beganAt }
      times.append(next)
    }
    return times.reversed()
  }

  /// The first segment whose commits may all be read; nil where there is none.
  func firstReadable(_ extents: [SegmentExtent]) -> SegmentExtent? {
    guard let oldestTime else { return extents.first }
    return zip(extents, times(extents)).first { $0.1 >= oldestTime }?.0
  }

  /// The number of the first segment to keep, of those before `needed`.
  func firstKept(_ extents: [SegmentExtent], needed: UInt64) -> UInt64 {
    var first = needed
    var sum = 0
    for extent in extents.reversed() where extent.sequence < needed {
      if sum >= byteCount { break }
      first = extent.sequence
      sum += min(extent.cutByteCount, extent.allottedByteCount)
    }
    if age == nil { return first }
    return max(first, min(needed, firstReadable(extents)?.sequence ?? needed))
  }
}
