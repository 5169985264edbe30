import FirnEngine
import FirnReactive
import TestSupport

/// Two tables with a cycle of links, and random rows, predicates and sorts on them.
enum RandomGraph {
  static let items = 0
  static let owners = 1

  static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "number", type: .int, isNullable: true),
        ColumnDescription(name: "score", type: .double, isNullable: true),
        ColumnDescription(name: "text", type: .string, isNullable: true),
        ColumnDescription(name: "flag", type: .bool),
        ColumnDescription(name: "owner", type: .link, target: TableID(1)),
        ColumnDescription(name: "price", type: .decimal128, isNullable: true),
        ColumnDescription(name: "tags", type: .int, isNullable: true, collection: .list),
        ColumnDescription(name: "notes", type: .string, isNullable: true, collection: .map),
      ]),
    TableDescription(
      name: "Owner",
      columns: [
        ColumnDescription(name: "rank", type: .int, isNullable: true),
        ColumnDescription(name: "name", type: .string),
        ColumnDescription(name: "boss", type: .link, target: TableID(1)),
        ColumnDescription(name: "favourite", type: .link, target: TableID(0)),
        ColumnDescription(name: "basket", type: .link, collection: .list, target: TableID(0)),
        ColumnDescription(name: "shelf", type: .link, collection: .map, target: TableID(0)),
      ]),
  ]

  static func value(_ type: ColumnType, _ graph: TestGraph?, _ target: Int, _ random: inout SeededRandom) -> Value {
    switch type {
    case .int:
      if random.chance(5) { return .int(random.chance(50) ? .min : .max) }
      return .int(Int64(random.below(8)))
    case .double:
      let special: [Double] = [.nan, .infinity, -.infinity, -0.0, 0.0]
      return .double(random.chance(20) ? special.randomElement(using: &random)! : Double(random.below(10)) / 2 - 2)
    case .string:
      let words = ["", "a", "a\0", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "b", "ba", "é", "Z"]
      return Value(words.randomElement(using: &random)!)
    case .bool: return .bool(random.chance(50))
    case .decimal128:
      // Few numbers, each in several forms: 1 is stored as 1, 1.0, 1.00 and 1.000.
      var (coefficient, exponent) = (UInt64(random.below(4)), UInt64(6176))
      for _ in 0..<random.below(4) { (coefficient, exponent) = (coefficient * 10, exponent - 1) }
      return .decimal128(Bytes16(low: coefficient, high: exponent << 49 | (random.chance(20) ? 1 << 63 : 0)))
    case .link:
      guard let key = graph?.keys(target).randomElement(using: &random) else { return .null }
      return .link(key)
    default: return .null
    }
  }

  static func cell(_ table: Int, _ column: Int, _ graph: TestGraph, _ random: inout SeededRandom) -> Value {
    let description = schema[table].columns[column]
    if description.isNullable, random.chance(15) { return .null }
    return value(description.type, graph, description.target?.index ?? 0, &random)
  }

  static func write(_ graph: TestGraph, _ random: inout SeededRandom, rowCountMax: Int = 60) {
    let table = random.chance(75) ? items : owners
    let keys = graph.keys(table)
    let kind = random.below(10)
    if keys.isEmpty || (kind < 3 && keys.count < (table == items ? rowCountMax : 12)) {
      let columns = schema[table].columns.indices.filter { schema[table].columns[$0].collection == nil }
      graph.insert(table, columns.map { cell(table, $0, graph, &random) })
    } else if table == items, random.chance(25) {
      writeValues(keys.randomElement(using: &random)!, graph, &random)
    } else if table == owners, random.chance(60) {
      writeCollection(keys.randomElement(using: &random)!, graph, &random)
    } else if kind < 5 {
      graph.delete(table, keys.randomElement(using: &random)!)
    } else {
      let column = random.below(table == items ? 6 : 4)
      graph.set(table, keys.randomElement(using: &random)!, column, cell(table, column, graph, &random))
    }
  }

  /// Writes in a collection of values.
  private static func writeValues(_ item: RowKey, _ graph: TestGraph, _ random: inout SeededRandom) {
    let (list, map) = (ColumnID(6), ColumnID(7))
    let name = Array("k\(random.below(3))".utf8)
    let count = graph.contents.listCount(list, of: item, in: TableID(items))
    let number: Value = random.chance(15) ? .null : .int(Int64(random.below(8)))
    let text: Value = random.chance(15) ? .null : value(.string, nil, 0, &random)
    let (kind, place) = (random.below(6), random.below(max(count, 1)))
    graph.write { writer in
      switch kind {
      case 0, 1: writer.insert(number, at: place, of: list, of: item, in: TableID(items))
      case 2 where count > 0: writer.remove(at: place, of: list, of: item, in: TableID(items))
      case 3 where count > 0: writer.replace(at: place, with: number, of: list, of: item, in: TableID(items))
      case 4: _ = name.withUnsafeBytes { writer.removeValue(forKey: $0, ofMap: map, of: item, in: TableID(items)) }
      default: writer.set(text, forKey: name, ofMap: map, of: item, in: TableID(items))
      }
    }
  }

  private static func writeCollection(_ owner: RowKey, _ graph: TestGraph, _ random: inout SeededRandom) {
    let (list, map) = (ColumnID(4), ColumnID(5))
    let item = value(.link, graph, items, &random)
    if random.chance(25) {
      let name = Array("k\(random.below(6))".utf8)
      let isRemoved = random.chance(30)
      return graph.write { writer in
        if isRemoved {
          _ = name.withUnsafeBytes { writer.removeValue(forKey: $0, ofMap: map, of: owner, in: TableID(owners)) }
        } else {
          writer.set(item, forKey: name, ofMap: map, of: owner, in: TableID(owners))
        }
      }
    }
    let count = graph.contents.listCount(list, of: owner, in: TableID(owners))
    let kind = count == 0 ? 0 : random.below(count > 30 ? 12 : 10)
    let (place, other) = (random.below(max(count, 1)), random.below(max(count, 1)))
    if item == .null, kind < 5 { return }
    graph.write { writer in
      switch kind {
      case 0...2: writer.insert(item, at: count == 0 ? 0 : place, of: list, of: owner, in: TableID(owners))
      case 3: writer.append(contentsOf: [item, item], to: list, of: owner, in: TableID(owners))
      case 4: writer.replace(at: place, with: item, of: list, of: owner, in: TableID(owners))
      case 5, 6: writer.move(from: place, to: other, of: list, of: owner, in: TableID(owners))
      case 10: writer.removeAll(of: list, of: owner, in: TableID(owners))
      default: writer.remove(at: place, of: list, of: owner, in: TableID(owners))
      }
    }
  }

  /// A path from an item to a scalar column.
  static func path(_ random: inout SeededRandom, links: Bool) -> (ColumnPath, ColumnType) {
    if links, random.chance(40) {
      var steps = [ColumnID(4)]
      if random.chance(30) { steps.append(ColumnID(2)) }
      if random.chance(20) {
        steps.append(ColumnID(3))
        return (ColumnPath(links: steps, ColumnID(0)), .int)
      }
      let column = random.below(2)
      return (ColumnPath(links: steps, ColumnID(column)), schema[owners].columns[column].type)
    }
    let column = [0, 1, 2, 3, 5][random.below(5)]
    return (ColumnPath(ColumnID(column)), schema[items].columns[column].type)
  }

  static func predicate(_ random: inout SeededRandom, links: Bool, depth: Int = 3) -> Predicate {
    if depth > 0, random.chance(50) {
      let parts = (0..<(1 + random.below(3))).map { _ in predicate(&random, links: links, depth: depth - 1) }
      switch random.below(5) {
      case 0, 1: return .and(parts)
      case 2, 3: return .or(parts)
      default: return .not(parts[0])
      }
    }
    let comparison = Comparison(rawValue: UInt8(random.below(6)))!
    if random.chance(25) { return collectionPredicate(&random, comparison, links: links, depth) }
    let (path, type) = path(&random, links: links)
    switch random.below(12) {
    case 0: return .constant(random.chance(50))
    case 1: return .compare(path, comparison, .null)
    case 2, 3:
      return .isIn(path, (0..<random.below(4)).map { _ in random.chance(10) ? .null : value(type, nil, 0, &random) })
    case 4: return .compareColumns(path, comparison, ColumnPath(ColumnID(0)))
    case 5, 6:
      let patterns = ["", "a", "ab", "abcdefgh", "b"]
      return .text(
        ColumnPath(ColumnID(2)), TextOperator(rawValue: UInt8(random.below(5)))!,
        Array(patterns.randomElement(using: &random)!.utf8), [])
    default: return .compare(path, comparison, value(type, nil, 0, &random))
    }
  }

  /// A condition on the tags or notes of an item, on other items beside it in a basket or on a shelf, or on who has it there.
  private static func collectionPredicate(
    _ random: inout SeededRandom, _ comparison: Comparison, links: Bool, _ depth: Int
  ) -> Predicate {
    let number = Int64(random.below(3))
    switch random.below(links ? 9 : 3) {
    case 0:
      let test = ValueTest.compare(comparison, random.chance(15) ? .null : .int(Int64(random.below(8))))
      return .any(CollectionPath(.column(ColumnID(6))), where: .test(.element, test))
    case 1:
      let operand: Operand =
        random.chance(30)
        ? .elementCount(CollectionPath(.column(ColumnID(6))))
        : .aggregate(
          [.min, .max, .sum, .average].randomElement(using: &random)!, CollectionPath(.column(ColumnID(6))), of: nil)
      if random.chance(30) { return .relation(operand, .compare(comparison), .column(ColumnPath(ColumnID(0)))) }
      return .test(operand, .compare(comparison, .int(Int64(random.below(12)))))
    case 2:
      let test = ValueTest.compare(comparison, random.chance(15) ? .null : value(.string, nil, 0, &random))
      switch random.below(3) {
      case 0:
        return .test(.inside(ColumnPath(ColumnID(7)), [.key(Array("k\(random.below(3))".utf8))]), test)
      case 1: return .any(CollectionPath(.column(ColumnID(7))), where: .test(.element, test))
      default:
        return .any(
          CollectionPath(.keys(ColumnID(7))), where: .test(.element, .compare(.equal, Value("k\(random.below(3))"))))
      }
    case 3, 4:
      let place = CollectionPath(links: [ColumnID(4)], .column(ColumnID(random.chance(50) ? 4 : 5)))
      if random.chance(20) { return .count(place, where: .constant(true), comparison, number) }
      if random.chance(20) {
        return .test(
          .aggregate(random.chance(50) ? .sum : .max, place, of: ColumnPath(ColumnID(0))),
          .compare(comparison, .int(number)))
      }
      return .count(place, where: predicate(&random, links: links, depth: depth - 1), comparison, number)
    default:
      let place = CollectionPath(
        .backlinks(origin: TableID(owners), ColumnID([3, 4, 5].randomElement(using: &random)!)))
      if random.chance(20) { return .count(place, where: .constant(true), comparison, number) }
      let column = random.below(2)
      let type = schema[owners].columns[column].type
      var condition = Predicate.compare(ColumnPath(ColumnID(column)), comparison, value(type, nil, 0, &random))
      if random.chance(40) {
        condition = .any(
          CollectionPath(links: random.chance(50) ? [ColumnID(2)] : [], .column(ColumnID(4))),
          where: predicate(&random, links: links, depth: depth - 1))
      }
      return .count(place, where: condition, comparison, number)
    }
  }

  private static func sort(_ random: inout SeededRandom, _ counts: [Int], links: Bool) -> [SortKey] {
    (0..<counts.randomElement(using: &random)!).map { _ in
      if random.chance(10) {
        return SortKey(
          ColumnPath(ColumnID(7)), mapKey: Array("k\(random.below(3))".utf8), ascending: random.chance(60),
          nullsLast: random.chance(25))
      }
      return SortKey(path(&random, links: links).0, ascending: random.chance(60), nullsLast: random.chance(25))
    }
  }

  /// - Parameter graph: Whose collections are asked, too.
  static func query(_ random: inout SeededRandom, links: Bool, _ graph: TestGraph? = nil) -> ViewQuery {
    var source = ViewQuery.Source.table
    var condition: Predicate = random.chance(10) ? .constant(true) : predicate(&random, links: links)
    let order = sort(&random, [0, 0, 1, 1, 2, 3], links: links)
    var steps: [ViewQuery.Step] = []
    guard let graph else { return ViewQuery(table: TableID(items), predicate: condition, sort: order) }
    if random.chance(60), let owner = graph.keys(owners).randomElement(using: &random) {
      switch random.below(3) {
      case 0: source = .list(ListPlace(table: TableID(owners), row: owner, column: ColumnID(4)))
      case 1:
        source = .list(ListPlace(table: TableID(owners), row: owner, column: ColumnID(5)))
        if random.chance(50) { condition = .constant(true) }
      default:
        source = .backlinks(
          BacklinkPlace(origin: TableID(items), column: ColumnID(4), target: TableID(owners), row: owner))
      }
    }
    if random.chance(50) {
      for _ in 0...random.below(3) {
        switch random.below(6) {
        case 4, 5:
          let start = random.chance(50) ? 0 : random.below(20)
          steps.append(.window(start..<start + [0, 1, 3, 10, 30].randomElement(using: &random)!))
        case 0: steps.append(.filter(predicate(&random, links: links, depth: 1)))
        case 1: steps.append(.sort(sort(&random, [1, 2], links: links)))
        default: steps.append(.distinct((0...random.below(2)).map { _ in path(&random, links: links).0 }))
        }
      }
    }
    return ViewQuery(table: TableID(items), source: source, predicate: condition, sort: order, steps: steps)
  }
}
