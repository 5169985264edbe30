extension Workload {
  static var memory: Workload {
    Workload(
      row: "15", "engine bytes per object with both indexes; RSS beside", unit: .bytes,
      target: .ratioAtMost(0.45),
      remark: "each engine is filled in a process of its own. Firn reports the bytes of its engine, plain Swift what "
        + "it holds from malloc, GRDB the pages of the database.",
      firn: measure(.firn), plain: measure(.plain), grdb: measure(.grdb))
  }

  private static func measure(_ engine: Engine) -> Preparation {
    { stage in
      // Nothing about it varies from pass to pass, so one measurement serves all of them.
      let count = stage.dataset.count
      let sample = try MemoryUse.inNewProcess(of: engine, objectCount: count).perObject(count)
      return { sample }
    }
  }
}
