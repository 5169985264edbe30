import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct ProjectionHistoryTests {
  /// How many histories are run: `FIRN_LIVE_HISTORIES`, or a few.
  private static var count: Int { environmentNumber("FIRN_LIVE_HISTORIES") ?? 20 }

  @Test func observersHaveWhatTheGraphHas() throws {
    var seeds = SeededRandom.printed("Histories of projections")
    for _ in 0..<Self.count {
      let seed = seeds.next()
      let (mistakes, history) = try onOwnThread {
        let history = try ProjectionHistory(seed: seed)
        return (try history.run(steps: 12), history.history)
      }
      #expect(mistakes.isEmpty, "history \(seed): \(history.suffix(40))")
      if !mistakes.isEmpty { return }
    }
  }
}
