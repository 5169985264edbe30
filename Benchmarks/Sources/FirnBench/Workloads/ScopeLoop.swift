import Observation

/// What all engines agree on in row 25, inside of a scope of Observation.
enum ScopeLoop {
  private static let turnCount = 100_000

  /// Reads a property that the scope has read before.
  static func sample(_ read: () -> Int) -> Sample {
    var time = 0.0
    withObservationTracking {
      var sum = read()
      time = nanoseconds(per: turnCount) {
        for _ in 0..<turnCount { sum &+= read() }
      }
      blackHole(sum)
    } onChange: {
    }
    return Sample(value: time)
  }
}
