extension Workload {
  static var freezeRealm: Workload {
    Workload(
      row: "18", variant: "realm", "`realm.freeze()`",
      target: .figureAtMost(50),
      remark: "plain Swift has to copy everything.",
      firn: FirnTrials.freezeRealm, plain: PlainTrials.freeze)
  }

  static var freezeStore: Workload {
    Workload(
      row: "18", variant: "store", "`store.freeze()`",
      target: .figureAtMost(50),
      firn: FirnTrials.freezeStore)
  }

  static var readAlone: Workload {
    Workload(
      row: "19", variant: "alone",
      "reader look-ups per second, newest version every 100 look-ups: alone",
      unit: .perSecond, target: .ratioAtLeast(0.9),
      remark: "plain Swift holds its mutex for 100 look-ups, GRDB reads 100 times in one transaction.",
      firn: FirnTrials.readAlone, plain: PlainTrials.readAlone, grdb: GRDBTrials.readAlone)
  }

  static var readBesideWriter: Workload {
    Workload(
      row: "19", variant: "beside writer",
      "reader look-ups per second, newest version every 100 look-ups: beside a writer that commits without pause",
      unit: .perSecond, target: .ratioAtLeast(1.5),
      firn: FirnTrials.readBesideWriter, plain: PlainTrials.readBesideWriter, grdb: GRDBTrials.readBesideWriter)
  }
}
