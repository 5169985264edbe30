extension Workload {
  static var writeAmongReaders: Workload {
    Workload(
      row: "21", variant: "among readers",
      "write of one property, half of the writes of \(SharedWriting.taskCount) tasks that read nine times as often",
      target: .none, sizes: [100_000],
      remark: "plain Swift is an actor.",
      firn: FirnTrials.writeAmongReaders, plain: PlainTrials.writeAmongReaders)
  }

  static var writeBesideHogs: Workload {
    Workload(
      row: "21", variant: "beside hogs",
      "longest write of one property, of one task beside \(SharedWriting.hogCount) that write without pause",
      target: .none, sizes: [100_000],
      firn: FirnTrials.writeBesideHogs, plain: PlainTrials.writeBesideHogs)
  }
}
