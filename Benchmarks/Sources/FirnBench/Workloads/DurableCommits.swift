import Foundation

/// What all engines agree on in rows 3 and 3g.
enum DurableCommits {
  static let countPerPass = 400
  /// The limit is measured in between, after as many commits each time.
  static let countPerTurn = 50
  static let limitLabel = "the write"

  static let writerCount = 16
  static let duration = Duration.milliseconds(500)
  static let oneWriterLabel = "one writer"

  /// Commits per second of threads that commit side by side; `makeTurn` gets the number of the thread and runs on it.
  static func rate(
    writerCount: Int, _ makeTurn: @escaping @Sendable (Int) throws -> BusyThread.Turn
  ) throws -> Double {
    let writers = (0..<writerCount).map { number in BusyThread { try makeTurn(number) } }
    for writer in writers { writer.start() }
    Thread.sleep(forTimeInterval: duration / .seconds(1))
    return try writers.reduce(0) { try $0 + $1.stop() }
  }
}
