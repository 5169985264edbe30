import FirnDurability
import FirnEngine
import Testing

/// Files that happen to have the names of a store's are left as they are, and no store gets such a name.
@Suite struct StoreNeighbourTests {
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(_ path: String, _ disk: any FileSystem) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096) {
      $0.threadCount = 1
      $0.preparesSegments = false
    }
  }

  private static func copy(to path: String, _ disk: any FileSystem) throws {
    try StoreCopy(Graph(schema: schema, seed: HashSeed(1, 2)).holdHead(), schemaVersion: 0).write(to: path, in: disk)
  }

  private static func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  /// Files that the library writes beside a base, and files of others that have such a name.
  private static let foreign: [(suffix: String, content: [UInt8])] = [
    (".lock", Array("a list of locks and keys".utf8)), (".base.tmp", Array("a list of bases".utf8)),
    (".journal/0000000000000007.delta.tmp", Array("a river".utf8)),
    (".journal/0000000000000007.segment.tmp", Array("a part of a circle".utf8)),
  ]

  @Test(arguments: foreign.indices) func foreignFilesAreLeftAlone(index: Int) throws {
    let (suffix, content) = Self.foreign[index]
    for isThere in [false, true] {
      let disk = SimulatedDisk(seed: 1)
      if isThere { _ = try Self.open("/door", disk).release() }
      let path = "/door" + suffix
      disk.setContent(path, content)
      let files = disk.paths
      let opening = Self.error { _ = try Self.open("/door", disk) }
      #expect(opening?.code == .fileExists && opening?.path == path && opening?.message.contains("Move it") == true)
      #expect(disk.content(path) == content)
      if isThere {
        #expect(try DurableStore.verify("/door", disk).version == 1)
        if suffix == ".lock" {
          #expect(Self.error { _ = try DurableStore.deleteFiles("/door", disk) }?.code == .fileExists)
          #expect(disk.paths == files)
        } else {
          #expect(try DurableStore.deleteFiles("/door", disk))
          #expect(disk.paths == [path])
        }
      } else {
        #expect(Self.error { try Self.copy(to: "/door", disk) }?.code == .fileExists)
        if suffix == ".lock" { #expect(try !DurableStore.deleteFiles("/door", disk)) }
      }
      #expect(disk.content(path) == content)
      // Once it is out of the way everything works.
      disk.setContent(path, nil)
      _ = try Self.open("/door", disk).release()
      #expect(try DurableStore.deleteFiles("/door", disk))
    }
  }

  /// A file of that name appears while another one is looked for.
  @Test func aTemporaryFileThatSomebodyMadeMeanwhileStays() throws {
    for (suffix, content) in Self.foreign.prefix(2) {
      var call = 1
      while true {
        let disk = SimulatedDisk(seed: 1)
        let path = "/door" + suffix
        let hasHappened = Lock(false)
        disk.beforeCall(call) {
          if (try? disk.exists(path)) == false { disk.setContent(path, content) }
          hasHappened.withLock { $0 = true }
        }
        let failure = Self.error { try Self.copy(to: "/door", disk) }
        if !hasHappened.withLock({ $0 }) { break }
        if let failure { #expect(failure.code == .fileExists, "\(suffix), call \(call): \(failure.message)") }
        #expect(disk.content(path) == nil || disk.content(path) == content, "\(suffix), call \(call)")
        call += 1
      }
      #expect(call > 10)
    }
  }

  /// A file that gets the name of a copy, or of a new store, while that is written.
  @Test(arguments: [false, true]) func aFileThatSomebodyMadeMeanwhileIsNotReplaced(isCopy: Bool) throws {
    var (call, refusedCount) = (1, 0)
    while true {
      let disk = SimulatedDisk(seed: 1)
      let hasHappened = Lock(false)
      disk.beforeCall(call) {
        let isFree = (try? disk.exists("/door")) == false
        if isFree { disk.setContent("/door", [1, 2, 3]) }
        hasHappened.withLock { $0 = true }
      }
      let failure = Self.error {
        if isCopy { try Self.copy(to: "/door", disk) } else { _ = try Self.open("/door", disk) }
      }
      if !hasHappened.withLock({ $0 }) { break }
      if disk.content("/door") == [1, 2, 3] {
        // An opening may have come before the file, and found that it is no store.
        #expect(failure?.code == .fileExists || !isCopy && failure?.code == .invalidDatabase, "call \(call)")
        #expect(!disk.paths.contains("/door.base.tmp"))
        refusedCount += 1
      } else {
        #expect(failure == nil, "call \(call)")
      }
      call += 1
    }
    #expect(refusedCount > 10)
  }

  /// Copies by second names have the lock file in common.
  @Test(arguments: [false, true]) func aCopyBySecondNamesIsAStoreOfItsOwn(isOpen: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    func commit(_ number: Int64, into store: DurableStore) throws {
      store.graph.enterGateBlocking()
      store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), number) }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      try store.journal?.flush(through: version)
    }
    try disk.createFolder("/a")
    let store = try Self.open("/a/door", disk)
    try commit(1, into: store)
    store.journal?.settle()
    _ = store.release()
    for path in disk.paths { disk.setSecondName("/b" + path.dropFirst(2), of: path) }
    let original = try Self.open("/a/door", disk)
    for number in Int64(2)..<5 { try commit(number, into: original) }
    original.journal?.settle()
    if !isOpen { _ = original.release() }
    // Before anybody has opened the copy for writing, too.
    let reading = try openStore("/b/door", Self.schema, on: disk, segmentByteCount: 4_096) { $0.isReadOnly = true }
    #expect(reading.opening.rowCount == 1)
    #expect(try DurableStore.verify("/b/door", disk).rowCounts[0].count == 1)
    let copy = try Self.open("/b/door", disk)
    #expect(copy.opening.rowCount == 1)
    try commit(5, into: copy)
    if isOpen { try commit(5, into: original) }
    try copy.close()
    if isOpen { try original.close() }
    #expect(try Self.open("/a/door", disk).opening.rowCount == (isOpen ? 5 : 4))
    #expect(try Self.open("/b/door", disk).opening.rowCount == 2)
  }

  @Test(arguments: [0, 3, 8, 96, 5_000]) func leftoversAreRemoved(byteCount: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open("/door", disk)
    _ = try store.checkpoint()
    _ = store.release()
    let base = try #require(disk.content("/door"))
    for (suffix, start) in [
      (".base.tmp", "FIRNBASE"), (Self.foreign[2].suffix, "FIRNDELT"), (Self.foreign[3].suffix, "FIRNJRNL"),
    ] {
      for content in [Array(start.utf8) + base.dropFirst(8), [UInt8](repeating: 0, count: 96) + base.dropFirst(96)] {
        disk.setContent("/door" + suffix, Array((content + [UInt8](repeating: 1, count: 5_000)).prefix(byteCount)))
        _ = try Self.open("/door", disk).release()
        #expect(disk.content("/door" + suffix) == nil)
      }
    }
  }

  @Test(arguments: ["a.lock", "a.journal", "a.base.tmp", "0000000000000001.segment", "00000000000000ff.delta.tmp"])
  func reservedNamesAreRefused(name: String) throws {
    let disk = SimulatedDisk(seed: 1)
    let path = "/" + name
    disk.setContent("/store", [])
    for body in [
      { _ = try Self.open(path, disk) }, { try Self.copy(to: path, disk) },
      { _ = try DurableStore.deleteFiles(path, disk) },
    ] as [() throws -> Void] {
      let error = Self.error(body)
      #expect(error?.code == .fileAccess && error?.message.contains("Choose another name") == true)
      #expect(error?.message.contains(name) == true)
    }
    #expect(disk.paths == ["/store"])
    // The names of a store's files on their own are no endings.
    for name in ["lock", "journal", "a.locks", "1.segment", "a.tmp"] { _ = try Self.open("/" + name, disk).release() }
    // One that is there already can be read.
    disk.setContent(path, disk.content("/lock"))
    #expect(try DurableStore.verify(path, disk).version == 1)
  }
}
