internal import CFirn

/// Hands the role of the writer from task to task on one thread: that of a writer that has left, and runs those who come
/// next. Belongs to the thread that made it.
package final class GateRelay: @unchecked Sendable {
  typealias Action = GateQueue<any GateWaiter>.Action

  // State          guarded by
  // thread         immutable
  // everything else belongs to the thread
  private let thread = firn_thread_pointer()
  private var remainingCount = 16
  private var isOver = false
  private var next: Action?

  /// Whether the caller is being run by the thread that made the relay. Anybody may ask.
  package var isRunningHere: Bool { thread == firn_thread_pointer() && !isOver }

  /// Whether one more may be run. The writer that has left has a life of its own, so that is bounded.
  func takeRun() -> Bool {
    remainingCount -= 1
    return remainingCount >= 0
  }

  /// Leaves to the thread what follows the task that it runs.
  func hand(_ action: Action) { next = action }

  /// What the task has left to do; nil if it did not run here.
  func takeNext() -> Action? {
    defer { next = nil }
    return next
  }

  func end() { isOver = true }
}
