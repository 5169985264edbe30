internal import FirnEngine

/// What is waiting to reach the disk, and who. Guarded by the journal's `flushing`.
///
/// At most one thread is the *leader*: it writes and synchronizes everything that is pending when it begins. Whoever
/// finds a leader waits; when it is done it wakes those it served and makes one of the others leader.
final class FlushSide {
  /// Bytes that are not written yet, and where they go.
  var pending = ByteWriter()
  var chunks: [PendingChunk] = []
  var pendingCommitCount = 0
  /// Segments that were written to without a sync, oldest first.
  var unsynchronized: [Segment] = []
  /// The last commit that is pending, written or durable.
  var appended: UInt64
  var durable: UInt64
  var isLeading = false
  /// Commits up to here are to be made durable though nobody waits.
  var wanted: UInt64 = 0
  var isTimerSet = false
  var isIdleTimerSet = false
  var waiters: [FlushWaiter] = []
  var failure: StoreError?
  var statistics = JournalStatistics()

  init(version: UInt64) {
    appended = version
    durable = version
  }

  func append(_ bytes: UnsafeRawBufferPointer, to segment: Segment, at offset: Int) {
    if let last = chunks.last, last.segment === segment {
      chunks[chunks.count - 1].byteCount += bytes.count
    } else {
      chunks.append(PendingChunk(segment: segment, offset: offset, start: pending.count, byteCount: bytes.count))
    }
    pending.append(bytes)
  }

  /// Takes out the waiters whose commits are durable.
  func takeServed() -> [FlushWaiter] {
    let served = waiters.filter { $0.version <= durable }
    if !served.isEmpty { waiters.removeAll { $0.version <= durable } }
    return served
  }
}

/// Bytes of one segment, in order.
struct PendingChunk {
  let segment: Segment
  let offset: Int
  /// Where they are in the pending buffer.
  let start: Int
  var byteCount: Int
}

/// A thread that waits for a commit to be durable.
final class FlushWaiter: Sendable {
  let version: UInt64
  /// The thread is in the writer's gate: it must not lead, and must be woken before anybody who may want the gate.
  let isInGate: Bool
  private let semaphore = Semaphore()
  private let outcome = Lock(FlushOutcome.durable)

  init(version: UInt64, isInGate: Bool) {
    self.version = version
    self.isInGate = isInGate
  }

  func wake(_ outcome: FlushOutcome) {
    self.outcome.withLock { $0 = outcome }
    semaphore.signal()
  }

  func wait() -> FlushOutcome {
    semaphore.wait()
    return outcome.withLock { $0 }
  }
}

enum FlushOutcome: Sendable {
  case durable
  case lost(StoreError)
  /// The waiter has become leader.
  case lead
}
