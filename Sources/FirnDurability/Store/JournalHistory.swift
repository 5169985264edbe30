/// Which segments that opening does not need any more are kept.
struct JournalHistory {
  /// What lay between two checkpoints.
  private struct Span {
    /// The sequence number of its first segment.
    var start: UInt64
    var byteCount: Int
    /// When it became superfluous.
    var end: UInt64
  }

  private var spans: [Span] = []
  /// The first segment of the next span.
  private var start: UInt64

  /// - Parameter start: The oldest segment there is.
  init(start: UInt64) { self.start = start }

  /// A checkpoint has made the segments before `needed` superfluous. The first segment to keep.
  mutating func advance(
    to needed: UInt64, byteCount: Int, now: UInt64, keeping options: DurableStore.Options
  ) -> UInt64 {
    if needed > start { spans.append(Span(start: start, byteCount: byteCount, end: now)) }
    start = max(start, needed)
    var sum = 0
    var kept = spans.count
    while kept > 0 {
      let span = spans[kept - 1]
      sum += span.byteCount
      // How long the segments of earlier processes are is not known: nothing is kept of them unless something is to be kept.
      if options.historyByteCount == 0 || sum > options.historyByteCount { break }
      if let age = options.historyNanoseconds, now - span.end > age { break }
      kept -= 1
    }
    spans.removeFirst(kept)
    return spans.first?.start ?? needed
  }
}
