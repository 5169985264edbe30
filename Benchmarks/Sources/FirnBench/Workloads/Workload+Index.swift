extension Workload {
  static var countInCity: Workload {
    Workload(
      row: "9a", "count city == x, hash index",
      target: .ratioAtMost(4),
      firn: FirnTrials.countInCity, plain: PlainTrials.countInCity, grdb: GRDBTrials.countInCity)
  }

  static var readInCity: Workload {
    Workload(
      row: "9b", "count city == x, hash index, and read an Int of the hits (one in 1,000)",
      target: .ratioAtMost(2),
      firn: FirnTrials.readInCity, plain: PlainTrials.readInCity, grdb: GRDBTrials.readInCity)
  }
}
