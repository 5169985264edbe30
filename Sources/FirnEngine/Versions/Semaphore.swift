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
}
