import FirnEngine

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
  var snapshot: Snapshot { writer?.snapshot ?? versions[versions.count - 1].snapshot }

  func keys(_ table: Int) -> [RowKey] {
    var keys: [RowKey] = []
    snapshot.forEachKey(in: TableID(table)) { keys.append($0) }
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

  private func begin() -> Writer {
    if let writer { return writer }
    graph.enterGateBlocking()
    let new = graph.begin()
    writer = new
    return new
  }
}
