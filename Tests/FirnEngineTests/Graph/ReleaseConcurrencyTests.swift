import FirnEngine
import Glibc
import TestSupport
import Testing

/// Versions that are let go while somebody writes.
@Suite struct ReleaseConcurrencyTests {
  private let graph = Graph(
    schema: GraphModelSchema.tables, seed: HashSeed(1, 2), poisonsFreedBlocks: true)

  private func commit() throws {
    graph.enterGateBlocking()
    graph.begin().insert(into: GraphModelSchema.plain) { _ in }
    _ = try graph.commit()
    graph.gate.leave()
  }

  @Test("a version that is let go inside the gate is freed when it is left")
  func insideTheGate() throws {
    try commit()
    var version: Version? = graph.holdHead()
    try commit()
    #expect(graph.heldVersions.count == 2 && version != nil)
    graph.enterGateBlocking()
    version = nil
    #expect(graph.heldVersions.count == 2)
    graph.gate.leave()
    #expect(graph.heldVersions.count == 1)
    graph.checkInvariants()
  }

  @Test("a version that is let go inside the gate is freed by the last of those who wait for it")
  func withAQueue() throws {
    try commit()
    var version: Version? = graph.holdHead()
    try commit()
    #expect(version != nil)
    graph.enterGateBlocking()
    version = nil
    let graph = graph
    let waiting = (0..<3).map { _ in
      JoinedThread {
        graph.enterGateBlocking()
        graph.gate.leave()
      }
    }
    while graph.gate.waiterCount < 3 { sched_yield() }
    graph.gate.leave()
    for thread in waiting { thread.join() }
    #expect(graph.heldVersions.count == 1)
  }

  /// Whoever leaves sees what others could not do meanwhile.
  @Test("nothing is left of versions that threads hold and let go beside a writer", arguments: 0..<20)
  func besideAWriter(round: Int) throws {
    let graph = graph
    let threads = (0..<3).map { _ in
      JoinedThread { for _ in 0..<500 { _ = graph.holdHead() } }
    }
    for _ in 0..<200 { try commit() }
    for thread in threads { thread.join() }
    #expect(graph.heldVersions.count == 1, "round \(round)")
    graph.checkInvariants()
  }
}
