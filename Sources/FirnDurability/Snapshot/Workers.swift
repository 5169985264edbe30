internal import FirnEngine
internal import Glibc

/// Threads for work that is handed out piece by piece.
enum Workers {
  /// Calls `body` on the calling thread and on `threadCount - 1` new ones, and returns when all calls have.
  ///
  /// `body` takes pieces of work until there are none left, so that it does not matter how many threads the system gives.
  /// Throws the first error.
  static func run(_ threadCount: Int, _ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Lock<(any Error)?>(nil)
    let work: @Sendable () -> Void = {
      do {
        try body()
      } catch {
        failure.withLock { if $0 == nil { $0 = error } }
      }
    }
    var threads: [pthread_t] = []
    for _ in 1..<max(1, threadCount) {
      let box = Unmanaged.passRetained(Box(work))
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
          return nil
        }, box.toOpaque())
      if code != 0 {
        box.release()
        break
      }
      threads.append(thread)
    }
    work()
    for thread in threads { pthread_join(thread, nil) }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private final class Box: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
}
