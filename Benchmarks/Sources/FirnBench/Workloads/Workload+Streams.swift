extension Workload {
  /// What subscribers of one sequence of changes cost.
  static var streams: [Workload] {
    [
      Workload(
        row: "23", variant: "behind",
        "1,000 subscribers of the changes of one query that do not ask again, one update per commit, process CPU added "
          + "per commit and subscriber",
        target: .figureAtMost(1_000), sizes: [100_000], firn: FirnTrials.streamToThoseBehind),
      Workload(
        row: "23", variant: "waiting",
        "1,000 subscribers of the changes of one query that wait, one update per commit, each delivered to all, process "
          + "CPU added per commit and subscriber",
        target: .none, sizes: [100_000], firn: FirnTrials.streamToThoseWaiting),
      Workload(
        row: "23", variant: "unaffected",
        "1,000 subscribers of the changes of one query that wait, one update per commit of something else, process CPU "
          + "added per commit",
        target: .none, sizes: [100_000], firn: FirnTrials.streamToThoseUnaffected),
      Workload(
        row: "23", variant: "memory", "bytes that each of 1,000 waiting subscribers of the changes of one query holds",
        unit: .bytes, target: .none, sizes: [100_000], remark: "what malloc gave, with the task.",
        firn: FirnTrials.memoryOfSubscribers),
      Workload(
        row: "23", variant: "resumed",
        "a subscriber of one query resumes after 10,000 commits of an update each, from the journal, per commit",
        target: .none, sizes: [100_000], firn: FirnTrials.resume),
    ]
  }
}
