internal import CFirn
internal import FirnEngine
internal import Glibc

/// Threads of Firn's own for work that blocks, such as reading and writing files: those of a shared pool are needed by
/// tasks and queues of the application.
///
///     let record = try await WorkThreads.files.run { try store.checkpoint() }
///
/// At most ``threadCountMax`` pieces of work run at a time, in order of arrival. Whoever comes when that many run waits
/// without a thread: ``run(_:)`` suspends the caller, ``submit(_:orRefuse:)`` returns at once. Threads are made when
/// they are needed and end when nothing is left to do.
///
/// Two rules keep work from waiting for ever, and one keeps threads few:
///
/// - Work must not wait for other work of the same threads. Whoever wants the same as somebody else suspends before the
///   work is handed in: see ``CheckpointLine``, and `OpenStores`.
/// - Work that waits for the application (for a write transaction that is open, or a block of the user to return) does
///   so inside ``lending(_:)``. Such a thread does not count meanwhile, so others go on however long it takes: what the
///   application does until then may need them.
/// - At most one piece of work per store or file may wait for the application. So there are never more threads than
///   `threadCountMax` and as many as there are stores.
///
/// Long work that many ask for gets an instance of its own, so that it delays nothing else.
///
/// State        guarded by
/// state        its lock, which is never held while work runs
package final class WorkThreads: Sendable {
  /// For openings, checkpoints, copies, and closing.
  package static let files = WorkThreads(threadCountMax: max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  package let threadCountMax: Int
  private let state = Lock(State())

  private struct Work: Sendable {
    let run: @Sendable () -> Void
    let refuse: @Sendable (StoreError) -> Void
  }

  private struct State {
    var waiting = GateLine<Work>()
    var lastNumber: UInt64 = 0
    var counts = Counts()
  }

  /// How many threads and pieces of work there are.
  package struct Counts: Equatable, Sendable {
    /// Threads that count.
    package var busy = 0
    /// Threads that wait for the application.
    package var lent = 0
    /// Pieces of work without a thread.
    package var waiting = 0

    package init(busy: Int = 0, lent: Int = 0, waiting: Int = 0) {
      (self.busy, self.lent, self.waiting) = (busy, lent, waiting)
    }
  }

  package init(threadCountMax: Int) { self.threadCountMax = max(1, threadCountMax) }

  /// The counts at this moment.
  package var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      counts.waiting = state.waiting.count
      return counts
    }
  }

  // MARK: Handing work in

  /// Runs `body` on one of the threads, and suspends until it has returned.
  ///
  /// - Throws: What `body` throws; `StoreError` when the system gives no thread.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await run(body) { throw $0 }
  }

  /// Runs `body` like ``run(_:)``, but on the caller's thread when the system gives none. It is for work that must not
  /// be left out.
  package func runWithoutFail<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await run(body) { _ in try body() }
  }

  private func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result, orRefuse refuse: (StoreError) throws -> Result
  ) async throws -> Result {
    let errand = Errand(body)
    let refusal = await withCheckedContinuation { (continuation: CheckedContinuation<StoreError?, Never>) in
      submit {
        errand.run()
        continuation.resume(returning: nil)
      } orRefuse: {
        continuation.resume(returning: $0)
      }
    }
    if let refusal { return try refuse(refusal) }
    return try errand.take()
  }

  /// Runs `work` on one of the threads later, and returns at once.
  ///
  /// - Parameter refuse: Called instead, on some thread, when the system gives no thread.
  package func submit(
    _ work: @escaping @Sendable () -> Void, orRefuse refuse: @escaping @Sendable (StoreError) -> Void
  ) {
    let needsThread = state.withLock { state in
      state.lastNumber += 1
      state.waiting.append(Work(run: work, refuse: refuse), state.lastNumber)
      return takePlace(&state)
    }
    if needsThread { startThread() }
  }

  /// Runs `body`, which waits for the application, and has somebody else work meanwhile. On a thread that is none of
  /// these it does nothing but call it.
  package static func lending<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let worker = Worker.current, !worker.isLent else { return try body() }
    worker.isLent = true
    worker.threads.lend()
    defer {
      worker.threads.takeBack()
      worker.isLent = false
    }
    return try body()
  }

  private func lend() {
    let needsThread = state.withLock { state in
      state.counts.busy -= 1
      state.counts.lent += 1
      return takePlace(&state)
    }
    if needsThread { startThread() }
  }

  /// Never waits, since others may wait for what this thread has: for a moment there may be one more than the maximum.
  private func takeBack() {
    state.withLock { state in
      state.counts.busy += 1
      state.counts.lent -= 1
    }
  }

  /// Takes a place for another thread, if somebody waits and there is one.
  private func takePlace(_ state: inout State) -> Bool {
    if state.waiting.count == 0 || state.counts.busy >= threadCountMax { return false }
    state.counts.busy += 1
    return true
  }

  // MARK: Threads

  private func startThread() {
    var thread = pthread_t()
    let worker = Unmanaged.passRetained(Worker(self))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Worker.become(Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue())
        return nil
      }, worker.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      worker.release()
      didNotStart(code)
    }
  }

  /// Refuses what waits, if there is nobody who would come to it.
  private func didNotStart(_ code: Int32) {
    let stranded = state.withLock { state in
      state.counts.busy -= 1
      var stranded: [Work] = []
      while state.counts.busy == 0, let (number, work) = state.waiting.first {
        stranded.append(work)
        state.waiting.remove(number)
      }
      return stranded
    }
    let error = StoreError(
      .fail,
      "The system gives no thread for work on files (\(String(cString: strerror(code)))). Raise the limit on threads of "
        + "the process or its user.")
    for work in stranded { work.refuse(error) }
  }

  /// The next piece of work for a thread; nil when it is to end.
  private func next() -> Work? {
    state.withLock { state in
      guard state.counts.busy <= threadCountMax, let (number, work) = state.waiting.first else {
        state.counts.busy -= 1
        return nil
      }
      state.waiting.remove(number)
      return work
    }
  }

  /// The state of one of the threads, which alone uses it.
  private final class Worker {
    let threads: WorkThreads
    var isLent = false

    init(_ threads: WorkThreads) { self.threads = threads }

    /// The key by which a thread finds its worker, which its `become` keeps.
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      if pthread_key_create(&key, nil) != 0 { fatalError("The process has no thread-specific data left.") }
      return key
    }()

    static var current: Worker? {
      pthread_getspecific(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
    }

    static func become(_ worker: Worker) {
      firn_name_thread("firn-work")
      pthread_setspecific(key, Unmanaged.passUnretained(worker).toOpaque())
      withExtendedLifetime(worker) {
        while let work = worker.threads.next() { work.run() }
      }
      pthread_setspecific(key, nil)
    }
  }
}
