import Dispatch
import Foundation

/// The loop of the main thread, on which observers are called, keys arrive and the screen is drawn.
@MainActor
enum MainLoop {
  /// Serves the main queue until the condition holds; false if the time is over before. The condition is looked at
  /// whenever something was served: see ``wake()``.
  static func serve(until end: Date = .distantFuture, _ isDone: () -> Bool) -> Bool {
    while !isDone() {
      let now = Date()
      guard now < end else { return false }
      _ = RunLoop.main.run(mode: .default, before: min(end, now.addingTimeInterval(1)))
    }
    return true
  }

  /// Runs asynchronous work to its end, while the main queue is served.
  static func result<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let work = BackgroundWork(body)
    _ = serve { work.result != nil }
    guard let result = work.result else { fatalError("served without an end, and there is no result") }
    return try result.get()
  }

  /// Lets the condition that the loop runs for be looked at.
  nonisolated static func wake() {
    DispatchQueue.main.async {}
  }
}
