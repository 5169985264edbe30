/// What all engines agree on in the rows of migrations.
enum Migrations {
  static let plainLabel = "plain opening"
  static let plainMemoryLabel = "peak of a plain opening"
}

extension Workload {
  static var migrations: [Workload] { [addProperty, renameProperty, migrateByBlock, halfMemory, allMemory] }

  private static var addProperty: Workload {
    Workload(
      row: "migration", variant: "add", "open with a new property that has a declared value",
      target: .asideRatioAtMost(1.3, Migrations.plainLabel),
      remark: "GRDB opens and runs `ALTER TABLE ADD COLUMN`; its opening reads no rows.",
      firn: FirnTrials.addProperty, grdb: GRDBTrials.addProperty)
  }

  private static var renameProperty: Workload {
    Workload(
      row: "migration", variant: "rename", "open with a property that has another name",
      target: .asideRatioAtMost(1.3, Migrations.plainLabel),
      remark: "GRDB opens and runs `ALTER TABLE RENAME COLUMN`.",
      firn: FirnTrials.renameProperty, grdb: GRDBTrials.renameProperty)
  }

  private static var migrateByBlock: Workload {
    Workload(
      row: "migration", variant: "block",
      "migrate by a block that reads one string of each object and sets another, per object",
      target: .figureAtMost(3_000),
      remark: "with reading the file, writing it anew, and opening it. GRDB's migrator reads and updates row by row in "
        + "Swift.",
      firn: FirnTrials.migrateByBlock, grdb: GRDBTrials.migrateByBlock)
  }

  private static var halfMemory: Workload {
    Workload(
      row: "migration", variant: "memory, half",
      "peak of resident memory when half of the properties get another type",
      unit: .bytes, target: .asideRatioAtMost(1.6, Migrations.plainMemoryLabel),
      remark: "each in a process of its own.",
      firn: { try peakMemory($0, .half) })
  }

  private static var allMemory: Workload {
    Workload(
      row: "migration", variant: "memory, all",
      "peak of resident memory when all properties but a link get another type",
      unit: .bytes, target: .asideRatioAtMost(2.2, Migrations.plainMemoryLabel),
      remark: "each in a process of its own.",
      firn: { try peakMemory($0, .all) })
  }

  private static func peakMemory(_ stage: Stage, _ change: PeakMemory.Change) throws -> Trial {
    let folder = try stage.sharedFirnFolder()
    let count = Double(stage.dataset.count)
    let plain = try PeakMemory.inNewProcess(.none, folder.copy())
    let changed = try PeakMemory.inNewProcess(change, folder.copy())
    return {
      Sample(
        value: Double(changed) / count,
        asides: [.init(label: Migrations.plainMemoryLabel, value: Double(plain) / count, unit: .bytes)])
    }
  }
}
