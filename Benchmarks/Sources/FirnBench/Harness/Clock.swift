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
  getrusage(RUSAGE_SELF, &usage)
  return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e9 + Double($1.tv_usec) * 1e3 }
}
