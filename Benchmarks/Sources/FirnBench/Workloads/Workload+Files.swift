extension Workload {
  static var fileSize: Workload {
    Workload(
      row: "16a", "size on disk per object after a checkpoint", unit: .bytes,
      target: .ratioAtMost(0.9),
      remark: "plain Swift stands for the values of each property side by side, compressed as by `zstd -1`. Firn's "
        + "journal, which is allotted in advance, is beside the figure.",
      firn: FirnTrials.fileSize, plain: PlainTrials.fileSize, grdb: GRDBTrials.fileSize)
  }

  static var open: Workload {
    Workload(
      row: "16b", "open until all columns and indexes are usable, one look-up and one count by index",
      target: .ratioAtMost(0.12),
      remark: "plain Swift makes its objects and indexes anew from columns that are in memory, uncompressed.",
      firn: FirnTrials.open, plain: PlainTrials.open, grdb: GRDBTrials.open)
  }

  static var checkpointEverything: Workload {
    Workload(
      row: "16c", variant: "everything", "checkpoint of everything",
      target: .asideRatioAtMost(1.5, Files.compressionLabel),
      remark: "zstd runs on one core and writes nothing; a checkpoint is on disk.",
      firn: FirnTrials.checkpointEverything)
  }

  static var checkpointChanges: Workload {
    Workload(
      row: "16c", variant: "changes", "checkpoint after one property of 1 % of the objects, picked at random, changed",
      target: .asideRatioAtMost(0.1, Files.fullCheckpointLabel),
      firn: FirnTrials.checkpointChanges)
  }

  static var replay: Workload {
    Workload(
      row: "16d", "commits per second that opening replays from the journal, each an update of one property",
      unit: .perSecond, target: .none,
      sizes: [100_000],
      remark: "of the whole opening, in which the objects are read too.",
      firn: FirnTrials.replay)
  }
}
