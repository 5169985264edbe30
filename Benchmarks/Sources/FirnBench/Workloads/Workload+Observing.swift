extension Workload {
  static var observeOneQuery: Workload {
    Workload(
      row: "14a",
      "one observed query (age > 50), one update per commit, every commit delivered "
        + "(observer on the writer's thread, delivered by the next `beginWrite`), process CPU added per commit",
      target: .ratioAtMost(3),
      sizes: [1_000, 100_000, 1_000_000],
      remark: "updates in turn modify a row of the result, remove it and bring it back, so that each commit concerns "
        + "the observer. The figure is with observer less without; GRDB fetches the ids that match again.",
      firn: FirnTrials.observeOneQuery, plain: PlainTrials.observeOneQuery, grdb: GRDBTrials.observeOneQuery)
  }

  static var observeOneProperty: Workload {
    Workload(
      row: "14a", variant: "named", "the same by an observer that names the property, `observe(keyPaths: [\"age\"])`",
      target: .figureAtMost(2_000),
      sizes: [1_000, 100_000, 1_000_000],
      remark: "without key paths, persons count as modified when one behind their links is written, which plain Swift "
        + "and GRDB do not look for.",
      firn: FirnTrials.observeOneProperty, plain: PlainTrials.observeOneQuery)
  }

  static var observeOneQueryByPositions: Workload {
    Workload(
      row: "14a", variant: "positions", "the same; plain Swift tells positions and follows links, too",
      target: .ratioAtMost(3),
      sizes: [1_000, 100_000, 1_000_000],
      remark: "plain Swift keeps the result as a sorted array and who links to each person in arrays, so that it tells "
        + "what Firn tells.",
      firn: FirnTrials.observeOneQuery, plain: PlainTrials.observeOneQueryByPositions)
  }

  static var observeManyQueries: Workload {
    Workload(
      row: "14b",
      "1,000 distinct observed queries (city == x), one update per commit, every commit delivered, "
        + "process CPU added per commit",
      target: .ratioAtMost(6),
      sizeMaxForGRDB: 100_000,
      remark: "the target is stated for 100,000 rows. Each update moves a person to another city and so concerns two "
        + "observers.",
      firn: FirnTrials.observeManyQueries, plain: PlainTrials.observeManyQueries,
      grdb: GRDBTrials.observeManyQueries)
  }

  static var observeManyProperties: Workload {
    Workload(
      row: "14b", variant: "named", "the same by observers that name the property, `observe(keyPaths: [\"city\"])`",
      target: .ratioAtMost(6),
      remark: "the target is stated for 100,000 rows.",
      firn: FirnTrials.observeManyProperties, plain: PlainTrials.observeManyQueries)
  }

  static var observeManyQueriesByPositions: Workload {
    Workload(
      row: "14b", variant: "positions", "the same; plain Swift tells positions and follows links, too",
      target: .ratioAtMost(6),
      remark: "the target is stated for 100,000 rows.",
      firn: FirnTrials.observeManyQueries, plain: PlainTrials.observeManyQueriesByPositions)
  }
}
