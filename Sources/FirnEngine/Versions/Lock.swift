public import Synchronization

/// A mutual exclusion lock around the state it guards.
///
/// The shadow word costs a fraction of a nanosecond and is there for ThreadSanitizer, which does not see the futex
/// behind `Mutex` on Linux and would report every guarded access as a race.
@usableFromInline
package final class Lock<State: ~Copyable>: Sendable {
  @usableFromInline let mutex: Mutex<State>
  @usableFromInline let shadow = Atomic<Int>(0)

  package init(_ state: consuming sending State) {
    mutex = Mutex(state)
  }

  @inlinable @inline(__always)
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (state) throws(Failure) -> sending Result in
      _ = shadow.load(ordering: .acquiring)
      defer { shadow.store(1, ordering: .releasing) }
      return try body(&state)
    }
  }
}
