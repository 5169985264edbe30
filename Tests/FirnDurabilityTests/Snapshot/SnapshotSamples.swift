import FirnDurability
import FirnEngine

/// Tables of chunks and what a base of them must give back.
struct SnapshotSample: Sendable {
  var catalogue: Catalogue
  var tables: [Table]

  struct Table: SnapshotSource {
    var nextKey: UInt64
    var groups: [Group]
    var dictionaries: [Int: ByteStrings] = [:]
    private var next = 0

    init(nextKey: UInt64, groups: [Group], dictionaries: [Int: ByteStrings] = [:]) {
      self.nextKey = nextKey
      self.groups = groups
      self.dictionaries = dictionaries
    }

    func dictionary(_ column: Int) -> ByteStrings? { dictionaries[column] }

    mutating func nextGroup() -> SnapshotRows? {
      guard next < groups.count else { return nil }
      next += 1
      let group = groups[next - 1]
      return SnapshotRows(keys: group.keys) { group.columns[$0] }
    }
  }

  struct Group: Sendable, Equatable {
    var keys: [UInt64]
    var columns: [ColumnChunk]
  }

  static let header = SnapshotHeader(
    kind: .base, storeID: StoreID(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908), epoch: 3, version: 42)

  /// A table with every type of column, plain, nullable and in collections, and one without columns.
  static func schema(_ collections: [CollectionKind] = [.list, .set, .map]) -> [TableDescription] {
    let types: [ColumnType] = [
      .bool, .int, .float, .double, .string, .data, .date, .objectID, .uuid, .decimal128, .link,
    ]
    var columns: [ColumnDescription] = []
    for type in types {
      let target: TableID? = type == .link ? TableID(0) : nil
      if type != .link { columns.append(ColumnDescription(name: "\(type)", type: type)) }
      columns.append(ColumnDescription(name: "\(type)?", type: type, isNullable: true, target: target))
      for kind in collections {
        let name = kind == .list ? "[\(type)]" : "\(kind) \(type)"
        columns.append(ColumnDescription(name: name, type: type, collection: kind, target: target))
      }
    }
    return [
      TableDescription(name: "Empty", columns: []), TableDescription(name: "Everything", columns: columns),
      TableDescription(name: "Keys", columns: []),
    ]
  }

  static func random(
    _ random: inout SeededRandom, groupRowCounts: [Int], collections: [CollectionKind] = [.list, .set, .map]
  ) throws -> SnapshotSample {
    let catalogue = try Catalogue().merging(schema: schema(collections)).catalogue
    var key: UInt64 = 0
    var groups: [Group] = []
    let dictionary = ByteStrings(lengths: [1, 2, 0], bytes: [65, 66, 67])
    for rowCount in groupRowCounts {
      var columns: [ColumnChunk] = []
      for column in catalogue.tables[1].columns {
        var chunk = random.chunk(
          rowCount, shape(column), isNullable: column.isNullable && column.type != .link && column.collection == nil)
        if case .dictionary = chunk.values {
          chunk.values = .dictionary((0..<rowCount).map { _ in UInt32(random.below(4)) })
        }
        columns.append(chunk)
      }
      let keys = (0..<rowCount).map { _ in
        key += UInt64(1 + random.below(3))
        return key
      }
      groups.append(Group(keys: keys, columns: columns))
    }
    var dictionaries: [Int: ByteStrings] = [:]
    for (index, column) in catalogue.tables[1].columns.enumerated()
    where (column.type == .string || column.type == .data) && column.collection == nil {
      dictionaries[index] = dictionary
    }
    return SnapshotSample(
      catalogue: catalogue,
      tables: [
        Table(nextKey: 0, groups: []),
        Table(nextKey: key + 7, groups: groups, dictionaries: dictionaries),
        Table(nextKey: 100, groups: [Group(keys: [1, 2, 99], columns: [])]),
      ])
  }

  static func shape(_ column: Catalogue.Column) -> SequenceShape {
    switch column.type {
    case .bool: SequenceShape(.bits, collection: column.collection)
    case .int, .link: SequenceShape(.ints, collection: column.collection)
    case .string, .data: SequenceShape(.bytes, collection: column.collection)
    default: SequenceShape(.fixed(width: column.type.width), collection: column.collection)
    }
  }

  func write(to file: MemoryFile, key: StoreKey? = nil, threadCount: Int = 2) throws -> SnapshotStatistics {
    try SnapshotWriter(file, header: Self.header, catalogue: catalogue, key: key).writeBase(
      tables: tables.map { SnapshotTable(nextKey: $0.nextKey, source: $0) }, threadCount: threadCount)
  }

  func bytes(key: StoreKey? = nil, threadCount: Int = 2) throws -> [UInt8] {
    let file = MemoryFile()
    _ = try write(to: file, key: key, threadCount: threadCount)
    return file.bytes
  }
}

/// The content of a base, in order.
struct SnapshotContent: Sendable, Equatable {
  var tables: [[SnapshotSample.Group]]
  var dictionaries: [[Int: ByteStrings]]

  init(_ sample: SnapshotSample) {
    tables = sample.tables.map(\.groups)
    dictionaries = sample.tables.map(\.dictionaries)
  }

  init(reading reader: SnapshotReader, threadCount: Int = 2) throws {
    let count = reader.directory.tables.count
    let dictionaries = Lock(Array(repeating: [Int: ByteStrings](), count: count))
    let tables = Lock(Array(repeating: [SnapshotSample.Group](), count: count))
    try reader.read(threadCount: threadCount) { dictionary in
      dictionaries.withLock { $0[dictionary.table][dictionary.column] = dictionary.values }
    } group: { group in
      tables.withLock { $0[group.table].append(SnapshotSample.Group(keys: group.keys, columns: group.columns)) }
    }
    self.dictionaries = dictionaries.withLock { $0 }
    self.tables = tables.withLock { tables in
      tables.map { $0.sorted { $0.keys[0] < $1.keys[0] } }
    }
  }
}

/// Reads everything there is in a base: throws or gives what it holds.
func readAll(_ bytes: [UInt8], key: StoreKey? = nil, threadCount: Int = 1) throws -> SnapshotContent {
  try SnapshotContent(reading: SnapshotReader(MemoryFile(bytes), kind: .base, key: key), threadCount: threadCount)
}
