package import FirnEngine

/// A log that answers as the test wants and remembers what it was given.
package final class FakeCommitLog: CommitLog {
  package struct Failure: Error {
    package init() {}
  }

  package enum Answer: Sendable {
    case pending, durable, failure
  }

  package struct State: Sendable {
    package var answer = Answer.pending
    package var versions: [UInt64] = []
    var didAppend: (@Sendable (UInt64) -> Void)?
  }

  package let state = Lock(State())

  package init() {}

  /// Calls `body` with the version of each commit that is taken, in the writer's thread, outside of all locks.
  package func afterAppend(_ body: (@Sendable (UInt64) -> Void)?) { state.withLock { $0.didAppend = body } }

  package func append(_ commit: LoggedCommit) throws -> CommitLogAnswer {
    let version = commit.version
    let answer = try take(version)
    state.withLock { $0.didAppend }?(version)
    return answer
  }

  private func take(_ version: UInt64) throws -> CommitLogAnswer {
    try state.withLock { state in
      if case .failure = state.answer { throw Failure() }
      if let last = state.versions.last, version <= last { fatalError("Version \(version) came after \(last).") }
      state.versions.append(version)
      if case .durable = state.answer { return .durable }
      return .pending
    }
  }

  package func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }
}

/// What waiters were told: true for durable, false for lost.
package final class DurabilityOutcomes: Sendable {
  private let outcomes = Lock([UInt64: Bool]())

  package init() {}

  package func wait(for number: UInt64, in graph: Graph) {
    graph.whenDurable(number) { [self] error in
      outcomes.withLock { outcomes in
        if outcomes.updateValue(error == nil, forKey: number) != nil {
          fatalError("Version \(number) was decided twice.")
        }
      }
    }
  }

  package subscript(number: UInt64) -> Bool? { outcomes.withLock { $0[number] } }
}
