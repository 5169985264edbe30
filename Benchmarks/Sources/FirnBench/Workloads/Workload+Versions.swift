extension Workload {
  static var freezeRealm: Workload {
    Workload(
      row: "18", "`realm.freeze()`",
      target: .figure(atMost: 50),
      remark: "plain Swift has to copy everything.",
      firn: FirnTrials.freezeRealm, plain: PlainTrials.freeze)
  }

  static var freezeStore: Workload {
    Workload(
      row: "18", "`store.freeze()`",
      target: .figure(atMost: 50),
      firn: FirnTrials.freezeStore)
  }

  static var readAlone: Workload {
    Workload(
      row: "19", "reader look-ups per second, newest version every 100 look-ups: alone", unit: .perSecond,
      target: .ratio(atLeast: 0.9),
      remark: "plain Swift holds its mutex for 100 look-ups, GRDB reads 100 times in one transaction.",
      firn: FirnTrials.readAlone, plain: PlainTrials.readAlone, grdb: GRDBTrials.readAlone)
  }

  static var readBesideWriter: Workload {
    Workload(
      row: "19",
      "reader look-ups per second, newest version every 100 look-ups: beside a writer that commits without pause",
      unit: .perSecond, target: .ratio(atLeast: 1.5),
      firn: FirnTrials.readBesideWriter, plain: PlainTrials.readBesideWriter, grdb: GRDBTrials.readBesideWriter)
  }
}
