import FirnDurability
import FirnEngine

/// A store whose schema changes at random from opening to opening, and a naive model of what is in it.
struct EvolvingStore {
  struct Mismatch: Error, CustomStringConvertible {
    var description: String
  }

  struct Column: Equatable {
    var name: String
    var type: ColumnType
    var isNullable = false
    var collection: CollectionKind?
    var isIndexed = false
    var target: String?
    var defaultValue = Value.null
    var isPerRow = false
    /// Whether the application has it; else only the store.
    var isKnown = true
    /// The column that it should have been a rename of.
    var predecessor: String?

    /// What rows get that lack it.
    var missing: [Value] {
      if collection != nil { return [] }
      // A catalogue has no default that differs from row to row.
      let defaultValue = isPerRow ? Value.null : defaultValue
      if defaultValue != .null || isNullable || type == .link { return [EvolvingStore.normalized(defaultValue)] }
      return [EvolvingStore.normalized(Self.zero(type))]
    }

    static func zero(_ type: ColumnType) -> Value {
      switch type {
      case .bool: .bool(false)
      case .int: .int(0)
      case .float: .float(0)
      case .double: .double(0)
      case .date: .date(0)
      case .string: .string([])
      case .data: .data([])
      case .objectID: .objectID(Bytes12(0, 0, 0))
      case .uuid: .uuid(Bytes16(low: 0, high: 0))
      case .decimal128: .decimal128(Bytes16(low: 0, high: 0))
      case .link, .mixed: .null
      }
    }
  }

  struct Table {
    var name: String
    var columns: [Column]
    var isKnown = true
    /// The cells of each row by the names of the columns; values in the form of `normalized`.
    var rows: [RowKey: [String: [Value]]] = [:]
  }

  var random: EffectsRandom
  var tables: [Table] = []
  var version: UInt64 = 0
  var renames: [String: [String: String]] = [:]
  private var nextName = 0
  /// What changed since the last opening: each column once.
  private var touched: Set<String> = []
  private let perRow = Lock<Int64>(1_000)

  init(seed: UInt64) {
    random = EffectsRandom(seed)
    for _ in 0..<1 + random.below(3) { addTable() }
  }

  static func normalized(_ value: Value) -> Value {
    switch value {
    case .double(let value), .date(let value): .int(Int64(bitPattern: value.bitPattern))
    case .float(let value): .int(Int64(value.bitPattern))
    default: value
    }
  }

  // MARK: Schema

  private mutating func newName() -> String {
    nextName += 1
    return "n\(nextName)"
  }

  private mutating func addTable() {
    var columns: [Column] = []
    let count = 1 + random.below(6)
    for _ in 0..<count { columns.append(randomColumn()) }
    touched.formUnion(columns.map(\.name))
    tables.append(Table(name: "T\(newName())", columns: columns))
  }

  private mutating func randomColumn() -> Column {
    var column = Column(name: newName(), type: .int)
    column.type =
      [
        .bool, .int, .int, .float, .double, .string, .string, .data, .date, .objectID, .uuid, .decimal128, .link,
        .mixed,
      ][random.below(14)]
    let targets = tables.filter(\.isKnown).map(\.name)
    if column.type == .link, targets.isEmpty { column.type = .string }
    if random.chance(25) { column.collection = [.list, .set, .map][random.below(3)] }
    // Sets of links keep the order of keys, which is no concern here.
    if column.type == .link || column.type == .mixed, column.collection != nil { column.collection = .list }
    if column.type == .link { column.target = targets[random.below(targets.count)] }
    column.isNullable =
      column.type == .mixed || (column.type == .link ? column.collection == nil : random.chance(40))
    column.isIndexed =
      column.collection == nil && ![.link, .float, .mixed].contains(column.type) && random.chance(20)
    if column.collection == nil, column.type != .link {
      if random.chance(50) { column.defaultValue = randomValue(column) }
      column.isPerRow = column.type == .int && random.chance(10)
    }
    return column
  }

  /// The tables as the application declares them.
  var schema: [TableDescription] {
    let known = tables.filter(\.isKnown)
    return known.map { table in
      TableDescription(
        name: table.name,
        columns: table.columns.filter(\.isKnown).map { column in
          ColumnDescription(
            name: column.name, type: column.type, isNullable: column.isNullable, collection: column.collection,
            isIndexed: column.isIndexed,
            target: column.target.flatMap { name in known.firstIndex { $0.name == name } }.map { TableID($0) })
        })
    }
  }

  var migration: MigrationOptions {
    var options = MigrationOptions()
    options.renames = renames
    for table in tables where table.isKnown {
      options.removed[table.name] = Set(table.columns.filter { !$0.isKnown }.map(\.name))
    }
    let known = tables.filter(\.isKnown).map { $0.columns.filter(\.isKnown) }
    options.defaultValue = { table, column in
      let column = known[table][column]
      return column.isPerRow ? .perRow : column.defaultValue == .null ? .empty : .value(column.defaultValue)
    }
    options.nextDefault = { [perRow] _, _ in
      .int(
        perRow.withLock { number in
          number += 1
          return number
        })
    }
    return options
  }

  // MARK: Values

  private mutating func randomValue(_ column: Column) -> Value {
    let type = column.type == .mixed ? [.int, .string, .bool][random.below(3)] : column.type
    switch type {
    case .bool: return .bool(random.chance(50))
    case .int: return .int(Int64(random.below(1_000)) - 300)
    case .float: return .float(Float(random.below(100)) / 4)
    case .double: return .double(Double(random.below(100)) / 4)
    case .date: return .date(Double(random.below(100_000)))
    case .string: return Value(String(repeating: "s", count: random.below(4)) + "\(random.below(30))")
    case .data: return .data((0..<random.below(5)).map { UInt8($0) })
    case .objectID: return .objectID(Bytes12(UInt32(random.below(9)), 2, 3))
    case .uuid: return .uuid(Bytes16(low: UInt64(random.below(9)), high: 1))
    case .decimal128: return .decimal128(Bytes16(low: UInt64(random.below(9)), high: 0x3040_0000_0000_0000))
    case .link, .mixed: return .null
    }
  }

  private mutating func randomSingle(_ column: Column) -> Value {
    if column.type == .link {
      guard let target = tables.first(where: { $0.name == column.target }), !target.rows.isEmpty else { return .null }
      let keys = target.rows.keys.sorted()
      return random.chance(20) && column.collection == nil ? .null : .link(keys[random.below(keys.count)])
    }
    return column.isNullable && random.chance(25) ? .null : randomValue(column)
  }

  // MARK: Writing

  /// A random transaction, on the store and on the model.
  mutating func write(_ store: DurableStore) throws {
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for _ in 0..<1 + random.below(12) { change(writer) }
    let commit = try graph.commit()
    try store.journal?.flush(through: commit.version.number)
  }

  private mutating func change(_ writer: Writer) {
    let known = tables.indices.filter { tables[$0].isKnown }
    guard !known.isEmpty else { return }
    let index = known[random.below(known.count)]
    guard
      let id = writer.layout.tables.firstIndex(where: { $0.isVisible && $0.name == tables[index].name }).map({
        TableID($0)
      })
    else { return }
    let keys = tables[index].rows.keys.sorted()
    if keys.isEmpty || random.chance(45) {
      let key = writer.insert(into: id) { _ in }
      tables[index].rows[key] = [:]
      for column in tables[index].columns {
        let cell = column.isKnown ? emptyCell(column) : column.missing
        tables[index].rows[key]?[column.name] = cell
      }
      for column in tables[index].columns where column.isKnown { set(column, of: key, index, id, writer) }
    } else if random.chance(80) {
      let columns = tables[index].columns.filter(\.isKnown)
      if columns.isEmpty { return }
      set(columns[random.below(columns.count)], of: keys[random.below(keys.count)], index, id, writer)
    } else {
      let key = keys[random.below(keys.count)]
      writer.delete([key], from: id)
      tables[index].rows[key] = nil
      forgetLinks(to: key, of: tables[index].name)
    }
  }

  /// What a row has that was inserted without a value.
  private func emptyCell(_ column: Column) -> [Value] {
    if column.collection != nil { return [] }
    return [column.isNullable || column.type == .link ? .null : Self.normalized(Column.zero(column.type))]
  }

  private mutating func forgetLinks(to key: RowKey, of name: String) {
    for table in tables.indices {
      for column in tables[table].columns where column.target == name {
        for row in tables[table].rows.keys {
          guard let cell = tables[table].rows[row]?[column.name] else { continue }
          let rest =
            column.collection == nil ? cell.map { $0 == .link(key) ? .null : $0 } : cell.filter { $0 != .link(key) }
          tables[table].rows[row]?[column.name] = rest
        }
      }
    }
  }

  private mutating func set(_ column: Column, of key: RowKey, _ index: Int, _ id: TableID, _ writer: Writer) {
    guard let place = writer.layout.tables[id.index].descriptions.firstIndex(where: { $0.storedName == column.name })
    else { return }
    let cellColumn = ColumnID(place)
    if column.collection == nil {
      let value = randomSingle(column)
      writer.set(cellColumn, of: key, in: id, to: value)
      tables[index].rows[key]?[column.name] = [Self.normalized(value)]
      return
    }
    if writer.contents.listCount(cellColumn, of: key, in: id) > 0 { writer.removeAll(of: cellColumn, of: key, in: id) }
    for number in 0..<random.below(4) {
      let value = randomSingle(column)
      if column.type == .link, value == .null { continue }
      switch column.collection {
      case .map: writer.set(value, forKey: Array("k\(number)".utf8), ofMap: cellColumn, of: key, in: id)
      case .set: writer.insert(value, intoSet: cellColumn, of: key, in: id)
      default:
        writer.insert(
          value, at: writer.contents.listCount(cellColumn, of: key, in: id), of: cellColumn, of: key, in: id)
      }
    }
    // The order of sets is not the model's concern.
    tables[index].rows[key]?[column.name] = cell(
      writer.contents, cellColumn, writer.layout.tables[id.index].descriptions[place], key, id)
  }

  // MARK: Comparing

  /// Throws unless the store has what the model has. Columns filled per row are taken over, once they differ from row to row.
  mutating func check(_ contents: GraphContents) throws {
    for index in tables.indices {
      let table = tables[index]
      guard
        let id = contents.layout.tables.firstIndex(where: { $0.isVisible && $0.name == table.name }).map({ TableID($0) }
        )
      else {
        if table.rows.isEmpty { continue }
        throw Mismatch(description: "table \(table.name) is missing")
      }
      var keys: [RowKey] = []
      contents.forEachKey(in: id) { keys.append($0) }
      if keys != table.rows.keys.sorted() {
        throw Mismatch(description: "rows of \(table.name): \(keys.count), not \(table.rows.count)")
      }
      let descriptions = contents.layout.tables[id.index].descriptions
      if Set(descriptions.map(\.storedName)) != Set(table.columns.map(\.name)) {
        throw Mismatch(
          description: "columns of \(table.name): \(descriptions.map(\.storedName)), not \(table.columns.map(\.name))")
      }
      for column in table.columns {
        guard let place = descriptions.firstIndex(where: { $0.storedName == column.name }) else { continue }
        var seen: Set<Value> = []
        for key in keys {
          let found = cell(contents, ColumnID(place), descriptions[place], key, id)
          guard let expected = table.rows[key]?[column.name] else { continue }
          if expected == [.data(Array("per row".utf8))] {
            tables[index].rows[key]?[column.name] = found
            if !seen.insert(found[0]).inserted {
              throw Mismatch(description: "\(table.name).\(column.name) is there twice")
            }
          } else if found != expected {
            throw Mismatch(
              description: "\(table.name).\(column.name) of row \(key.rawValue): \(found), not \(expected)")
          }
        }
      }
    }
  }
}

extension EvolvingStore {
  // MARK: Evolving

  /// Changes the schema at random, and the model with it.
  mutating func evolve(isRaised: Bool? = nil) {
    let isRaised = isRaised ?? random.chance(60)
    touched = []
    if isRaised { version += UInt64(1 + random.below(3)) }
    renames = [:]
    for _ in 0..<1 + random.below(4) { changeSchema(isRaised) }
    if isRaised {
      renameLate()
      dropUnknown()
    }
  }

  private mutating func changeSchema(_ isRaised: Bool) {
    let index = random.below(tables.count)
    if random.chance(12) {
      if random.chance(40) { return addTable() }
      // What links to a class that the application lacks is lacking as well.
      let name = tables[index].name
      let isTarget = tables.contains { $0.isKnown && $0.columns.contains { $0.isKnown && $0.target == name } }
      let isTouched = tables[index].columns.contains { touched.contains($0.name) }
      if tables[index].isKnown, !isTarget, !isTouched, tables.count(where: \.isKnown) > 1 {
        tables[index].isKnown = false
      } else if !tables[index].isKnown,
        tables[index].columns.allSatisfy({ column in
          column.target.map { name in tables.contains { $0.isKnown && $0.name == name } } ?? true
        })
      {
        tables[index].isKnown = true
        for column in tables[index].columns.indices { tables[index].columns[column].isKnown = true }
      }
      return
    }
    guard tables[index].isKnown else { return }
    let known = tables[index].columns.indices.filter { tables[index].columns[$0].isKnown }
    let free = known.filter { touched.insert(tables[index].columns[$0].name).inserted }
    for column in free { touched.remove(tables[index].columns[column].name) }
    let chosen = free.randomElement(using: &random)
    switch random.below(8) {
    case 0...2: addColumn(to: index)
    case 3:
      if let chosen, known.count > 1 {
        touched.insert(tables[index].columns[chosen].name)
        tables[index].columns[chosen].isKnown = false
        if !isRaised, random.chance(60) { succeed(chosen, of: index) }
      }
    case 4: if let chosen, isRaised { rename(chosen, of: index) }
    case 5: if let chosen, isRaised { changeType(chosen, of: index) }
    case 6: if let chosen, isRaised { changeNullability(chosen, of: index) }
    default:
      let indexable = known.filter { column in
        let column = tables[index].columns[column]
        return column.collection == nil && ![.link, .float, .mixed].contains(column.type)
      }
      if let column = indexable.randomElement(using: &random) { tables[index].columns[column].isIndexed.toggle() }
    }
  }

  private mutating func addColumn(to index: Int) {
    let column = randomColumn()
    touched.insert(column.name)
    tables[index].columns.append(column)
    fill(column, index)
  }

  private mutating func fill(_ column: Column, _ index: Int) {
    for key in tables[index].rows.keys {
      tables[index].rows[key]?[column.name] = column.isPerRow ? [.data(Array("per row".utf8))] : column.missing
    }
  }

  private mutating func rename(_ column: Int, of index: Int) {
    let old = tables[index].columns[column].name
    let table = tables[index].name
    let new = "\(old)r"
    tables[index].columns[column].name = new
    touched.insert(new)
    renames[table, default: [:]][old] = new
    for key in tables[index].rows.keys {
      let cell = tables[index].rows[key]?.removeValue(forKey: old)
      tables[index].rows[key]?[new] = cell
    }
  }

  /// A column of the same type takes the place of one that is no longer known, and nobody says that it is a rename.
  private mutating func succeed(_ column: Int, of index: Int) {
    let old = tables[index].columns[column]
    if old.isPerRow { return }
    var new = old
    new.name = newName()
    new.isKnown = true
    new.predecessor = old.name
    if new.collection == nil, new.type != .link, random.chance(50) { new.defaultValue = randomValue(new) }
    touched.insert(new.name)
    tables[index].columns.append(new)
    fill(new, index)
  }

  /// Some of the renames that nobody declared are declared now.
  private mutating func renameLate() {
    for index in tables.indices where tables[index].isKnown {
      for column in tables[index].columns where column.isKnown && !touched.contains(column.name) {
        guard let old = tables[index].columns.first(where: { $0.name == column.predecessor && !$0.isKnown }),
          column.type == old.type, column.collection == old.collection, !old.isNullable || column.isNullable,
          random.chance(70)
        else { continue }
        renames[tables[index].name, default: [:]][old.name] = column.name
        for (key, row) in tables[index].rows where row[column.name] == column.missing {
          if let cell = row[old.name], cell != old.missing { tables[index].rows[key]?[column.name] = cell }
        }
      }
    }
  }

  private mutating func changeType(_ column: Int, of index: Int) {
    let old = tables[index].columns[column]
    if old.type == .link { return }
    var new = randomColumn()
    if new.type == .link || (new.type == old.type && new.collection == old.collection) { return }
    new.name = old.name
    touched.insert(new.name)
    tables[index].columns[column] = new
    fill(new, index)
  }

  private mutating func changeNullability(_ column: Int, of index: Int) {
    let old = tables[index].columns[column]
    if old.type == .link || old.type == .mixed { return }
    touched.insert(old.name)
    tables[index].columns[column].isNullable.toggle()
    tables[index].columns[column].isPerRow = false
    if old.isNullable { fill(tables[index].columns[column], index) }
  }

  /// A raised version drops what the application lacks.
  private mutating func dropUnknown() {
    for index in tables.indices where tables[index].isKnown {
      for column in tables[index].columns where !column.isKnown {
        for key in tables[index].rows.keys { tables[index].rows[key]?[column.name] = nil }
      }
      tables[index].columns.removeAll { !$0.isKnown }
    }
  }
}
