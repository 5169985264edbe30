import Foundation
import Synchronization
import Testing

/// What blocks on other threads told, and a way to wait for it.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])
  private let added = DispatchSemaphore(value: 0)

  var all: [String] { entries.withLock { $0 } }

  func add(_ entry: String) {
    entries.withLock { $0.append(entry) }
    added.signal()
  }

  /// Waits until there are so many entries.
  func wait(for count: Int, _ place: SourceLocation = #_sourceLocation) {
    while all.count < count {
      if added.wait(timeout: .now() + 60) == .timedOut {
        Issue.record("only \(all) came", sourceLocation: place)
        return
      }
    }
  }
}
