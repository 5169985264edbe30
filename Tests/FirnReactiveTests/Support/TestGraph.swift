import FirnEngine
import FirnReactive
import TestSupport

/// A graph to write to in tests: opens a transaction with the first write, and keeps every version held.
final class TestGraph {
  let schema: [TableDescription]
  private let graph: Graph
  private let follower: ChangeFollower
  private var versions: [Version]
  private var writer: Writer?

  init(schema: [TableDescription]) {
    self.schema = schema
    graph = Graph(schema: schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    let version = graph.holdHead()
    versions = [version]
    follower = graph.followChanges(from: version.number)
  }

  deinit {
    if writer != nil {
      graph.cancel()
      graph.gate.leave()
    }
  }

  var layout: GraphLayout { graph.layout }

  /// The running transaction, or the newest version.
  var contents: GraphContents { writer?.contents ?? versions[versions.count - 1].contents }

  func keys(_ table: Int) -> [RowKey] {
    var keys: [RowKey] = []
    contents.forEachKey(in: TableID(table)) { keys.append($0) }
    return keys
  }

  @discardableResult
  func insert(_ table: Int, _ values: [Value]) -> RowKey {
    let writer = begin()
    let key = writer.insert(into: TableID(table)) { _ in }
    for (column, value) in values.enumerated() {
      writer.set(ColumnID(column), of: key, in: TableID(table), to: value)
    }
    return key
  }

  func set(_ table: Int, _ key: RowKey, _ column: Int, _ value: Value) {
    begin().set(ColumnID(column), of: key, in: TableID(table), to: value)
  }

  /// Writes in a collection.
  func write(_ body: (Writer) -> Void) { body(begin()) }

  /// Links to the row become null.
  func delete(_ table: Int, _ key: RowKey) { begin().delete([key], from: TableID(table)) }

  /// Everything since the last commit.
  func commit() -> ChangeSet {
    _ = begin()
    guard let commit = try? graph.commit() else { fatalError("A commit without a log failed.") }
    graph.gate.leave()
    writer = nil
    let before = versions[versions.count - 1]
    versions.append(commit.version)
    return graph.changes(from: before, to: commit.version)
  }

  /// What a stage is moved by, up to the newest version.
  func step(_ changes: ChangeSet, from old: GraphContents, climbMin: Int = 1024) -> Step {
    Step(changes, old: old, new: contents, number: versions[versions.count - 1].number, climbMin: climbMin)
  }

  private func begin() -> Writer {
    if let writer { return writer }
    graph.enterGateBlocking()
    let new = graph.begin()
    writer = new
    return new
  }
}

/// How many random histories a test goes through: few in a usual run, `FIRN_HISTORIES` by hand.
enum Histories {
  static func rounds(_ usual: Int) -> Range<Int> {
    0..<(environmentNumber("FIRN_HISTORIES") ?? usual)
  }
}
