import Foundation
import Glibc

/// A thread that a test joins: what it did happened before what follows.
final class JoinedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body)
    if result != 0 { fatalError("No thread could be made.") }
  }

  func join() { pthread_join(thread, nil) }

  /// Runs all bodies at once, and waits for them.
  static func runAll(_ bodies: [@Sendable () -> Void]) {
    let threads = bodies.map { JoinedThread($0) }
    for thread in threads { thread.join() }
  }

  /// The same for one body.
  static func run(_ body: @escaping @Sendable () -> Void) { runAll([body]) }
}
