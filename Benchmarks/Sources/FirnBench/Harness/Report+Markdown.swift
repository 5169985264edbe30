extension Report {
  var markdown: String {
    """
    # What Firn costs beside plain Swift and GRDB

    Written by `make bench`. Medians of \(passCount) passes; the three engines take turns in one process, so only the
    ratios travel to other machines. *Plain Swift* is objects in a dictionary and arrays under a mutex with indexes kept
    by hand, without versions; GRDB is an in-memory database with cached statements. A target is met when Firn ÷ plain
    is at most (for rates: at least) the ratio; a target with a unit holds for Firn's own figure on a quiet machine, one
    with a name for Firn's figure against what is measured under that name in the same pass, see below the table. All
    targets are stated for 1,000,000 objects, or for the size that the workload names. Workloads with files keep them
    beside the program, and their GRDB is a file in WAL mode.

    \(machineTable)

    \(resultTable)

    \(verdictCount)
    \(notes)
    """
  }

  private var machineTable: String {
    """
    | machine | |
    |---|---|
    | processor | \(machine.processor), \(machine.coreCount) cores |
    | memory | \(machine.memory) |
    | kernel | Linux \(machine.kernel) |
    | compiler | \(machine.swift), release |
    | GRDB | \(GRDBFixture.versions) |
    | date | \(machine.date) |
    | load before, after | \(machine.loadBefore), \(machine.loadAfter) |
    """
  }

  private var resultTable: String {
    let header = """
      | # | workload | N | Firn | plain Swift | GRDB | Firn ÷ plain | target | |
      |---|---|--:|--:|--:|--:|--:|--:|---|
      """
    return ([header] + lines.map(\.markdown)).joined(separator: "\n")
  }

  private var verdictCount: String {
    let verdicts = lines.compactMap(\.isMet)
    guard !verdicts.isEmpty else { return "No target was checked: Firn or plain Swift was left out." }
    return "\(verdicts.count { $0 }) of \(verdicts.count) targets met."
  }

  private var notes: String {
    var notes: [String] = []
    for line in lines {
      let name = "\(line.workload.name), N = \(line.size.grouped)"
      if line.workload.isGRDBSpared(at: line.size) {
        let limit = line.workload.sizeMaxForGRDB.grouped
        notes.append("- \(name): GRDB not run, it would take too long; limited to N = \(limit).")
      }
      let asides = Engine.allCases.flatMap { engine in
        line.asides(engine).map { "\(engine.title) \($0.label) \($0.unit.formatted($0.value))" }
      }
      if !asides.isEmpty { notes.append("- \(name): \(asides.joined(separator: ", ")).") }
    }
    var remarked: Set<String> = []
    for workload in lines.map(\.workload) {
      guard let remark = workload.remark, remarked.insert(workload.name).inserted else { continue }
      notes.append("- \(workload.name): \(remark)")
    }
    return notes.isEmpty ? "" : "\nBeside the figures:\n\n" + notes.joined(separator: "\n") + "\n"
  }
}

extension Line {
  fileprivate var markdown: String {
    let cells = [
      workload.row,
      workload.wording,
      size.grouped,
      cell(.firn),
      cell(.plain),
      cell(.grdb),
      ratio.map(Unit.digits) ?? "–",
      workload.target.formatted(in: workload.unit),
      isMet.map { $0 ? "met" : "**missed**" } ?? "–",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func cell(_ engine: Engine) -> String {
    median(engine).map(workload.unit.formatted) ?? "–"
  }
}

extension Int {
  /// With commas between thousands.
  var grouped: String {
    let digits = String(self)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
