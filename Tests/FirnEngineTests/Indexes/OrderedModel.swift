import FirnEngine

/// Flights, their airports and the countries of these, with ordered indexes along the links.
struct OrderedModel {
  static let flight = TableID(0)
  static let airport = TableID(1)
  static let country = TableID(2)

  static let status = ColumnID(0)
  static let departure = ColumnID(1)
  static let delay = ColumnID(2)
  static let from = ColumnID(3)
  static let number = ColumnID(4)
  static let isLate = ColumnID(5)
  static let city = ColumnID(0)
  static let rank = ColumnID(1)
  static let within = ColumnID(2)
  static let name = ColumnID(0)

  static let paths: [[ColumnPath]] = [
    [ColumnPath(status), ColumnPath(departure)],
    [ColumnPath(delay)],
    [ColumnPath(links: [from], city)],
    [ColumnPath(links: [from, within], name), ColumnPath(delay), ColumnPath(number)],
    [ColumnPath(from), ColumnPath(departure)],
    [ColumnPath(isLate), ColumnPath(number)],
    [ColumnPath(links: [from], within), ColumnPath(links: [from], rank)],
  ]

  static func schema(indexed: Bool = true) -> [TableDescription] {
    [
      TableDescription(
        name: "Flight",
        columns: [
          ColumnDescription(name: "status", type: .string, isIndexed: true),
          ColumnDescription(name: "departure", type: .date, isNullable: true),
          ColumnDescription(name: "delay", type: .int, isNullable: true),
          ColumnDescription(name: "from", type: .link, target: airport),
          ColumnDescription(name: "number", type: .string),
          ColumnDescription(name: "isLate", type: .bool, isNullable: true),
        ],
        indexes: indexed ? paths.enumerated().map { IndexDescription(name: "\($0)", paths: $1) } : []),
      TableDescription(
        name: "Airport",
        columns: [
          ColumnDescription(name: "city", type: .string, isNullable: true, isIndexed: true),
          ColumnDescription(name: "rank", type: .int),
          ColumnDescription(name: "within", type: .link, target: country),
        ],
        indexes: indexed
          ? [IndexDescription(name: "within.name", paths: [ColumnPath(links: [within], name), ColumnPath(city)])] : []),
      TableDescription(name: "Country", columns: [ColumnDescription(name: "name", type: .string)]),
    ]
  }

  let graph: Graph
  var random: SeededGenerator
  /// How many different values a column takes, so that runs have many ties or few.
  var spread = 40

  init(seed: UInt64) {
    graph = Graph(schema: Self.schema(), seed: HashSeed(seed, 5), poisonsFreedBlocks: true)
    random = SeededGenerator(seed)
  }

  func write<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let result = try body(graph.begin())
    _ = try graph.commit()
    return result
  }

  mutating func value(_ table: TableID, _ column: ColumnID, _ contents: GraphContents) -> Value {
    let description = graph.layout.schema[table.index].columns[column.index]
    if description.isNullable, random.chance(12) { return .null }
    switch description.type {
    case .string: return Value(["", "a", "late ", "a long beginning, "][random.below(4)] + "\(random.below(spread))")
    case .date: return .date(random.chance(3) ? .nan : Double(random.below(spread)) / 4)
    case .bool: return .bool(random.chance(50))
    case .link: return key(description.target!, contents).map { .link($0) } ?? .null
    default: return .int(Int64(random.below(spread) - spread / 3) << (random.chance(10) ? 30 : 0))
    }
  }

  /// Some row; often one that many lead to.
  mutating func key(_ table: TableID, _ contents: GraphContents) -> RowKey? {
    let count = contents.rowCount(table)
    if count == 0 { return nil }
    return contents.key(at: random.chance(40) ? 0 : random.below(count), in: table)
  }

  mutating func insert(_ table: TableID, _ writer: Writer) {
    var values: [Value] = []
    for column in graph.layout.schema[table.index].columns.indices {
      values.append(value(table, ColumnID(column), writer.contents))
    }
    writer.insert(into: table) { inserter in
      for (column, value) in values.enumerated() { inserter.set(ColumnID(column), value) }
    }
  }

  mutating func update(_ table: TableID, _ writer: Writer) {
    guard let key = key(table, writer.contents) else { return }
    let column = ColumnID(random.below(graph.layout.schema[table.index].columns.count))
    writer.set(column, of: key, in: table, to: value(table, column, writer.contents))
  }

  /// The rows of an index by sorting them.
  static func sorted(_ index: OrderedIndex, _ contents: GraphContents) -> [UInt64] {
    var keys: [UInt64] = []
    contents.forEachKey(in: index.table) { keys.append($0.rawValue) }
    SortedKeys.sort(keys: &keys, by: index.paths.map { SortKey($0) }, table: index.table, contents: contents)
    return keys
  }

  func check(_ contents: GraphContents, _ number: Int? = nil) throws {
    for index in graph.layout.orderedIndexes where number == nil || index.number == number {
      let expected = Self.sorted(index, contents)
      let found = contents.keys(in: 0..<expected.count, of: index)
      try agree(found == expected, "index \(index.name): \(found) instead of \(expected)")
    }
  }
}
