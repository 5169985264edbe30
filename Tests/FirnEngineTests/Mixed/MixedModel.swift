import FirnEngine

/// What tables with mixed columns hold, the simple way.
struct MixedModel: Equatable {
  struct Thing: Equatable {
    var value = Value.null
    var values: [Value] = []
  }

  static let things = TableID(0)
  static let others = TableID(1)
  static let lists = TableID(2)
  static let value = ColumnID(0)
  static let values = ColumnID(1)

  static let schema = [
    TableDescription(
      name: "Thing",
      columns: [
        ColumnDescription(name: "value", type: .mixed),
        ColumnDescription(name: "values", type: .mixed, collection: .list),
      ]),
    TableDescription(name: "Other", columns: [ColumnDescription(name: "name", type: .string)]),
    .nestedLists,
  ]

  var rows: [UInt64: Thing] = [:]
  var others: Set<UInt64> = []
  /// The elements of nested lists.
  var lists: [UInt64: [Value]] = [:]

  /// Takes a collection and those inside of it.
  mutating func release(_ value: Value) {
    guard case .list(let key) = value, let elements = lists.removeValue(forKey: key.rawValue) else { return }
    for element in elements { release(element) }
  }

  /// Makes values null that lead to a row which is gone.
  mutating func nullify(_ target: Value) {
    for key in rows.keys {
      if rows[key]!.value == target { rows[key]!.value = .null }
      rows[key]!.values = rows[key]!.values.map { $0 == target ? .null : $0 }
    }
    for key in lists.keys { lists[key] = lists[key]!.map { $0 == target ? .null : $0 } }
  }

  /// A value with the content of the collections inside of it.
  func deep(_ value: Value) -> [Value] {
    guard case .list(let key) = value else { return [value] }
    return [value] + (lists[key.rawValue] ?? []).flatMap { deep($0) } + [.null]
  }

  func deep(_ key: UInt64) -> [[Value]] {
    guard let row = rows[key] else { return [] }
    return [deep(row.value)] + row.values.map { deep($0) }
  }
}

extension MixedModel {
  /// A value as a constant to compare with.
  func constant(_ value: Value) -> NestedConstant {
    guard case .list(let key) = value else { return .value(value) }
    return .list((lists[key.rawValue] ?? []).map { constant($0) })
  }

  /// Whether a value equals a constant, collections by content.
  func equals(_ value: Value, _ constant: NestedConstant) -> Bool {
    switch (value, constant) {
    case (.list(let key), .list(let constants)):
      let elements = lists[key.rawValue] ?? []
      return elements.count == constants.count && zip(elements, constants).allSatisfy { equals($0, $1) }
    case (.list, _), (_, .list), (_, .map): return false
    case (_, .value(let constant)): return value.order(to: constant) == 0
    }
  }

  /// What a version holds.
  init(_ contents: GraphContents) {
    contents.forEachKey(in: Self.things) { key in
      var row = Thing(value: contents.value(Self.value, of: key, in: Self.things))
      for index in 0..<contents.listCount(Self.values, of: key, in: Self.things) {
        row.values.append(contents.listValue(at: index, of: Self.values, of: key, in: Self.things))
      }
      rows[key.rawValue] = row
    }
    contents.forEachKey(in: Self.others) { others.insert($0.rawValue) }
    let column = TableDescription.nestedColumn
    contents.forEachKey(in: Self.lists) { key in
      lists[key.rawValue] = (0..<contents.listCount(column, of: key, in: Self.lists)).map {
        contents.listValue(at: $0, of: column, of: key, in: Self.lists)
      }
    }
  }
}

/// Writes random mixed values into a graph and a model.
struct MixedWriting {
  let graph: Graph
  var model = MixedModel()
  var random: SeededGenerator

  init(_ graph: Graph, seed: UInt64) {
    self.graph = graph
    random = SeededGenerator(seed)
  }

  mutating func transaction() throws {
    let before = model
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for _ in 0..<(1 + random.below(12)) { operate(writer) }
    if random.chance(10) {
      graph.cancel()
      model = before
      return
    }
    _ = try graph.commit()
  }

  private mutating func operate(_ writer: Writer) {
    switch random.below(10) {
    case 0, 1: insert(writer)
    case 2: model.others.insert(writer.insert(into: MixedModel.others) { $0.setNull(ColumnID(0)) }.rawValue)
    case 3, 4:
      guard let key = model.rows.keys.sorted().randomElement(using: &random) else { return }
      let new = value(writer, depth: 0)
      model.release(model.rows[key]!.value)
      model.rows[key]!.value = new
      writer.set(MixedModel.value, of: RowKey(key), in: MixedModel.things, to: new)
    case 5, 6, 7: changeList(writer)
    case 8:
      guard let key = model.others.sorted().randomElement(using: &random) else { return }
      model.others.remove(key)
      model.nullify(.object(2, RowKey(key)))
      writer.delete([RowKey(key)], from: MixedModel.others)
    default:
      guard random.chance(50) else { return insert(writer) }
      let keys = model.rows.keys.sorted().filter { _ in random.chance(10) }
      for key in keys {
        let row = model.rows.removeValue(forKey: key)!
        for value in row.values + [row.value] { model.release(value) }
      }
      for key in keys { model.nullify(.object(1, RowKey(key))) }
      writer.delete(keys.map { RowKey($0) }, from: MixedModel.things)
    }
  }

  private mutating func insert(_ writer: Writer) {
    let new = single()
    let key = writer.insert(into: MixedModel.things) { $0.setMixed(MixedModel.value, new) }
    model.rows[key.rawValue] = MixedModel.Thing(value: new)
  }

  /// Changes the list of a thing, or one inside of a mixed value.
  private mutating func changeList(_ writer: Writer) {
    let isNested = random.chance(50)
    let keys = isNested ? model.lists.keys.sorted() : model.rows.keys.sorted()
    guard let key = keys.randomElement(using: &random) else { return }
    let table = isNested ? MixedModel.lists : MixedModel.things
    let column = isNested ? TableDescription.nestedColumn : MixedModel.values
    var elements = isNested ? model.lists[key]! : model.rows[key]!.values
    let row = RowKey(key)
    switch random.below(6) {
    case 0, 1, 2:
      let index = random.below(elements.count + 1)
      let new = value(writer, depth: 0)
      elements.insert(new, at: index)
      writer.insert(new, at: index, of: column, of: row, in: table)
    case 3 where !elements.isEmpty:
      let index = random.below(elements.count)
      let new = value(writer, depth: 0)
      model.release(elements[index])
      elements[index] = new
      writer.replace(at: index, with: new, of: column, of: row, in: table)
    case 4 where !elements.isEmpty:
      let index = random.below(elements.count)
      let count = 1 + random.below(min(3, elements.count - index))
      for element in elements[index..<index + count] { model.release(element) }
      elements.removeSubrange(index..<index + count)
      writer.remove(at: index, count: count, of: column, of: row, in: table)
    default:
      if random.chance(20) {
        for element in elements { model.release(element) }
        elements = []
        writer.removeAll(of: column, of: row, in: table)
      } else {
        // As the lists of the API do: elements in stored form, some of them null.
        let new = (0..<3).map { _ in single() }
        let words = new.map { value in
          value == .null ? 0 : MixedBytes.withBytes(of: value) { writer.makeBlob($0) }
        }
        let nulls = new.map { $0 == .null }
        writer.insert(
          elements: words, nulls: nulls, count: 3, at: elements.count, of: column, of: row, in: table)
        elements += new
      }
    }
    // A list that went with its owner is no longer there.
    if isNested { model.lists[key] = elements } else { model.rows[key]!.values = elements }
  }

  private mutating func value(_ writer: Writer, depth: Int) -> Value {
    guard depth < 4, random.chance(25) else { return single() }
    let key = writer.insert(into: MixedModel.lists) { _ in }
    var elements: [Value] = []
    for _ in 0..<random.below(4) { elements.append(value(writer, depth: depth + 1)) }
    writer.append(contentsOf: elements, to: TableDescription.nestedColumn, of: key, in: MixedModel.lists)
    model.lists[key.rawValue] = elements
    return .list(key)
  }

  private mutating func single() -> Value {
    switch random.below(12) {
    case 0: .null
    case 1: .bool(random.chance(50))
    case 2: .int(Int64(random.below(5)))
    case 3: .int(Int64(bitPattern: random.next()))
    case 4: .double(Double(random.below(8)) / 2)
    case 5: .string(Array(repeating: 97, count: random.below(12)))
    case 6: .data(Array(repeating: 200, count: random.chance(10) ? 5000 : random.below(40)))
    case 7: .uuid(Bytes16(low: UInt64(random.below(3)), high: 1))
    case 8: .date(Double(random.below(9)))
    case 9: model.rows.keys.sorted().randomElement(using: &random).map { .object(1, RowKey($0)) } ?? .null
    default: model.others.sorted().randomElement(using: &random).map { .object(2, RowKey($0)) } ?? .null
    }
  }
}
