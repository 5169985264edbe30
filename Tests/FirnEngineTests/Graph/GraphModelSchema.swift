import FirnEngine

/// The schema of the model tests: every type in every role it can have.
enum GraphModelSchema {
  static let thing = TableID(0)
  static let other = TableID(1)
  static let listing = TableID(2)
  static let plain = TableID(3)
  static let bare = TableID(4)
  static let grouping = TableID(5)

  static let tables: [TableDescription] = [
    TableDescription(name: "Thing", columns: thingColumns, indexes: thingIndexes),
    TableDescription(
      name: "Other",
      columns: [
        ColumnDescription(name: "name", type: .string, isNullable: true, isPrimaryKey: true),
        ColumnDescription(name: "number", type: .int),
        ColumnDescription(name: "thing", type: .link, target: thing),
        ColumnDescription(name: "things", type: .link, collection: .list, target: thing),
      ],
      indexes: [
        IndexDescription(name: "name", paths: [ColumnPath(ColumnID(0))], isUnique: true),
        IndexDescription(
          name: "thing.other.number, name",
          paths: [ColumnPath(links: [ColumnID(2), otherOfThing], ColumnID(1)), ColumnPath(ColumnID(0))]),
      ]),
    TableDescription(name: "Listing", columns: listingColumns),
    TableDescription(
      name: "Plain",
      columns: [
        ColumnDescription(name: "number", type: .int),
        ColumnDescription(name: "text", type: .string),
        ColumnDescription(name: "other", type: .link, target: other),
      ],
      indexes: [
        IndexDescription(name: "number, text", paths: [ColumnPath(ColumnID(0)), ColumnPath(ColumnID(1))]),
        IndexDescription(name: "text", paths: [ColumnPath(ColumnID(1))]),
        IndexDescription(name: "other, number", paths: [ColumnPath(ColumnID(2)), ColumnPath(ColumnID(0))]),
        IndexDescription(
          name: "other.thing.other.name, other.thing",
          paths: [
            ColumnPath(links: [ColumnID(2), ColumnID(2), otherOfThing], ColumnID(0)),
            ColumnPath(links: [ColumnID(2)], ColumnID(2)),
          ]),
      ]),
    TableDescription(name: "Bare", columns: []),
    TableDescription(name: "Grouping", columns: groupingColumns),
  ]

  private static let scalars: [ColumnType] = [
    .bool, .int, .float, .double, .string, .data, .date, .objectID, .uuid, .decimal128,
  ]

  private static let thingColumns: [ColumnDescription] = {
    var columns = [ColumnDescription(name: "id", type: .int, isPrimaryKey: true)]
    for type in scalars {
      columns.append(ColumnDescription(name: "\(type)", type: type))
      columns.append(ColumnDescription(name: "\(type)?", type: type, isNullable: true))
      if type == .float { continue }
      columns.append(ColumnDescription(name: "indexed \(type)", type: type, isIndexed: true))
      columns.append(ColumnDescription(name: "indexed \(type)?", type: type, isNullable: true, isIndexed: true))
    }
    columns.append(ColumnDescription(name: "self", type: .link, target: thing))
    columns.append(ColumnDescription(name: "other", type: .link, target: other))
    return columns
  }()

  private static let otherOfThing = ColumnID(thingColumns.count - 1)

  /// Columns of some types by themselves or before another one; paths to the same table.
  private static let thingIndexes: [IndexDescription] = {
    var indexes: [IndexDescription] = []
    let own = ColumnID(thingColumns.count - 2)
    for (column, description) in thingColumns.enumerated() where description.type != .link && column % 5 == 2 {
      let path = ColumnPath(ColumnID(column))
      let next = ColumnPath(ColumnID((column * 7 + 5) % (thingColumns.count - 2)))
      indexes.append(IndexDescription(name: description.name, paths: column % 2 == 0 ? [path] : [path, next]))
    }
    for column in [3, 17] {
      let path = ColumnPath(links: [own], ColumnID(column))
      indexes.append(IndexDescription(name: "self.\(column), \(column)", paths: [path, ColumnPath(ColumnID(column))]))
    }
    return indexes
  }()

  private static let listingColumns: [ColumnDescription] = {
    var columns = [ColumnDescription(name: "id", type: .uuid, isPrimaryKey: true)]
    for type in scalars {
      columns.append(ColumnDescription(name: "[\(type)]", type: type, collection: .list))
      columns.append(ColumnDescription(name: "[\(type)?]", type: type, isNullable: true, collection: .list))
    }
    columns.append(ColumnDescription(name: "things", type: .link, collection: .list, target: thing))
    columns.append(ColumnDescription(name: "selves", type: .link, collection: .list, target: listing))
    return columns
  }()

  /// Sets and maps.
  private static let groupingColumns: [ColumnDescription] = {
    var columns = [ColumnDescription(name: "id", type: .int, isPrimaryKey: true)]
    for kind in [CollectionKind.set, .map] {
      for type in scalars {
        columns.append(ColumnDescription(name: "\(kind) \(type)", type: type, collection: kind))
        columns.append(ColumnDescription(name: "\(kind) \(type)?", type: type, isNullable: true, collection: kind))
      }
      columns.append(ColumnDescription(name: "\(kind) things", type: .link, collection: kind, target: thing))
      columns.append(ColumnDescription(name: "\(kind) selves", type: .link, collection: kind, target: grouping))
    }
    return columns
  }()
}

/// Random values: few distinct ones for indexed columns, and now and then the odd ones.
struct GraphModelValues {
  static func value(_ type: ColumnType, isIndexed: Bool, _ random: inout SeededGenerator) -> Value {
    let number = isIndexed ? Int64(random.below(12)) : integer(&random)
    switch type {
    case .bool: return .bool(number & 1 != 0)
    case .int: return .int(isIndexed && random.chance(10) ? integer(&random) : number)
    case .float: return .float(random.chance(5) ? .nan : Float(number) / 8)
    case .double: return .double(double(number, &random))
    case .date: return .date(double(number, &random))
    case .string: return .string(bytes(number, isIndexed, &random).map { $0 & 0x7f })
    case .data: return .data(bytes(number, isIndexed, &random))
    case .objectID: return .objectID(Bytes12(UInt32(truncatingIfNeeded: number), 7, UInt32(number & 3)))
    case .uuid: return .uuid(Bytes16(low: UInt64(bitPattern: number), high: 9))
    case .decimal128: return .decimal128(Bytes16(low: 1, high: UInt64(bitPattern: number)))
    case .link, .mixed: fatalError("Links need a target.")
    }
  }

  private static func integer(_ random: inout SeededGenerator) -> Int64 {
    switch random.below(20) {
    case 0: return Int64.max - Int64(random.below(3))
    case 1: return Int64.min + Int64(random.below(3))
    case 2...4: return Int64(random.below(1 << 40)) - 1 << 39
    case 5...9: return Int64(random.below(70_000))
    default: return Int64(random.below(256))
    }
  }

  private static func double(_ number: Int64, _ random: inout SeededGenerator) -> Double {
    switch random.below(30) {
    case 0: return .nan
    case 1: return -0.0
    default: return Double(number) / 16
    }
  }

  private static func bytes(_ number: Int64, _ isIndexed: Bool, _ random: inout SeededGenerator) -> [UInt8] {
    if isIndexed {
      if random.chance(2) { return Array(repeating: UInt8(number), count: 3000) }
      return number == 0 ? [] : Array("city \(number)".utf8)
    }
    switch random.below(40) {
    case 0: return Array(repeating: UInt8(random.below(256)), count: 2000 + random.below(2000))
    case 1...4: return []
    case 5...8: return Array(repeating: UInt8(random.below(256)), count: random.below(300))
    default: return Array("\(number)".utf8)
    }
  }
}

extension Value {
  /// Whether both are stored alike: NaN equals itself, the zeros differ.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    default: self == other
    }
  }

  /// The value as an index sees it, in which it equals itself.
  var indexed: Value {
    switch self {
    case .double(let value): .double(value.isNaN ? -1e300 : value == 0 ? 0 : value)
    case .date(let value): .date(value.isNaN ? -1e300 : value == 0 ? 0 : value)
    default: self
    }
  }
}
