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
}
