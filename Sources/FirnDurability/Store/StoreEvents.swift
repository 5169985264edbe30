internal import FirnEngine
internal import Synchronization

/// A message of a store about its work, for a log.
package enum StoreEvent: Sendable {
  /// An opening has come so far in a step that takes long.
  case opening(OpeningStep, percent: Int)
  case checkpoint(CheckpointRecord)
}

/// The parts of an opening that grow with the store.
package enum OpeningStep: String, Sendable {
  case readingBase = "reading the snapshot"
  case readingDeltas = "reading what checkpoints have added"
  case replayingJournal = "replaying the journal"
  case buildingIndexes = "building indexes"
}

/// Tells how far an opening has come, not more often than every two seconds.
///
/// State        guarded by
/// doneCount    atomic
/// state        its lock
final class OpeningProgress: Sendable {
  private let tell: @Sendable (StoreEvent) -> Void
  private let doneCount = Atomic<Int>(0)
  /// The amount of work after which the clock is looked at again.
  private let nextCount = Atomic<Int>(.max)
  private let state: Lock<State>

  private struct State {
    var step = OpeningStep.readingBase
    var total = 1
    var lastTold: UInt64
  }

  private static let period: UInt64 = 2_000_000_000

  private let clock: @Sendable () -> UInt64

  init(
    _ options: DurableStore.Options, clock: @escaping @Sendable () -> UInt64 = { StoreClock.nanoseconds }
  ) {
    tell = options.tell
    self.clock = clock
    state = Lock(State(lastTold: clock()))
  }

  /// - Parameter total: How much there is to do, in a unit of the step's own.
  func begin(_ step: OpeningStep, total: Int) {
    state.withLock { state in
      state.step = step
      state.total = max(1, total)
      doneCount.store(0, ordering: .relaxed)
      nextCount.store(max(1, total / 100), ordering: .relaxed)
    }
    look()
  }

  /// Any thread.
  func advance(by count: Int) {
    let done = doneCount.wrappingAdd(count, ordering: .relaxed).newValue
    if done >= nextCount.load(ordering: .relaxed) { look() }
  }

  private func look() {
    let now = clock()
    let event: StoreEvent? = state.withLock { state in
      let done = doneCount.load(ordering: .relaxed)
      nextCount.store(done + max(1, state.total / 100), ordering: .relaxed)
      if now - state.lastTold < Self.period { return nil }
      state.lastTold = now
      return .opening(state.step, percent: min(100, Int(Double(done) / Double(state.total) * 100)))
    }
    if let event { tell(event) }
  }
}
