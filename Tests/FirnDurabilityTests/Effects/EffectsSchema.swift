import FirnEngine

/// A schema with every type in every role it can have, and random values for it.
enum EffectsSchema {
  static let thing = TableID(0)
  static let other = TableID(1)
  static let listing = TableID(2)
  static let bare = TableID(3)
  static let flag = TableID(4)
  static let grouping = TableID(5)
  /// Owns rows of the next table, which own others.
  static let holder = TableID(6)
  static let held = TableID(7)

  static let tables: [TableDescription] = [
    TableDescription(name: "Thing", columns: thingColumns),
    TableDescription(
      name: "Other",
      columns: [
        ColumnDescription(name: "name", type: .string, isNullable: true, isPrimaryKey: true),
        ColumnDescription(name: "number", type: .int),
        ColumnDescription(name: "thing", type: .link, target: thing),
        ColumnDescription(name: "things", type: .link, collection: .list, target: thing),
      ]),
    TableDescription(name: "Listing", columns: listingColumns),
    TableDescription(name: "Bare", columns: []),
    TableDescription(
      name: "Flag",
      columns: [
        ColumnDescription(name: "listing", type: .link, target: listing),
        ColumnDescription(name: "id", type: .bool, isNullable: true, isPrimaryKey: true),
      ]),
    TableDescription(name: "Grouping", columns: groupingColumns),
    TableDescription(
      name: "Holder",
      columns: [
        ColumnDescription(name: "child", type: .link, target: held, linkKind: .embedded),
        ColumnDescription(name: "children", type: .link, collection: .list, target: held, linkKind: .embedded),
        ColumnDescription(name: "named", type: .link, collection: .map, target: held, linkKind: .embedded),
        ColumnDescription(name: "partner", type: .link, target: holder, linkKind: .cascade),
      ]),
    TableDescription(
      name: "Held",
      columns: [
        ColumnDescription(name: "number", type: .int, isIndexed: true),
        ColumnDescription(name: "text", type: .string),
        ColumnDescription(name: "inner", type: .link, target: held, linkKind: .embedded),
        ColumnDescription(name: "thing", type: .link, target: thing),
      ]),
  ]

  static let scalars: [ColumnType] = [
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
    columns.append(ColumnDescription(name: "mixed", type: .mixed))
    return columns
  }()

  private static let listingColumns: [ColumnDescription] = {
    var columns = [ColumnDescription(name: "id", type: .uuid, isPrimaryKey: true)]
    for type in scalars {
      columns.append(ColumnDescription(name: "[\(type)]", type: type, collection: .list))
      columns.append(ColumnDescription(name: "[\(type)?]", type: type, isNullable: true, collection: .list))
    }
    columns.append(ColumnDescription(name: "things", type: .link, collection: .list, target: thing))
    columns.append(ColumnDescription(name: "selves", type: .link, collection: .list, target: listing))
    columns.append(ColumnDescription(name: "[mixed]", type: .mixed, collection: .list))
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
    for kind in [CollectionKind.set, .map] {
      columns.append(ColumnDescription(name: "\(kind) mixed", type: .mixed, collection: kind))
    }
    return columns
  }()

  /// A value that is neither null nor a link; few different ones for indexed columns.
  static func value(_ type: ColumnType, isIndexed: Bool, _ random: inout EffectsRandom) -> Value {
    let number = isIndexed ? Int64(random.below(12)) : integer(&random)
    switch type {
    case .bool: return .bool(number & 1 != 0)
    case .int: return .int(number)
    case .float: return .float(random.chance(5) ? .nan : Float(number) / 8)
    case .double: return .double(double(number, &random))
    case .date: return .date(double(number, &random))
    case .string: return .string(Array(text(number, isIndexed, &random).utf8))
    case .data: return .data(Array(text(number, isIndexed, &random).utf8) + [0xff])
    case .objectID: return .objectID(Bytes12(UInt32(truncatingIfNeeded: number), 7, UInt32(number & 3)))
    case .uuid: return .uuid(Bytes16(low: UInt64(bitPattern: number), high: 9))
    case .decimal128: return .decimal128(Bytes16(low: 1, high: UInt64(bitPattern: number)))
    case .mixed: return value(scalars[random.below(scalars.count)], isIndexed: true, &random)
    case .link: fatalError("Links need a target.")
    }
  }

  private static func integer(_ random: inout EffectsRandom) -> Int64 {
    switch random.below(10) {
    case 0: Int64.max - Int64(random.below(3))
    case 1: Int64.min + Int64(random.below(3))
    case 2...4: Int64(random.below(70_000)) - 35_000
    default: Int64(random.below(256))
    }
  }

  private static func double(_ number: Int64, _ random: inout EffectsRandom) -> Double {
    switch random.below(30) {
    case 0: .nan
    case 1: -0.0
    default: Double(number) / 16
    }
  }

  private static func text(_ number: Int64, _ isIndexed: Bool, _ random: inout EffectsRandom) -> String {
    if isIndexed { return number == 0 ? "" : "city \(number)" }
    switch random.below(40) {
    case 0: return String(repeating: "ß", count: 1500 + random.below(1000))
    case 1...4: return ""
    case 5...8: return String(repeating: "añ", count: random.below(100))
    default: return "\(number)"
    }
  }
}

/// A small random generator whose sequence a seed determines.
struct EffectsRandom: RandomNumberGenerator {
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
}
