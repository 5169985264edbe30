import Firn
import Synchronization

extension FirnTrials {
  static func commitAlone(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFileFixture(copying: stage, .onCheckpoint)
    return {
      let end = ContinuousClock.now + .milliseconds(500)
      return try commits(stage, fixture) { ContinuousClock.now < end }.sample()
    }
  }

  static func commitBesideCheckpoint(_ stage: Stage) throws -> Trial {
    { try commitBesideCheckpoint(stage, .onCheckpoint) }
  }

  static func durableCommitBesideCheckpoint(_ stage: Stage) throws -> Trial {
    { try commitBesideCheckpoint(stage, .everyCommit) }
  }

  private static func commitBesideCheckpoint(
    _ stage: Stage, _ durability: Realm.Configuration.Durability
  ) throws -> Sample {
    // Only the first checkpoint of a database is sure to write everything.
    let fixture = try FirnFileFixture(in: TemporaryFolder(), durability, .never)
    try fixture.realm.fill(with: stage.dataset)
    let checkpoint = Background(fixture.store)
    let latency = try commits(stage, fixture) { checkpoint.isRunning }
    let report = try checkpoint.report()
    try expect(report.isBase, true, "the first checkpoint writes everything")
    return latency.sample([
      .init(label: "checkpoint", value: report.duration / .nanoseconds(1), unit: .nanoseconds)
    ])
  }

  private static func commits(
    _ stage: Stage, _ fixture: FirnFileFixture, while goesOn: () -> Bool
  ) throws -> CommitLatency {
    let realm = fixture.realm
    let persons = realm.persons(withIDs: stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass))
    var latency = CommitLatency()
    var turn = 0
    while goesOn() {
      let person = persons[turn % persons.count]
      try latency.measure { try realm.write { person.age = turn % 100 } }
      turn += 1
    }
    return latency
  }
}

/// A checkpoint on its way.
private final class Background: Sendable {
  private let hasEnded = Atomic(false)
  private let outcome = Mutex<Result<CheckpointReport?, any Error>?>(nil)

  init(_ store: RealmStore) {
    Task.detached { [self] in
      let result: Result<CheckpointReport?, any Error>
      do { result = .success(try await store.checkpoint()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      hasEnded.store(true, ordering: .releasing)
    }
  }

  var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

  /// Of one that has ended.
  func report() throws -> CheckpointReport {
    guard let report = try outcome.withLock({ try $0?.get() }) else { fatalError("there was no checkpoint") }
    return report
  }
}
