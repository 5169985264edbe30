import TestSupport
import Testing

@testable import Firn

/// Random transactions beside subscribers of everything that can be streamed, in each delivery, who pause at random: what
/// they are told, applied to what they had, gives what there is.
@Suite struct StreamHistoryTests {
  static let count = environmentNumber("FIRN_LIVE_HISTORIES") ?? 25

  @Test func whatIsToldGivesWhatThereIs() async throws {
    try await Self.forEachHistory("Stream histories") { subject, random in
      try await withThrowingTaskGroup(of: Void.self) { group in
        let commitCount = 10 + random.below(20)
        for _ in 0..<commitCount {
          if random.chance(50) {
            let (face, delivery, next) = Self.subscriber(&random)
            group.addTask { try await face.follow(nil, subject, delivery, next)(nil) }
          }
          try await Self.commit(subject, &random) { realm, random in
            if random.chance(2), let owner = StreamedFace.owner(realm) { realm.delete(owner) }
          }
        }
        try await subject.store.close()
        try await group.waitForAll()
      }
    }
  }

  private actor Subscriber {
    func follow(
      _ face: StreamedFace, _ subject: StreamSubject, _ delivery: ChangeDelivery, _ seed: UInt64
    ) async throws -> StreamedFace.Check {
      try await face.follow(self, subject, delivery, seed)
    }
  }

  /// Those on actors see, from the version that was there when they began, what there was, each commit if they want it, and
  /// nothing that was committed after somebody cancelled them. Whoever is not cancelled sees all to the end.
  @Test func whoIsCancelledHasSeenWhatThereWas() async throws {
    try await Self.forEachHistory("Cancelled streams") { subject, random in
      var following: [Task<StreamedFace.Check, any Error>] = []
      try await withThrowingTaskGroup(of: (check: StreamedFace.Check, versionCount: Int).self) { group in
        for _ in 0..<10 + random.below(20) {
          if random.chance(70) {
            let (face, delivery, next) = Self.subscriber(&random)
            following.append(Task { try await Subscriber().follow(face, subject, delivery, next) })
          }
          if !following.isEmpty, random.chance(50) {
            let task = following.remove(at: random.below(following.count))
            let pause = random.below(100)
            group.addTask {
              for _ in 0..<pause { await Task.yield() }
              task.cancel()
              let versionCount = subject.versionCount
              return (try await task.value, versionCount)
            }
          }
          try await Self.commit(subject, &random)
        }
        try await subject.store.close()
        for task in following { try await task.value(nil) }
        // The last version that one of them saw was noted meanwhile.
        for try await (check, versionCount) in group { try check(versionCount) }
      }
    }
  }

  // MARK: Histories

  /// Runs `body` with a new store for each seed. Nothing may be held of it afterwards.
  private static func forEachHistory(
    _ name: String, _ body: (StreamSubject, inout SeededRandom) async throws -> Void
  ) async throws {
    var seeds = SeededRandom.printed(name)
    for _ in 0..<count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      var random = SeededRandom(seed)
      let store = try await RealmStore.open(Faced.configuration())
      try await store.write { Faced.fill($0) }
      let subject = StreamSubject(store)
      subject.note()
      try await body(subject, &random)
      subject.forget()
      try await eventually("seed \(seed): nothing is held") {
        store.statistics.streams.isEmpty && store.statistics.versions.count == 1
      }
    }
  }

  /// What somebody follows, how, and the seed of its pauses.
  private static func subscriber(_ random: inout SeededRandom) -> (StreamedFace, ChangeDelivery, UInt64) {
    let face = StreamedFace.all[random.below(StreamedFace.all.count)]
    let delivery = [.everyCommit, .merged, .latest][random.below(3)] as ChangeDelivery
    return (face, delivery, random.next())
  }

  /// Writes something, notes the version, and perhaps pauses.
  private static func commit(
    _ subject: StreamSubject, _ random: inout SeededRandom,
    _ body: @escaping @Sendable (Realm, inout SeededRandom) -> Void = { _, _ in }
  ) async throws {
    let next = random.next()
    try await subject.store.write { realm in
      var random = SeededRandom(next)
      for _ in 0...random.below(3) { Faced.write(realm, &random) }
      body(realm, &random)
    }
    subject.note()
    if random.chance(60) { for _ in 0..<random.below(100) { await Task.yield() } }
  }
}
