import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Files of a real store with any one byte changed, or cut short anywhere: noticed, or without effect.
@Suite struct StoreDamageTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(
      name: "Person",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "name", type: .string, isNullable: true, isIndexed: true),
        ColumnDescription(name: "friend", type: .link, target: TableID(0)),
        ColumnDescription(name: "scores", type: .double, collection: .list),
        ColumnDescription(name: "tags", type: .string, collection: .set),
        ColumnDescription(name: "ranks", type: .int, isNullable: true, collection: .map),
      ]),
    TableDescription(
      name: "Group", columns: [ColumnDescription(name: "members", type: .link, collection: .list, target: TableID(0))]),
  ]

  private static func open(_ disk: SimulatedDisk, _ key: TestKey = .plain) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1_024) {
      $0.key = key.key
      $0.idleNanoseconds = nil
      $0.preparesSegments = false
      $0.threadCount = 1
    }
  }

  private static func commit(_ store: DurableStore, _ body: (Writer) -> Void) throws {
    store.flush(through: try commitInGate(store.graph, body))
  }

  private static func commitInGate(_ graph: Graph, _ body: (Writer) -> Void) throws -> UInt64 {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    body(graph.begin())
    return try graph.commit().version.number
  }

  /// A disk with a base, a delta and a journal with a commit, and what is in them.
  private static func makeDisk(_ key: TestKey = .plain) throws -> (disk: SimulatedDisk, content: StoreContent) {
    let disk = SimulatedDisk(seed: 1)
    let store = try open(disk, key)
    func insert(_ id: Int64, _ writer: Writer) -> RowKey {
      writer.insert(into: TableID(0)) { row in
        row.set(ColumnID(0), .int(id))
        if id % 2 == 0 { row.set(ColumnID(1), .string(Array("person \(id &* 0x5851_F42D_4C95_7F2D)".utf8))) }
      }
    }
    try commit(store) { writer in
      let keys = (0..<70).map { insert($0, writer) }
      let group = writer.insert(into: TableID(1)) { _ in }
      for (place, key) in keys.enumerated() {
        writer.insert(.link(key), at: place, of: ColumnID(0), of: group, in: TableID(1))
        writer.insert(.double(Double(place) / 3), at: 0, of: ColumnID(3), of: key, in: TableID(0))
        writer.insert(Value("tag \(place % 7)"), intoSet: ColumnID(4), of: key, in: TableID(0))
        writer.set(.int(Int64(place)), forKey: Array("rank".utf8), ofMap: ColumnID(5), of: key, in: TableID(0))
      }
    }
    #expect(try store.checkpoint().isBase)
    try commit(store) { writer in
      let key = insert(100, writer)
      writer.set(ColumnID(2), of: key, in: TableID(0), to: .link(key))
    }
    #expect(try !store.checkpoint().isBase)
    try commit(store) { writer in _ = insert(200, writer) }
    let content = StoreContent(store.graph.holdHead().contents)
    store.journal?.settle()
    disk.releaseLocks()
    return (disk, content)
  }

  @Test func whatTheJournalHasLostIsInTheNextCheckpoint() throws {
    for damage in ["last commit", "commit before", "segment"] {
      let (disk, _) = try Self.makeDisk()
      let store = try Self.open(disk)
      for id in Int64(300)..<303 {
        try Self.commit(store) { writer in
          writer.insert(into: TableID(0)) { $0.set(ColumnID(0), .int(id)) }
        }
      }
      let content = StoreContent(store.graph.holdHead().contents)
      let path = try #require(disk.paths.last { $0.hasSuffix(".segment") })
      var bytes = try #require(disk.content(path))
      let end = try #require(bytes.lastIndex { $0 != 0 })
      switch damage {
      case "last commit": bytes[end - 20] ^= 1
      case "commit before": bytes[end - 150] ^= 1
      default: bytes = [UInt8](repeating: 0, count: bytes.count)
      }
      disk.setContent(path, bytes)
      _ = try store.checkpoint()
      try store.close()
      let opened = try Self.open(disk)
      #expect(StoreContent(opened.graph.holdHead().contents) == content, "\(damage)")
      try opened.close()
    }
  }

  /// Opens what a file was replaced by; whether that was noticed.
  private static func isNoticed(
    _ disk: SimulatedDisk, _ path: String, _ bytes: [UInt8], _ content: StoreContent, _ what: String, _ key: TestKey
  ) -> Bool {
    let damaged = disk.crash(.everything)
    damaged.setContent(path, bytes)
    do {
      let store = try open(damaged, key)
      #expect(StoreContent(store.graph.holdHead().contents) == content, "\(path), \(what)")
      return false
    } catch {
      #expect(error is StoreError, "\(path), \(what): \(error)")
      return true
    }
  }

  @Test(arguments: TestKey.best) func everyByteCounts(_ key: TestKey) throws {
    let (disk, content) = try Self.makeDisk(key)
    for path in disk.paths where !path.hasSuffix(".lock") {
      guard var bytes = disk.content(path), bytes.contains(where: { $0 != 0 }) else { continue }
      var harmless = 0
      for place in bytes.indices {
        // Zeros behind the frames are alike, and some of them are enough.
        if path.hasSuffix(".segment"), bytes[place...].allSatisfy({ $0 == 0 }), place % 32 != 0 { continue }
        let byte = bytes[place]
        bytes[place] ^= UInt8(1) << UInt8(place % 8)
        if !Self.isNoticed(disk, path, bytes, content, "byte \(place)", key) { harmless += 1 }
        bytes[place] = byte
      }
      print("\(path), \(key): \(bytes.count) bytes, \(harmless) without effect")
      if !path.hasSuffix(".segment") { #expect(harmless == 0, "\(path)") }
    }
  }

  @Test(arguments: TestKey.best) func everyLengthCounts(_ key: TestKey) throws {
    let (disk, content) = try Self.makeDisk(key)
    for path in disk.paths where !path.hasSuffix(".lock") {
      guard let bytes = disk.content(path), bytes.contains(where: { $0 != 0 }) else { continue }
      for count in bytes.indices {
        if path.hasSuffix(".segment"), bytes[count...].allSatisfy({ $0 == 0 }), count % 32 != 0 { continue }
        let isNoticed = Self.isNoticed(disk, path, Array(bytes[..<count]), content, "\(count) bytes", key)
        if !path.hasSuffix(".segment") { #expect(isNoticed, "\(path), \(count) bytes") }
      }
    }
  }
}
