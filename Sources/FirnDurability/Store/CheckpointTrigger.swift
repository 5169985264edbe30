internal import Dispatch
internal import FirnEngine
internal import Synchronization

/// Starts checkpoints in the background when they are due.
///
/// State                guarded by
/// journalByteCount     atomic
/// isScheduled          atomic
/// state                its lock
final class CheckpointTrigger: Sendable {
  private let byteCountMax: Int
  private let interval: UInt64?
  private let log: @Sendable (String) -> Void
  /// Bytes that the journal took on disk since the last checkpoint began.
  private let journalByteCount = Atomic<Int>(0)
  private let isScheduled = Atomic<Bool>(false)
  private let state = Guarded(State())
  /// Decides when one is due. The checkpoints themselves are made elsewhere.
  private let queue = DispatchQueue(label: "firn.checkpoint", qos: .utility)

  private struct State {
    weak var store: DurableStore?
    var timers: [any DispatchSourceTimer] = []
    var byteCount = 0
    var expandedByteCount = 0
    var record: CheckpointRecord?
    var failureCount = 0
    var failure: StoreError?
  }

  struct LastState {
    var record: CheckpointRecord?
    var byteCount: Int
    var expandedByteCount: Int
    var failureCount: Int
    var failure: StoreError?
  }

  init(_ options: DurableStore.Options, log: @escaping @Sendable (String) -> Void) {
    byteCountMax = max(1, options.checkpointByteCount)
    interval = options.checkpointNanoseconds
    self.log = log
  }

  func start(_ store: DurableStore, journalByteCount: Int) {
    let (byteCount, expandedByteCount) = store.checkpoints.withLock {
      ($0.baseByteCount + $0.deltaByteCount, $0.expandedByteCount)
    }
    state.withLock { state in
      state.store = store
      state.byteCount = byteCount
      state.expandedByteCount = expandedByteCount
      if let interval, interval > 0 {
        state.timers.append(
          timer(each: interval) { trigger in
            if trigger.journalByteCount.load(ordering: .relaxed) > 0 { trigger.schedule() }
          })
      }
      if let period = store.history.agePeriod {
        state.timers.append(timer(each: period) { $0.lookAfterAge(isOpening: false) })
      }
    }
    journalDidGrow(by: journalByteCount)
    if store.history.agePeriod != nil { lookAfterAge(isOpening: true) }
  }

  private func timer(
    each interval: UInt64, _ body: @escaping @Sendable (CheckpointTrigger) -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let step = DispatchTimeInterval.nanoseconds(Int(clamping: min(interval, 1 << 60)))
    timer.schedule(deadline: .now() + step, repeating: step, leeway: .seconds(1))
    timer.setEventHandler { [weak self] in if let self { body(self) } }
    timer.activate()
    return timer
  }

  /// Called by the writer after each commit, and with what earlier processes left.
  func journalDidGrow(by byteCount: Int) {
    let sum = journalByteCount.wrappingAdd(byteCount, ordering: .relaxed).newValue
    if sum >= byteCountMax { schedule() }
  }

  /// Has one checkpoint made, however often this is called before it is over.
  private func schedule() {
    if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.async { [self] in run() }
  }

  /// Returns once what was due is over.
  func settle() {
    queue.sync {}
    guard let store = state.withLock({ $0.store }) else { return }
    let isIdle = Semaphore()
    store.line.whenIdle { isIdle.signal() }
    isIdle.wait()
  }

  private func run() {
    guard let store = state.withLock({ $0.store }) else { return isScheduled.store(false, ordering: .releasing) }
    store.line.ask(store) { [self] outcome in
      isScheduled.store(false, ordering: .releasing)
      guard case .failure(let error) = outcome else {
        // The commits made meanwhile may be enough for another one, and there may be no later commit to ask for it.
        return journalDidGrow(by: 0)
      }
      if let error = error as? StoreError, error.code == .storeClosed { return }
      log("A checkpoint failed, the journal is kept: \(error)")
    }
  }

  private func lookAfterAge(isOpening: Bool) {
    guard let store = state.withLock({ $0.store }) else { return }
    store.line.keepUp(store) { [self] in
      do {
        try store.lookAfterAge(isOpening: isOpening)
      } catch {
        if let error = error as? StoreError, error.code == .storeClosed { return }
        log("Old history could not be given up, it is tried again: \(error)")
      }
    }
  }

  /// A checkpoint begins: what is appended from now on counts for the next one. Returns the bytes
  /// that counted for this one.
  func didStart() -> Int { journalByteCount.exchange(0, ordering: .relaxed) }

  func didFinish(_ record: CheckpointRecord, byteCount: Int) {
    state.withLock { state in
      state.expandedByteCount = record.expandedByteCount
      if record.byteCount > 0 { state.record = record }
      state.byteCount = byteCount
      state.failure = nil
    }
  }

  /// - Parameter byteCount: The bytes that counted for the checkpoint. If there were any, one stays counted, so that
  ///   the interval tries again. The limit starts anew: the journal has to grow by as much once more.
  func didFail(_ error: StoreError, _ byteCount: Int) {
    if byteCount > 0 { journalByteCount.add(1, ordering: .relaxed) }
    state.withLock { state in
      state.failureCount += 1
      state.failure = error
    }
  }

  /// Starts no more checkpoints; one that runs goes on.
  func stop() {
    let timers = state.withLock { state in
      defer {
        state.timers = []
        state.store = nil
      }
      return state.timers
    }
    for timer in timers { timer.cancel() }
  }

  /// The last checkpoint, the bytes of base and deltas, what they take in memory, and what went wrong.
  var lastState: LastState {
    state.withLock {
      LastState(
        record: $0.record, byteCount: $0.byteCount, expandedByteCount: $0.expandedByteCount,
        failureCount: $0.failureCount, failure: $0.failure)
    }
  }
}
