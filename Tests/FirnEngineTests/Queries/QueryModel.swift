import FirnEngine
import TestSupport

/// A small random generator whose sequence a seed determines.
struct QueryRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}

/// Two tables with columns of all types, filled at random, thinned out by deletions.
struct QueryModel {
  static let columns: [ColumnDescription] = [
    ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
    ColumnDescription(name: "age", type: .int),
    ColumnDescription(name: "big", type: .int, isNullable: true),
    ColumnDescription(name: "rank", type: .int, isNullable: true, isIndexed: true),
    ColumnDescription(name: "flag", type: .bool),
    ColumnDescription(name: "maybe", type: .bool, isNullable: true),
    ColumnDescription(name: "ratio", type: .float, isNullable: true),
    ColumnDescription(name: "score", type: .double),
    ColumnDescription(name: "level", type: .double, isNullable: true),
    ColumnDescription(name: "name", type: .string),
    ColumnDescription(name: "nick", type: .string, isNullable: true),
    ColumnDescription(name: "city", type: .string, isIndexed: true),
    ColumnDescription(name: "town", type: .string, isNullable: true, isIndexed: true),
    ColumnDescription(name: "blob", type: .data, isNullable: true),
    ColumnDescription(name: "born", type: .date, isNullable: true),
    ColumnDescription(name: "seen", type: .date, isIndexed: true),
    ColumnDescription(name: "object", type: .objectID, isNullable: true),
    ColumnDescription(name: "token", type: .uuid, isIndexed: true),
    ColumnDescription(name: "price", type: .decimal128, isNullable: true),
    ColumnDescription(name: "best", type: .link, target: TableID(0)),
    ColumnDescription(name: "home", type: .link, target: TableID(1)),
  ]
  static let homes: [ColumnDescription] = [
    ColumnDescription(name: "street", type: .string, isIndexed: true),
    ColumnDescription(name: "number", type: .int, isNullable: true),
    ColumnDescription(name: "owner", type: .link, target: TableID(0)),
  ]
  static func schema(_ indexes: [[ColumnPath]]) -> [TableDescription] {
    let indexes = indexes.enumerated().map { IndexDescription(name: "\($0)", paths: $1) }
    return [
      TableDescription(name: "Person", columns: columns, indexes: indexes),
      TableDescription(name: "Home", columns: homes),
    ]
  }
  static let words = [
    "", "a", "ab", "abc", "abcdefgh", "abcdefghi", "abcdefgz", "Zoe", "zoe", "Äpfel", "äpfel", "apfel", "İx", "Straße",
    "naïve", "NAIVE", "雪", "e\u{301}a", "éa", "nul\0x", "ΣΑΣ", "σας", "A Longer Piece Of Text", "text",
  ]

  let graph: Graph
  let version: Version
  let keys: [RowKey]
  let homeKeys: [RowKey]
  var contents: GraphContents { version.contents }
  let table = TableID(0)

  /// - Parameter indexes: The paths of the ordered indexes of the table.
  init(rowCount: Int, indexes: [[ColumnPath]] = [], random: inout QueryRandom) throws {
    graph = Graph(schema: Self.schema(indexes), seed: HashSeed(random.next(), random.next()))
    while !graph.gate.tryEnter() {}
    var writer = graph.begin()
    var people: [RowKey] = []
    var homes: [RowKey] = []
    for _ in 0..<max(1, rowCount / 8) {
      homes.append(writer.insert(into: TableID(1)) { _ in })
    }
    for index in 0..<rowCount {
      people.append(writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), Int64(index * 3)) })
    }
    _ = try graph.commit()
    writer = graph.begin()
    for key in people {
      for index in 1..<Self.columns.count {
        let value = Self.value(for: Self.columns[index], &random, people, homes)
        writer.set(ColumnID(index), of: key, in: TableID(0), to: value)
      }
    }
    for key in homes {
      for index in Self.homes.indices {
        writer.set(
          ColumnID(index), of: key, in: TableID(1), to: Self.value(for: Self.homes[index], &random, people, homes))
      }
    }
    _ = try graph.commit()
    writer = graph.begin()
    // Some clusters lose nearly all rows and become sparse, some stay whole.
    let gone = people.filter { random.chance([0, 30, 97][Int($0.rawValue >> 8) % 3]) }
    writer.delete(gone, from: TableID(0))
    writer.delete(homes.filter { _ in random.chance(20) }, from: TableID(1))
    _ = try graph.commit()
    graph.gate.leave()
    version = graph.holdHead()
    var left: [RowKey] = []
    version.contents.forEachKey(in: TableID(0)) { left.append($0) }
    keys = left
    var leftHomes: [RowKey] = []
    version.contents.forEachKey(in: TableID(1)) { leftHomes.append($0) }
    homeKeys = leftHomes
  }

  static func value(
    for column: ColumnDescription, _ random: inout QueryRandom, _ people: [RowKey], _ homes: [RowKey]
  ) -> Value {
    if column.isNullable, random.chance(15) { return .null }
    switch column.type {
    case .bool: return .bool(random.chance(50))
    case .int:
      if column.name == "big" { return .int(random.pick(bigInts + [Int64(bitPattern: random.next())])) }
      return .int(Int64(random.below(column.name == "rank" ? 12 : 100)) - 3)
    case .float: return .float(Float(random.pick(reals + [Double(random.below(20)) / 4])))
    case .double: return .double(random.pick(reals + [Double(random.below(20)) / 4]))
    case .date:
      return .date(column.isIndexed ? Double(random.below(20)) : random.pick(reals + [Double(random.below(9))]))
    case .string:
      return Value(random.pick(words) + (random.chance(20) ? random.pick(words) : ""))
    case .data: return .data(Array(random.pick(words).utf8) + (random.chance(10) ? [0xff] : []))
    case .objectID: return .objectID(Bytes12(UInt32(random.below(3)), UInt32(random.below(3)), 1))
    case .uuid: return .uuid(Bytes16(low: UInt64(random.below(3)) << 56, high: UInt64(random.below(3))))
    case .decimal128:
      let exponent = UInt64(6176 - random.below(3))
      return .decimal128(Bytes16(low: UInt64(random.below(30)), high: exponent << 49))
    case .link, .mixed:
      let targets = column.target == TableID(1) ? homes : people
      return targets.isEmpty ? .null : .link(random.pick(targets))
    }
  }

  static let bigInts: [Int64] = [
    .min, .max, .max - 1, .min + 1, 0, 1, -1, 1 << 53, (1 << 53) + 1, (1 << 53) - 1, 300, 70000,
  ]
  static let reals: [Double] = [
    0, -0.0, .nan, .infinity, -.infinity, 1, 2.5, -3, 0x1p53, 0x1p63, 0x1p-1074, 16_777_217, 0.1,
  ]
}

// MARK: Predicates

extension QueryModel {
  func column(at path: ColumnPath) -> ColumnDescription {
    var table = TableID(0)
    for link in path.links { table = graph.layout.schema[table.index].columns[link.index].target! }
    return graph.layout.schema[table.index].columns[path.column.index]
  }

  func randomPath(_ random: inout QueryRandom) -> ColumnPath { Self.randomPath(&random) }

  static func randomPath(_ random: inout QueryRandom) -> ColumnPath {
    switch random.below(10) {
    case 0: return ColumnPath(links: [ColumnID(19)], ColumnID(random.below(Self.columns.count)))
    case 1: return ColumnPath(links: [ColumnID(20)], ColumnID(random.below(Self.homes.count)))
    case 2: return ColumnPath(links: [ColumnID(20), ColumnID(2)], ColumnID(random.below(Self.columns.count)))
    default: return ColumnPath(ColumnID(random.below(Self.columns.count)))
    }
  }

  func randomConstant(for column: ColumnDescription, _ random: inout QueryRandom) -> Value {
    if random.chance(10) { return .null }
    if random.chance(25), [.int, .float, .double, .bool, .decimal128].contains(column.type) {
      switch random.below(5) {
      case 0: return .int(random.pick(Self.bigInts + [2, 3]))
      case 1: return .double(random.pick(Self.reals + [2.25, 9.3e18, -9.3e18]))
      case 2: return .float(Float(random.pick(Self.reals + [2.25])))
      case 3: return .decimal128(Bytes16(low: UInt64(random.below(30)), high: UInt64(6176 - random.below(2)) << 49))
      default: return .bool(random.chance(50))
      }
    }
    if random.chance(3) { return random.pick([.int(3), Value("a"), .date(1), .bool(true), .double(.nan)]) }
    return Self.value(for: column, &random, keys, homeKeys)
  }

  /// - Parameter paths: What most conditions are on.
  func randomPredicate(_ random: inout QueryRandom, depth: Int = 0, on paths: [ColumnPath] = []) -> Predicate {
    if depth < 3, random.chance(40) {
      let count = random.below(4)
      let parts = (0..<count).map { _ in randomPredicate(&random, depth: depth + 1, on: paths) }
      switch random.below(3) {
      case 0: return .and(parts)
      case 1: return .or(parts)
      default: return .not(randomPredicate(&random, depth: depth + 1, on: paths))
      }
    }
    let path = paths.isEmpty || random.chance(15) ? randomPath(&random) : random.pick(paths)
    let column = column(at: path)
    let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    switch random.below(12) {
    case 0: return .constant(random.chance(50))
    case 1:
      let other = (0..<20).map { _ in randomPath(&random) }.first { self.column(at: $0).type == column.type }
      return .compareColumns(path, random.pick(comparisons), other ?? path)
    case 2, 3:
      return .isIn(path, (0..<random.below(12)).map { _ in randomConstant(for: column, &random) })
    case 4, 5, 6:
      let texts = [9, 10, 11, 12, 13].map { ColumnPath(ColumnID($0)) }
      let isText = column.type == .string || column.type == .data
      let path = isText || !paths.isEmpty || random.chance(5) ? path : random.pick(texts)
      let operation = random.pick([TextOperator.equal, .notEqual, .contains, .beginsWith, .endsWith, .like])
      var pattern = random.pick(Self.words + ["b", "é", "fe", "ß"])
      if operation == .like, random.chance(70) {
        pattern = random.pick(["*", "?", "a*", "*b?", "?" + pattern, "*" + pattern + "*"])
      }
      let options: TextOptions = random.pick([
        [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ])
      return .text(path, operation, Array(pattern.utf8), options)
    default:
      return .compare(path, random.pick(comparisons), randomConstant(for: column, &random))
    }
  }
}
