public import Glibc

/// A mutual exclusion lock around state that is not `Sendable`, such as references that stay inside.
///
/// Unlike ``Lock`` the compiler does not check that nothing leaks out: the caller answers for it.
@usableFromInline
package final class Guarded<State>: @unchecked Sendable {
  // State            guarded by
  // state            mutex
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @exclusivity(unchecked) @usableFromInline var state: State

  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable @inline(__always)
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// The same if nobody has the lock; else nil.
  package func withLockIfFree<Result>(_ body: (inout State) throws -> Result) rethrows -> Result? {
    if pthread_mutex_trylock(mutex) != 0 { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
