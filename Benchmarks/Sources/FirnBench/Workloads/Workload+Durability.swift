extension Workload {
  static var journalledAdd: Workload {
    Workload(
      row: "2j", "add one object per transaction with journal, no fsync, both indexes, one idle observer",
      target: .ratioAtMost(2.5),
      remark: "plain Swift writes an encoded record with one system call, GRDB to its write-ahead log.",
      firn: FirnTrials.journalledAdd, plain: PlainTrials.journalledAdd, grdb: GRDBTrials.journalledAdd)
  }

  static var durableUpdate: Workload {
    Workload(
      row: "3", "one durable commit, updates one property",
      target: .asideRatioAtMost(1.15, DurableCommits.limitLabel),
      remark: "\(DurableCommits.limitLabel) is pwrite and fdatasync of as many bytes into a file that was allotted "
        + "before; plain Swift does so with a record of its own.",
      firn: FirnTrials.durableUpdate, plain: PlainTrials.durableUpdate, grdb: GRDBTrials.durableUpdate)
  }

  static var durableUpdatesOfThreads: Workload {
    Workload(
      row: "3g", variant: "threads", "durable commits of 16 threads", unit: .perSecond,
      target: .asideRatioAtLeast(8, DurableCommits.oneWriterLabel),
      sizes: [100_000],
      firn: FirnTrials.durableUpdatesOfThreads)
  }

  static var durableUpdatesOfTasks: Workload {
    Workload(
      row: "3g", variant: "tasks", "durable commits of 16 tasks", unit: .perSecond,
      target: .asideRatioAtLeast(8, DurableCommits.oneWriterLabel),
      sizes: [100_000],
      firn: FirnTrials.durableUpdatesOfTasks)
  }

  static var commitAlone: Workload {
    Workload(
      row: "20", variant: "alone", "longest commit of one writer, with journal, no fsync",
      target: .none,
      sizes: [1_000_000],
      firn: FirnTrials.commitAlone)
  }

  static var commitBesideCheckpoint: Workload {
    Workload(
      row: "20", variant: "beside checkpoint",
      "longest commit of one writer, with journal, no fsync, while a checkpoint writes everything",
      target: .none,
      sizes: [1_000_000],
      firn: FirnTrials.commitBesideCheckpoint)
  }

  static var durableCommitBesideCheckpoint: Workload {
    Workload(
      row: "20", variant: "durable beside checkpoint",
      "longest durable commit of one writer while a checkpoint writes everything",
      target: .none,
      sizes: [1_000_000],
      firn: FirnTrials.durableCommitBesideCheckpoint)
  }
}
