extension Workload {
  static var bulkAdd: Workload {
    Workload(
      row: "1", "bulk `realm.add(Person())` in one transaction, per object",
      target: .ratioAtMost(1.25),
      remark: "each person links to one of the first thousand added; its name is decoded from bytes in every engine.",
      firn: FirnTrials.bulkAdd, plain: PlainTrials.bulkAdd, grdb: GRDBTrials.bulkAdd)
  }

  static var singleAdd: Workload {
    Workload(
      row: "2", "add one object per transaction in memory, both indexes, one idle observer",
      target: .ratioAtMost(3),
      remark: "the observer is there, and no added person concerns it.",
      firn: FirnTrials.singleAdd, plain: PlainTrials.singleAdd, grdb: GRDBTrials.singleAdd)
  }
}
