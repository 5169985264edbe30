import FirnEngine

/// Applies random transactions to a graph and to the model, and compares.
struct GraphModelRun {
  let graph: Graph
  var model: GraphModel
  var random: SeededGenerator
  /// What the running transaction wrote, by table and key.
  var written: [[UInt64: ColumnSet]] = []
  var inserted: [Set<UInt64>] = []
  var deleted: [Set<UInt64>] = []
  /// Rows touched since each table was last looked at, and the position to ask from.
  var touched: [Set<UInt64>] = []
  var looks: [Int?] = []
  var nextPrimaryKey: [UInt64]
  /// The keys given out last, which must only grow.
  var lastKeys: [UInt64?]
  var history: [String] = []
  let traces: Bool

  init(graph: Graph, seed: UInt64, traces: Bool = false) {
    self.graph = graph
    self.traces = traces
    model = GraphModel(layout: graph.layout)
    random = SeededGenerator(seed)
    nextPrimaryKey = Array(repeating: 0, count: graph.layout.visibleCount)
    lastKeys = Array(repeating: nil, count: graph.layout.visibleCount)
    startTransaction()
  }

  mutating func note(_ text: @autoclosure () -> String) {
    history.append(text())
    if history.count > 60 { history.removeFirst() }
    if traces { print(history.last!) }
  }

  mutating func startTransaction() {
    let count = graph.layout.visibleCount
    written = Array(repeating: [:], count: count)
    inserted = Array(repeating: [], count: count)
    deleted = Array(repeating: [], count: count)
    touched = Array(repeating: [], count: count)
    looks = Array(repeating: nil, count: count)
  }

  // MARK: Operations

  mutating func operate(_ writer: Writer) throws {
    switch random.below(100) {
    case 0..<30: insert(writer, randomTable(), count: random.chance(3) ? 300 : 1 + random.below(8))
    case 30..<60: set(writer)
    case 60..<74: changeList(writer)
    case 74..<85: changeGrouping(writer)
    case 85..<92: delete(writer)
    case 92..<94: deleteMany(writer)
    case 94..<97: try look(writer)
    default: try checkInside(writer)
    }
  }

  private mutating func randomTable() -> TableID { TableID([0, 0, 0, 1, 2, 2, 3, 4, 5, 5][random.below(10)]) }

  mutating func randomKey(_ table: TableID) -> UInt64? { model.tables[table.index].keys.randomElement(&random) }

  mutating func insert(_ writer: Writer, _ table: TableID, count: Int) {
    if model.tables[table.index].count > 700 { return }
    for _ in 0..<count { insertOne(writer, table) }
  }

  private mutating func insertOne(_ writer: Writer, _ table: TableID) {
    let columns = model.columns(table)
    var row = GraphModel.Row(values: [], lists: [:])
    var isSet: [Bool] = []
    for (index, column) in columns.enumerated() {
      if column.collection != nil {
        row.lists[index] = []
        if column.collection == .map { row.names[index] = [] }
        row.values.append(.null)
        isSet.append(false)
      } else if column.isPrimaryKey {
        nextPrimaryKey[table.index] += random.chance(80) ? 1 : 3
        row.values.append(unusedPrimaryKey(table, index))
        isSet.append(true)
      } else if random.chance(15) {
        row.values.append(defaultValue(column))
        isSet.append(false)
      } else {
        row.values.append(randomValue(column))
        isSet.append(true)
      }
    }
    let key = writer.insert(into: table) { inserter in
      for index in columns.indices where isSet[index] { inserter.set(ColumnID(index), row.values[index]) }
    }
    note("insert \(table.index)/\(key.rawValue)")
    if let last = lastKeys[table.index], key.rawValue <= last { fatalError("Row key \(key) was given out before.") }
    lastKeys[table.index] = key.rawValue
    model.tables[table.index][key.rawValue] = row
    inserted[table.index].insert(key.rawValue)
    touched[table.index].insert(key.rawValue)
  }

  /// Primary keys of deleted rows come back now and then.
  private mutating func unusedPrimaryKey(_ table: TableID, _ column: Int) -> Value {
    if random.chance(20) {
      let value = model.primaryKey(table, UInt64(random.below(Int(nextPrimaryKey[table.index]))))
      if !model.tables[table.index].values.contains(where: { $0.values[column] == value }) { return value }
    }
    while true {
      let value = model.primaryKey(table, nextPrimaryKey[table.index])
      if !model.tables[table.index].values.contains(where: { $0.values[column] == value }) { return value }
      nextPrimaryKey[table.index] += 1
    }
  }

  private func defaultValue(_ column: ColumnDescription) -> Value {
    if column.isNullable { return .null }
    switch column.type {
    case .bool: return .bool(false)
    case .int: return .int(0)
    case .float: return .float(0)
    case .double: return .double(0)
    case .date: return .date(0)
    case .string: return .string([])
    case .data: return .data([])
    case .objectID: return .objectID(Bytes12(0, 0, 0))
    case .uuid: return .uuid(Bytes16(low: 0, high: 0))
    case .decimal128: return .decimal128(Bytes16(low: 0, high: 0))
    case .link, .mixed: return .null
    }
  }

  mutating func randomValue(_ column: ColumnDescription) -> Value {
    if let target = column.target {
      if column.isNullable, random.chance(20) { return .null }
      // Few targets get most links, so that big backlink sets come up.
      let keys = model.tables[target.index].keys
      if keys.isEmpty { return .null }
      if random.chance(40), let least = keys.min() { return .link(RowKey(least)) }
      return .link(RowKey(randomKey(target)!))
    }
    if column.isNullable, random.chance(20) { return .null }
    return GraphModelValues.value(column.type, isIndexed: column.isIndexed, &random)
  }

  mutating func wrote(_ table: TableID, _ key: UInt64, _ column: Int) {
    written[table.index][key, default: ColumnSet()].insert(ColumnID(column))
    touched[table.index].insert(key)
  }

  private mutating func set(_ writer: Writer) {
    let table = randomTable()
    for _ in 0..<(1 + random.below(6)) {
      let columns = model.columns(table)
      guard let key = randomKey(table), !columns.isEmpty else { return }
      let column = random.below(columns.count)
      if columns[column].collection != nil || columns[column].isPrimaryKey { continue }
      let value = randomValue(columns[column])
      note("set \(table.index)/\(key) \(columns[column].name)")
      writer.set(ColumnID(column), of: RowKey(key), in: table, to: value)
      model.tables[table.index][key]!.values[column] = value
      wrote(table, key, column)
    }
  }

  private mutating func changeList(_ writer: Writer) {
    let (table, lists) = random.chance(30) ? (GraphModelSchema.other, [3]) : (GraphModelSchema.listing, Array(1...22))
    guard let key = randomKey(table) else { return }
    let column = lists[random.below(lists.count)]
    let row = RowKey(key)
    let id = ColumnID(column)
    for _ in 0..<(1 + random.below(12)) {
      let count = model.tables[table.index][key]!.lists[column]!.count
      let operation = random.below(100)
      note("list \(table.index)/\(key) \(column): \(operation) of \(count)")
      switch operation {
      case 0..<50:
        let value = randomValue(model.columns(table)[column])
        if model.columns(table)[column].target != nil, value == .null { return }
        let copies = random.chance(3) ? 150 : 1
        for _ in 0..<copies {
          let index = random.chance(50) ? model.tables[table.index][key]!.lists[column]!.count : random.below(count + 1)
          writer.insert(value, at: index, of: id, of: row, in: table)
          model.tables[table.index][key]!.lists[column]!.insert(value, at: index)
        }
      case 50..<65 where count > 0:
        let value = randomValue(model.columns(table)[column])
        if model.columns(table)[column].target != nil, value == .null { return }
        let index = random.below(count)
        writer.replace(at: index, with: value, of: id, of: row, in: table)
        model.tables[table.index][key]!.lists[column]![index] = value
      case 65..<85 where count > 0:
        let index = random.below(count)
        writer.remove(at: index, of: id, of: row, in: table)
        model.tables[table.index][key]!.lists[column]!.remove(at: index)
      case 85..<97 where count > 1:
        let source = random.below(count)
        let target = (source + 1 + random.below(count - 1)) % count
        writer.move(from: source, to: target, of: id, of: row, in: table)
        let value = model.tables[table.index][key]!.lists[column]!.remove(at: source)
        model.tables[table.index][key]!.lists[column]!.insert(value, at: target)
      case 97...:
        writer.removeAll(of: id, of: row, in: table)
        model.tables[table.index][key]!.lists[column] = []
      default: continue
      }
      wrote(table, key, column)
    }
  }

  private mutating func delete(_ writer: Writer) {
    let table = randomTable()
    guard let key = randomKey(table) else { return }
    delete(writer, [key], table)
  }

  /// Batches of all shapes: half of the rows, all but one of 64, the oldest, all.
  private mutating func deleteMany(_ writer: Writer) {
    let table = randomTable()
    let keys = model.keys(table)
    switch random.below(10) {
    case 0:
      note("delete all \(table.index)")
      writer.deleteAll(from: table)
      deleteFromModel(keys, table)
    case 1..<3: delete(writer, keys.filter { $0 % 64 != 5 }, table)
    case 3..<5: delete(writer, Array(keys.prefix(keys.count / 2)), table)
    default: delete(writer, keys.filter { _ in random.chance(50) }.shuffled(using: &random), table)
    }
  }

  mutating func delete(_ writer: Writer, _ keys: [UInt64], _ table: TableID) {
    note("delete \(table.index)/\(keys)")
    writer.delete(keys.map { RowKey($0) } + [RowKey(1 << 30)], from: table)
    deleteFromModel(keys, table)
  }

  private mutating func deleteFromModel(_ keys: [UInt64], _ table: TableID) {
    var cells: [(TableID, UInt64, Int)] = []
    model.delete(Set(keys), from: table) { cells.append(($0, $1, $2)) }
    for (table, key, column) in cells { wrote(table, key, column) }
    deleted[table.index].formUnion(keys)
    touched[table.index].formUnion(keys)
  }

  // MARK: Inside of the transaction

  /// Asks what was touched since the last look, as queries do.
  private mutating func look(_ writer: Writer) throws {
    for table in model.tables.indices {
      let (rows, position) = writer.touches(in: TableID(table), since: looks[table])
      if looks[table] != nil {
        guard let rows else { throw GraphModelFailure(description: "no touches of table \(table)") }
        let found = Set(rows.map(\.rawValue))
        try agree(
          found == touched[table],
          "touches of table \(table): missing \(touched[table].subtracting(found)), more: \(found.subtracting(touched[table]))"
        )
      }
      looks[table] = position
      touched[table] = []
    }
    try model.check(writer.contents, isSettled: false, random: &random)
  }

  private mutating func checkInside(_ writer: Writer) throws {
    note("settle")
    if random.chance(50) { try model.check(writer.contents, isSettled: false, random: &random) }
    writer.indexedContents.checkInvariants()
    try model.check(writer.indexedContents, random: &random)
  }
}

extension Dictionary<UInt64, GraphModel.Row>.Keys {
  /// The same for every run: dictionaries are in a random order.
  func randomElement(_ random: inout SeededGenerator) -> UInt64? {
    if isEmpty { return nil }
    return sorted()[random.below(count)]
  }
}
