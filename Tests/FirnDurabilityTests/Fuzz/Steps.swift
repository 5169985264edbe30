import StepCounter

enum Steps {
  /// Whether the build counts them.
  static var areCounted: Bool { step_counter_is_on() }

  /// How many `body` makes in this thread.
  static func count(_ body: () throws -> Void) rethrows -> Int {
    let before = step_counter_count()
    try body()
    return Int(step_counter_count() - before)
  }
}
