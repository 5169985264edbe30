import FirnEngine

/// Random transactions on a graph of `EffectsSchema`.
struct RandomWriting {
  let graph: Graph
  var random: EffectsRandom
  private var nextNumber: Int64 = 1
  /// Numbers of primary keys that were deleted and may come back.
  private var freeNumbers: [[Int64]]
  private var numbers: [[RowKey: Int64]]
  let rowCountMax: Int

  init(graph: Graph, seed: UInt64, rowCountMax: Int = 500) {
    self.graph = graph
    self.rowCountMax = rowCountMax
    random = EffectsRandom(seed)
    freeNumbers = Array(repeating: [], count: graph.layout.visibleCount)
    numbers = Array(repeating: [:], count: graph.layout.visibleCount)
  }

  /// What it knows of the rows beside the graph, so that it can go on from an earlier version.
  struct Memory {
    var nextNumber: Int64 = 1
    var freeNumbers: [[Int64]]
    var numbers: [[RowKey: Int64]]

    init(tableCount: Int) {
      freeNumbers = Array(repeating: [], count: tableCount)
      numbers = Array(repeating: [:], count: tableCount)
    }
  }

  var memory: Memory {
    get {
      var memory = Memory(tableCount: 0)
      memory.nextNumber = nextNumber
      memory.freeNumbers = freeNumbers
      memory.numbers = numbers
      return memory
    }
    set {
      nextNumber = newValue.nextNumber
      freeNumbers = newValue.freeNumbers
      numbers = newValue.numbers
    }
  }

  /// Runs and commits one transaction; now and then it cancels one before.
  mutating func commit() throws -> Version {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    if random.chance(10) {
      let before = (freeNumbers, numbers)
      let writer = graph.begin()
      for _ in 0..<random.below(5) { operate(writer) }
      graph.cancel()
      (freeNumbers, numbers) = before
    }
    let writer = graph.begin()
    for _ in 0..<[1, 1, 2, 10, 40][random.below(5)] { operate(writer) }
    return try graph.commit().version
  }

  private mutating func operate(_ writer: Writer) {
    switch random.below(100) {
    case 0..<35: insert(writer, randomTable(), count: random.chance(3) ? 300 : 1 + random.below(4))
    case 35..<65: set(writer)
    case 65..<77: changeList(writer)
    case 77..<87: changeGrouping(writer)
    case 87..<92: changeOwned(writer)
    case 92..<97: delete(writer, count: 1)
    case 97: delete(writer, count: 100)
    default:
      // A row that comes and goes within the transaction.
      let table = randomTable()
      if let key = insertOne(writer, table) { delete(writer, [key], table) }
    }
  }

  private mutating func randomTable() -> TableID { TableID([0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6][random.below(11)]) }

  private mutating func randomKey(_ writer: Writer, _ table: TableID) -> RowKey? {
    let count = writer.contents.rowCount(table)
    return count == 0 ? nil : writer.contents.key(at: random.below(count), in: table)
  }

  private mutating func insert(_ writer: Writer, _ table: TableID, count: Int) {
    for _ in 0..<count { _ = insertOne(writer, table) }
  }

  private mutating func insertOne(_ writer: Writer, _ table: TableID) -> RowKey? {
    if writer.contents.rowCount(table) >= rowCountMax { return nil }
    let columns = writer.layout.tables[table.index].descriptions
    var number: Int64?
    var values: [Value?] = []
    for column in columns {
      if column.collection != nil {
        values.append(nil)
      } else if column.isPrimaryKey {
        guard let (value, free) = primaryKey(writer, column, table) else { return nil }
        number = free
        values.append(value)
      } else {
        values.append(random.chance(15) ? nil : randomValue(writer, column))
      }
    }
    let key = writer.insert(into: table) { row in
      for (index, value) in values.enumerated() {
        guard let value else { continue }
        if columns[index].type == .mixed {
          row.setMixed(ColumnID(index), value)
        } else {
          row.set(ColumnID(index), value)
        }
      }
    }
    if let number { numbers[table.index][key] = number }
    return key
  }

  private mutating func primaryKey(
    _ writer: Writer, _ column: ColumnDescription, _ table: TableID
  ) -> (Value, Int64)? {
    if column.type == .bool {
      let used = Set(numbers[table.index].values)
      guard let number = [0, 1, 2].first(where: { !used.contains($0) }) else { return nil }
      return (number == 2 ? .null : .bool(number == 1), number)
    }
    var number = nextNumber
    if random.chance(50), let free = freeNumbers[table.index].popLast() { number = free } else { nextNumber += 1 }
    switch column.type {
    case .int: return (.int(number * 3 - 50), number)
    case .uuid: return (.uuid(Bytes16(low: UInt64(number), high: 3)), number)
    default:
      if !numbers[table.index].values.contains(-1), random.chance(20) { return (.null, -1) }
      return (Value("name \(number)"), number)
    }
  }

  private mutating func randomValue(_ writer: Writer, _ column: ColumnDescription) -> Value {
    if column.linkKind == .embedded { return random.chance(50) ? .null : .link(insertHeld(writer)) }
    if let target = column.target {
      if column.isNullable, random.chance(20) { return .null }
      if random.chance(40), let first = writer.contents.key(at: 0, in: target) { return .link(first) }
      return randomKey(writer, target).map { .link($0) } ?? .null
    }
    if column.isNullable, random.chance(20) { return .null }
    return EffectsSchema.value(column.type, isIndexed: column.isIndexed, &random)
  }

  /// An embedded row, which the caller gives an owner.
  private mutating func insertHeld(_ writer: Writer) -> RowKey {
    let inner = random.chance(30) ? insertHeld(writer) : nil
    let number = Int64(random.below(12))
    return writer.insert(into: EffectsSchema.held) { row in
      row.setInt(ColumnID(0), number)
      row.set(ColumnID(1), Value("held \(number)"))
      row.setLink(ColumnID(2), inner)
    }
  }

  /// Changes a list of embedded rows.
  private mutating func changeOwned(_ writer: Writer) {
    let (table, list, map) = (EffectsSchema.holder, ColumnID(1), ColumnID(2))
    guard let row = randomKey(writer, table) else { return }
    for _ in 0..<(1 + random.below(8)) {
      let count = writer.listCount(list, of: row, in: table)
      switch random.below(10) {
      case 0..<5: writer.insert(.link(insertHeld(writer)), at: random.below(count + 1), of: list, of: row, in: table)
      case 5 where count > 0:
        let new = Value.link(insertHeld(writer))
        writer.replace(at: random.below(count), with: new, of: list, of: row, in: table)
      case 6 where count > 0: writer.remove(at: random.below(count), of: list, of: row, in: table)
      case 7 where count > 1:
        writer.move(from: random.below(count), to: random.below(count), of: list, of: row, in: table)
      case 8:
        let value = random.chance(20) ? Value.null : .link(insertHeld(writer))
        writer.set(value, forKey: Array("name \(random.below(4))".utf8), ofMap: map, of: row, in: table)
      case 9: if random.chance(20) { writer.removeAll(of: random.chance(50) ? map : list, of: row, in: table) }
      default: continue
      }
    }
  }

  private mutating func set(_ writer: Writer) {
    let table = random.chance(10) ? EffectsSchema.held : randomTable()
    let columns = writer.layout.tables[table.index].descriptions
    for _ in 0..<(1 + random.below(5)) {
      guard !columns.isEmpty, let key = randomKey(writer, table) else { return }
      let column = random.below(columns.count)
      if columns[column].collection != nil || columns[column].isPrimaryKey { continue }
      writer.set(ColumnID(column), of: key, in: table, to: randomValue(writer, columns[column]))
    }
  }

  private mutating func changeList(_ writer: Writer) {
    let (table, lists) =
      random.chance(30) ? (EffectsSchema.other, [3]) : (EffectsSchema.listing, Array(1...23))
    guard let row = randomKey(writer, table) else { return }
    let list = ColumnID(lists[random.below(lists.count)])
    let description = writer.layout.tables[table.index].descriptions[list.index]
    for _ in 0..<(1 + random.below(12)) {
      let count = writer.listCount(list, of: row, in: table)
      switch random.below(100) {
      case 0..<55:
        let value = randomValue(writer, description)
        if description.target != nil, value == .null { return }
        for _ in 0..<(random.chance(3) ? 150 : 1) {
          let count = writer.listCount(list, of: row, in: table)
          writer.insert(value, at: random.chance(50) ? count : random.below(count + 1), of: list, of: row, in: table)
        }
      case 55..<70 where count > 0:
        let value = randomValue(writer, description)
        if description.target != nil, value == .null { return }
        writer.replace(at: random.below(count), with: value, of: list, of: row, in: table)
      case 70..<85 where count > 0: writer.remove(at: random.below(count), of: list, of: row, in: table)
      case 85..<97 where count > 1:
        writer.move(from: random.below(count), to: random.below(count), of: list, of: row, in: table)
      case 97...: writer.removeAll(of: list, of: row, in: table)
      default: continue
      }
    }
  }

  /// Changes a set or a map.
  private mutating func changeGrouping(_ writer: Writer) {
    let table = EffectsSchema.grouping
    // A graph of an older schema does not have the table.
    guard table.index < writer.layout.visibleCount, let row = randomKey(writer, table) else { return }
    let column = ColumnID(1 + random.below(46))
    let description = writer.layout.tables[table.index].descriptions[column.index]
    for _ in 0..<(1 + random.below(12)) {
      let count = writer.listCount(column, of: row, in: table)
      let operation = random.below(100)
      if operation >= 98 { writer.removeAll(of: column, of: row, in: table) }
      if operation >= 75 {
        if count > 0, operation < 98 { writer.remove(at: random.below(count), of: column, of: row, in: table) }
        continue
      }
      for _ in 0..<(operation == 0 ? 150 : 1) {
        let value = randomValue(writer, description)
        if value == .null, !description.isNullable { return }
        if description.collection == .set {
          writer.insert(value, intoSet: column, of: row, in: table)
        } else {
          let name = random.chance(10) ? "" : "key \(random.below(60))"
          writer.set(value, forKey: Array(name.utf8), ofMap: column, of: row, in: table)
        }
      }
    }
  }

  private mutating func delete(_ writer: Writer, count: Int) {
    let table = randomTable()
    var keys: Set<RowKey> = []
    for _ in 0..<count { if let key = randomKey(writer, table) { keys.insert(key) } }
    delete(writer, keys.sorted(), table)
  }

  private mutating func delete(_ writer: Writer, _ keys: [RowKey], _ table: TableID) {
    writer.delete(keys, from: table)
    for key in keys {
      guard let number = numbers[table.index].removeValue(forKey: key) else { continue }
      if number > 2 { freeNumbers[table.index].append(number) }
    }
  }
}
