import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

/// Whole stores of formats 1 to 3, with base, deltas, journal and lock file, are read as they were meant, for ever.
///
/// They were written once: store ids and salts are random. The key of the encrypted one is the bytes 0 to 63. `FIRN_WRITE_GOLDEN` writes them anew.
@Suite struct StoreGoldenTests {
  /// A store in the folder of golden files. Its dump lies beside it.
  struct Golden: CustomTestStringConvertible, Sendable {
    let name: String
    let schema: [TableDescription]
    var key = TestKey.plain
    var schemaVersion: UInt64 = 0
    /// Fills an empty disk; nil where only earlier programs write such a store.
    let make: (@Sendable (SimulatedDisk, TestKey) throws -> Void)?

    var testDescription: String { name }
  }

  static let path = "/store.firn"
  static let stores =
    [
      Golden(name: "format1-store", schema: laterSchema, make: makeStore),
      Golden(name: "format1-cut", schema: EffectsSchema.tables, make: makeCutStore),
      Golden(name: "format1-torn", schema: MixedWriting.schema, make: makeTornStore),
      Golden(name: "format1-migrated", schema: migratedSchemas[2], schemaVersion: 2, make: makeMigratedStore),
      Golden(name: "format1-left-behind", schema: migratedSchemas[1], make: makeStoreLeftBehind),
      Golden(name: "format2-history", schema: laterSchema, make: nil),
      Golden(name: "format3-history", schema: laterSchema, make: makeStoreWithHistory),
    ] + encryptedStores

  private static var encryptedStores: [Golden] {
    #if Encryption
      [Golden(name: "format1-encrypted", schema: laterSchema, key: .encrypted, make: makeStore)]
    #else
      []
    #endif
  }

  private static let laterSchema =
    EffectsSchema.tables + [
      TableDescription(name: "Late", columns: [ColumnDescription(name: "number", type: .int)]),
      .nestedLists, .nestedMaps,
    ]

  @Test(arguments: stores) func storesAreRead(_ golden: Golden) throws {
    if GoldenFile.areWritten { try Self.write(golden) }
    for isReadOnly in [true, false] {
      let disk = try Self.disk(golden)
      let paths = StorePaths(Self.path)
      var options = DurableStore.Options()
      options.key = golden.key.key
      let files = try StoreFiles(paths, disk, options)
      var commits: [String] = []
      let reader = try JournalReader(
        folder: paths.journal, storeID: files.storeID, key: golden.key.key, in: disk)
      _ = try reader.read(after: files.version) { commits.append(Self.text($0)) }
      let store = try Self.open(golden.schema, disk) {
        $0.isReadOnly = isReadOnly
        $0.key = golden.key.key
        $0.schemaVersion = golden.schemaVersion
      }
      let version = store.graph.holdHead()
      let dump = GoldenDump(
        version.contents, nextKeys: store.graph.nextKeys, store.catalogue, storeID: store.storeID,
        version: version.number, commits: commits)
      try GoldenFile(name: golden.name + ".json").expectEqual(dump.bytes)
      #expect(store.release() == nil)
    }
  }

  private static func text(_ commit: JournalCommit) -> String {
    let metadata = commit.metadata.sorted { $0.key < $1.key }.map {
      GoldenJSON.array([GoldenJSON.string($0.key), GoldenJSON.string($0.value)])
    }
    return GoldenJSON.array([
      "\(commit.version)", "\(commit.kind.rawValue)", GoldenJSON.string(commit.author ?? ""),
      GoldenJSON.array(metadata),
    ])
  }

  // MARK: Files

  static func open(
    _ schema: [TableDescription], _ disk: SimulatedDisk, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 12) {
      $0.idleNanoseconds = nil
      $0.preparesSegments = false
      $0.threadCount = 1
      change(&$0)
    }
  }

  static func disk(_ golden: Golden) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 1)
    let journal = StorePaths(path).journal
    try disk.createFolder(journal)
    for folder in ["", "/store.firn.journal"] {
      for name in try PosixFileSystem().list(GoldenFile(name: golden.name + folder).path) {
        let file = GoldenFile(name: "\(golden.name)\(folder)/\(name)")
        if try PosixFileSystem().isFile(file.path) { disk.setContent("\(folder)/\(name)", try file.bytes()) }
      }
    }
    return disk
  }

  private static func write(_ golden: Golden) throws {
    guard let make = golden.make else { return }
    let disk = SimulatedDisk(seed: 1)
    try make(disk, golden.key)
    let files = PosixFileSystem()
    for folder in [golden.name, "\(golden.name)/store.firn.journal"].map({ GoldenFile(name: $0).path }) {
      if try !files.exists(folder) { try files.createFolder(folder) }
      for name in try files.list(folder) where try files.isFile("\(folder)/\(name)") {
        try files.remove("\(folder)/\(name)")
      }
    }
    for path in disk.paths { try GoldenFile(name: golden.name + path).write(disk.content(path) ?? []) }
  }

  // MARK: Stores

  /// Base, delta and several segments; tables that came later; nested collections; authors and metadata.
  private static func makeStore(_ disk: SimulatedDisk, _ key: TestKey) throws { try makeStore(disk, key, false) }

  /// The same with old values and times in its journal.
  private static func makeStoreWithHistory(_ disk: SimulatedDisk, _ key: TestKey) throws {
    try makeStore(disk, key, true)
  }

  private static func makeStore(_ disk: SimulatedDisk, _ key: TestKey, _ recordsOldValues: Bool) throws {
    func options(_ options: inout DurableStore.Options) {
      options.key = key.key
      options.recordsOldValues = recordsOldValues
    }
    var store = try open(EffectsSchema.tables, disk, options)
    var writing = RandomWriting(graph: store.graph, seed: 7, rowCountMax: 5)
    for _ in 0..<30 { store.flush(through: try writing.commit().number) }
    try commitDoubles(store)
    #expect(try store.checkpoint().isBase)
    for _ in 0..<2 { store.flush(through: try writing.commit().number) }
    #expect(try !store.checkpoint().isBase)
    for _ in 0..<3 { store.flush(through: try writing.commit().number) }
    #expect(store.release() == nil)

    store = try open(laterSchema, disk, options)
    for step in 0..<4 { try commitNested(step, store) }
    #expect(store.release() == nil)
    #expect(disk.paths.count { $0.hasSuffix(".segment") } > 1)
  }

  /// Doubles of which only the lower bytes differ.
  private static func commitDoubles(_ store: DurableStore) throws {
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let listing = EffectsSchema.listing
    let doubles = graph.layout.tables[listing.index].descriptions.firstIndex { $0.name == "[double]" } ?? -1
    let row = try #require(writer.contents.key(at: 0, in: listing))
    let values = (0..<60).map { Value.double(1 + Double($0).squareRoot() / 1_000) }
    writer.append(contentsOf: values, to: ColumnID(doubles), of: row, in: listing)
    store.flush(through: try graph.commit().version.number)
  }

  private static func commitNested(_ step: Int, _ store: DurableStore) throws {
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let tables = graph.layout.tables
    func table(_ name: String) -> TableID { TableID(tables.firstIndex { $0.name == name } ?? -1) }
    let lists = table(TableDescription.nestedLists.name)
    let maps = table(TableDescription.nestedMaps.name)
    let column = TableDescription.nestedColumn
    writer.insert(into: table("Late")) { $0.setInt(ColumnID(0), Int64(step)) }
    if step == 0 {
      let list = writer.insert(into: lists) { _ in }
      let map = writer.insert(into: maps) { _ in }
      writer.append(contentsOf: [.int(1), .map(map), .null, .string([97])], to: column, of: list, in: lists)
      for name in ["a", "ä", "z"] {
        writer.set(.double(1.5), forKey: Array(name.utf8), ofMap: column, of: map, in: maps)
      }
      let thing = try #require(writer.contents.key(at: 0, in: EffectsSchema.thing))
      let mixed = tables[0].descriptions.firstIndex { $0.type == .mixed } ?? -1
      writer.set(ColumnID(mixed), of: thing, in: EffectsSchema.thing, to: .list(list))
    } else {
      let list = try #require(writer.contents.key(at: 0, in: lists))
      let map = try #require(writer.contents.key(at: 0, in: maps))
      writer.replace(at: 0, with: .int(Int64(step) << 20), of: column, of: list, in: lists)
      writer.insert(.bool(true), at: 2, of: column, of: list, in: lists)
      if step == 2 { writer.remove(at: 3, of: column, of: list, in: lists) }
      writer.set(.int(Int64(step)), forKey: Array("k\(step)".utf8), ofMap: column, of: map, in: maps)
      writer.set(.null, forKey: Array("ä".utf8), ofMap: column, of: map, in: maps)
    }
    let note = CommitNote(
      author: step == 1 ? nil : "Zoë \(step)", metadata: step == 3 ? ["why": "\"golden\"", "a": ""] : [:])
    store.flush(through: try graph.commit(note: note).version.number)
  }

  /// Groups, collections, dictionaries and effects in as many blocks as can be.
  private static func makeCutStore(_ disk: SimulatedDisk, _ key: TestKey) throws {
    let store = try open(EffectsSchema.tables, disk) {
      $0.limits.rowCountMax = 3
      $0.limits.elementCountMax = 2
      $0.limits.cutByteCount = 100
      $0.limits.effectsByteCountMax = 50
    }
    var writing = RandomWriting(graph: store.graph, seed: 11, rowCountMax: 5)
    for _ in 0..<20 { store.flush(through: try writing.commit().number) }
    #expect(try store.checkpoint().isBase)
    for _ in 0..<2 {
      store.flush(through: try writing.commit().number)
      #expect(try !store.checkpoint().isBase)
    }
    #expect(store.release() == nil)
  }

  /// A journal whose last commit, which nobody was told of, is damaged.
  private static func makeTornStore(_ disk: SimulatedDisk, _ key: TestKey) throws {
    let store = try open(MixedWriting.schema, disk) { $0.durability = .interval(.seconds(3_600)) }
    var writing = MixedWriting(store.graph, seed: 3)
    for _ in 0..<12 { store.flush(through: try writing.commit().number) }
    for _ in 0..<2 { try writing.commit() }
    let segment = try #require(disk.paths.last { $0.hasSuffix(".segment") })
    var bytes = try #require(disk.content(segment))
    let frame = try #require(bytes.indices.last { bytes[$0...].starts(with: "FRM1".utf8) })
    bytes[frame + 81] ^= 1
    var left = Dictionary(uniqueKeysWithValues: disk.paths.map { ($0, disk.content($0)) })
    left[segment] = bytes
    #expect(store.release() == nil)
    for path in Set(disk.paths).union(left.keys) { disk.setContent(path, left[path] ?? nil) }
  }
}
