import Foundation
import Synchronization

/// Runs one pass on a thread that did nothing before.
final class OtherThread: Sendable {
  private let body: @Sendable () throws -> Sample
  private let ended = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Result<Sample, any Error>?>(nil)

  init(_ body: @escaping @Sendable () throws -> Sample) {
    self.body = body
  }

  /// Returns when `body` has.
  func run() throws -> Sample {
    let thread = Thread { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
      ended.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    ended.wait()
    guard let result = outcome.withLock({ $0 }) else { fatalError("the thread ended without a result") }
    return try result.get()
  }
}
