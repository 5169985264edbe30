extension Workload {
  static var lookUp: Workload {
    Workload(
      row: "4", "primary key look-up and read of an Int, random",
      target: .ratioAtMost(1.25),
      firn: FirnTrials.lookUp, plain: PlainTrials.lookUp, grdb: GRDBTrials.lookUp)
  }

  static var readFrozen: Workload {
    Workload(
      row: "5a", variant: "frozen", "read an Int property: frozen",
      target: .ratioAtMost(6),
      firn: FirnTrials.readFrozen, plain: PlainTrials.readProperty)
  }

  static var readOnOwnThread: Workload {
    Workload(
      row: "5a", variant: "own thread", "read an Int property: own thread",
      target: .ratioAtMost(6),
      firn: FirnTrials.readOnOwnThread, plain: PlainTrials.readProperty)
  }

  static var readOnQueue: Workload {
    Workload(
      row: "5a", variant: "queue", "read an Int property: queue or actor",
      target: .ratioAtMost(25),
      firn: FirnTrials.readOnQueue, plain: PlainTrials.readProperty)
  }

  static var readOnForeignThread: Workload {
    Workload(
      row: "5a", variant: "foreign thread", "read an Int property: foreign thread",
      target: .figureAtMost(80),
      firn: FirnTrials.readOnForeignThread, plain: PlainTrials.readProperty)
  }

  static var writeProperty: Workload {
    Workload(
      row: "5b", "write an Int property in a transaction, hot",
      target: .ratioAtMost(20),
      firn: FirnTrials.writeProperty, plain: PlainTrials.writeProperty)
  }

  static var readShortString: Workload {
    Workload(
      row: "5c", variant: "short", "read a String property, up to 15 bytes",
      target: .ratioAtMost(1.2),
      firn: FirnTrials.readShortString, plain: PlainTrials.readShortString)
  }

  static var readLongString: Workload {
    Workload(
      row: "5c", variant: "long", "read a String property, longer",
      target: .ratioAtMost(3.5),
      firn: FirnTrials.readLongString, plain: PlainTrials.readLongString)
  }
}
