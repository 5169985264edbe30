import FirnEngine
import TestSupport

/// A whole version as chunks.
struct ExportedGraph: Equatable, Sendable {
  struct Group: Equatable, Sendable {
    var keys: [UInt64]
    var columns: [ColumnChunk]
  }

  struct Table: Equatable, Sendable {
    var nextKey: UInt64
    var groups: [Group] = []
    var dictionaries: [Int: ByteStrings] = [:]
  }

  var tables: [Table] = []

  init(_ graph: Graph) {
    graph.enterGateBlocking()
    let writer = graph.begin()
    let nextKeys = (0..<graph.layout.visibleCount).map { writer.nextKey(of: TableID($0)).rawValue }
    graph.cancel()
    graph.gate.leave()
    let version = graph.holdHead()
    for index in 0..<graph.layout.visibleCount {
      var table = Table(nextKey: nextKeys[index])
      var export = TableExport(version.contents, table: TableID(index))
      let columns = graph.layout.schema[index].columns
      for (column, description) in columns.enumerated()
      where description.isIndexed && description.collection == nil && [.string, .data].contains(description.type) {
        table.dictionaries[column] = export.dictionary(ColumnID(column))
      }
      while let group = export.nextGroup() {
        table.groups.append(
          Group(keys: group.keys, columns: columns.indices.map { group.chunk(ColumnID($0)) }))
      }
      tables.append(table)
    }
    withExtendedLifetime(version) {}
  }

  /// Cuts and joins groups so that they end anywhere.
  func regrouped(_ random: inout SeededGenerator) -> ExportedGraph {
    var copy = self
    for index in tables.indices {
      copy.tables[index].groups = tables[index].groups.flatMap { group in
        var parts: [Group] = []
        var start = 0
        while start < group.keys.count {
          let length = random.chance(50) ? 1 + random.below(300) : 1 + random.below(8)
          let rows = start..<min(start + length, group.keys.count)
          parts.append(Group(keys: Array(group.keys[rows]), columns: group.columns.map { $0.sliced(rows) }))
          start = rows.upperBound
        }
        return parts
      }
      copy.tables[index].groups.shuffle(using: &random)
    }
    return copy
  }

  /// - Parameter setsNextKeysFirst: Else they are told after the groups.
  func loader(
    schema: [TableDescription], setsNextKeysFirst: Bool = true, threadCount: Int = 2
  ) throws -> GraphLoader {
    let loader = GraphLoader(
      schema: schema, seed: HashSeed(5, 6), poisonsFreedBlocks: true, threadCount: threadCount)
    for (index, table) in tables.enumerated() {
      if setsNextKeysFirst { loader.setNextKey(table.nextKey, of: TableID(index)) }
      for (column, values) in table.dictionaries {
        try loader.setDictionary(values, of: ColumnID(column), in: TableID(index))
      }
    }
    return loader
  }

  func load(
    schema: [TableDescription], version: UInt64 = 1, setsNextKeysFirst: Bool = true, log: (any CommitLog)? = nil
  ) throws -> Graph {
    let loader = try loader(schema: schema, setsNextKeysFirst: setsNextKeysFirst)
    for (index, table) in tables.enumerated() {
      for group in table.groups { try loader.addGroup(TableID(index), keys: group.keys, columns: group.columns) }
      if !setsNextKeysFirst { loader.setNextKey(table.nextKey, of: TableID(index)) }
    }
    try loader.finish(version: version)
    return Graph(loaded: loader, log: log)
  }
}

extension ColumnChunk {
  /// Some of the rows, found value by value.
  func sliced(_ rows: Range<Int>) -> ColumnChunk {
    let nulls = nulls?.sliced(rows)
    let values: ColumnValues
    switch self.values {
    case .bits(let bits): values = .bits(bits.sliced(rows))
    case .ints(let ints): values = .ints(Array(ints[rows]))
    case .fixed(let width, let bytes):
      values = .fixed(width: width, Array(bytes[(rows.lowerBound * width)..<(rows.upperBound * width)]))
    case .bytes(let strings): values = .bytes(strings.sliced(rows))
    case .dictionary(let ids): values = .dictionary(Array(ids[rows]))
    case .lists(let counts, let elements):
      let start = counts[..<rows.lowerBound].reduce(0) { $0 + Int($1) }
      let end = counts[rows].reduce(start) { $0 + Int($1) }
      values = .lists(counts: Array(counts[rows]), elements: elements.sliced(start..<end))
    case .maps(let counts, let keys, let elements):
      let start = counts[..<rows.lowerBound].reduce(0) { $0 + Int($1) }
      let end = counts[rows].reduce(start) { $0 + Int($1) }
      values = .maps(
        counts: Array(counts[rows]), keys: keys.sliced(start..<end), values: elements.sliced(start..<end))
    }
    return ColumnChunk(rowCount: rows.count, nulls: nulls, values: values)
  }
}

extension ByteStrings {
  fileprivate func sliced(_ rows: Range<Int>) -> ByteStrings {
    let start = lengths[..<rows.lowerBound].reduce(0) { $0 + Int($1) }
    let end = lengths[rows].reduce(start) { $0 + Int($1) }
    return ByteStrings(lengths: Array(lengths[rows]), bytes: Array(bytes[start..<end]))
  }
}

extension [UInt64] {
  fileprivate func sliced(_ rows: Range<Int>) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (rows.count + 63) / 64)
    for (place, row) in rows.enumerated() where self[row / 64] >> UInt64(row % 64) & 1 != 0 {
      words[place / 64] |= 1 << UInt64(place % 64)
    }
    return words
  }
}
