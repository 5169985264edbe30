import Foundation

/// Nanoseconds of wall time per operation.
func nanoseconds(per operationCount: Int, _ body: () throws -> Void) rethrows -> Double {
  let duration = try ContinuousClock().measure(body)
  return duration / .nanoseconds(1) / Double(operationCount)
}

/// A pass that consists of one timed loop.
func sample(per operationCount: Int, _ body: () throws -> Void) rethrows -> Sample {
  Sample(value: try nanoseconds(per: operationCount, body))
}

/// Nanoseconds of processor time per operation, of all threads of the process.
func processorNanoseconds(per operationCount: Int, _ body: () throws -> Void) rethrows -> Double {
  let start = processorNanoseconds()
  try body()
  return (processorNanoseconds() - start) / Double(operationCount)
}

private func processorNanoseconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
  let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
  return Double(seconds) * 1e9 + Double(microseconds) * 1e3
}
