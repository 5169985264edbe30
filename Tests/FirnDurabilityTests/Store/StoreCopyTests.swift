import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Copies and seeds: one file with everything, whole or not there, and what becomes of files left beside a restored one.
@Suite struct StoreCopyTests {
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "name", type: .string, isNullable: true, isIndexed: true),
        ColumnDescription(name: "next", type: .link, target: TableID(0)),
        ColumnDescription(name: "parts", type: .double, collection: .list),
        ColumnDescription(name: "any", type: .mixed),
      ]),
    TableDescription(name: "Empty", columns: [ColumnDescription(name: "number", type: .int)]),
    .nestedLists, .nestedMaps,
  ]

  private static func open(_ path: String, _ disk: SimulatedDisk, seed: String? = nil) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 12) {
      $0.idleNanoseconds = nil
      $0.preparesSegments = false
      $0.threadCount = 1
      $0.seedPath = seed
    }
  }

  private static func insert(_ ids: Range<Int64>, into graph: Graph) throws -> UInt64 {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    var last: RowKey?
    for id in ids {
      let key = writer.insert(into: TableID(0)) { row in
        row.set(ColumnID(0), .int(id))
        if id % 3 != 0 { row.set(ColumnID(1), Value("item \(id % 5)")) }
      }
      if let last {
        writer.set(ColumnID(2), of: key, in: TableID(0), to: .link(last))
        writer.set(ColumnID(4), of: key, in: TableID(0), to: .object(graph.layout.tables[0].number, last))
      }
      for place in 0..<Int(id % 4) {
        writer.insert(.double(Double(id)), at: place, of: ColumnID(3), of: key, in: TableID(0))
      }
      last = key
    }
    return try graph.commit().version.number
  }

  private static func insert(_ ids: Range<Int64>, into store: DurableStore) throws {
    store.flush(through: try insert(ids, into: store.graph))
  }

  private static func content(_ store: DurableStore) -> StoreContent { StoreContent(store.graph.holdHead().contents) }

  /// A store whose content lies in base, delta and journal, and what it is. Open as long as the first is kept.
  private static func makeStore(_ path: String, _ disk: SimulatedDisk) throws -> DurableStore {
    let store = try open(path, disk)
    try insert(0..<60, into: store)
    #expect(try store.checkpoint().isBase)
    try insert(60..<62, into: store)
    #expect(try !store.checkpoint().isBase)
    try insert(62..<64, into: store)
    return store
  }

  private static func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      Issue.record("Nothing was thrown.")
      return nil
    } catch {
      #expect(error is StoreError, "\(error)")
      return error as? StoreError
    }
  }

  // MARK: Copies

  @Test func aCopyIsOneFileWithTheVersionThatWasHeld() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.makeStore("/a", disk)
    let version = store.graph.holdHead()
    let content = Self.content(store)
    try Self.insert(64..<70, into: store)
    try StoreCopy(version, of: store).write(to: "/b", in: disk)
    #expect(disk.paths.filter { $0.hasPrefix("/b") } == ["/b"])
    // On disk when it returns, with its name.
    let after = disk.crash(.nothing)
    #expect(try DurableStore.verify("/b", after).version == version.number)
    let copy = try Self.open("/b", after)
    #expect(Self.content(copy) == content)
    #expect(copy.opening.version == version.number && !copy.opening.isNew)
    try Self.insert(100..<110, into: copy)
    #expect(Self.content(copy).rowCount == 74)
    _ = copy.release()
    #expect(Self.content(try Self.open("/b", after)).rowCount == 74)
  }

  @Test func aCopyOfAGraphInMemoryIsTheSame() throws {
    let disk = SimulatedDisk(seed: 2)
    let graph = Graph(schema: Self.schema, seed: HashSeed(3, 4))
    _ = try Self.insert(0..<50, into: graph)
    let version = graph.holdHead()
    try StoreCopy(version, schemaVersion: 0).write(to: "/b", in: disk)
    #expect(Self.content(try Self.open("/b", disk)) == StoreContent(version.contents))
  }

  /// Links and nested collections in mixed values are called by numbers, which the copy has too.
  @Test func aCopyOfAGraphInMemoryHasItsMixedValues() throws {
    let disk = SimulatedDisk(seed: 9)
    let graph = Graph(schema: MixedWriting.schema, seed: HashSeed(3, 4))
    var writing = MixedWriting(graph, seed: 10)
    for _ in 0..<50 { try writing.commit() }
    let version = graph.holdHead()
    try StoreCopy(version, schemaVersion: 0).write(to: "/b", in: disk)
    let store = try DurableStore.open(
      "/b", schema: MixedWriting.schema, options: DurableStore.Options(), seed: HashSeed(1, 2), fileSystem: disk)
    #expect(Self.content(store) == StoreContent(version.contents))
    #expect(StoreContent(version.contents).rowCount > 50)
  }

  @Test func aCopyReplacesNothing() throws {
    let disk = SimulatedDisk(seed: 3)
    let store = try Self.makeStore("/a", disk)
    let copy = StoreCopy(store.graph.holdHead(), of: store)
    #expect(Self.error { try copy.write(to: "/a", in: disk) }?.code == .fileExists)
    disk.setContent("/text", [1, 2, 3])
    #expect(Self.error { try copy.write(to: "/text", in: disk) }?.code == .fileExists)
    #expect(disk.content("/text") == [1, 2, 3])
    disk.setContent("/b.journal/0000000000000001.segment", [0])
    let journal = Self.error { try copy.write(to: "/b", in: disk) }
    #expect(journal?.code == .fileExists && journal?.path == "/b.journal")
    #expect(Self.error { try copy.write(to: "/no/b", in: disk) }?.code == .fileNotFound)
    let lock = try StoreLock.take("/c.lock", by: .current(), in: disk)
    #expect(Self.error { try copy.write(to: "/c", in: disk) }?.code == .ownedByOtherProcess)
    lock.release()
    #expect(throws: Never.self) { try copy.write(to: "/c", in: disk) }
  }

  /// Whichever call fails, or is the last one: there is no file, or a whole one, and the next attempt works.
  @Test(arguments: [SimulatedDisk.Fault.Kind.error(.noSpace), .error(.inputOutput), .stop])
  func aCopyIsWholeOrNotThere(_ kind: SimulatedDisk.Fault.Kind) throws {
    var callCount = 0
    for call in 1... {
      let disk = SimulatedDisk(seed: UInt64(call))
      let store = try Self.makeStore("/a", disk)
      let content = Self.content(store)
      let copy = StoreCopy(store.graph.holdHead(), of: store)
      disk.setFault(SimulatedDisk.Fault(call: call, kind: kind))
      var isWritten = true
      do { try copy.write(to: "/b", in: disk) } catch { isWritten = false }
      let isOver = !disk.didStop
      disk.setFault(nil)
      let survival: SimulatedDisk.Survival = isWritten ? .nothing : SimulatedDisk.Survival.allCases[call % 3]
      for after in [disk.crash(survival)] + (kind.isStop ? [] : [disk]) {
        if after.paths.contains("/b") {
          #expect(Self.content(try Self.open("/b", after)) == content, "call \(call)")
        } else {
          #expect(!isWritten, "call \(call)")
          #expect(throws: Never.self, "call \(call)") { try copy.write(to: "/b", in: after) }
        }
      }
      if isOver { break }
      callCount = call
    }
    print("copying: \(callCount) calls")
    #expect(callCount > 10)
  }

  // MARK: Seeds

  /// A seed that is open, closed without a checkpoint, or closed.
  @Test(arguments: 0..<3) func aSeedIsTakenWhole(_ state: Int) throws {
    let disk = SimulatedDisk(seed: 4)
    let seed = try Self.makeStore("/seed", disk)
    let content = Self.content(seed)
    switch state {
    case 1: _ = seed.release()
    case 2: try seed.close()
    default: break
    }
    let before = disk.paths.filter { $0.hasPrefix("/seed") }.map { disk.content($0) }
    let store = try Self.open("/a", disk, seed: "/seed")
    #expect(Self.content(store) == content)
    #expect(!store.opening.isNew && store.opening.rowCount == content.rowCount)
    #expect(disk.paths.filter { $0.hasPrefix("/seed") }.map { disk.content($0) } == before)
    #expect(StoreID.ofBase("/a", disk) != StoreID.ofBase("/seed", disk))
    try Self.insert(100..<103, into: store)
    _ = store.release()
    // Used once only.
    #expect(Self.content(try Self.open("/a", disk, seed: "/seed")).rowCount == content.rowCount + 3)
    withExtendedLifetime(seed) {}
  }

  /// Whichever call is the last one, and whatever is on disk then.
  @Test func aSeededStoreIsWholeOrNotThere() throws {
    var callCount = 0
    for call in 1... {
      let disk = SimulatedDisk(seed: UInt64(call))
      let seed = try Self.makeStore("/seed", disk)
      let content = Self.content(seed)
      _ = seed.release()
      disk.setFault(SimulatedDisk.Fault(call: call, kind: .stop))
      if let store = try? Self.open("/a", disk, seed: "/seed") { #expect(Self.content(store) == content) }
      let isOver = !disk.didStop
      for survival in SimulatedDisk.Survival.allCases {
        #expect(throws: Never.self, "call \(call), \(survival)") {
          let store = try Self.open("/a", disk.crash(survival), seed: "/seed")
          #expect(Self.content(store) == content, "call \(call), \(survival)")
        }
      }
      if isOver { break }
      callCount = call
    }
    print("seeding: \(callCount) calls")
    #expect(callCount > 20)
  }

  @Test func aSeedThatIsNoStoreLeavesNone() throws {
    let disk = SimulatedDisk(seed: 5)
    disk.setContent("/seed", Array(repeating: 65, count: 5_000))
    #expect(Self.error { _ = try Self.open("/a", disk, seed: "/seed") }?.code == .invalidDatabase)
    #expect(!disk.paths.contains("/a"))
    #expect(Self.error { _ = try Self.open("/a", disk, seed: "/nothing") }?.code == .fileNotFound)
    #expect(!disk.paths.contains("/a"))
  }

  // MARK: Restoring

  /// A copy carries an id of its own, so a lock file that was left speaks of something else.
  @Test func aCopyIsRestoredBesideALeftLock() throws {
    let disk = SimulatedDisk(seed: 6)
    let store = try Self.makeStore("/a", disk)
    try StoreCopy(store.graph.holdHead(), of: store).write(to: "/backup", in: disk)
    let content = Self.content(store)
    for id in Int64(100)..<120 { try Self.insert(id..<id + 1, into: store) }
    _ = store.release()
    for path in disk.paths where path.hasPrefix("/a.journal/") { disk.setContent(path, nil) }
    disk.setContent("/a", disk.content("/backup"))
    #expect(disk.paths.contains("/a.lock"))
    #expect(Self.content(try Self.open("/a", disk)) == content)
  }

  /// Beside a journal that was left, opening says which folder to remove; then it works.
  @Test func aCopyBesideALeftJournalSaysWhatToRemove() throws {
    for hasDelta in [false, true] {
      let disk = SimulatedDisk(seed: 7)
      let store = try Self.makeStore("/a", disk)
      try StoreCopy(store.graph.holdHead(), of: store).write(to: "/backup", in: disk)
      let content = Self.content(store)
      if !hasDelta {
        try Self.insert(100..<200, into: store)
        #expect(try store.checkpoint().isBase)
      }
      try Self.insert(200..<201, into: store)
      #expect(disk.paths.contains { $0.hasSuffix(".delta") } == hasDelta)
      _ = store.release()
      disk.setContent("/a", disk.content("/backup"))
      let error = Self.error { _ = try Self.open("/a", disk) }
      #expect(error?.code == .corrupted)
      #expect(error?.message.contains("remove the folder '/a.journal'") == true, "\(error?.message ?? "")")
      for path in disk.paths where path.hasPrefix("/a.journal/") { disk.setContent(path, nil) }
      disk.releaseLocks()
      #expect(Self.content(try Self.open("/a", disk)) == content)
    }
  }

  /// The same with a base that was copied by other means, which has the id of the store.
  @Test func anOlderBaseSaysWhatToRemove() throws {
    for keepsJournal in [false, true] {
      let disk = SimulatedDisk(seed: 8)
      let store = try Self.makeStore("/a", disk)
      let base = disk.content("/a")
      let rowCount = 60
      try Self.insert(100..<200, into: store)
      #expect(try store.checkpoint().isBase)
      try Self.insert(200..<201, into: store)
      _ = store.release()
      disk.setContent("/a", base)
      if !keepsJournal {
        for path in disk.paths where path.hasPrefix("/a.journal/") { disk.setContent(path, nil) }
      }
      let error = Self.error { _ = try Self.open("/a", disk) }
      #expect(error?.code == .corrupted)
      #expect(error?.message.contains("remove '/a.journal' and '/a.lock'") == true, "\(error?.message ?? "")")
      for path in disk.paths where path.hasPrefix("/a.journal/") || path == "/a.lock" { disk.setContent(path, nil) }
      #expect(Self.content(try Self.open("/a", disk)).rowCount == rowCount)
    }
  }
}

extension SimulatedDisk.Fault.Kind {
  fileprivate var isStop: Bool {
    if case .stop = self { return true }
    return false
  }
}

extension StoreID {
  /// What the header of a base says.
  fileprivate static func ofBase(_ path: String, _ disk: SimulatedDisk) -> [UInt8]? {
    disk.content(path).map { Array($0[16..<32]) }
  }
}
