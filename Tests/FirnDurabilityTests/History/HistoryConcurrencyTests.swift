import FirnEngine
import Testing

@testable import FirnDurability

/// History is read while others commit, and while checkpoints remove what is read.
@Suite struct HistoryConcurrencyTests {
  @Test(arguments: [0, 40_000, 1 << 30]) func isExactBesideWritersAndCheckpoints(_ historyByteCount: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try DurableHistoryTests.open(disk) { $0.historyByteCount = historyByteCount }
    let isOver = Lock(false)
    let writer = JoinedThread {
      defer { isOver.withLock { $0 = true } }
      for number in Int64(1)...500 {
        do {
          store.flush(through: try DurableHistoryTests.commit(number, to: store))
          if number % 7 == 0 { _ = try store.checkpoint() }
        } catch {
          Issue.record(error)
          return
        }
      }
    }
    var readCount = 0
    while !isOver.withLock({ $0 }) {
      do {
        let head = store.graph.head
        let start = try store.historyStart(through: head)
        let lines = try DurableHistoryTests.read(store, after: start)
        readCount += lines.count
        // Commit n has version n + 1, and is that of author n.
        let numbers = lines.map { Int($0.prefix { $0 != " " }) ?? 0 }
        #expect(numbers.first ?? Int(start) + 1 == Int(start) + 1)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        #expect(lines.allSatisfy { $0.split(separator: " ")[1] == "\((Int($0.prefix { $0 != " " }) ?? 0) - 1)" })
      } catch let error as StoreError where error.code == .historyUnavailable {
        // A checkpoint was faster.
        #expect(historyByteCount < 1 << 30)
      }
    }
    writer.join()
    if historyByteCount == 1 << 30 { readCount += try DurableHistoryTests.read(store, after: 1).count }
    #expect(historyByteCount < 1 << 30 || readCount >= 500)
    _ = store.release()
  }
}
