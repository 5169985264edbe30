import FirnEngine
import TestSupport
import Testing

/// The content of a version stays while a scope looks at it, though nothing else refers to the version.
@Suite struct HeldContentsTests {
  private let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
  private let table = GraphModelSchema.plain

  private func write(_ body: (Writer) -> Void) throws {
    graph.enterGateBlocking()
    body(graph.begin())
    _ = try graph.commit()
    graph.gate.leave()
  }

  /// Replaces everything that a version shows, and has what nobody holds freed.
  private func replaceEverything() throws {
    for _ in 0..<3 {
      try write { writer in
        writer.deleteAll(from: table)
        for _ in 0..<500 { writer.insert(into: table) { _ in } }
      }
    }
  }

  private func insert(_ count: Int) throws {
    try write { writer in for _ in 0..<count { writer.insert(into: table) { _ in } } }
  }

  @Test("of one version")
  func one() throws {
    try insert(1_000)
    let (count, deletionCount) = try graph.holdHead().withContents { contents in
      try replaceEverything()
      #expect(graph.heldVersions.count == 2)
      contents.checkInvariants()
      return (contents.rowCount(table), contents.deletionCount)
    }
    #expect(count == 1_000 && deletionCount == 0)
    #expect(graph.heldVersions.count == 1)
  }

  @Test("of two versions")
  func two() throws {
    try insert(1_000)
    let old = graph.holdHead()
    try insert(1)
    let changes = try Version.withContents(of: old, graph.holdHead()) { old, new in
      try replaceEverything()
      #expect(graph.heldVersions.count == 3)
      return ChangeSet(from: old, to: new)
    }
    #expect(changes.tables[table.index].inserted.count == 1 && changes.tables[table.index].deleted.isEmpty)
  }

  @Test("until an error has left the scope")
  func throwing() throws {
    struct Refusal: Error {}
    try insert(10)
    #expect(throws: Refusal.self) {
      try graph.holdHead().withContents { _ in
        try replaceEverything()
        #expect(graph.heldVersions.count == 2)
        throw Refusal()
      }
    }
    #expect(graph.heldVersions.count == 1)
  }
}
