internal import Glibc

/// A thread that a test joins: what it did happened before what follows, and what failed on it is reported by the joiner.
package final class JoinedThread: @unchecked Sendable {
  // State   guarded by
  // thread  written by init before the thread object is known, read by the one who joins
  private var thread = pthread_t()
  private let issues = ThreadIssues()

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  package init(_ run: @escaping @Sendable () -> Void) {
    let issues = issues
    let body = Unmanaged.passRetained(Body { issues.collect(run) }).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body)
    if result != 0 { fatalError("No thread could be made.") }
  }

  package func join() {
    pthread_join(thread, nil)
    issues.handOver()
  }

  /// Runs all bodies at once, and waits for them.
  package static func runAll(_ bodies: [@Sendable () -> Void]) {
    let threads = bodies.map { JoinedThread($0) }
    for thread in threads { thread.join() }
  }

  /// The same for one body.
  package static func run(_ body: @escaping @Sendable () -> Void) { runAll([body]) }
}
