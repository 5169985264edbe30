import FirnEngine

/// Separating what writers build on (tip) from what readers see (head): what does a commit cost that has to wait for a
/// log, how many commits share one wait, and what does taking unsynced commits back cost?
@main
enum TipAndHead {
  static func main() {
    print("20,000 updates of one row each, ns per commit (best of 5)")
    print("without a log           \(commits(log: nil))")
    print("log that is durable     \(commits(log: InstantLog()))")
    print("pending, head follows   \(commits(log: PendingLog(), batch: 1))")
    print("pending, 16 share       \(commits(log: PendingLog(), batch: 16))")
    print("\n1,000 pending commits taken back (µs in all)   \(reversal())")
  }

  private static func commits(log: (any CommitLog)?, batch: Int = 0) -> Int {
    let (graph, rows) = makeGraph(log: log)
    var best = Double.infinity
    for _ in 0..<5 {
      let time = ContinuousClock().measure {
        for number in 0..<20_000 {
          let version = update(graph, rows[number * 7919 % rows.count], Int64(number))
          if batch > 0, number % batch == batch - 1 { graph.didBecomeDurable(through: version) }
        }
      }
      graph.didBecomeDurable(through: graph.tip)
      best = min(best, Double(time.components.attoseconds) / 1e9 / 20_000)
    }
    return Int(best)
  }

  private static func reversal() -> Int {
    let (graph, rows) = makeGraph(log: PendingLog())
    graph.didBecomeDurable(through: graph.tip)
    for number in 0..<1_000 { _ = update(graph, rows[number], 1) }
    let time = ContinuousClock().measure { graph.didLoseDurability(DiskFailed()) }
    return Int(time.components.attoseconds / 1_000_000_000_000)
  }

  private static func makeGraph(log: (any CommitLog)?) -> (Graph, [RowKey]) {
    let columns = [ColumnDescription(name: "number", type: .int), ColumnDescription(name: "value", type: .int)]
    let graph = Graph(schema: [TableDescription(name: "Row", columns: columns)], seed: HashSeed(1, 2), log: log)
    var rows: [RowKey] = []
    _ = write(graph) { writer in
      for number in 0..<100_000 {
        rows.append(writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), Int64(number)) })
      }
    }
    graph.didBecomeDurable(through: graph.tip)
    return (graph, rows)
  }

  private static func update(_ graph: Graph, _ row: RowKey, _ value: Int64) -> UInt64 {
    write(graph) { $0.setInt(ColumnID(1), of: row, in: TableID(0), to: value) }
  }

  private static func write(_ graph: Graph, _ body: (Writer) -> Void) -> UInt64 {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    body(graph.begin())
    do { return try graph.commit().version.number } catch { fatalError("\(error)") }
  }
}

private struct DiskFailed: Error {}

private final class InstantLog: CommitLog {
  func append(_ commit: LoggedCommit) -> CommitLogAnswer { .durable }
}

private final class PendingLog: CommitLog {
  func append(_ commit: LoggedCommit) -> CommitLogAnswer { .pending }
}
