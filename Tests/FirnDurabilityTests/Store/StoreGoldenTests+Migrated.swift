import FirnEngine
import Testing

@testable import FirnDurability

/// A store whose tables changed while rows were in the journal, in a delta and in the base.
extension StoreGoldenTests {
  private static let id = ColumnDescription(name: "id", type: .int, isPrimaryKey: true)
  private static let title = ColumnDescription(name: "title", type: .string)
  private static let parts = ColumnDescription(name: "parts", type: .double, collection: .list)
  private static let size = ColumnDescription(name: "size", type: .double)
  private static let added: [(ColumnDescription, Value?)] = [
    (ColumnDescription(name: "flag", type: .bool), .bool(true)),
    (ColumnDescription(name: "count", type: .int), .int(-7)),
    (ColumnDescription(name: "ratio", type: .float), .float(1.5)),
    (ColumnDescription(name: "note", type: .string, isNullable: true), .string(Array("ä".utf8))),
    (ColumnDescription(name: "bytes", type: .data), .data([0, 255])),
    (ColumnDescription(name: "day", type: .date), .date(12.25)),
    (ColumnDescription(name: "uuid", type: .uuid), .uuid(Bytes16(low: 1, high: 2))),
    (ColumnDescription(name: "any", type: .mixed), .int(300)),
    (ColumnDescription(name: "none", type: .int, isNullable: true), nil),
    (ColumnDescription(name: "zero", type: .decimal128), nil),
    (ColumnDescription(name: "next", type: .link, target: TableID(0)), nil),
    (ColumnDescription(name: "names", type: .string, collection: .map), nil),
  ]

  /// Each drops what the one before has and it lacks.
  static let migratedSchemas: [[TableDescription]] = [
    [id, title, parts, size],
    [id, title, size] + added[..<6].map(\.0),
    [id, title] + added[1...].map(\.0),
  ].map { [TableDescription(name: "Item", columns: $0), .nestedLists, .nestedMaps] }

  static func makeMigratedStore(_ disk: SimulatedDisk, _ key: TestKey) throws {
    let defaults = Dictionary(uniqueKeysWithValues: added.map { ($0.0.name, $0.1) })
    for (version, schema) in migratedSchemas.enumerated() {
      let store = try open(schema, disk) {
        $0.schemaVersion = UInt64(version)
        $0.migration.defaultValue = { table, column in
          (defaults[schema[table].columns[column].name] ?? nil).map { .value($0) } ?? .empty
        }
      }
      for step in 0..<2 { try commitItems(Int64(10 * version + step), store) }
      if version < 2 { #expect(try store.checkpoint().isBase == (version == 0)) }
      if version == 0 { try commitItems(5, store) }
      #expect(store.release() == nil)
    }
    #expect(disk.paths.count { $0.hasSuffix(".delta") } == 1)
  }

  /// The same tables at one version: a column that the second program lacks is left behind, in the delta and in the
  /// journal.
  static func makeStoreLeftBehind(_ disk: SimulatedDisk, _ key: TestKey) throws {
    for (number, schema) in migratedSchemas[..<2].enumerated() {
      let store = try open(schema, disk)
      for step in 0..<2 { try commitItems(Int64(10 * number + step), store) }
      if number == 1 {
        #expect(try !store.checkpoint().isBase)
        try commitItems(12, store)
      } else {
        #expect(try store.checkpoint().isBase)
      }
      #expect(store.release() == nil)
    }
  }

  /// Inserts rows, changes an old one in all columns but the first, and deletes another now and then.
  private static func commitItems(_ number: Int64, _ store: DurableStore) throws {
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let item = TableID(0)
    var random = EffectsRandom(UInt64(number))
    let columns = graph.layout.tables[0].descriptions
    for offset in 0..<(number == 0 ? 40 : 2) {
      // Long enough for a delta to be short beside the base.
      let title = String((0..<100).map { _ in Character(Unicode.Scalar(UInt8(33 + random.below(90)))) })
      writer.insert(into: item) {
        $0.setInt(ColumnID(0), number * 100 + Int64(offset))
        $0.set(ColumnID(1), Value(title))
      }
    }
    let row = try #require(writer.contents.key(at: Int(number % 7), in: item))
    for (index, column) in columns.enumerated() {
      switch (column.collection, column.type) {
      case (nil, .string): writer.set(ColumnID(index), of: row, in: item, to: Value("title \(number)"))
      case (nil, .double): writer.set(ColumnID(index), of: row, in: item, to: .double(Double(number) / 3))
      case (.list, .double): writer.append(contentsOf: [.double(1)], to: ColumnID(index), of: row, in: item)
      default: break
      }
    }
    if number % 10 == 1 { writer.delete([try #require(writer.contents.key(at: 8, in: item))], from: item) }
    store.flush(through: try graph.commit().version.number)
  }
}
