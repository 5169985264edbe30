import Foundation

/// Runs a body on a thread of its own, where realms belong to the thread, and returns or throws what it does.
@discardableResult
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let outcome = Outcome<Result>()
  let thread = Thread {
    outcome.result = Swift.Result { try body() }
    outcome.done.signal()
  }
  thread.stackSize = 8 << 20
  thread.start()
  outcome.done.wait()
  return try outcome.result.unsafelyUnwrapped.get()
}

private final class Outcome<Result>: @unchecked Sendable {
  // Written by the thread, read after it has signalled.
  var result: Swift.Result<Result, any Error>?
  let done = DispatchSemaphore(value: 0)
}
