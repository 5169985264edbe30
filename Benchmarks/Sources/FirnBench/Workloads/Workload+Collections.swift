extension Workload {
  static var insertIntoSet: Workload {
    Workload(
      row: "sets", variant: "insert", "insert Ints into one set in random order, each, in one transaction",
      target: .none,
      firn: FirnTrials.insertIntoSet, plain: PlainTrials.insertIntoSet)
  }

  static var containsInSet: Workload {
    Workload(
      row: "sets", variant: "contains", "ask one set for a random Int, half of them absent",
      target: .none,
      firn: FirnTrials.containsInSet, plain: PlainTrials.containsInSet)
  }

  static var iterateSet: Workload {
    Workload(
      row: "sets", variant: "iterate", "iterate over a set of Ints, each",
      target: .none,
      firn: FirnTrials.iterateSet, plain: PlainTrials.iterateSet)
  }

  static var setInMap: Workload {
    Workload(
      row: "maps", variant: "set", "set String keys of one map to Ints in random order, each, in one transaction",
      target: .none,
      firn: FirnTrials.setInMap, plain: PlainTrials.setInMap)
  }

  static var getFromMap: Workload {
    Workload(
      row: "maps", variant: "get", "read the Int of a random String key of one map",
      target: .none,
      firn: FirnTrials.getFromMap, plain: PlainTrials.getFromMap)
  }
}
