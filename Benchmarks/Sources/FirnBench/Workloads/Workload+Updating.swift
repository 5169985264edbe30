extension Workload {
  static var singleUpdate: Workload {
    Workload(
      row: "2b", variant: "plain", "update one plain property per transaction, in memory",
      target: .figureAtMost(1_500),
      firn: FirnTrials.singleUpdate, plain: PlainTrials.singleUpdate, grdb: GRDBTrials.singleUpdate)
  }

  static var singleIndexedUpdate: Workload {
    Workload(
      row: "2b", variant: "indexed", "update one indexed property per transaction, in memory",
      target: .figureAtMost(4_000),
      firn: FirnTrials.singleIndexedUpdate, plain: PlainTrials.singleIndexedUpdate,
      grdb: GRDBTrials.singleIndexedUpdate)
  }

  static var updateAll: Workload {
    Workload(
      row: "17a", "update a property of all objects, per object",
      target: .ratioAtMost(1.5),
      firn: FirnTrials.updateAll, plain: PlainTrials.updateAll, grdb: GRDBTrials.updateAll)
  }

  static var deleteHalf: Workload {
    Workload(
      row: "17b", "delete half (nullify and index removal batched), per object",
      target: .ratioAtMost(0.4),
      firn: FirnTrials.deleteHalf, plain: PlainTrials.deleteHalf, grdb: GRDBTrials.deleteHalf)
  }
}
