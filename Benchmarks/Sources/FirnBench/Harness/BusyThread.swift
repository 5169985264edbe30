import Foundation
import Synchronization

/// A thread that does one thing without pause.
///
/// State       guarded by              written by    read by
/// isStopped   atomic                  stop          the thread, after every turn
/// outcome     the semaphore `ended`   the thread    stop
final class BusyThread: Sendable {
  /// One turn; gets its number.
  typealias Turn = (Int) throws -> Void

  private let setUp: @Sendable () throws -> Turn
  private let isStopped = Atomic(false)
  private let began = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Result<Double, any Error>>(.success(0))

  /// - Parameter setUp: runs on the thread once and returns what it repeats.
  init(_ setUp: @escaping @Sendable () throws -> Turn) {
    self.setUp = setUp
  }

  /// Returns when the turns have begun.
  func start() {
    let thread = Thread { [self] in
      let result = Result { try run() }
      outcome.withLock { $0 = result }
      ended.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    began.wait()
  }

  /// Ends the thread and returns how many turns it did per second.
  func stop() throws -> Double {
    isStopped.store(true, ordering: .relaxed)
    ended.wait()
    return try outcome.withLock { try $0.get() }
  }

  private func run() throws -> Double {
    let turn: Turn
    do {
      turn = try setUp()
      try turn(0)
    } catch {
      began.signal()
      throw error
    }
    began.signal()
    var turnCount = 0
    let duration = try ContinuousClock().measure {
      while !isStopped.load(ordering: .relaxed) {
        turnCount += 1
        try turn(turnCount)
      }
    }
    return Double(turnCount) / (duration / .seconds(1))
  }
}
