extension Workload {
  /// What live queries cost besides rows 14a, 14b and 14d to 14h.
  static var liveQueries: [Workload] {
    [
      Workload(
        row: "14c",
        "100,000 distinct observed queries (city == x), one update per commit, every commit delivered, "
          + "process CPU added per commit",
        target: .figureAtMost(50_000), sizeMaxForGRDB: 100_000,
        remark: "each update moves a person to another city and so concerns two observers.",
        firn: FirnTrials.observeVeryManyQueries, plain: PlainTrials.observeVeryManyQueries,
        grdb: GRDBTrials.observeVeryManyQueries),
      Workload(
        row: "14c", variant: "memory", "bytes that each of 100,000 distinct observed queries with one row holds",
        unit: .bytes, target: .figureAtMost(1024), sizes: [100_000], sizeMaxForGRDB: 100_000,
        remark: "what malloc gave, with the results, the block and the token that the program holds.",
        firn: FirnTrials.memoryOfQueries, plain: PlainTrials.memoryOfQueries, grdb: GRDBTrials.memoryOfQueries),
      Workload(
        row: "14i", variant: "list", "10,000 objects appended to an observed list in one commit, process CPU added",
        target: .figureAtMost(1_000_000), sizes: [10_000, 100_000],
        remark: "N is how many the list has before. GRDB has no lists.",
        firn: FirnTrials.observeAppending, plain: PlainTrials.observeAppending),
      Workload(
        row: "14j",
        "one observed sorted result of all objects, one update of the sort key: from commit to delivery, "
          + "99 % of the commits",
        target: .figureAtMost(1_000_000), sizes: [100_000], sizeMaxForGRDB: 100_000,
        firn: FirnTrials.deliverSorted, plain: PlainTrials.deliverSorted, grdb: GRDBTrials.deliverSorted),
      Workload(
        row: "14k",
        "one observed query through a link (favourite.size > x), 1,000 objects behind it written in turn, "
          + "one per commit, process CPU added per commit",
        target: .figureAtMost(10_000), sizes: [10_000, 100_000], sizeMaxForGRDB: 100_000,
        remark: "updates in turn modify an object behind a row of the result, take the row out and bring it back.",
        firn: FirnTrials.observeJoined, plain: PlainTrials.observeJoined, grdb: GRDBTrials.observeJoined),
    ]
  }
}
