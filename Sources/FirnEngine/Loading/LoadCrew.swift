internal import Glibc
internal import Synchronization

/// A part of the work of completing a graph, independent of the others.
struct LoadTask {
  /// Relative to other tasks.
  let cost: Int
  let body: (BlockStore) throws -> Void
}

/// Threads that work off a list of tasks.
///
/// State        guarded by
/// next         atomic
/// failures     its lock
/// tasks        immutable; each is run by the one thread that drew it
final class LoadCrew: @unchecked Sendable {
  private let tasks: [LoadTask]
  private let next = Atomic<Int>(0)
  private let failures = Guarded([(task: Int, error: any Error)]())

  init(tasks: [LoadTask]) { self.tasks = tasks }

  /// Runs all tasks, one thread per store, the first in the caller's thread. Returns when no task runs any more; throws
  /// what the first task in the list threw that failed. After a failure no more tasks are started.
  func run(with stores: [BlockStore]) throws {
    var threads: [pthread_t] = []
    for store in stores.dropFirst() {
      var thread = pthread_t()
      let work = Unmanaged.passRetained(CrewMember(crew: self, store: store))
      let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let member = Unmanaged<CrewMember>.fromOpaque(argument).takeRetainedValue()
        member.crew.work(with: member.store)
        return nil
      }
      let result = pthread_create(&thread, nil, main, work.toOpaque())
      if result == 0 { threads.append(thread) } else { work.release() }
    }
    work(with: stores[0])
    for thread in threads { pthread_join(thread, nil) }
    let failure = failures.withLock { $0.min { $0.task < $1.task } }
    if let failure { throw failure.error }
  }

  fileprivate func work(with store: BlockStore) {
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      if index >= tasks.count { return }
      do {
        try tasks[index].body(store)
      } catch {
        failures.withLock { $0.append((index, error)) }
        next.store(tasks.count, ordering: .relaxed)
      }
    }
  }
}

/// What a new thread is given.
private final class CrewMember {
  let crew: LoadCrew
  let store: BlockStore

  init(crew: LoadCrew, store: BlockStore) {
    self.crew = crew
    self.store = store
  }
}
