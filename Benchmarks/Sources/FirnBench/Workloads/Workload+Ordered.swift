extension Workload {
  /// Queries that an ordered index answers, and the hardest of those that have none.
  static var ordered: [Workload] {
    [
      Workload(
        row: "10", "count age between 30 and 35, ordered index", target: .ratioAtMost(8),
        firn: FirnTrials.countAges, plain: PlainTrials.countAges, grdb: GRDBTrials.countAges),
      Workload(
        row: "10b", variant: "Int", "added to opening by a new ordered index over an Int",
        target: .figureAtMost(300_000_000), firn: FirnTrials.indexAges),
      Workload(
        row: "10b", variant: "String", "added to opening by a new ordered index over a String, nearly all different",
        target: .figureAtMost(300_000_000), firn: FirnTrials.indexNames),
      Workload(
        row: "11", variant: "sort", "sort all by (city, age), no index, per pass", target: .ratioAtMost(0.3),
        firn: FirnTrials.sortAll, plain: PlainTrials.sortAll, grdb: GRDBTrials.sortAll),
      Workload(
        row: "11", variant: "first", "first row by (city, age), compound index", target: .figureAtMost(1_000),
        firn: FirnTrials.firstByCityAndAge, grdb: GRDBTrials.firstByCityAndAge),
      Workload(
        row: "11b", "first active row by name, compound index over a Bool and a String", target: .figureAtMost(1_000),
        firn: FirnTrials.firstActiveByName, grdb: GRDBTrials.firstActiveByName),
      Workload(
        row: "8c", "count name among 40,000 strings, no index, per query", target: .figureAtMost(50_000_000),
        firn: FirnTrials.countAmongMany, plain: PlainTrials.countAmongMany, grdb: GRDBTrials.countAmongMany),
      Workload(
        row: "8d", "first match, which lies within the first hundredth, no index", target: .figureAtMost(100_000),
        firn: FirnTrials.firstMatch, plain: PlainTrials.firstMatch, grdb: GRDBTrials.firstMatch),
    ]
  }
}
