import FirnEngine
import TestSupport
import Testing

/// Versions that are held for somebody who wants to see each commit.
@Suite struct VersionTrailTests {
  private let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), poisonsFreedBlocks: true)

  @discardableResult
  private func commit(rows: Int = 1) throws -> UInt64 {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for _ in 0..<rows { writer.insert(into: GraphModelSchema.plain) { _ in } }
    return try graph.commit().version.number
  }

  @Test("each version is there, in order, until it is taken")
  func order() throws {
    try commit()
    let follower = graph.followVersions(byteCountMax: .max)
    #expect(follower.take().versions.isEmpty)
    let numbers = try (0..<10).map { _ in try commit() }
    #expect(graph.heldVersions.count == 10)
    let taken = follower.take()
    #expect(taken.versions.map(\.version.number) == numbers && !taken.hasGap)
    let rows = taken.versions.map { $0.version.contents.rowCount(GraphModelSchema.plain) }
    #expect(rows == Array(2...11))
    #expect(zip(taken.versions, taken.versions.dropFirst()).allSatisfy { $0.retiredByteCount <= $1.retiredByteCount })
    #expect(follower.take().versions.isEmpty)
  }

  @Test("nothing is held once it was taken and let go, nor after following ended")
  func lettingGo() throws {
    var follower: VersionFollower? = graph.followVersions(byteCountMax: .max)
    for _ in 0..<5 { try commit() }
    _ = follower?.take()
    try commit()
    #expect(graph.heldVersions.count == 1)
    for _ in 0..<5 { try commit() }
    #expect(graph.heldVersions.count > 1 && follower != nil)
    follower = nil
    try commit()
    #expect(graph.heldVersions.count == 1)
    graph.checkInvariants()
    // Another one may follow.
    _ = graph.followVersions(byteCountMax: .max)
  }

  @Test("what takes too much is let go, and the follower learns of the gap once")
  func gap() throws {
    let follower = graph.followVersions(byteCountMax: 20_000)
    var last: UInt64 = 0
    for _ in 0..<300 { last = try commit(rows: 10) }
    #expect(graph.heldVersions.count < 300)
    let taken = follower.take()
    #expect(taken.hasGap && taken.versions.last?.version.number == last)
    try commit()
    #expect(!follower.take().hasGap)
    graph.checkInvariants()
  }

  @Test("versions that were lost are not shown, but what took their place is", arguments: [false, true])
  func lost(takes: Bool) throws {
    let log = FakeCommitLog()
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2), log: log, poisonsFreedBlocks: true)
    func commit() throws -> UInt64 {
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      graph.begin().insert(into: GraphModelSchema.plain) { _ in }
      return try graph.commit().version.number
    }
    var follower: VersionFollower? = graph.followVersions(byteCountMax: .max)
    let durable = try commit()
    graph.didBecomeDurable(through: durable)
    let lost = [try commit(), try commit()]
    graph.didLoseDurability(FakeCommitLog.Failure())
    guard takes, let taken = follower?.take() else {
      #expect(follower != nil)
      follower = nil
      #expect(graph.heldVersions.count == 1)
      return graph.checkInvariants()
    }
    let numbers = taken.versions.map(\.version.number)
    #expect(numbers == [durable, graph.head] && !lost.contains(graph.head) && !taken.hasGap)
    #expect(taken.versions.map { $0.version.contents.rowCount(GraphModelSchema.plain) } == [1, 1])
    #expect(follower?.take().versions.isEmpty == true)
    graph.checkInvariants()
  }
}
