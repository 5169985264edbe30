import FirnDurability
import FirnEngine
import Testing

/// A store that nobody uses any more leaves nothing in memory.
@Suite struct StoreReleaseTests {
  enum Ending: CaseIterable {
    case closed, released, dropped
  }

  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  @Test(arguments: Ending.allCases) func theGraphGoesWithTheStore(_ ending: Ending) throws {
    let disk = SimulatedDisk(seed: 1)
    weak var graph: Graph?
    do {
      let store = try DurableStore.open(
        "/store.firn", schema: Self.schema, options: DurableStore.Options(), seed: HashSeed(1, 2), fileSystem: disk)
      graph = store.graph
      store.graph.enterGateBlocking()
      store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), 1) }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      store.flush(through: version)
      switch ending {
      case .closed: try store.close()
      case .released: #expect(store.release() == nil)
      case .dropped: break
      }
      #expect(graph != nil)
    }
    #expect(graph == nil)
  }

  /// Opening takes memory of its own for columns with an index, and gives it back.
  @Test func openingLeavesNoMemoryBehind() async {
    await #expect(processExitsWith: .success) {
      let columns = (0..<4).map { ColumnDescription(name: "number \($0)", type: .int, isIndexed: true) }
      let texts = (0..<2).map { ColumnDescription(name: "text \($0)", type: .string, isIndexed: true) }
      let schema = [TableDescription(name: "Item", columns: columns + texts)]
      let disk = SimulatedDisk(seed: 1)
      func open() throws -> DurableStore {
        try openStore("/store.firn", schema, on: disk, segmentByteCount: 1 << 20) { $0.threadCount = 1 }
      }
      let store = try open()
      store.graph.enterGateBlocking()
      let writer = store.graph.begin()
      for number in 0..<20_000 as Range<Int64> {
        writer.insert(into: TableID(0)) { row in
          for column in 0..<4 { row.setInt(ColumnID(column), number % 50) }
          for column in 4..<6 { row.set(ColumnID(column), Value("text \(number % 50)")) }
        }
      }
      _ = try store.graph.commit()
      store.graph.gate.leave()
      try store.close()
      var before = 0
      for round in 0..<20 {
        _ = try open().release()
        // The allocator keeps some of what it has once got.
        if round == 3 { before = ResidentMemory.byteCount }
      }
      let taken = ResidentMemory.byteCount - before
      if taken > 6_000_000 { fatalError("16 openings leave \(taken) bytes.") }
    }
  }

  /// The journal tells that a commit is durable, or lost, and cannot be closed by those whom it calls.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func theLastReferenceMayGoWhereACommitIsTold(isLost: Bool) async throws {
    let disk = SimulatedDisk(seed: 1)
    func open() throws -> DurableStore {
      try DurableStore.open(
        "/store.firn", schema: Self.schema, options: DurableStore.Options(), seed: HashSeed(1, 2), fileSystem: disk)
    }
    let told = await withCheckedContinuation { continuation in
      do {
        let store = try open()
        store.graph.enterGateBlocking()
        store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), 1) }
        let version = try store.graph.commit().version.number
        store.graph.gate.leave()
        if isLost { disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true)) }
        store.graph.whenDurable(version) { error in
          let released = store.release()
          continuation.resume(returning: (error == nil, released == nil))
        }
        store.flushSoon()
      } catch {
        continuation.resume(returning: (false, false))
      }
    }
    #expect(told.0 == !isLost)
    #expect(told.1)
    // The lock goes shortly afterwards.
    while true {
      do {
        let store = try open()
        #expect(store.opening.rowCount == 1 || isLost)
        return
      } catch let error as StoreError where error.code == .ownedByOtherProcess {
        await Task.yield()
      }
    }
  }
}
