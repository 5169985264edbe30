import Synchronization

/// A task whose end the main loop can wait for.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ body: @escaping @Sendable () async throws -> Value) {
    let task = Task.detached { [self] in
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      MainLoop.wake()
    }
    self.task.withLock { $0 = task }
  }

  /// Nil while it runs.
  var result: Result<Value, any Error>? { outcome.withLock { $0 } }

  func cancel() {
    task.withLock { $0 }?.cancel()
  }
}
