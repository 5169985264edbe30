import FirnEngine
import Testing

@testable import FirnDurability

/// Writers that find no room, beside checkpoints that make some.
@Suite struct StoreRoomConcurrencyTests {
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "text", type: .string)])
  ]

  /// Inserts a row whose text takes so many bytes, or says that there is no room for it.
  private static func insert(_ text: [UInt8], into store: DurableStore) throws {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    store.graph.begin().insert(into: TableID(0)) { $0.set(ColumnID(0), .string(text)) }
    do {
      _ = try store.graph.commit()
      store.flushSoon()
    } catch {
      store.graph.cancel()
      throw error
    }
  }

  @Test func checkpointsGoOnWhileCommitsAreRefused() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try openStore("/store.firn", Self.schema, on: disk, segmentByteCount: 1 << 14) { options in
      options.threadCount = 1
      options.idleNanoseconds = nil
    }
    var random = SeededRandom(1)
    let long = (0..<200_000).map { _ in UInt8(33 + random.below(90)) }
    try Self.insert(long, into: store)
    #expect(try store.checkpoint().isBase)
    // Room for small deltas, and never for the segment that a long commit wants.
    disk.setCapacity(disk.byteCount + 40_000)
    let isOver = Lock(false)
    let refusalCount = Lock(0)
    let writer = JoinedThread {
      while !isOver.withLock({ $0 }) {
        do {
          try Self.insert(Array(long.prefix(10)), into: store)
          try Self.insert(long, into: store)
        } catch let error as StoreError where error.code == .outOfDiskSpace {
          refusalCount.withLock { $0 += 1 }
        } catch {
          Issue.record(error)
          return
        }
      }
    }
    for _ in 0..<300 {
      do {
        _ = try store.checkpoint()
      } catch let error as StoreError where error.code == .outOfDiskSpace {
        continue
      } catch {
        Issue.record(error)
      }
    }
    isOver.withLock { $0 = true }
    writer.join()
    #expect(refusalCount.withLock { $0 } > 0)
    _ = store.release()
  }
}
