import Foundation
import Synchronization

/// Runs an asynchronous function for synchronous code. Blocks the thread, so `body` must not need the main actor.
func waitFor<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let answer = Answer<Value>()
  Task.detached {
    do {
      answer.set(.success(try await body()))
    } catch {
      answer.set(.failure(error))
    }
  }
  return try answer.wait().get()
}

private final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ newResult: Result<Value, any Error>) {
    result.withLock { $0 = newResult }
    isThere.signal()
  }

  func wait() -> Result<Value, any Error> {
    isThere.wait()
    guard let result = result.withLock({ $0 }) else { fatalError("signalled without a result") }
    return result
  }
}
