import Foundation

/// Runs a body on a thread of its own, where realms belong to the thread, and throws what it throws.
func onOwnThread(_ body: @escaping @Sendable () throws -> Void) throws {
  final class Outcome: @unchecked Sendable {
    // Written by the thread, read after it has signalled.
    var error: (any Error)?
  }
  let outcome = Outcome()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { try body() } catch { outcome.error = error }
    done.signal()
  }
  thread.stackSize = 4 << 20
  thread.start()
  done.wait()
  if let error = outcome.error { throw error }
}
