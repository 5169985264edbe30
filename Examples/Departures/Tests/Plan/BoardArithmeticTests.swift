import DeparturePlan
import Testing

@Suite struct BoardArithmeticTests {
  @Test func announcesAverageDelaysByWholeSteps() {
    var steps = DelaySteps()
    let worthALine = [(9.9, 8), (25, 4), (12, 9), (19, 10), (22.5, 11), (13, 12), (12.4, 13)].map {
      steps.isWorthALine(airline: "B6", averageMinutes: $0.0, departureCount: $0.1)
    }
    #expect(worthALine == [false, false, true, false, true, false, true])
    let isOthersUntouched = steps.isWorthALine(airline: "AA", averageMinutes: 15, departureCount: 9)
    #expect(isOthersUntouched)
  }

  /// Every way to delete and insert in short collections, compared with doing it.
  @Test func positionsFollowElementsThatStayed() {
    for count in 0...5 {
      for deletedSet in 0..<(1 << count) {
        let deletions = (0..<count).filter { deletedSet & (1 << $0) != 0 }
        let kept = (0..<count).filter { !deletions.contains($0) }
        for finalCount in kept.count...(kept.count + 2) {
          for insertedSet in 0..<(1 << finalCount) where insertedSet.nonzeroBitCount == finalCount - kept.count {
            let insertions = (0..<finalCount).filter { insertedSet & (1 << $0) != 0 }
            var collection: [Int?] = kept
            for position in insertions { collection.insert(nil, at: position) }
            let expected = kept.map { collection.firstIndex(of: $0)! }
            let found = positionsAfterChange(kept, deletions: deletions, insertions: insertions)
            #expect(found == expected, "\(count) elements, deletions \(deletions), insertions \(insertions)")
          }
        }
      }
    }
  }
}
