import ArgumentParser

/// Says how the writers of a process write.
struct WritingPlan: ParsableArguments {
  @Option(help: "The number that random choices of the writers start from.")
  var life: UInt64 = 0

  @Option(help: "How many of the writers are threads with a realm of their own; the others are tasks.")
  var threads = 0

  @Option(help: "After how many commits of all writers the process ends.")
  var commits = 1_000_000

  @Option(help: "How probably a commit is followed by a checkpoint.")
  var checkpointChance = 0.0

  @Option(help: "How probably a commit is followed by a copy.")
  var copyChance = 0.0

  @Option(help: "How many microseconds a writer waits between commits, on average.")
  var pause = 0

  @Option(help: "After the commits: waits until they are durable, and then so many seconds for being killed.")
  var idle = 0.0

  @Option(help: "An exchange of the folder of the store by somebody else.")
  var exchange: Exchange?

  @Option(help: "After how many commits.")
  var exchangeAfter = 100

  @Option(help: "A fault of this program, which has to be noticed.")
  var planted: PlantedFault?
}

/// Faults that writers have when they are told to.
enum PlantedFault: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// A commit is acknowledged before it is committed.
  case acknowledgesEarly
  /// Two commits are made of one.
  case splitsCommits
  /// A commit that threw is acknowledged all the same.
  case acknowledgesFailures
  /// A commit lacks a change.
  case forgetsChange
}
