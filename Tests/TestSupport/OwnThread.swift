internal import Foundation

/// Runs a block on a thread of its own and waits for it. Test bodies are tasks, which share threads. What fails on the
/// thread is reported by the caller.
///
/// - Parameter stackByteCount: How large the thread's stack is; those of tasks have half a megabyte.
@discardableResult
package func onOwnThread<Result: Sendable>(
  stackByteCount: Int = 8 << 20, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  let outcome = Outcome<Result>()
  let issues = ThreadIssues()
  let thread = Thread {
    issues.collect { outcome.result = Swift.Result { try body() } }
    outcome.done.signal()
  }
  thread.stackSize = stackByteCount
  thread.start()
  outcome.done.wait()
  issues.handOver()
  return try outcome.result.unsafelyUnwrapped.get()
}

private final class Outcome<Result>: @unchecked Sendable {
  // State   guarded by
  // result  written by the thread before it signals, read by the one who waited
  var result: Swift.Result<Result, any Error>?
  let done = DispatchSemaphore(value: 0)
}

/// Carries a value to another thread where the test knows that this is fine.
package struct Unchecked<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
