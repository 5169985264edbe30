import Foundation

/// Runs a block on a thread of its own and waits for it. Test bodies are tasks, which share threads.
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
  var result: Swift.Result<Result, any Error>?
  let done = DispatchSemaphore(value: 0)
}

/// Carries a value to another thread where the test knows that this is fine.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
