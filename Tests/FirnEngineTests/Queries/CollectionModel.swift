import TestSupport
@testable import FirnEngine

/// Rows with collections of values and of links to each other, filled at random.
struct CollectionModel {
  static let number = ColumnID(0)
  static let text = ColumnID(1)
  static let boss = ColumnID(2)
  static let numbers = ColumnID(3)
  static let words = ColumnID(4)
  static let prices = ColumnID(5)
  static let friends = ColumnID(6)
  static let box = ColumnID(7)
  static let mixed = ColumnID(8)

  static let schema = [
    TableDescription(
      name: "Node",
      columns: [
        ColumnDescription(name: "number", type: .int, isNullable: true),
        ColumnDescription(name: "text", type: .string, isNullable: true, isIndexed: true),
        ColumnDescription(name: "boss", type: .link, target: TableID(0)),
        ColumnDescription(name: "numbers", type: .int, isNullable: true, collection: .list),
        ColumnDescription(name: "words", type: .string, collection: .set),
        ColumnDescription(name: "prices", type: .double, isNullable: true, collection: .map),
        ColumnDescription(name: "friends", type: .link, collection: .list, target: TableID(0)),
        ColumnDescription(name: "box", type: .link, collection: .map, target: TableID(0)),
        ColumnDescription(name: "mixed", type: .mixed, collection: .list),
      ])
  ]
  static let table = TableID(0)

  let graph: Graph
  let version: Version
  let keys: [RowKey]
  var contents: GraphContents { version.contents }

  init(rowCount: Int, random: inout QueryRandom) throws {
    graph = Graph(schema: Self.schema, seed: HashSeed(1, random.next()))
    while !graph.gate.tryEnter() {}
    let writer = graph.begin()
    var keys: [RowKey] = []
    for _ in 0..<rowCount { keys.append(writer.insert(into: Self.table) { _ in }) }
    for key in keys { Self.fill(key, keys, writer, &random) }
    writer.delete(keys.filter { _ in random.chance(15) }, from: Self.table)
    _ = try graph.commit()
    graph.gate.leave()
    version = graph.holdHead()
    var left: [RowKey] = []
    version.contents.forEachKey(in: Self.table) { left.append($0) }
    self.keys = left
  }

  private static func fill(_ key: RowKey, _ keys: [RowKey], _ writer: Writer, _ random: inout QueryRandom) {
    writer.set(number, of: key, in: table, to: value(.int, &random))
    writer.set(text, of: key, in: table, to: value(.string, &random))
    if random.chance(70) { writer.set(boss, of: key, in: table, to: .link(random.pick(keys))) }
    let count = random.chance(3) ? 300 : random.below(4)
    writer.append(contentsOf: (0..<count).map { _ in value(.int, &random) }, to: numbers, of: key, in: table)
    for _ in 0..<random.below(4) {
      let word = value(.string, &random)
      if word != .null { _ = writer.insert(word, intoSet: words, of: key, in: table) }
    }
    for _ in 0..<random.below(3) {
      writer.set(value(.double, &random), forKey: name(&random), ofMap: prices, of: key, in: table)
      let link: Value = random.chance(20) ? .null : .link(random.pick(keys))
      writer.set(link, forKey: name(&random), ofMap: box, of: key, in: table)
    }
    let links = (0..<random.below(4)).map { _ in Value.link(random.pick(keys)) }
    writer.append(contentsOf: links, to: friends, of: key, in: table)
    let values = (0..<random.below(3)).map { _ in
      value(random.pick([.int, .string, .double, .bool]), &random)
    }
    writer.append(contentsOf: values, to: mixed, of: key, in: table)
  }

  static func name(_ random: inout QueryRandom) -> [UInt8] { Array("k\(random.below(4))".utf8) }

  static func value(_ type: ColumnType, _ random: inout QueryRandom) -> Value {
    if random.chance(15) { return .null }
    switch type {
    case .int: return .int(Int64(random.below(6)))
    case .double: return .double(random.pick([.nan, .infinity, 0.5, 1, 2, -0.0]))
    case .bool: return .bool(random.chance(50))
    default: return Value(random.pick(["", "a", "ab", "b", "Äb", "a longer word than seven bytes", "k1"]))
    }
  }

  // MARK: Random predicates

  func predicate(_ random: inout QueryRandom, depth: Int = 3) -> Predicate {
    if depth > 0, random.chance(40) {
      let parts = (0..<(1 + random.below(3))).map { _ in predicate(&random, depth: depth - 1) }
      return random.pick([.and(parts), .or(parts), .not(parts[0])])
    }
    let comparison = Comparison(rawValue: UInt8(random.below(6)))!
    let links = random.chance(25) ? [Self.boss] : []
    let column = random.chance(50) ? Self.number : Self.text
    let type: ColumnType = column == Self.number ? .int : .string
    switch random.below(depth > 0 ? 9 : 3) {
    case 0: return .test(.column(ColumnPath(links: links, column)), test(type, comparison, &random))
    case 1: return .constant(random.chance(50))
    case 2: return .test(.element, .compare(comparison, .link(random.pick(keys))))
    case 3:
      return .test(
        Operand.inside(ColumnPath(links: links, Self.prices), [.key(Self.name(&random))]),
        test(.double, comparison, &random))
    case 4: return .test(aggregate(links, &random), .compare(comparison, Self.value(.int, &random)))
    case 5: return .relation(aggregate(links, &random), .compare(comparison), aggregate([], &random))
    case 6, 7: return ofValues(links, comparison, &random)
    default:
      let elements = random.pick([
        CollectionPath.Elements.column(Self.friends), .column(Self.box), .backlinks(origin: Self.table, Self.friends),
        .backlinks(origin: Self.table, Self.boss), .backlinks(origin: Self.table, Self.box),
      ])
      let inner = random.chance(15) ? .constant(true) : predicate(&random, depth: depth - 1)
      return .count(CollectionPath(links: links, elements), where: inner, comparison, Int64(random.below(4)) - 1)
    }
  }

  private func ofValues(_ links: [ColumnID], _ comparison: Comparison, _ random: inout QueryRandom) -> Predicate {
    let (elements, type) = random.pick([
      (CollectionPath.Elements.column(Self.numbers), ColumnType.int), (.column(Self.words), .string),
      (.column(Self.prices), .double), (.keys(Self.prices), .string), (.column(Self.mixed), .mixed),
    ])
    var inner = Predicate.test(
      .element, test(type == .mixed ? random.pick([.int, .string]) : type, comparison, &random))
    if random.chance(30) { inner = .not(inner) }
    if random.chance(20) { inner = .or([inner, .test(.element, test(type == .mixed ? .int : type, .equal, &random))]) }
    return .count(
      CollectionPath(links: links, elements), where: inner, random.pick([.greater, .equal, comparison]),
      Int64(random.below(3)))
  }

  private func aggregate(_ links: [ColumnID], _ random: inout QueryRandom) -> Operand {
    switch random.below(4) {
    case 0:
      return .elementCount(
        CollectionPath(
          links: links,
          random.pick([.column(Self.numbers), .keys(Self.box), .backlinks(origin: Self.table, Self.boss)])))
    case 1:
      return .aggregate(
        random.pick([.min, .max, .sum, .average]),
        CollectionPath(links: links, .column(random.pick([Self.numbers, Self.prices]))), of: nil)
    default:
      let elements = random.pick([
        CollectionPath.Elements.column(Self.friends), .backlinks(origin: Self.table, Self.boss),
      ])
      return .aggregate(
        random.pick([.min, .max, .sum, .average]), CollectionPath(links: links, elements),
        of: ColumnPath(links: random.chance(30) ? [Self.boss] : [], Self.number))
    }
  }

  private func test(_ type: ColumnType, _ comparison: Comparison, _ random: inout QueryRandom) -> ValueTest {
    if random.chance(20) {
      return .isIn((0..<random.pick([0, 1, 3, 8])).map { _ in Self.value(type, &random) })
    }
    guard type == .string, random.chance(40) else { return .compare(comparison, Self.value(type, &random)) }
    return .text(
      TextOperator(rawValue: UInt8(random.below(6)))!, Array(random.pick(["", "a", "A", "b", "äb", "a*", "?b"]).utf8),
      random.pick([[], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]))
  }
}
