import FirnEngine
import Glibc

/// What it costs to load a million rows from ready chunks, with primary key, index and links, and to export them again.
///
/// Best of some rounds, in milliseconds: elapsed, and processor time of all threads, which other programs disturb less.
/// Arguments: the number of rounds and of rows.
@main
nonisolated enum Loading {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let rounds = arguments.first ?? 7
    let data = Persons(rowCount: arguments.dropFirst().first ?? 1_000_000)
    for threadCount in [1, 2] {
      var best: [String: (Double, Double)] = [:]
      for _ in 0..<rounds {
        for (step, time) in try round(data, threadCount) {
          let old = best[step] ?? (.infinity, .infinity)
          best[step] = (min(old.0, time.0), min(old.1, time.1))
        }
      }
      print("\(threadCount) thread(s)          elapsed   processor")
      for (step, time) in best.sorted(by: { $0.key < $1.key }) { print(step, time.0, time.1, separator: "   ") }
    }
  }

  static func round(_ data: Persons, _ threadCount: Int) throws -> [(String, (Double, Double))] {
    let loader = GraphLoader(schema: Persons.schema, seed: HashSeed(1, 2), threadCount: threadCount)
    let table = TableID(0)
    loader.setNextKey(UInt64(data.rowCount), of: table)
    try loader.setDictionary(data.cities, of: ColumnID(4), in: table)
    let adding = measured {
      parallel(threadCount) { thread in
        for (index, group) in data.groups.enumerated() where index % threadCount == thread {
          try! loader.addGroup(table, keys: group.keys, columns: group.columns)
        }
      }
    }
    let finishing = try measured { try loader.finish(version: 1) }
    let graph = Graph(loaded: loader)
    let version = graph.holdHead()
    var groups: [RowGroup] = []
    let cutting = measured {
      version.withContents { contents in
        var export = TableExport(contents, table: table)
        while let group = export.nextGroup() { groups.append(group) }
      }
    }
    let all = groups
    let exporting = measured {
      parallel(threadCount) { thread in
        for (index, group) in all.enumerated() where index % threadCount == thread {
          for column in 0..<8 { blackHole(group.chunk(ColumnID(column))) }
        }
      }
    }
    withExtendedLifetime(version) {}
    return [
      ("1 add groups", adding), ("2 finish    ", finishing), ("3 cut groups", cutting), ("4 export    ", exporting),
    ]
  }

  @inline(never)
  static func blackHole(_ chunk: ColumnChunk) {}

  static func measured(_ body: () throws -> Void) rethrows -> (Double, Double) {
    let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    try body()
    return (now(CLOCK_MONOTONIC) - start.0, now(CLOCK_PROCESS_CPUTIME_ID) - start.1)
  }

  static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

/// Persons with 8 columns, an indexed city of a thousand values, and a link to any of them.
struct Persons: Sendable {
  static let schema = [
    TableDescription(
      name: "Person",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "name", type: .string),
        ColumnDescription(name: "age", type: .int),
        ColumnDescription(name: "score", type: .double),
        ColumnDescription(name: "city", type: .string, isIndexed: true),
        ColumnDescription(name: "created", type: .date),
        ColumnDescription(name: "active", type: .bool),
        ColumnDescription(name: "best", type: .link, target: TableID(0)),
      ])
  ]

  struct Group: Sendable {
    var keys: [UInt64]
    var columns: [ColumnChunk]
  }

  let rowCount: Int
  var groups: [Group] = []
  var cities = ByteStrings()

  init(rowCount: Int) {
    self.rowCount = rowCount
    var random = SplitMix()
    for city in 0..<1000 { cities.append("City number \(city)") }
    for start in stride(from: 0, to: rowCount, by: 16_384) {
      let rows = start..<min(start + 16_384, rowCount)
      var names = ByteStrings()
      var doubles: [Double] = []
      for _ in rows {
        names.append(String(repeating: "n", count: Int.random(in: 8...24, using: &random)))
        doubles.append(Double.random(in: 0..<1000, using: &random))
      }
      let fixed = ColumnValues.fixed(width: 8, doubles.withUnsafeBytes { Array($0) })
      let values: [ColumnValues] = [
        .ints(rows.map { Int64($0) }), .bytes(names), .ints(rows.map { _ in .random(in: 0..<100, using: &random) }),
        fixed, .dictionary(rows.map { _ in .random(in: 1...1000, using: &random) }), fixed,
        .bits((0..<(rows.count + 63) / 64).map { _ in random.next() }),
        .ints(rows.map { _ in .random(in: 1...Int64(rowCount), using: &random) }),
      ]
      groups.append(
        Group(keys: rows.map { UInt64($0) }, columns: values.map { ColumnChunk(rowCount: rows.count, values: $0) }))
    }
  }
}

extension ByteStrings {
  mutating func append(_ string: String) {
    lengths.append(UInt32(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }
}

/// Runs `body` on some threads, the caller's included.
private func parallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Work {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) { (self.index, self.body) = (index, body) }
  }
  let threads = (1..<count).map { index in
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
        work.body(work.index)
        return nil
      }, Unmanaged.passRetained(Work(index, body)).toOpaque())
    return thread
  }
  body(0)
  for thread in threads { pthread_join(thread, nil) }
}

/// Far cheaper than the system's generator, and the same every time.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
