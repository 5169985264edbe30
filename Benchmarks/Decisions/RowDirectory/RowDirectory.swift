import FirnEngine

/// Keys that only grow, with clusters that are compacted: what does churn cost in memory and look-ups?
///
/// Compares a table after FIFO, random and one-survivor-in-256 deletions with a fresh one of the same rows.
@main
enum RowDirectory {
  static let rowCount = 200_000

  static func main() {
    print("\(rowCount) rows, after churn      bytes per row    of fresh    random look-up (ns)")
    let fresh = Churn(rowCount)
    let bytes = fresh.bytesPerRow
    report("fresh", fresh, bytes)
    let fifo = Churn(rowCount)
    for _ in 0..<40 { fifo.replaceOldest(rowCount / 4) }
    report("first in, first out", fifo, bytes)
    let random = Churn(rowCount)
    for _ in 0..<40 { random.replaceRandom(rowCount / 4) }
    report("random", random, bytes)
    let survivors = Churn(rowCount)
    survivors.growWithOneSurvivorIn256(20 * rowCount)
    report("one survivor in 256", survivors, bytes)
  }

  private static func report(_ name: String, _ churn: Churn, _ fresh: Double) {
    let padded = name + String(repeating: " ", count: 30 - name.count)
    let ratio = churn.bytesPerRow / fresh
    print("\(padded) \(tenths(churn.bytesPerRow))            \(tenths(ratio))x        \(tenths(churn.lookUp()))")
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

/// A table of two columns that rows come to and go from.
private final class Churn {
  private let graph: Graph
  private var keys: [RowKey] = []
  private var random = SystemRandomNumberGenerator()
  private let table = TableID(0)

  init(_ count: Int) {
    let columns = [
      ColumnDescription(name: "number", type: .int), ColumnDescription(name: "value", type: .double),
    ]
    graph = Graph(schema: [TableDescription(name: "Row", columns: columns)], seed: HashSeed(1, 2))
    insert(count)
  }

  var bytesPerRow: Double { Double(graph.allocatedByteCount) / Double(keys.count) }

  private func insert(_ count: Int) {
    write { writer in
      for number in 0..<count {
        keys.append(
          writer.insert(into: table) { row in
            row.setInt(ColumnID(0), Int64(number))
            row.setDouble(ColumnID(1), Double(number))
          })
      }
    }
  }

  func replaceOldest(_ count: Int) {
    write { $0.delete(Array(keys[..<count]), from: table) }
    keys.removeFirst(count)
    insert(count)
  }

  func replaceRandom(_ count: Int) {
    keys.shuffle(using: &random)
    write { $0.delete(Array(keys[..<count]), from: table) }
    keys.removeFirst(count)
    insert(count)
  }

  /// Of all rows that come only one in 256 stays, until as many have stayed as there were rows.
  func growWithOneSurvivorIn256(_ count: Int) {
    write { $0.deleteAll(from: table) }
    keys = []
    for _ in 0..<(count / 25_600) {
      let first = keys.count
      insert(25_600)
      let arrived = keys[first...]
      let doomed = arrived.filter { $0.rawValue % 256 != 7 }
      write { $0.delete(doomed, from: table) }
      keys = keys[..<first] + arrived.filter { $0.rawValue % 256 == 7 }
    }
  }

  private func write(_ body: (Writer) -> Void) {
    graph.enterGateBlocking()
    body(graph.begin())
    do { _ = try graph.commit() } catch { fatalError("\(error)") }
    graph.gate.leave()
  }

  func lookUp() -> Double {
    let version = graph.holdHead()
    let wanted = (0..<100_000).map { _ in keys[Int.random(in: 0..<keys.count, using: &random)] }
    var best = Double.infinity
    var found = 0
    for _ in 0..<5 {
      let time = ContinuousClock().measure {
        version.withContents { contents in
          for key in wanted where contents.contains(key, in: table) { found += 1 }
        }
      }
      best = min(best, Double(time.components.attoseconds) / 1e9 / Double(wanted.count))
    }
    if found != 5 * wanted.count { fatalError("A row was not found.") }
    return best
  }
}
