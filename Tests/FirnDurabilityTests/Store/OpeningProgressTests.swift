import FirnEngine
import Synchronization
import Testing

@testable import FirnDurability

/// Openings that take long say how far they have come.
@Suite struct OpeningProgressTests {
  /// A clock that goes forward by a step each time it is read, and what was told.
  private final class Watch: Sendable {
    let time = Atomic<UInt64>(0)
    let lines = Lock<[String]>([])

    func progress(step: UInt64) -> OpeningProgress {
      var options = DurableStore.Options()
      options.tell = { [self] event in
        if case .opening(let step, let percent) = event { lines.withLock { $0.append("\(step.rawValue) \(percent)") } }
      }
      return OpeningProgress(options) { [self] in time.wrappingAdd(step, ordering: .relaxed).newValue }
    }
  }

  @Test func linesComeEveryTwoSeconds() {
    let watch = Watch()
    // Each percent takes a tenth of a second.
    let progress = watch.progress(step: 100_000_000)
    progress.begin(.readingBase, total: 10_000)
    for _ in 0..<10_000 { progress.advance(by: 1) }
    let lines = watch.lines.withLock { $0 }
    #expect(lines == [19, 39, 59, 79, 99].map { "reading the snapshot \($0)" })
  }

  @Test func shortOpeningsSayNothing() {
    let watch = Watch()
    let progress = watch.progress(step: 1_000)
    for step in [OpeningStep.readingBase, .readingDeltas, .replayingJournal, .buildingIndexes] {
      progress.begin(step, total: 1_000)
      for _ in 0..<1_000 { progress.advance(by: 1) }
    }
    #expect(watch.lines.withLock { $0.isEmpty })
    let reads = watch.time.load(ordering: .relaxed) / 1_000
    #expect(reads <= 4 * 101 + 1, "the clock is looked at once for each percent")
  }

  @Test func nothingAndMuchAreDone() {
    let watch = Watch()
    let progress = watch.progress(step: 3_000_000_000)
    progress.begin(.readingDeltas, total: 0)
    progress.advance(by: 5)
    progress.begin(.replayingJournal, total: .max)
    progress.advance(by: .max / 2)
    #expect(
      watch.lines.withLock { $0 } == [
        "reading what checkpoints have added 0", "reading what checkpoints have added 100", "replaying the journal 0",
        "replaying the journal 50",
      ])
  }
}
