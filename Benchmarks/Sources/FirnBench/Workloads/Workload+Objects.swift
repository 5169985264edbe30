extension Workload {
  static var createFromDictionary: Workload {
    Workload(
      row: "creation", "create from a dictionary of four values, in one transaction, per object", target: .none,
      sizes: [100_000],
      remark: "plain Swift casts each value and keeps the objects in a dictionary by id.",
      firn: FirnTrials.createFromDictionary, plain: PlainTrials.createFromDictionary)
  }

  static var appendToList: Workload {
    Workload(
      row: "lists", variant: "append", "append to a list of integers, one by one, up to N", target: .none,
      sizes: [1_000_000],
      firn: FirnTrials.appendToList, plain: PlainTrials.appendToList)
  }

  static var changeMiddleOfList: Workload {
    Workload(
      row: "lists", variant: "middle", "insert in the middle of a list of N integers and remove there, per change",
      target: .none, sizes: [1_000_000],
      firn: FirnTrials.changeMiddleOfList, plain: PlainTrials.changeMiddleOfList)
  }

  static var iterateList: Workload {
    Workload(
      row: "lists", variant: "iterate", "iterate a list of N integers, per element", target: .none, sizes: [1_000_000],
      firn: FirnTrials.iterateList, plain: PlainTrials.iterateList)
  }

  static var fanIn: Workload {
    Workload(
      row: "backlinks", variant: "add", "add an object that links to one to which 100,000 link in the end, per object",
      target: .none, sizes: [100_000],
      remark: "plain Swift appends to an array of the object that is linked to.",
      firn: FirnTrials.fanIn, plain: PlainTrials.fanIn)
  }

  static var cutFanIn: Workload {
    Workload(
      row: "backlinks", variant: "cut", "set the links of objects to nil, of 100,000 to one, in random order, per link",
      target: .none, sizes: [100_000],
      remark: "plain Swift keeps the sources in a set.",
      firn: FirnTrials.cutFanIn, plain: PlainTrials.cutFanIn)
  }
}
