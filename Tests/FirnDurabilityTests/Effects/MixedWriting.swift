import FirnEngine

/// Writes random mixed values, with nested lists and maps, into a graph with the tables of ``MixedWriting/schema``.
struct MixedWriting {
  static let things = TableID(0)
  static let others = TableID(1)
  static let lists = TableID(2)
  static let maps = TableID(3)

  static let schema = [
    TableDescription(
      name: "Thing",
      columns: [
        ColumnDescription(name: "value", type: .mixed),
        ColumnDescription(name: "values", type: .mixed, collection: .list),
      ]),
    TableDescription(name: "Other", columns: [ColumnDescription(name: "name", type: .string)]),
    .nestedLists, .nestedMaps,
  ]

  let graph: Graph
  var random: EffectsRandom

  init(_ graph: Graph, seed: UInt64) {
    self.graph = graph
    random = EffectsRandom(seed)
  }

  @discardableResult
  mutating func commit() throws -> Version {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for _ in 0..<(1 + random.below(10)) { operate(writer) }
    return try graph.commit().version
  }

  private mutating func key(_ table: TableID, _ writer: Writer) -> RowKey? {
    var keys: [RowKey] = []
    writer.contents.forEachKey(in: table) { keys.append($0) }
    return keys.isEmpty ? nil : keys[random.below(keys.count)]
  }

  private mutating func operate(_ writer: Writer) {
    switch random.below(12) {
    case 0, 1:
      let value = single(writer)
      let key = writer.insert(into: Self.things) { $0.setMixed(ColumnID(0), value) }
      writer.insert(self.value(writer, 0), at: 0, of: ColumnID(1), of: key, in: Self.things)
    case 2: writer.insert(into: Self.others) { $0.setBytes(ColumnID(0), UnsafeRawBufferPointer(start: nil, count: 0)) }
    case 3, 4:
      guard let key = key(Self.things, writer) else { return }
      writer.set(ColumnID(0), of: key, in: Self.things, to: value(writer, 0))
    case 5, 6, 7:
      let isNested = random.chance(60)
      let table = isNested ? Self.lists : Self.things
      guard let key = key(table, writer) else { return }
      changeList(writer, isNested ? TableDescription.nestedColumn : ColumnID(1), key, table)
    case 8, 9:
      guard let key = key(Self.maps, writer) else { return }
      let name = Array("\(random.below(6))".utf8)
      let column = TableDescription.nestedColumn
      if random.chance(25) {
        _ = name.withUnsafeBytes { writer.removeValue(forKey: $0, ofMap: column, of: key, in: Self.maps) }
      } else {
        writer.set(value(writer, 0), forKey: name, ofMap: column, of: key, in: Self.maps)
      }
    default:
      let table = random.chance(60) ? Self.others : Self.things
      if random.chance(60), let key = key(table, writer) { writer.delete([key], from: table) }
    }
  }

  private mutating func changeList(_ writer: Writer, _ column: ColumnID, _ key: RowKey, _ table: TableID) {
    let count = writer.listCount(column, of: key, in: table)
    let new = random.chance(60) ? value(writer, 0) : nil
    if count > 0, random.chance(50) {
      let index = random.below(count)
      if let new {
        writer.replace(at: index, with: new, of: column, of: key, in: table)
      } else {
        writer.remove(at: index, of: column, of: key, in: table)
      }
    } else if let new {
      writer.insert(new, at: random.below(count + 1), of: column, of: key, in: table)
    }
  }

  private mutating func value(_ writer: Writer, _ depth: Int) -> Value {
    guard depth < 4, random.chance(30) else { return single(writer) }
    if random.chance(40) {
      let key = writer.insert(into: Self.maps) { _ in }
      for name in 0..<random.below(4) {
        let value = value(writer, depth + 1)
        writer.set(
          value, forKey: Array("\(name)".utf8), ofMap: TableDescription.nestedColumn, of: key, in: Self.maps)
      }
      return .map(key)
    }
    let key = writer.insert(into: Self.lists) { _ in }
    for _ in 0..<random.below(4) {
      writer.append(
        contentsOf: [value(writer, depth + 1)], to: TableDescription.nestedColumn, of: key, in: Self.lists)
    }
    return .list(key)
  }

  private mutating func single(_ writer: Writer) -> Value {
    switch random.below(9) {
    case 0: return .null
    case 1: return .int(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    case 2: return .double(Double(random.below(9)) / 4)
    case 3: return .bool(random.chance(50))
    case 4: return .string(Array(repeating: 120, count: random.below(20)))
    case 5: return .data(Array(repeating: 255, count: random.chance(10) ? 4000 : random.below(5)))
    case 6: return .decimal128(Bytes16(low: UInt64(random.below(9)), high: 6176 << 49))
    default:
      let table = random.chance(50) ? Self.things : Self.others
      return key(table, writer).map { .object(graph.layout.tables[table.index].number, $0) } ?? .null
    }
  }
}
