extension Workload {
  static var withoutHistory: String { "the commit without history" }

  /// What history adds to commits, and Observation to reads.
  static var tracking: [Workload] {
    [
      Workload(
        row: "24", variant: "durable", "one durable commit with history, updates one property",
        target: .asideRatioAtMost(1.15, withoutHistory), sizes: [100_000],
        firn: FirnTrials.durableCommitWithHistory),
      Workload(
        row: "24", variant: "journal", "the same with journal, no fsync",
        target: .asideRatioAtMost(1.15, withoutHistory), sizes: [100_000],
        firn: FirnTrials.journalledCommitWithHistory),
      Workload(
        row: "25", variant: "read", "read an Int property in a realm that takes part in Observation, time added",
        target: .figureAtMost(25), sizes: [100_000], firn: FirnTrials.readTracked),
      Workload(
        row: "25", variant: "scope", "read an Int property again inside of withObservationTracking",
        target: .none, sizes: [100_000], remark: "plain Swift reads one of an `@Observable` class.",
        firn: FirnTrials.readInScope, plain: PlainTrials.readInScope),
      Workload(
        row: "25", variant: "look-up", "primary key look-up and read of an Int in such a realm, random, time added",
        target: .figureAtMost(25), sizes: [100_000], firn: FirnTrials.lookUpTracked),
    ]
  }
}
