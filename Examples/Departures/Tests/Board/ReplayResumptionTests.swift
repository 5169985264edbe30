import DeparturePlan
import Firn
import Foundation
import Testing

@testable import DepartureBoard

/// A replay goes on behind the last step that the store has, whenever the one before it ended.
@Suite struct ReplayResumptionTests {
  private let day: FlightDay
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    day = try FlightDay(directory: FlightDay.bundledDirectory)
  }

  private func openStore() async throws -> BoardStore {
    try await BoardStore.open(.file(folder.newFile(), isOwn: false))
  }

  private func fastPace() -> ReplayPace { ReplayPace(minutesPerSecond: 1e9) }

  private func uninterrupted() async throws -> [String] {
    let store = try await openStore()
    let replay = Replay(day, store: store.store)
    #expect(try await replay.prepare() == .newDay)
    try await replay.run(at: fastPace())
    return store.contents
  }

  @Test func goesOnBehindTheLastStep() async throws {
    let expected = try await uninterrupted()
    let count = Replay(day, store: try await openStore().store).stepCount
    for done in [0, 1, count / 2, count - 1] {
      let store = try await openStore()
      let first = Replay(day, store: store.store)
      #expect(try await first.prepare() == .newDay)
      for step in 0..<done { try await first.perform(step) }
      let second = Replay(day, store: store.store)
      guard case .resumed(done, _, _) = try await second.prepare() else {
        Issue.record("did not go on after \(done) steps")
        continue
      }
      try await second.run(at: fastPace())
      #expect(store.contents == expected, "interrupted after \(done) of \(count) steps")
    }
  }

  /// Cancels a replay when it has done so many steps more; returns then, or at the end of the day.
  ///
  /// Looks from a thread of its own, which the system lets run however many tasks there are, and as a writer: those take
  /// turns, so the replay gets no more than some steps further between two looks.
  private static func cancel(_ replay: Task<Void, any Error>, after count: Int, in store: RealmStore) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let realm = try store.realm()
            var first: Int?
            while true {
              let (done, isOver) = try realm.write {
                let board = realm.objects(Board.self).first
                return (board?.stepCount ?? 0, board?.isDayOver ?? true)
              }
              if isOver { return }
              if done >= (first ?? done) + count { return replay.cancel() }
              first = first ?? done
            }
          })
      }
    }
  }

  /// Replays that are cancelled anywhere, one after the other, until one gets through.
  @Test func goesOnAfterEveryCancellation() async throws {
    let expected = try await uninterrupted()
    let store = try await openStore()
    #expect(try await Replay(day, store: store.store).prepare() == .newDay)
    var cancelledCount = 0
    while true {
      let replay = Replay(day, store: store.store)
      if cancelledCount > 0 {
        guard case .resumed = try await replay.prepare() else { break }
      }
      let pace = fastPace()
      let task = Task { try await replay.run(at: pace) }
      try await Self.cancel(task, after: 300, in: store.store)
      do {
        try await task.value
        break
      } catch is CancellationError {
        cancelledCount += 1
      }
    }
    #expect(cancelledCount > 1)
    #expect(store.contents == expected)
  }

  @Test func aDayThatIsOverBeginsAgain() async throws {
    let store = try await openStore()
    let replay = Replay(day, store: store.store)
    _ = try await replay.prepare()
    let beginning = store.contents
    try await replay.run(at: fastPace())
    #expect(try await replay.prepare() == .again)
    #expect(store.contents == beginning)
  }

  @Test func anotherDayIsRefusedUnlessItBeginsAnew() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("day-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: FlightDay.bundledDirectory, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let flights = folder.appendingPathComponent("flights.csv")
    let text = try String(contentsOf: flights, encoding: .utf8)
    try FileManager.default.removeItem(at: flights)
    try text.split(separator: "\n").dropLast().joined(separator: "\n").write(
      to: flights, atomically: true, encoding: .utf8)
    let other = try FlightDay(directory: folder)

    let store = try await openStore()
    let replay = Replay(day, store: store.store)
    _ = try await replay.prepare()
    try await replay.perform(0)
    let before = store.contents
    await #expect(throws: UnsuitableStore.otherDay(stored: day.signature, given: other.signature)) {
      _ = try await Replay(other, store: store.store).prepare()
    }
    #expect(store.contents == before)
    #expect(try await Replay(other, store: store.store).prepare(isAnew: true) == .newDay)
  }

  @Test func stepsOfAnotherPlanAreRefusedUnlessItBeginsAnew() async throws {
    let store = try await openStore()
    let replay = Replay(day, store: store.store)
    _ = try await replay.prepare()
    let stored = ReplayPlan.version + 1
    try await store.store.write { realm in realm.objects(Board.self).first?.planVersion = stored }
    let before = store.contents
    await #expect(throws: UnsuitableStore.otherPlan(stored: stored, given: ReplayPlan.version)) {
      _ = try await replay.prepare()
    }
    #expect(store.contents == before)
    #expect(try await replay.prepare(isAnew: true) == .newDay)
    guard case .resumed = try await replay.prepare() else {
      Issue.record("a board of this plan did not go on")
      return
    }
  }

  @Test func aStoreWithoutABoardIsLeftAlone() async throws {
    let store = try await openStore()
    try await store.store.write { realm in
      _ = realm.create(Plane.self, value: ["tailNumber": "N1"])
    }
    await #expect(throws: UnsuitableStore.noBoard) { _ = try await Replay(day, store: store.store).prepare() }
    await #expect(throws: UnsuitableStore.noBoard) {
      _ = try await Replay(day, store: store.store).prepare(isAnew: true)
    }
    #expect(store.reading.rowCount == 1)
  }

  @Test func aPauseIsWrittenAndNothingHappensInIt() async throws {
    let store = try await openStore()
    let replay = Replay(day, store: store.store)
    _ = try await replay.prepare()
    let pace = fastPace()
    pace.setPaused(true)
    let task = Task { try await replay.run(at: pace) }
    func board() -> Frozen<Board>? { store.store.freeze().objects(Board.self).first.flatMap { try? Frozen($0) } }
    while board()?.isPaused != true { await Task.yield() }
    #expect(board()?.stepCount == 0)
    pace.setMinutesPerSecond(2e9)
    pace.setPaused(false)
    try await task.value
    #expect(board()?.isPaused == false)
    #expect(board()?.minutesPerSecond == 2e9)
    #expect(board()?.isDayOver == true)
  }
}
