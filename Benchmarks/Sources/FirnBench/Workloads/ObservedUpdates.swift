/// What all engines agree on in rows 14a and 14b.
enum ObservedUpdates {
  static let personCountMax = 30_000
  static let commitCount = 90_000

  /// Before the first update; in the result.
  static let startAge = 60
  /// One commit after the other for each person: stays in the result of age > 50, leaves it, comes back.
  static let ages = [70, 40, startAge]

  /// How often all persons go through all ages.
  static func cycleCount(personCount: Int) -> Int {
    max(1, commitCount / (personCount * ages.count))
  }

  /// Processor time that observing adds to each commit.
  ///
  /// - Parameter observe: starts observing, runs its argument, checks what was delivered, and stops.
  static func added(
    per commitCount: Int, _ commits: @escaping () throws -> Void, observing observe: (() throws -> Void) throws -> Void
  ) throws -> Sample {
    let without = try processorNanoseconds(per: commitCount, commits)
    var with = 0.0
    try observe { with = try processorNanoseconds(per: commitCount, commits) }
    return Sample(
      value: with - without,
      asides: [.init(label: "commit without observers", value: without, unit: .nanoseconds)]
    )
  }
}
