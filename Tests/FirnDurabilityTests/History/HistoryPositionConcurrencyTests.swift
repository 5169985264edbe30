import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

/// Tasks ask where a version is in the journal while a commit is being written.
@Suite(.timeLimit(.minutes(2))) struct HistoryPositionConcurrencyTests {
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  @Test("many tasks that ask keep no thread from the one that the writer waits for")
  func waiting() async throws {
    let store = try openStore("/store.firn", Self.schema, on: SimulatedDisk(seed: 1), segmentByteCount: 1 << 16)
    let journal = try #require(store.journal)
    let version = store.graph.head
    let expected = store.historyPosition(of: version)
    let isWriting = Semaphore()
    let mayGoOn = Semaphore()
    // As a writer does that waits for the disk.
    let writer = JoinedThread {
      journal.appending.withLock { _ in
        isWriting.signal()
        mayGoOn.wait()
      }
    }
    isWriting.wait()
    let tasks = (0..<600).map { _ in Task { await store.historyPositionInTurn(of: version) } }
    await Task { mayGoOn.signal() }.value
    for task in tasks { #expect(await task.value == expected) }
    writer.join()
    #expect(await store.historyPositionInTurn(of: version) == expected)
    #expect(await store.historyPositionInTurn(of: version + 9) == nil)
    try store.close()
  }
}
