import FirnEngine

/// A disagreement between graph and model.
struct GraphModelFailure: Error, CustomStringConvertible {
  let description: String
}

func agree(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw GraphModelFailure(description: message()) }
}

extension GraphModel {
  /// Throws unless the snapshot shows exactly the model. `isSettled`: whether backlinks and postings are up to date.
  func check(_ contents: GraphContents, isSettled: Bool = true, random: inout SeededGenerator) throws {
    for index in tables.indices {
      let table = TableID(index)
      try checkKeys(contents, table, &random)
      for (key, row) in tables[index] { try checkRow(contents, table, RowKey(key), row) }
      try checkPrimaryKeys(contents, table, &random)
      if !isSettled { continue }
      for column in columns(table).indices {
        try checkBacklinks(contents, table, column)
        try checkPostings(contents, table, column, &random)
      }
    }
    if !isSettled { return }
    for _ in 0..<4 {
      try checkOrdered(contents, layout.orderedIndexes[random.below(layout.orderedIndexes.count)], &random)
    }
  }

  /// The rows of an ordered index, sorted anew.
  private func checkOrdered(
    _ contents: GraphContents, _ index: OrderedIndex, _ random: inout SeededGenerator
  ) throws {
    let rows = keys(index.table).map { key in (key, index.paths.map { value(at: $0, of: key, in: index.table) }) }
    let sorted = rows.sorted { Self.precedes($0, $1) }
    let expected = sorted.map(\.0)
    let found = contents.keys(in: 0..<expected.count, of: index)
    try agree(found == expected, "index \(index.name): \(found) instead of \(expected)")
    try agree(contents.key(at: expected.count, of: index) == nil, "index \(index.name) has more rows")
    for _ in 0..<min(expected.count, 4) {
      let place = random.below(expected.count)
      let key = RowKey(expected[place])
      try agree(contents.key(at: place, of: index) == key, "index \(index.name) at \(place)")
      try agree(contents.position(of: key, in: index) == place, "index \(index.name): position of \(key)")
      let values = sorted[place].1.prefix(1 + random.below(index.paths.count))
      if values.contains(nil) { continue }
      let equal = sorted.indices.filter { row in
        zip(sorted[row].1, values).allSatisfy { Self.order($0, $1) == 0 }
      }
      let positions = contents.positions(of: values.map { $0! }, in: index)
      try agree(Array(positions) == equal, "index \(index.name): \(values) at \(positions) instead of \(equal)")
    }
  }

  /// Nil behind a null link.
  private func value(at path: ColumnPath, of key: UInt64, in table: TableID) -> Value? {
    var (key, table) = (key, table)
    for link in path.links {
      guard case .link(let target) = tables[table.index][key]!.values[link.index] else { return nil }
      (key, table) = (target.rawValue, columns(table)[link.index].target!)
    }
    return tables[table.index][key]!.values[path.column.index]
  }

  private static func order(_ left: Value?, _ right: Value?) -> Int {
    guard let left, let right else { return (left == nil ? 1 : 0) - (right == nil ? 1 : 0) }
    if left == .null || right == .null { return (left == .null ? 0 : 1) - (right == .null ? 0 : 1) }
    return left.order(to: right)
  }

  private static func precedes(_ left: (UInt64, [Value?]), _ right: (UInt64, [Value?])) -> Bool {
    for (a, b) in zip(left.1, right.1) {
      let order = order(a, b)
      if order != 0 { return order < 0 }
    }
    return left.0 < right.0
  }

  private func checkKeys(_ contents: GraphContents, _ table: TableID, _ random: inout SeededGenerator) throws {
    let keys = keys(table)
    var found: [UInt64] = []
    contents.forEachKey(in: table) { found.append($0.rawValue) }
    try agree(found == keys, "keys of \(table): \(found) instead of \(keys)")
    try agree(contents.rowCount(table) == keys.count, "row count of \(table)")
    try agree(contents.key(at: keys.count, in: table) == nil, "a row behind the last of \(table)")
    for _ in 0..<min(keys.count, 20) {
      let position = random.below(keys.count)
      let key = RowKey(keys[position])
      try agree(contents.key(at: position, in: table) == key, "key at \(position) of \(table)")
      try agree(contents.rank(of: key, in: table) == position, "rank of \(key) in \(table)")
      try agree(contents.contains(key, in: table), "\(key) is missing in \(table)")
    }
    let end = (keys.last ?? 0) + 600
    for _ in 0..<10 {
      let key = UInt64(random.below(Int(end)))
      let below = keys.filter { $0 < key }.count
      try agree(contents.rank(of: RowKey(key), in: table) == below, "rank of \(key) in \(table)")
      try agree(contents.contains(RowKey(key), in: table) == (tables[table.index][key] != nil), "contains \(key)")
    }
  }

  private func checkRow(_ contents: GraphContents, _ table: TableID, _ key: RowKey, _ row: Row) throws {
    for column in row.values.indices {
      let value = contents.value(ColumnID(column), of: key, in: table)
      try agree(
        value.isSame(as: row.values[column]),
        "\(table) \(key) \(columns(table)[column].name): \(value) instead of \(row.values[column])")
    }
    for (column, list) in row.lists {
      let count = contents.listCount(ColumnID(column), of: key, in: table)
      try agree(count == list.count, "\(table) \(key) list \(column): \(count) elements instead of \(list.count)")
      for (index, element) in list.enumerated() {
        let value = contents.listValue(at: index, of: ColumnID(column), of: key, in: table)
        try agree(value.isSame(as: element), "\(table) \(key) list \(column) [\(index)]: \(value), not \(element)")
        try checkMembership(contents, table, key, row, column, index)
      }
    }
  }

  /// An element of a set is found by its value, a value of a map by its key.
  private func checkMembership(
    _ contents: GraphContents, _ table: TableID, _ key: RowKey, _ row: Row, _ column: Int, _ index: Int
  ) throws {
    let id = ColumnID(column)
    let element = row.lists[column]![index]
    switch columns(table)[column].collection {
    case .set:
      let isFound = contents.setContains(element, id, of: key, in: table)
      try agree(isFound, "\(table) \(key) set \(column) lacks \(element)")
    case .map:
      let name = row.names[column]![index]
      let found = contents.mapKey(at: index, of: id, of: key, in: table)
      try agree(found == name, "\(table) \(key) map \(column) [\(index)]: key \(found), not \(name)")
      let value = contents.mapValue(forKey: name, id, of: key, in: table)
      try agree(value?.isSame(as: element) ?? false, "\(table) \(key) map \(column) value of \(name)")
    default: break
    }
  }

  private func checkPrimaryKeys(_ contents: GraphContents, _ table: TableID, _ random: inout SeededGenerator) throws {
    guard let column = layout.tables[table.index].primaryKey else { return }
    var values: Set<Value> = []
    for (key, row) in tables[table.index] {
      let found = contents.find(primaryKey: row.values[column], in: table)?.key
      try agree(found == RowKey(key), "primary key \(row.values[column]) of \(table): \(String(describing: found))")
      values.insert(row.values[column])
    }
    for _ in 0..<10 {
      let value = primaryKey(table, UInt64(random.below(1000)))
      let found = contents.find(primaryKey: value, in: table)
      try agree((found != nil) == values.contains(value), "primary key \(value) of \(table)")
    }
  }

  /// The n-th possible primary key of a table.
  func primaryKey(_ table: TableID, _ number: UInt64) -> Value {
    switch columns(table)[layout.tables[table.index].primaryKey!].type {
    case .int: .int(number % 7 == 0 ? -Int64(number) << 30 : Int64(number))
    case .string: number == 0 ? .null : number == 1 ? Value("") : Value("name \(number)")
    case .uuid: .uuid(Bytes16(low: number, high: ~number))
    default: fatalError("No such primary key.")
    }
  }

  private func checkBacklinks(_ contents: GraphContents, _ table: TableID, _ column: Int) throws {
    guard let target = columns(table)[column].target else { return }
    let expected = backlinks(table, column)
    let backlink = Int(layout.tables[table.index].columns[column].backlink)
    for key in tables[target.index].keys {
      let sources = contents.backlinks(backlink, of: RowKey(key), in: target)?.sources ?? []
      try agree(
        sources == expected[key] ?? [],
        "backlinks of \(target) \(key): \(sources) instead of \(expected[key] ?? [])")
    }
  }

  private func checkPostings(
    _ contents: GraphContents, _ table: TableID, _ column: Int, _ random: inout SeededGenerator
  ) throws {
    let description = columns(table)[column]
    guard description.isIndexed else { return }
    let layout = layout.tables[table.index].columns[column]
    var expected = postings(table, column)
    let absent = GraphModelValues.value(description.type, isIndexed: true, &random).indexed
    expected[absent] = expected[absent] ?? []
    for (value, keys) in expected {
      let value = value == .double(-1e300) ? Value.double(.nan) : value == .date(-1e300) ? .date(.nan) : value
      let postings = contents.postings(value: value, column: layout)
      let found = postings?.sources ?? []
      try agree(found == keys, "postings of \(description.name) \(value): \(found) instead of \(keys)")
      try agree((postings?.count ?? 0) == keys.count, "posting count of \(description.name) \(value)")
    }
    let valueTable = TableID(Int(layout.target))
    try agree(
      contents.rowCount(valueTable) == expected.values.filter { !$0.isEmpty }.count,
      "distinct values of \(description.name)")
  }
}

extension Postings {
  fileprivate var sources: [UInt64] {
    var sources: [UInt64] = []
    BacklinkLeaf.forEach(leaf, slot) { sources.append($0) }
    return sources
  }
}
