import FirnDurability
import FirnEngine

extension GoldenDump {
  /// What a base of a sample holds.
  init(_ sample: SnapshotSample) {
    storeID = SnapshotSample.header.storeID
    version = SnapshotSample.header.version
    catalogue = sample.catalogue
    tables = zip(sample.catalogue.tables, sample.tables).map { description, table in
      var rows: [Row] = []
      for group in table.groups {
        let columns = description.columns.indices.map { index in
          Self.cells(group.columns[index], description.columns[index].type, table.dictionaries[index])
        }
        for (row, key) in group.keys.enumerated() { rows.append(Row(key: key, cells: columns.map { $0[row] })) }
      }
      return Table(nextKey: table.nextKey, rows: rows)
    }
  }

  /// What a version of a graph holds whose tables are those of the catalogue.
  init(
    _ contents: GraphContents, nextKeys: [UInt64], _ catalogue: Catalogue, storeID: StoreID, version: UInt64,
    commits: [String]? = nil
  ) {
    self.storeID = storeID
    self.version = version
    self.catalogue = catalogue
    self.commits = commits
    tables = catalogue.tables.map { table in
      guard let place = contents.layout.tables.firstIndex(where: { $0.name == table.name }) else {
        fatalError("The graph has no table \(table.name).")
      }
      let descriptions = contents.layout.tables[place].descriptions
      let columns = table.columns.map { column in descriptions.firstIndex { $0.storedName == column.name } ?? -1 }
      var rows: [Row] = []
      contents.forEachKey(in: TableID(place)) { key in
        let cells = columns.map {
          Self.cell(contents, ColumnID($0), descriptions[$0].collection, key, TableID(place))
        }
        rows.append(Row(key: key.rawValue, cells: cells))
      }
      return Table(nextKey: nextKeys[place], rows: rows)
    }
  }

  // MARK: Rows

  private static func cell(
    _ contents: GraphContents, _ column: ColumnID, _ collection: CollectionKind?, _ key: RowKey, _ table: TableID
  ) -> String {
    let isMixed = contents.layout.tables[table.index].descriptions[column.index].type == .mixed
    guard let collection else { return value(contents.value(column, of: key, in: table), isMixed) }
    return GoldenJSON.array(
      (0..<contents.listCount(column, of: key, in: table)).map { index in
        let value = value(contents.listValue(at: index, of: column, of: key, in: table), isMixed)
        if collection != .map { return value }
        return GoldenJSON.array(
          [GoldenJSON.text(contents.mapKey(at: index, of: column, of: key, in: table)), value])
      })
  }

  /// Mixed values are told with their kind.
  private static func value(_ value: Value, _ isMixed: Bool) -> String {
    func kind(_ name: String, _ text: String) -> String { isMixed ? "{\"\(name)\":\(text)}" : text }
    func bytes(_ value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
    return switch value {
    case .null: "null"
    case .bool(let value): kind("bool", "\(value)")
    case .int(let value): kind("int", "\(value)")
    case .float(let value): kind("float", GoldenJSON.number(bytes(value)))
    case .double(let value): kind("double", GoldenJSON.number(bytes(value)))
    case .date(let value): kind("date", GoldenJSON.number(bytes(value)))
    case .string(let value): kind("string", GoldenJSON.text(value))
    case .data(let value): kind("data", GoldenJSON.data(value))
    case .objectID(let value): kind("object_id", GoldenJSON.data(bytes(value)))
    case .uuid(let value): kind("uuid", GoldenJSON.data(bytes(value)))
    case .decimal128(let value): kind("decimal128", GoldenJSON.data(bytes(value)))
    case .link(let key): "\(key.rawValue)"
    case .object(let table, let key): "{\"link\":[\(table),\(key.rawValue)]}"
    case .list(let key): "{\"list\":\(key.rawValue)}"
    case .map(let key): "{\"dictionary\":\(key.rawValue)}"
    }
  }

  // MARK: Chunks

  private static func cells(_ chunk: ColumnChunk, _ type: ColumnType, _ dictionary: ByteStrings?) -> [String] {
    let values: [String]
    switch chunk.values {
    case .bits(let words):
      values = (0..<chunk.rowCount).map { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 ? "true" : "false" }
    case .ints(let numbers):
      values = numbers.map { type != .link ? "\($0)" : $0 == 0 ? "null" : "\(Int128($0) - 1)" }
    case .fixed(let width, let bytes):
      let isNumber = type == .float || type == .double || type == .date
      values = (0..<chunk.rowCount).map {
        let value = bytes[($0 * width)..<(($0 + 1) * width)]
        return isNumber ? GoldenJSON.number(value) : GoldenJSON.data(value)
      }
    case .bytes(let strings): values = strings.slices.map { text($0, type) }
    case .dictionary(let places):
      let all = ["null"] + (dictionary?.slices.map { text($0, type) } ?? [])
      values = places.map { all[Int($0)] }
    case .lists(let counts, let elements): values = joined(counts, cells(elements, type, nil))
    case .maps(let counts, let keys, let elements):
      let pairs = zip(keys.slices, cells(elements, type, nil)).map { GoldenJSON.array([GoldenJSON.text($0), $1]) }
      values = joined(counts, pairs)
    }
    guard let nulls = chunk.nulls else { return values }
    return values.enumerated().map { nulls[$0 / 64] >> UInt64($0 % 64) & 1 == 1 ? "null" : $1 }
  }

  private static func text(_ bytes: ArraySlice<UInt8>, _ type: ColumnType) -> String {
    type == .string ? GoldenJSON.text(bytes) : GoldenJSON.data(bytes)
  }

  private static func joined(_ counts: [UInt32], _ elements: [String]) -> [String] {
    var start = 0
    return counts.map { count in
      defer { start += Int(count) }
      return GoldenJSON.array(Array(elements[start..<start + Int(count)]))
    }
  }
}

extension ByteStrings {
  fileprivate var slices: [ArraySlice<UInt8>] {
    var start = 0
    return lengths.map { length in
      defer { start += Int(length) }
      return bytes[start..<start + Int(length)]
    }
  }
}
