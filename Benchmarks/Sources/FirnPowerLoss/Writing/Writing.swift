import Firn
import Foundation
import Synchronization

/// The writers of a process, and what goes on beside them, until the plan is done or something fails.
final class Writing: Sendable {
  struct State {
    var commitCount = 0
    /// The number of the last commit that was acknowledged.
    var lastNumber: Int
    var refusalCount = 0
    var isOver = false
    var isExchanged = false
    /// The error that ended the writing before the plan was done.
    var failure: (any Error)?
  }

  let store: RealmStore
  let schemaVersion: UInt64
  let arguments: StoreArguments
  let plan: WritingPlan
  let notes: Notes
  let state: Mutex<State>

  init(
    _ store: RealmStore, schemaVersion: UInt64, commitCount: Int, _ arguments: StoreArguments, _ plan: WritingPlan,
    _ notes: Notes
  ) {
    self.store = store
    self.schemaVersion = schemaVersion
    self.arguments = arguments
    self.plan = plan
    self.notes = notes
    state = Mutex(State(lastNumber: commitCount))
  }

  /// Throws what ended the writing before the plan was done.
  func run() async throws {
    let watching = Task { await watch() }
    await withTaskGroup { group in
      for writer in 0..<arguments.writers {
        group.addTask { [self] in
          if writer < plan.threads { await writeInThread() } else { await writeInTask(writer) }
        }
      }
    }
    if state.withLock({ $0.failure }) == nil, plan.idle > 0 { await idle() }
    state.withLock { $0.isOver = true }
    await watching.value
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  // MARK: Watching

  /// Notes which commits are seen, and which the store says are durable.
  private func watch() async {
    // The last ones whose version was not durable yet.
    var waiting: [(version: UInt64, number: Int)] = []
    while !isOver {
      let frozen = store.freeze()
      let number = frozen.objects(Counter.self).first?.number ?? 0
      if number > waiting.last?.number ?? 0 {
        notes.add(.seen, number)
        waiting.append((frozen.version, number))
      }
      let durableVersion = store.statistics.files?.durableVersion ?? 0
      if let last = waiting.last(where: { $0.version <= durableVersion }) {
        notes.add(.durable, last.number)
        // The newest stays, to tell what comes next from it.
        waiting = Array(waiting.filter { $0.version > durableVersion }.suffix(100))
        if waiting.isEmpty { waiting = [last] }
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until all commits are durable, in whatever way the store makes them so, and then for being killed.
  private func idle() async {
    let version = store.freeze().version
    let start = ContinuousClock.now
    while store.statistics.files?.durableVersion ?? 0 < version, arguments.durability != "onCheckpoint" {
      if ContinuousClock.now - start > .seconds(60) {
        Outcome.found(.broken, "Commits are not durable a minute after the last one.")
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
    say("IDLE")
    try? await Task.sleep(for: .seconds(plan.idle))
  }
}
