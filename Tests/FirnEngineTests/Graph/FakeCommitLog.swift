import FirnEngine

/// A log that answers as the test wants and remembers what it was given.
final class FakeCommitLog: CommitLog {
  struct Failure: Error {}

  enum Answer: Sendable {
    case pending, durable, failure
  }

  struct State: Sendable {
    var answer = Answer.pending
    var versions: [UInt64] = []
  }

  let state = Lock(State())

  func append(_ commit: LoggedCommit) throws -> CommitLogAnswer {
    let version = commit.version
    return try state.withLock { state in
      if case .failure = state.answer { throw Failure() }
      if let last = state.versions.last, version <= last { fatalError("Version \(version) came after \(last).") }
      state.versions.append(version)
      if case .durable = state.answer { return .durable }
      return .pending
    }
  }

  func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }
}

/// What waiters were told: true for durable, false for lost.
final class DurabilityOutcomes: Sendable {
  private let outcomes = Lock([UInt64: Bool]())

  func wait(for number: UInt64, in graph: Graph) {
    graph.whenDurable(number) { [self] error in
      outcomes.withLock { outcomes in
        if outcomes.updateValue(error == nil, forKey: number) != nil {
          fatalError("Version \(number) was decided twice.")
        }
      }
    }
  }

  subscript(number: UInt64) -> Bool? { outcomes.withLock { $0[number] } }
}
