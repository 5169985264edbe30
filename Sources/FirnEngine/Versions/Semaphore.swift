internal import Glibc

/// Blocks a thread until it is signalled once.
package final class Semaphore: @unchecked Sendable {
  // The POSIX semaphore is thread-safe by itself; its address must not change, hence the allocation.
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func signal() { sem_post(semaphore) }

  package func wait() {
    while sem_wait(semaphore) != 0 {}
  }

  /// False when it was not signalled in that time, by the clock of the system, which may be set meanwhile.
  package func wait(secondCount: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += secondCount
    while sem_timedwait(semaphore, &end) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    return true
  }
}
