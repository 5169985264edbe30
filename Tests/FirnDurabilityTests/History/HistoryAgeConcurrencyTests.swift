import FirnEngine
import Testing

@testable import FirnDurability

/// The look after old history comes by itself.
@Suite struct HistoryAgeConcurrencyTests {
  @Test("history that is too old leaves the disk though nobody asks for that", .timeLimit(.minutes(1)))
  func lookByItself() async throws {
    let disk = SimulatedDisk(seed: 1)
    let time = ManualClock()
    let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
    let clock = StoreClock(
      nanosecondsSince1970: {
        continuation.yield()
        return time.now
      }, uptimeNanoseconds: { time.now })
    let table = TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
    let store = try openStore("/store.firn", [table], on: disk, segmentByteCount: 1 << 14) { options in
      options.clock = clock
      options.historyByteCount = .max
      options.historyNanoseconds = 1_000_000_000
      options.preparesSegments = false
    }
    store.trigger.settle()
    store.graph.enterGateBlocking()
    store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), 1) }
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
    #expect(Self.hasSegments(disk))
    time.advance(seconds: 10)
    // Each look asks for the time before it removes anything, so that the one after it finds nothing.
    for await _ in asked where !Self.hasSegments(disk) { break }
    #expect(store.release() == nil)
  }

  private static func hasSegments(_ disk: SimulatedDisk) -> Bool { disk.paths.contains { $0.hasSuffix(".segment") } }
}
