extension Workload {
  static var iterate: Workload {
    Workload(
      row: "6", "iterate all objects, read an Int of each",
      target: .ratioAtMost(1),
      firn: FirnTrials.iterate, plain: PlainTrials.iterate, grdb: GRDBTrials.iterate)
  }

  static var countOlder: Workload {
    Workload(
      row: "7", "count age > 50, no index, per object",
      target: .ratioAtMost(0.06),
      firn: FirnTrials.countOlder, plain: PlainTrials.countOlder, grdb: GRDBTrials.countOlder)
  }

  static var countNamed: Workload {
    Workload(
      row: "8a", "count name == x, no index, per object",
      target: .ratioAtMost(0.25),
      firn: FirnTrials.countNamed, plain: PlainTrials.countNamed, grdb: GRDBTrials.countNamed)
  }

  static var countNameContaining: Workload {
    Workload(
      row: "8b", "count name contains x, per object",
      target: .ratioAtMost(0.2),
      remark: "plain Swift calls `memmem`; `String.contains` takes ten times as long.",
      firn: FirnTrials.countNameContaining, plain: PlainTrials.countNameContaining,
      grdb: GRDBTrials.countNameContaining)
  }

  static var sum: Workload {
    Workload(
      row: "12", "sum of a Double column, per object",
      target: .ratioAtMost(0.2),
      firn: FirnTrials.sum, plain: PlainTrials.sum, grdb: GRDBTrials.sum)
  }

  static var followLinks: Workload {
    Workload(
      row: "13", "iterate all as in row 6, follow `best` (random target), read `age`",
      target: .ratioAtMost(2.7),
      firn: FirnTrials.followLinks, plain: PlainTrials.followLinks, grdb: GRDBTrials.followLinks)
  }
}
