extension Workload {
  static var lookUp: Workload {
    Workload(
      row: "4", "primary key look-up and read of an Int, random",
      target: .ratio(atMost: 1.25),
      firn: FirnTrials.lookUp, plain: PlainTrials.lookUp, grdb: GRDBTrials.lookUp)
  }

  static var readFrozen: Workload {
    Workload(
      row: "5a", "read an Int property: frozen",
      target: .ratio(atMost: 6),
      firn: FirnTrials.readFrozen, plain: PlainTrials.readProperty)
  }

  static var readOnOwnThread: Workload {
    Workload(
      row: "5a", "read an Int property: own thread",
      target: .ratio(atMost: 6),
      firn: FirnTrials.readOnOwnThread, plain: PlainTrials.readProperty)
  }

  static var readOnQueue: Workload {
    Workload(
      row: "5a", "read an Int property: queue or actor",
      target: .ratio(atMost: 25),
      firn: FirnTrials.readOnQueue, plain: PlainTrials.readProperty)
  }

  static var readOnForeignThread: Workload {
    Workload(
      row: "5a", "read an Int property: foreign thread",
      target: .figure(atMost: 80),
      firn: FirnTrials.readOnForeignThread, plain: PlainTrials.readProperty)
  }

  static var writeProperty: Workload {
    Workload(
      row: "5b", "write an Int property in a transaction, hot",
      target: .ratio(atMost: 20),
      firn: FirnTrials.writeProperty, plain: PlainTrials.writeProperty)
  }

  static var readShortString: Workload {
    Workload(
      row: "5c", "read a String property, up to 15 bytes",
      target: .ratio(atMost: 1.2),
      firn: FirnTrials.readShortString, plain: PlainTrials.readShortString)
  }

  static var readLongString: Workload {
    Workload(
      row: "5c", "read a String property, longer",
      target: .ratio(atMost: 3.5),
      firn: FirnTrials.readLongString, plain: PlainTrials.readLongString)
  }
}
