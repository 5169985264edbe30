import FirnEngine
import Testing

@testable import FirnDurability

/// The journal as history: damage, gaps and lost tails.
@Suite("History in files")
struct DurableHistoryTests {
  private static let path = "/store.firn"
  static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true), ColumnDescription(name: "number", type: .int),
      ])
  ]

  static func open(
    _ disk: SimulatedDisk, key: StoreKey? = nil, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096) { options in
      options.threadCount = 1
      options.key = key
      options.historyByteCount = 1 << 30
      options.recordsOldValues = true
      change(&options)
    }
  }

  /// Inserts a row, and changes or deletes the one before it.
  @discardableResult
  static func commit(_ number: Int64, to store: DurableStore) throws -> UInt64 {
    try commit(number, to: store.graph)
  }

  @discardableResult
  static func commit(_ number: Int64, to graph: Graph) throws -> UInt64 {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let table = TableID(0)
    var keys: [RowKey] = []
    writer.contents.forEachKey(in: table) { keys.append($0) }
    if let last = keys.last, number % 3 == 0 { writer.setInt(ColumnID(1), of: last, in: table, to: number) }
    if let first = keys.first, number % 5 == 0 { writer.delete([first], from: table) }
    writer.insert(into: table) { row in
      row.setInt(ColumnID(0), number)
      row.setInt(ColumnID(1), 0)
    }
    return try graph.commit(note: CommitNote(author: "\(number)")).version.number
  }

  /// What history says, a line for each commit.
  static func read(_ store: DurableStore, after start: UInt64) throws -> [String] {
    var lines: [String] = []
    var reached = start
    while true {
      let page = try store.historyPage(after: reached, through: store.graph.head)
      guard let last = page.last else { return lines }
      for commit in page {
        let rows = commit.effects.map { $0.rows(of: TableID(0)) } ?? []
        lines.append("\(commit.version) \(commit.note.author ?? "") \(rows)")
      }
      reached = last.version
    }
  }

  private static func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      if !(error is StoreError) { Issue.record("\(error)") }
      return (error as? StoreError)?.code
    }
  }

  @Test("is whole or not at all when segments are damaged", arguments: TestKey.allCases)
  func damage(key: TestKey) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, key: key.key)
    for number in Int64(1)...80 {
      store.flush(through: try Self.commit(number, to: store))
      if number % 30 == 0 { _ = try store.checkpoint() }
    }
    let whole = try Self.read(store, after: 1)
    #expect(whole.count == 80)
    let segments = disk.paths.filter { $0.hasSuffix(".segment") }
    // How many depends on whether the next one was prepared in time.
    #expect(segments.count > 2)
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("Damaged history seed \(seed)")
    var random = SeededRandom(seed)
    var refusals = 0
    for _ in 0..<300 {
      guard let path = segments.randomElement(using: &random), let bytes = disk.content(path) else { continue }
      var damaged = bytes
      switch random.below(4) {
      case 0: damaged = Array(bytes.prefix(random.below(bytes.count)))
      case 1: for place in (random.below(bytes.count))..<bytes.count { damaged[place] = 0 }
      default: damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      }
      disk.setContent(path, random.chance(10) ? nil : damaged)
      do {
        #expect(try Self.read(store, after: 1) == whole, "seed \(seed), '\(path)'")
      } catch {
        refusals += 1
        #expect(error is StoreError, "seed \(seed): \(error)")
      }
      if let code = Self.code({ _ = try store.historyStart(through: store.graph.head) }) {
        #expect([.corrupted, .historyUnavailable].contains(code), "seed \(seed)")
      }
      disk.setContent(path, bytes)
    }
    #expect(refusals > 100)
    #expect(try Self.read(store, after: 1) == whole)
    _ = store.release()
  }

  @Test("is searched for its beginning some megabytes at a time")
  func search() throws {
    let schema = [TableDescription(name: "Item", columns: [ColumnDescription(name: "data", type: .data)])]
    let store = try openStore(Self.path, schema, on: SimulatedDisk(seed: 1), segmentByteCount: 1 << 22) {
      $0.historyByteCount = 1 << 30
    }
    for number in 0..<20 as Range<UInt8> {
      store.graph.enterGateBlocking()
      store.graph.begin().insert(into: TableID(0)) {
        $0.set(ColumnID(0), .data([UInt8](repeating: number, count: 1 << 20)))
      }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      store.flush(through: version)
    }
    let head = store.graph.head
    var (search, stepCount) = (HistorySearch(), 0)
    while !search.isOver {
      search = try store.goOn(search, through: head)
      stepCount += 1
    }
    // Eight megabytes, eight more and the rest.
    #expect(stepCount == 3)
    #expect(search.start == head - 20)
    _ = store.release()
  }

  @Test("ends where segments were given up, and says so")
  func beyond() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.historyByteCount = 0 }
    var versions: [UInt64] = []
    for number in Int64(1)...30 { versions.append(try Self.commit(number, to: store)) }
    store.flush(through: versions[29])
    #expect(try Self.read(store, after: versions[3]).count == 26)
    // Checkpoints until a base lets the segments go.
    for number in Int64(31)...200 where try store.historyStart(through: store.graph.head) <= versions[3] {
      store.flush(through: try Self.commit(number, to: store))
      _ = try store.checkpoint()
    }
    #expect(Self.code { _ = try Self.read(store, after: versions[3]) } == .historyUnavailable)
    let start = try store.historyStart(through: store.graph.head)
    #expect(start > versions[3])
    _ = try Self.read(store, after: start)
    // No commit has this number.
    if start > 2 { #expect(Self.code { _ = try Self.read(store, after: 0) } == .historyUnavailable) }
    _ = store.release()
  }

  @Test("ends where segments are too old, or too many", arguments: [false, true])
  func limits(byAge: Bool) throws {
    let store = try Self.open(SimulatedDisk(seed: 1)) { options in
      if byAge { options.historyNanoseconds = 0 } else { options.historyByteCount = 20_000 }
    }
    for number in Int64(1)...200 where try store.historyStart(through: store.graph.head) <= 4 {
      store.flush(through: try Self.commit(number, to: store))
      _ = try store.checkpoint()
    }
    #expect(try store.historyStart(through: store.graph.head) > 4)
    _ = store.release()
  }

  @Test("does not lead across a base that was saved after the disk failed")
  func gap() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = .onCheckpoint }
    for number in Int64(1)...5 { try Self.commit(number, to: store) }
    store.flush(through: store.graph.head)
    let durable = store.graph.head
    for number in Int64(6)...8 { try Self.commit(number, to: store) }
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
    store.flush(through: store.graph.head)
    #expect(Self.code { _ = try Self.read(store, after: 1) } == .historyUnavailable)
    _ = try store.checkpoint()
    // The base is there, but not all commits before it.
    let image = disk.crash(.nothing)
    let reading = try Self.open(image) { $0.isReadOnly = true }
    #expect(try reading.historyStart(through: durable + 3) == durable + 3)
    #expect(Self.code { _ = try Self.read(reading, after: 1) } == .historyUnavailable)
    let segments = image.paths.filter { $0.hasSuffix(".segment") }.map { ($0, image.content($0)) }
    let reopened = try Self.open(image)
    #expect(reopened.opening.version == durable + 3)
    #expect(try reopened.historyStart(through: durable + 3) == durable + 3)
    for number in Int64(9)...12 { reopened.flush(through: try Self.commit(number, to: reopened)) }
    #expect(Self.code { _ = try Self.read(reopened, after: durable) } == .historyUnavailable)
    // The old segments may be there still: those that opening could not remove.
    for isThereStill in [false, true] {
      if isThereStill { for (path, content) in segments { image.setContent(path, content) } }
      let start = try reopened.historyStart(through: reopened.graph.head)
      #expect(start == durable + 3, "old segments: \(isThereStill)")
      #expect(try Self.read(reopened, after: start).count == 4)
    }
    _ = reopened.release()
    _ = store.release()
  }

  @Test("knows versions of lost commits from those that got their numbers")
  func lostTails() throws {
    for survival in SimulatedDisk.Survival.allCases {
      let disk = SimulatedDisk(seed: 4)
      let store = try Self.open(disk) { $0.durability = .onCheckpoint }
      for number in Int64(1)...5 { try Self.commit(number, to: store) }
      store.flush(through: store.graph.head)
      let kept = store.graph.head
      for number in Int64(6)...9 { try Self.commit(number, to: store) }
      let head = store.graph.head
      let positions = (kept...head).map { store.historyPosition(of: $0) }
      let crashed = disk.crash(survival)
      let reopened = try Self.open(crashed)
      let survived = reopened.opening.version
      for number in Int64(20)...30 { reopened.flush(through: try Self.commit(number, to: reopened)) }
      for (version, position) in zip(kept...head, positions) {
        let isSame = reopened.historyPosition(of: version) == position
        #expect(isSame == (version <= survived), "\(survival), version \(version) of \(survived)")
      }
      #expect(reopened.historyPosition(of: reopened.graph.head + 1) == nil)
      _ = reopened.release()
      _ = store.release()
    }
  }

  @Test("is read with one open file, and ends where a file is missing", arguments: [false, true])
  func files(isReadOnly: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.idleNanoseconds = nil }
    var versions: [UInt64] = []
    for number in Int64(1)...60 {
      versions.append(try Self.commit(number, to: store))
      store.flush(through: versions[versions.count - 1])
      if number % 2 == 0 { _ = try store.checkpoint() }
    }
    let head = store.graph.head
    let reading = isReadOnly ? try Self.open(disk) { $0.isReadOnly = true } : store
    let segments = disk.paths.filter { $0.hasSuffix(".segment") }
    #expect(segments.count > 20)
    _ = disk.takeOpenFileCountMax()
    let openFileCount = disk.takeOpenFileCountMax()
    #expect(try Self.read(reading, after: 1).count == 60)
    #expect(try reading.historyStart(through: head) == 1)
    #expect(disk.takeOpenFileCountMax() == openFileCount + 1)
    // Somebody took one away.
    let missing = segments[11]
    let content = disk.content(missing)
    disk.setContent(missing, nil)
    #expect(Self.code { _ = try Self.read(reading, after: 1) } == .historyUnavailable)
    let start = try reading.historyStart(through: head)
    #expect(start > versions[10] && start < versions[50])
    #expect(try Self.read(reading, after: start).count == Int(head - start))
    // Another one of the same versions does not count as that.
    disk.setContent(missing, content)
    #expect(try reading.historyStart(through: head) == 1)
    _ = store.release()
  }

  @Test("is read beside a process that writes, as far as it was opened")
  func readOnly() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    for number in Int64(1)...40 { store.flush(through: try Self.commit(number, to: store)) }
    let reading = try Self.open(disk) { $0.isReadOnly = true }
    let whole = try Self.read(store, after: 1)
    for number in Int64(41)...60 { store.flush(through: try Self.commit(number, to: store)) }
    #expect(try Self.read(reading, after: 1) == whole)
    #expect(reading.historyPosition(of: 20) == store.historyPosition(of: 20))
    _ = store.release()
  }
}
