import Firn
import Foundation

/// The whole run: rounds of opening, loading, closing or letting go, and checking.
struct Soak {
  let folder: URL
  let seconds: Double
  let seed: UInt64
  let rowCount: Int
  /// How long the database stays open.
  let openSeconds: ClosedRange<Double>

  func run() async throws {
    var random = SeededGenerator(seed: seed)
    let file = folder.appending(path: "soak.firn", directoryHint: .notDirectory)
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let record = ResourceRecord()
    var writers = (0..<4).map { SoakWriter(index: $0, rowCount: rowCount, seed: seed) }
    var kept: FrozenRealm?
    var nextLine = 0.0
    var roundCount = 0
    while ContinuousClock.now < end {
      roundCount += 1
      let note = "After opening \(roundCount)"
      let closes = Bool.random(using: &random)
      let roundEnd = min(end, ContinuousClock.now + .seconds(Double.random(in: openSeconds, using: &random)))
      let opened = try await open(file)
      // What was kept of a store that was closed stays readable beside the next one.
      if let held = kept { try SoakModel.check(held.realm, "of a store that was closed") }
      kept = nil
      for writer in writers { try writer.check(opened.freeze(), note) }
      let sampling = Task { [seconds] in
        while !Task.isCancelled, ContinuousClock.now < roundEnd {
          let elapsed = (ContinuousClock.now - start) / .seconds(1)
          await record.add(ResourceSample(seconds: elapsed, store: opened, file: file))
          try? await Task.sleep(for: .seconds(min(1, seconds / 120)))
        }
      }
      let round = SoakRound(store: opened, file: file, end: roundEnd, seed: random.next())
      do {
        writers = try await round.run(writers, closes: closes)
      } catch {
        sampling.cancel()
        throw error
      }
      await sampling.value
      if closes { kept = opened.freeze() }
      for writer in writers { try writer.check(opened.freeze(), "Before closing \(roundCount)") }
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      if elapsed >= nextLine {
        nextLine += seconds / 20
        let count = writers.reduce(0) { $0 + $1.transactionCount }
        say(ResourceSample(seconds: elapsed, store: opened, file: file).line + ", \(count) transactions")
      }
    }
    let count = writers.reduce(0) { $0 + $1.transactionCount }
    say("\(count) transactions, \(roundCount) openings")
    for line in try await record.judge() { say(line) }
  }

  /// Opens the store, once the one before is gone.
  ///
  /// - Throws: `SoakFailure` when it is still open long after its last handle went.
  private func open(_ file: URL) async throws -> RealmStore {
    let start = ContinuousClock.now
    while true {
      if let store = try await newStore(file) { return store }
      guard ContinuousClock.now - start < .seconds(10) else {
        throw SoakFailure("The store is still open 10 s after its last handle went.")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func newStore(_ file: URL) async throws -> RealmStore? {
    let store = try await RealmStore.open(SoakModel.configuration(file))
    return store.statistics.commitCount == 0 ? store : nil
  }
}
