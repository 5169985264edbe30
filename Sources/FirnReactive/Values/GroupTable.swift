package import FirnEngine

/// The groups of some rows in one version, in the order of their keys.
package final class GroupTable {
  package let query: GroupQuery
  /// By the number of a group.
  private var keys: [[Value]] = []
  private var counts: [Int] = []
  private var freeNumbers: [Int] = []
  /// The numbers of the groups, with the codes of their first key value.
  private let order = CountedTree<OrderEntry>()
  private let operands: [GroupOperand]
  /// What is asked, each with the position of its operand.
  private let measures: [(aggregate: Aggregate, operand: Int)]
  private let isFirstKeyMixed: Bool
  /// How many rows were gone through when it was built, for tests that count work.
  package private(set) var builtRowCount = 0

  private init(_ query: GroupQuery, _ layout: GraphLayout) {
    self.query = query
    var paths: [ColumnPath] = []
    for measure in query.measures where !paths.contains(measure.path) { paths.append(measure.path) }
    operands = paths.map { path in
      GroupOperand(
        path, layout.type(at: path, from: query.rows.table),
        for: query.measures.compactMap { $0.path == path ? $0.aggregate : nil })
    }
    measures = query.measures.map { measure in
      (measure.aggregate, paths.firstIndex(of: measure.path).unsafelyUnwrapped)
    }
    isFirstKeyMixed = query.keys.first.map { layout.type(at: $0, from: query.rows.table) == .mixed } ?? false
  }

  // MARK: Reading

  package var count: Int { order.count }

  /// The number of the group at a position. O(log n).
  func number(at position: Int) -> Int { Int(order.select(position).key) }

  func key(_ number: Int) -> [Value] { keys[number] }

  func result(_ number: Int) -> GroupResult {
    GroupResult(
      count: counts[number], values: measures.map { operands[$0.operand].result($0.aggregate, of: number) })
  }

  /// The group at a position. O(log n).
  package func group(at position: Int) -> (key: [Value], result: GroupResult) {
    let number = number(at: position)
    return (keys[number], result(number))
  }

  /// Calls `body` with all groups in order.
  package func forEachGroup(_ body: (_ key: [Value], GroupResult) -> Void) {
    order.walk { body(keys[Int($0.key)], result(Int($0.key))) }
  }

  /// The position of a key; nil when no row has it. O(log n).
  package func position(of key: [Value]) -> Int? { find(key.map(\.asKey)).flatMap { $0.number == nil ? nil : $0.rank } }

  // MARK: Changing

  /// The group that a row belongs to, perhaps a new one, without rows.
  func group(of row: RowKey, in contents: GraphContents) -> (number: Int, isNew: Bool) {
    let key = query.keys.map { contents.value(at: $0, of: row, in: query.rows.table).asKey }
    guard let (rank, number) = find(key) else { return (0, false) }
    if let number { return (number, false) }
    let new = freeNumbers.popLast() ?? keys.count
    if new == keys.count {
      keys.append(key)
      counts.append(0)
      for operand in operands { operand.grow(to: keys.count) }
    } else {
      keys[new] = key
    }
    order.insert(OrderEntry(code: code(key), key: UInt64(new)), at: rank)
    return (new, true)
  }

  func add(_ row: RowKey, to number: Int, in contents: GraphContents) {
    counts[number] += 1
    for operand in operands {
      operand.add(contents.value(at: operand.path, of: row, in: query.rows.table), to: number)
    }
  }

  func remove(_ row: RowKey, from number: Int, in contents: GraphContents) {
    counts[number] -= 1
    for operand in operands {
      operand.remove(contents.value(at: operand.path, of: row, in: query.rows.table), from: number)
    }
  }

  func isEmpty(_ number: Int) -> Bool { counts[number] == 0 }

  /// The place of a group among all. O(log n).
  func rank(_ number: Int) -> Int {
    guard let found = find(keys[number]) else { return 0 }
    return found.rank
  }

  /// Forgets a group without rows.
  func removeGroup(_ number: Int) {
    order.remove(at: rank(number))
    freeNumbers.append(number)
  }

  /// Where a key is or would be. Nil when there are no keys, but one group.
  private func find(_ key: [Value]) -> (rank: Int, number: Int?)? {
    if key.isEmpty { return nil }
    let code = code(key)
    let rank = order.rank { entry in
      entry.code != code ? entry.code < code : keys[Int(entry.key)].keyOrder(to: key) < 0
    }
    guard rank < order.count else { return (rank, nil) }
    let entry = order.select(rank)
    return (rank, entry.code == code && keys[Int(entry.key)].keyOrder(to: key) == 0 ? Int(entry.key) : nil)
  }

  private func code(_ key: [Value]) -> UInt64 {
    guard let first = key.first else { return 0 }
    return (isFirstKeyMixed ? SortCode(mixed: first) : SortCode(first)).rawValue
  }

  // MARK: Building

  /// The groups of rows in a version.
  package convenience init(_ query: GroupQuery, _ rows: GroupedRows, in contents: GraphContents) {
    self.init(query, contents.layout)
    let batch = RowBatch(table: query.rows.table, rows: rows, contents: contents)
    if query.keys.isEmpty, operands.isEmpty {
      // Only the number of rows is asked for, and that is known.
      (keys, counts) = ([[]], [batch.count])
      order.rebuild([OrderEntry(code: 0, key: 0)])
      return
    }
    let numbers = number(batch)
    builtRowCount = numbers.count
    counts.withUnsafeMutableBufferPointer { counts in
      for number in numbers { counts[Int(number)] &+= 1 }
    }
    for operand in operands { operand.build(batch, numbers, groupCount: keys.count) }
    var entries = keys.indices.map { OrderEntry(code: code(keys[$0]), key: UInt64($0)) }
    entries.sort { a, b in a.code != b.code ? a.code < b.code : keys[Int(a.key)].keyOrder(to: keys[Int(b.key)]) < 0 }
    order.rebuild(entries)
  }

  /// The number of each row's group. Notes the keys.
  private func number(_ rows: RowBatch) -> [UInt32] {
    guard let first = query.keys.first else {
      keys = [[]]
      counts = [0]
      return Array(repeating: 0, count: rows.count)
    }
    let numbering = KeyNumbering(rows, first)
    keys = numbering.values.map { [$0] }
    var numbers = numbering.numbers
    for path in query.keys.dropFirst() {
      let next = KeyNumbering(rows, path)
      var known: [UInt64: UInt32] = [:]
      var joined: [[Value]] = []
      for index in numbers.indices {
        let pair = UInt64(numbers[index]) << 32 | UInt64(next.numbers[index])
        if let number = known[pair] {
          numbers[index] = number
        } else {
          joined.append(keys[Int(numbers[index])] + [next.values[Int(next.numbers[index])]])
          numbers[index] = UInt32(known.count)
          known[pair] = numbers[index]
        }
      }
      keys = joined
    }
    counts = Array(repeating: 0, count: keys.count)
    return numbers
  }

  package func checkInvariants() {
    order.checkInvariants { $0.code == $1.code && $0.key == $1.key }
    if order.count + freeNumbers.count != keys.count { fatalError("A group is neither there nor free.") }
    order.walk { entry in
      if !query.keys.isEmpty, counts[Int(entry.key)] <= 0 { fatalError("There is a group without rows.") }
    }
  }
}

extension GraphLayout {
  /// The type of the values at the end of a path.
  package func type(at path: ColumnPath, from table: TableID) -> ColumnType {
    var current = table.index
    for link in path.links { current = Int(tables[current].columns[link.index].target) }
    return tables[current].columns[path.column.index].type
  }
}
