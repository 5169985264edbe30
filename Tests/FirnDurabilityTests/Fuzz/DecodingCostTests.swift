import FirnEngine
import Testing

@testable import FirnDurability

/// Four times the bytes cost about four times the steps, whatever there is more of in them.
@Suite(.enabled(if: Steps.areCounted, "Needs Scripts/count-steps.")) struct DecodingCostTests {
  private static let path = "/store.firn"
  private static let nested = [TableDescription.nestedLists, .nestedMaps]

  /// - Parameter measure: Makes an input of that size, and returns the steps that reading it takes.
  private func expectLinear(
    _ size: Int = 500, sourceLocation: SourceLocation = #_sourceLocation, _ measure: (Int) throws -> Int
  ) throws {
    _ = try measure(10)
    let small = try measure(size)
    let large = try measure(4 * size)
    print("\(size): \(small) steps, \(4 * size): \(large), \(Double(large) / Double(small)) times")
    #expect(large < 6 * small, "\(small) steps for \(size), \(large) for \(4 * size)", sourceLocation: sourceLocation)
  }

  // MARK: Effects

  /// Decodes and applies commits in a transaction each.
  private func replay(_ schema: [TableDescription], _ commits: [[CraftedEffects.Table]]) throws -> Int {
    let merge = try Catalogue().merging(schema: schema)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
    var steps = 0
    for commit in commits {
      let bytes = CraftedEffects.bytes(commit)
      graph.enterGateBlocking()
      steps = try Steps.count {
        let effects = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
        try effects.apply(to: graph.begin())
        _ = try graph.commit()
        _ = effects.changeSet()
        for table in effects.touchedTables { _ = effects.rows(of: table) }
      }
      graph.gate.leave()
    }
    return steps
  }

  @Test(arguments: [false, true]) func tablesOfACommit(descending: Bool) throws {
    try expectLinear { count in
      let schema = (0..<count).map { TableDescription(name: "\($0)", columns: []) }
      let tables = (1...UInt64(count)).map { CraftedEffects.Table(id: $0, nextKey: 1, insertedCount: 1) }
      return try replay(schema, [descending ? tables.reversed() : tables])
    }
  }

  @Test func groupsOfACommit() throws {
    try expectLinear { count in
      let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .bool)])]
      let cells = [UInt8](repeating: 0, count: (count + 7) / 8)
      let rows = CraftedEffects.Table(id: 1, nextKey: UInt64(count), insertedCount: count, columns: [(1, cells)])
      let groups = (0..<UInt64(count)).map { CraftedEffects.Group(columns: [1], keys: [$0], cells: [1]) }
      return try replay(schema, [[rows], [CraftedEffects.Table(id: 1, nextKey: UInt64(count), groups: groups)]])
    }
  }

  /// Rows that a collection still leads to are taken out of it.
  @Test(arguments: [CollectionKind.list, .set, .map]) func deletedRowsOfACollection(kind: CollectionKind) throws {
    try expectLinear { count in
      let schema = [
        TableDescription(
          name: "A", columns: [ColumnDescription(name: "all", type: .link, collection: kind, target: TableID(1))]),
        TableDescription(name: "B", columns: []),
      ]
      let keys = (0..<UInt64(count)).map { $0 }
      var cells = CraftedEffects.list(ofLinksTo: keys)
      if kind == .map {
        let names = keys.map { String($0 + 1_000_000) }.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let head = CraftedEffects.varints([0, UInt64(count)])
        cells = head + names + CraftedEffects.varints(keys.lazy.map { $0 + 1 })
      }
      let owner = CraftedEffects.Table(id: 1, nextKey: 1, insertedCount: 1, columns: [(1, cells)])
      let rows = CraftedEffects.Table(id: 2, nextKey: UInt64(count), insertedCount: count)
      return try replay(
        schema, [[owner, rows], [CraftedEffects.Table(id: 2, nextKey: UInt64(count), deleted: keys)]])
    }
  }

  @Test func runsOfAList() throws {
    try expectLinear { count in
      let schema = [
        TableDescription(name: "A", columns: [ColumnDescription(name: "list", type: .bool, collection: .list)])
      ]
      let size = UInt64(2 * count)
      let cells = CraftedEffects.varints([0, size]) + [UInt8](repeating: 0, count: (2 * count + 7) / 8)
      let row = CraftedEffects.Table(id: 1, nextKey: 1, insertedCount: 1, columns: [(1, cells)])
      // Keep one, drop one.
      let runs = (0..<size).map { 4 | ($0 & 1) * 2 }
      let group = CraftedEffects.Group(columns: [1], keys: [0], cells: CraftedEffects.varints([1, size] + runs))
      return try replay(schema, [[row], [CraftedEffects.Table(id: 1, nextKey: 1, groups: [group])]])
    }
  }

  /// Tables with as many mixed columns as rows are deleted, which mixed values may lead to.
  @Test func deletedRowsBesideMixedColumns() throws {
    try expectLinear { count in
      let columns = { (first: Int) in
        (first..<min(first + 256, count)).map { ColumnDescription(name: "\($0)", type: .mixed) }
      }
      let schema =
        Self.nested + [TableDescription(name: "B", columns: [])]
        + stride(from: 0, to: count, by: 256).map { TableDescription(name: "\($0)", columns: columns($0)) }
      let keys = (0..<UInt64(count)).map { $0 }
      return try replay(
        schema,
        [
          [CraftedEffects.Table(id: 3, nextKey: UInt64(count), insertedCount: count)],
          [CraftedEffects.Table(id: 3, nextKey: UInt64(count), deleted: keys)],
        ])
    }
  }

  // MARK: Net effects

  private func merge(_ schema: [TableDescription], _ commits: [[CraftedEffects.Table]]) throws -> Int {
    let merge = try Catalogue().merging(schema: schema)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
    let all = try commits.map { commit in
      try CraftedEffects.bytes(commit).withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
    }
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for effects in all { try effects.apply(to: writer) }
    let version = try graph.commit().version
    return try withExtendedLifetime(version) {
      try Steps.count {
        var net = NetEffects(map: merge.map)
        for effects in all { try net.add(effects) }
        var bytes = ByteWriter()
        try net.encode(contents: version.contents, into: &bytes)
      }
    }
  }

  /// Each commit changes another row: from the end, as new rows are easy to add.
  @Test func commitsOfADelta() throws {
    try expectLinear { count in
      let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .bool)])]
      let cells = [UInt8](repeating: 0, count: (count + 7) / 8)
      let rows = CraftedEffects.Table(id: 1, nextKey: UInt64(count), insertedCount: count, columns: [(1, cells)])
      let changes = (0..<UInt64(count)).reversed().map { key in
        let group = CraftedEffects.Group(columns: [1], keys: [key], cells: [1])
        return [CraftedEffects.Table(id: 1, nextKey: UInt64(count), groups: [group])]
      }
      // The rows are there before.
      let merge = try Catalogue().merging(schema: schema)
      let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
      let all = try ([[rows]] + changes).map { commit in
        try CraftedEffects.bytes(commit).withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
      }
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      let writer = graph.begin()
      for effects in all { try effects.apply(to: writer) }
      let version = try graph.commit().version
      return try withExtendedLifetime(version) {
        try Steps.count {
          var net = NetEffects(map: merge.map)
          for effects in all.dropFirst() { try net.add(effects) }
          var bytes = ByteWriter()
          try net.encode(contents: version.contents, into: &bytes)
        }
      }
    }
  }

  /// Each commit gives a list whole.
  @Test func wholeListsOfADelta() throws {
    try expectLinear { count in
      let schema = [
        TableDescription(name: "A", columns: [ColumnDescription(name: "list", type: .bool, collection: .list)])
      ]
      let cells = [UInt8](repeating: 0, count: 2 * count)
      let rows = CraftedEffects.Table(id: 1, nextKey: UInt64(count), insertedCount: count, columns: [(1, cells)])
      let changes = (0..<UInt64(count)).map { key in
        let group = CraftedEffects.Group(columns: [1], keys: [key], cells: [0, 1, 1])
        return [CraftedEffects.Table(id: 1, nextKey: UInt64(count), groups: [group])]
      }
      return try merge(schema, [[rows]] + changes)
    }
  }

  // MARK: Catalogues

  /// Reads a catalogue and makes a graph of it.
  private func open(_ schema: [TableDescription], dropping droppedCount: Int = 0) throws -> Int {
    var catalogue = try Catalogue().merging(schema: schema).catalogue
    for index in 0..<droppedCount {
      try catalogue.addColumn(
        ColumnDescription(name: "\(index)", type: .int), to: 0, ids: [], defaultValue: nil)
      catalogue.drop(catalogue.tables[0].nextColumnID - 1, from: 0)
    }
    var writer = ByteWriter()
    catalogue.encode(into: &writer)
    return try writer.withBytes { bytes in
      try Steps.count {
        var reader = ByteReader(bytes)
        let merge = try Catalogue(decoding: &reader).merging(schema: [])
        _ = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
      }
    }
  }

  @Test func tables() throws {
    try expectLinear { count in try open((0..<count).map { TableDescription(name: "\($0)", columns: []) }) }
  }

  @Test func tablesThatLinkToEachOther() throws {
    try expectLinear { count in
      try open(
        (0..<count).map { index in
          TableDescription(
            name: "\(index)",
            columns: [ColumnDescription(name: "next", type: .link, target: TableID((index + 1) % count))])
        })
    }
  }

  @Test func tablesWithMixedColumns() throws {
    try expectLinear { count in
      try open(
        Self.nested
          + (0..<count).map {
            TableDescription(name: "\($0)", columns: [ColumnDescription(name: "any", type: .mixed)])
          })
    }
  }

  @Test func indexedColumns() throws {
    try expectLinear { count in
      try open(
        (0..<count).map {
          TableDescription(name: "\($0)", columns: [ColumnDescription(name: "n", type: .int, isIndexed: true)])
        })
    }
  }

  @Test func droppedColumns() throws {
    try expectLinear { count in try open([TableDescription(name: "A", columns: [])], dropping: count) }
  }

  // MARK: Bases

  /// Opens a store that is only a base.
  private func open(
    _ schema: [TableDescription], _ tables: [SnapshotSample.Table], limits: SnapshotLimits = .standard,
    with classes: [TableDescription] = [], schemaVersion: UInt64 = 0
  ) throws -> Int {
    let catalogue = try Catalogue().merging(schema: schema).catalogue
    let file = MemoryFile()
    _ = try SnapshotWriter(file, header: SnapshotSample.header, catalogue: catalogue, limits: limits).writeBase(
      tables: tables.map { SnapshotTable(nextKey: $0.nextKey, source: $0) }, threadCount: 1)
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(Self.path, file.bytes)
    return try Steps.count {
      let store = try openStore(Self.path, classes, on: disk, segmentByteCount: 1 << 14) {
        $0.threadCount = 1
        $0.preparesSegments = false
        $0.schemaVersion = schemaVersion
      }
      _ = store.release()
    }
  }

  @Test func tablesOfABase() throws {
    try expectLinear { count in
      let schema = (0..<count).map { TableDescription(name: "\($0)", columns: []) }
      let group = SnapshotSample.Group(keys: [0], columns: [])
      return try open(schema, schema.map { _ in SnapshotSample.Table(nextKey: 1, groups: [group]) })
    }
  }

  /// The rows are changed in a graph of its own, and written anew.
  @Test func tablesOfAMigration() throws {
    try expectLinear(200) { count in
      let schema = (0..<count).map {
        TableDescription(name: "\($0)", columns: [ColumnDescription(name: "n", type: .int)])
      }
      let chunk = ColumnChunk(rowCount: 1, values: .ints([7]))
      let group = SnapshotSample.Group(keys: [0], columns: [chunk])
      let classes = schema.map {
        TableDescription(name: $0.name, columns: [ColumnDescription(name: "n", type: .int, isNullable: true)])
      }
      return try open(
        schema, schema.map { _ in SnapshotSample.Table(nextKey: 1, groups: [group]) }, with: classes, schemaVersion: 1)
    }
  }

  @Test func groupsOfATable() throws {
    try expectLinear(2_000) { count in
      let groups = (0..<UInt64(count)).map { SnapshotSample.Group(keys: [$0], columns: []) }
      return try open(
        [TableDescription(name: "A", columns: [])], [SnapshotSample.Table(nextKey: UInt64(count), groups: groups)])
    }
  }

  @Test(arguments: [ColumnType.int, .bool, .string]) func blocksOfAList(type: ColumnType) throws {
    try expectLinear { count in
      let columns = [ColumnDescription(name: "list", type: type, collection: .list)]
      let elements: ColumnValues =
        switch type {
        case .int: .ints([Int64](repeating: 3, count: count))
        case .bool: .bits([UInt64](repeating: 0, count: (count + 63) / 64))
        default:
          .bytes(
            ByteStrings(lengths: [UInt32](repeating: 1, count: count), bytes: [UInt8](repeating: 97, count: count)))
        }
      let list = ColumnChunk(
        rowCount: 1, values: .lists(counts: [UInt32(count)], elements: ColumnChunk(rowCount: count, values: elements)))
      var limits = SnapshotLimits()
      limits.elementCountMax = 1
      return try open(
        [TableDescription(name: "A", columns: columns)],
        [SnapshotSample.Table(nextKey: 1, groups: [SnapshotSample.Group(keys: [0], columns: [list])])], limits: limits)
    }
  }

  /// A dictionary that has one value again and again, and a row whose value is looked up in it.
  @Test func equalValuesOfADictionary() throws {
    try expectLinear(4_000) { count in
      let columns = [ColumnDescription(name: "text", type: .string, isIndexed: true)]
      let values = ByteStrings(lengths: [UInt32](repeating: 0, count: count), bytes: [])
      let chunk = ColumnChunk(rowCount: 1, values: .bytes(ByteStrings(lengths: [1], bytes: [97])))
      let group = SnapshotSample.Group(keys: [0], columns: [chunk])
      return try open(
        [TableDescription(name: "A", columns: columns)],
        [SnapshotSample.Table(nextKey: 1, groups: [group], dictionaries: [0: values])])
    }
  }

  /// A mixed column whose values lead to as many tables as there are rows.
  @Test func tablesThatMixedValuesLeadTo() throws {
    try expectLinear(200) { count in
      let any = TableDescription(name: "Any", columns: [ColumnDescription(name: "any", type: .mixed)])
      let schema = Self.nested + [any] + (0..<count).map { TableDescription(name: "\($0)", columns: []) }
      var bytes: [UInt8] = []
      for index in 0..<count {
        let number = UInt32(index + 4)
        bytes += [11] + (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } + [0]
      }
      let values = ByteStrings(lengths: [UInt32](repeating: 6, count: count), bytes: bytes)
      let links = SnapshotSample.Group(
        keys: (0..<UInt64(count)).map { $0 }, columns: [ColumnChunk(rowCount: count, values: .bytes(values))])
      let row = SnapshotSample.Table(nextKey: 1, groups: [SnapshotSample.Group(keys: [0], columns: [])])
      let nothing = SnapshotSample.Table(nextKey: 0, groups: [])
      let tables = [nothing, nothing, SnapshotSample.Table(nextKey: UInt64(count), groups: [links])]
      return try open(schema, tables + (0..<count).map { _ in row })
    }
  }

  /// As many mixed columns as nested collections, of which each column may own one.
  @Test func nestedCollectionsBesideMixedColumns() throws {
    try expectLinear { count in
      let mixed = stride(from: 0, to: count, by: 256).map { first in
        TableDescription(
          name: "\(first)",
          columns: (first..<min(first + 256, count)).map { ColumnDescription(name: "\($0)", type: .mixed) })
      }
      let nothing = ColumnChunk(rowCount: 0, values: .bytes(ByteStrings()))
      let lists = ColumnChunk(
        rowCount: count, values: .lists(counts: [UInt32](repeating: 0, count: count), elements: nothing))
      let rows = SnapshotSample.Group(keys: (0..<UInt64(count)).map { $0 }, columns: [lists])
      let empty = SnapshotSample.Table(nextKey: 0, groups: [])
      return try open(
        Self.nested + mixed,
        [SnapshotSample.Table(nextKey: UInt64(count), groups: [rows]), empty] + mixed.map { _ in empty })
    }
  }

  /// As many columns that may own a row as there are rows, each of which has one owner.
  @Test func embeddedRowsBesideColumns() throws {
    try expectLinear { count in
      let others = stride(from: 0, to: count, by: 256).map { first in
        TableDescription(
          name: "\(first)",
          columns: (first..<min(first + 256, count)).map {
            ColumnDescription(name: "\($0)", type: .link, target: TableID(1), linkKind: .embedded)
          })
      }
      let owner = TableDescription(
        name: "Owner",
        columns: [
          ColumnDescription(name: "all", type: .link, collection: .list, target: TableID(1), linkKind: .embedded)
        ])
      let links = ColumnChunk(rowCount: count, values: .ints((1...Int64(count)).map { $0 }))
      let list = ColumnChunk(rowCount: 1, values: .lists(counts: [UInt32(count)], elements: links))
      let rows = SnapshotSample.Group(keys: (0..<UInt64(count)).map { $0 }, columns: [])
      return try open(
        [owner, TableDescription(name: "Held", columns: [])] + others,
        [
          SnapshotSample.Table(nextKey: 1, groups: [SnapshotSample.Group(keys: [0], columns: [list])]),
          SnapshotSample.Table(nextKey: UInt64(count), groups: [rows]),
        ] + others.map { _ in SnapshotSample.Table(nextKey: 0, groups: []) })
    }
  }

  // MARK: Journals

  private func read(_ disk: SimulatedDisk) throws -> Int {
    try Steps.count {
      do { _ = try JournalRun.read(disk) } catch let error as StoreError where error.code == .corrupted {}
    }
  }

  @Test func segmentsThatAreEmpty() throws {
    try expectLinear { count in
      let disk = SimulatedDisk(seed: 1)
      for number in 1...count {
        let digits = String(number, radix: 16)
        let name = String(repeating: "0", count: 16 - digits.count) + digits
        disk.setContent("\(JournalRun.folder)/\(name).segment", [])
      }
      return try read(disk)
    }
  }

  /// Bytes that look like the beginning of a long frame at each place where one may begin.
  @Test func framesThatAreNone() throws {
    try expectLinear(2_000) { count in
      let disk = SimulatedDisk(seed: 1)
      let journal = try JournalRun.journal(on: disk)
      try journal.append(TestCommit(version: 1, payload: [1]))
      try journal.flush(through: 1)
      let path = try #require(disk.paths.first { $0.hasSuffix(".segment") })
      let bytes = try #require(disk.content(path))
      let frame = Array(bytes[96..<176])
      let start = try #require(bytes.lastIndex { $0 != 0 }) / 8 * 8 + 8
      let fakes = (0..<count).flatMap { _ in frame }
      disk.setContent(path, Array(bytes[..<start]) + fakes)
      return try read(disk)
    }
  }
}
