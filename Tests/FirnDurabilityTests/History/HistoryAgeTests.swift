import FirnEngine
import Testing

@testable import FirnDurability

/// History that is too old goes.
@Suite("Age of history")
struct HistoryAgeTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "bytes", type: .data)])
  ]
  private static let hour = 3_600.0
  /// How often age is looked after where it is an hour.
  private static let period = hour / 64
  /// When the last byte is to have left the disk.
  private static let bound = hour + 2 * period

  private static func open(
    _ disk: SimulatedDisk, _ clock: ManualClock, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    let store = try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) { options in
      options.clock = clock.clock
      options.historyByteCount = 1 << 30
      options.historyNanoseconds = UInt64(hour * 1e9)
      options.recordsOldValues = true
      options.idleNanoseconds = nil
      options.preparesSegments = false
      options.threadCount = 1
      change(&options)
    }
    // Waits for the background work of the opening.
    store.trigger.settle()
    return store
  }

  @discardableResult
  private static func insert(_ bytes: [UInt8], into store: DurableStore) throws -> UInt64 {
    store.graph.enterGateBlocking()
    store.graph.begin().insert(into: TableID(0)) { $0.set(ColumnID(0), .data(bytes)) }
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
    return version
  }

  private static func deleteFirst(from store: DurableStore) throws {
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    let first = try #require(writer.contents.key(at: 0, in: TableID(0)))
    writer.delete([first], from: TableID(0))
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
  }

  /// Bytes that nothing makes fewer, so that they are in a file as they are.
  private static func randomBytes(_ seed: UInt64, count: Int = 64) -> [UInt8] {
    var random = SeededRandom(seed)
    return (0..<count).map { _ in UInt8(random.below(256)) }
  }

  private static func versions(_ store: DurableStore, after start: UInt64) throws -> [UInt64] {
    var versions: [UInt64] = []
    while true {
      let page = try store.historyPage(after: versions.last ?? start, through: store.graph.head)
      if page.isEmpty { return versions }
      versions += page.map(\.version)
    }
  }

  private static func refusesHistory(_ store: DurableStore, after start: UInt64) -> Bool {
    do {
      _ = try store.historyPage(after: start, through: store.graph.head)
      return false
    } catch {
      return (error as? StoreError)?.code == .historyUnavailable
    }
  }

  /// The files that hold some bytes.
  private static func paths(of bytes: [UInt8], on disk: SimulatedDisk) -> [String] {
    disk.paths.filter { disk.content($0)?.firstRange(of: bytes) != nil }
  }

  // MARK: Reading

  /// However often the process starts anew, and whether it is closed, released or killed.
  @Test("counts from when commits were made, not from when the store was opened", arguments: [0, 1, 2])
  func restarts(ending: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    var times: [UInt64: UInt64] = [:]
    for step in UInt64(0)..<200 {
      let store = try Self.open(disk, clock)
      times[try Self.insert(Self.randomBytes(step), into: store)] = clock.now
      let start = try store.historyStart(through: store.graph.head)
      let read = try Self.versions(store, after: start)
      let oldest = clock.now - UInt64(Self.hour * 1e9)
      #expect(read == times.filter { $0.value >= oldest }.keys.sorted(), "step \(step)")
      if start > 1 { #expect(Self.refusesHistory(store, after: start - 1)) }
      switch ending {
      case 0: try store.close()
      case 1: #expect(store.release() == nil)
      default: disk.releaseLocks()
      }
      clock.advance(seconds: 120)
    }
    // An hour has 31, those behind the last checkpoint among them.
    #expect(disk.paths.count { $0.hasSuffix(".segment") } <= 66)
  }

  @Test("bounds what is read of a process that goes on and on, also before anything is removed", arguments: [1, 10])
  func process(commitsPerPeriod: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    let store = try Self.open(disk, clock)
    var times: [UInt64: UInt64] = [:]
    for step in 0..<Int(160 * commitsPerPeriod) {
      times[try Self.insert([1, 2, 3], into: store)] = clock.now
      if step % 7 == 0 { _ = try store.checkpoint() }
      clock.advance(seconds: Self.period / Double(commitsPerPeriod))
      if step % commitsPerPeriod == 0 { try store.lookAfterAge() }
      let read = try Self.versions(store, after: store.historyStart(through: store.graph.head))
      let oldest = clock.now - UInt64(Self.hour * 1e9)
      #expect(read.allSatisfy { times[$0] ?? 0 >= oldest })
      // Segments hold what was committed within two periods.
      let most = times.count { $0.value >= oldest + UInt64(2 * Self.period * 1e9) }
      #expect(read.count >= most, "step \(step)")
    }
    // Nobody has looked after it for long.
    let start = try store.historyStart(through: store.graph.head)
    clock.advance(seconds: Self.hour / 2)
    #expect(Self.refusesHistory(store, after: start))
    let later = try store.historyStart(through: store.graph.head)
    #expect(later > start && !Self.refusesHistory(store, after: later))
    clock.advance(seconds: Self.hour)
    #expect(try store.historyStart(through: store.graph.head) == store.graph.head)
    _ = store.release()
  }

  @Test("bounds what is read in memory")
  func memory() throws {
    let shape = try MemoryHistory.shape(of: Self.schema)
    let clock = ManualClock()
    let history = MemoryHistory(
      map: shape.map, byteCountMax: 1 << 20, nanosecondsMax: UInt64(Self.hour * 1e9), clock: clock.clock)
    let graph = Graph(schema: shape.schema, seed: HashSeed(1, 2), log: history)
    for _ in 0..<10 {
      graph.enterGateBlocking()
      graph.begin().insert(into: TableID(0)) { $0.set(ColumnID(0), .data([1])) }
      _ = try graph.commit()
      graph.gate.leave()
      clock.advance(seconds: 60)
    }
    #expect(try history.historyPage(after: 1, through: graph.head).count == 10)
    // A commit of exactly an hour ago stays.
    clock.advance(seconds: Self.hour - 240)
    #expect(throws: StoreError.self) { try history.historyPage(after: 1, through: graph.head) }
    #expect(history.historyStart == 7)
    #expect(try history.historyPage(after: 7, through: graph.head).count == 4)
    clock.advance(seconds: Self.hour)
    #expect(history.historyStart == graph.head)
  }

  @Test("is looked after a few times within the age, but neither all the time nor less than daily")
  func period() {
    func period(_ age: UInt64) -> UInt64? {
      var options = DurableStore.Options()
      options.historyByteCount = 1
      options.historyNanoseconds = age
      return JournalHistory(options).agePeriod
    }
    let second: UInt64 = 1_000_000_000
    let day = 86_400 * second
    #expect([0, 1, 64 * second - 64].map(period) == [second, second, second])
    #expect([128 * second, 6_400 * second].map(period) == [2 * second, 100 * second])
    #expect([64 * day, 65 * day, .max].map(period) == [day, day, day])
    #expect(JournalHistory(DurableStore.Options()).agePeriod == nil)
  }

  // MARK: Leaving the disk

  enum Process: CaseIterable {
    /// Goes on, and has no more to do.
    case idles
    /// Goes on and commits.
    case works
    /// Is killed and started again now and then, and has no more to do.
    case restarts
  }

  /// From base, deltas and segments.
  @Test("makes deleted values leave the disk", arguments: Process.allCases, [false, true])
  func deletedValues(process: Process, isCheckpointed: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    let secret = Self.randomBytes(1_000_000)
    var store = try Self.open(disk, clock)
    try Self.insert(secret, into: store)
    for number in UInt64(0)..<200 { try Self.insert(Self.randomBytes(number), into: store) }
    #expect(try store.checkpoint().isBase)
    clock.advance(seconds: 600)
    try Self.deleteFirst(from: store)
    if isCheckpointed { #expect(try !store.checkpoint().isBase) }
    #expect(Set(Self.paths(of: secret, on: disk).map { $0.split(separator: ".").last }) == ["firn", "segment"])
    for step in UInt64(0)..<66 {
      clock.advance(seconds: Self.period)
      if process == .restarts, step % 20 == 0 {
        disk.releaseLocks()
        store = try Self.open(disk, clock)
      }
      if process == .works { try Self.insert(Self.randomBytes(1_000 + step), into: store) }
      try store.lookAfterAge()
    }
    #expect(Self.paths(of: secret, on: disk) == [])
    let rowCount = process == .works ? 266 : 200
    #expect(store.graph.holdHead().contents.rowCount(TableID(0)) == rowCount)
    disk.releaseLocks()
    #expect(try Self.open(disk, clock).opening.rowCount == rowCount)
    #expect(Double(66) * Self.period <= Self.bound + 1)
  }

  /// A job that runs now and then, and is over before the age is looked after again. Its deletion is in a delta.
  @Test("makes deleted values leave the disk of processes that do not last", arguments: [false, true])
  func shortProcesses(closes: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    let secret = Self.randomBytes(1_000_000)
    func run(_ body: (DurableStore) throws -> Void) throws {
      let store = try openStore(Self.path, Self.schema, on: disk, segmentByteCount: 1 << 14) { options in
        options.clock = clock.clock
        options.historyByteCount = 1 << 30
        options.historyNanoseconds = UInt64(Self.hour * 1e9)
        options.recordsOldValues = true
        options.preparesSegments = false
        options.threadCount = 1
      }
      try body(store)
      if closes {
        try store.close()
      } else {
        store.trigger.settle()
        _ = try store.checkpoint()
        _ = store.release()
      }
    }
    try run { store in
      try Self.insert(secret, into: store)
      for number in UInt64(0)..<200 { try Self.insert(Self.randomBytes(number), into: store) }
    }
    try run { try Self.deleteFirst(from: $0) }
    #expect(Self.paths(of: secret, on: disk).contains(Self.path))
    for step in UInt64(0)..<3 {
      clock.advance(seconds: 2 * Self.hour / 3)
      try run { try Self.insert(Self.randomBytes(1_000 + step), into: $0) }
    }
    #expect(Self.paths(of: secret, on: disk) == [])
    try run { #expect($0.opening.rowCount == 203) }
  }

  /// A base of more than is there any more is written once, not again and again.
  @Test("costs no base where nothing follows it")
  func quietBases() throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    let store = try Self.open(disk, clock)
    for number in UInt64(0)..<200 { try Self.insert(Self.randomBytes(number), into: store) }
    #expect(try store.checkpoint().isBase)
    try Self.insert([1], into: store)
    #expect(try !store.checkpoint().isBase)
    var bases: Set<[UInt8]> = []
    for _ in 0..<300 {
      clock.advance(seconds: Self.period)
      try store.lookAfterAge()
      bases.insert(disk.content(Self.path) ?? [])
    }
    #expect(bases.count == 2)
    #expect(disk.paths.allSatisfy { !$0.hasSuffix(".delta") && !$0.hasSuffix(".segment") })
    _ = store.release()
  }

  // MARK: Times

  @Test("counts for segments of earlier programs from the first one that bears a time")
  func undated() throws {
    let disk = SimulatedDisk(seed: 1)
    let clock = ManualClock()
    // As without old values, which is the format of segments without a time.
    let first = try Self.open(disk, clock) { $0.recordsOldValues = false }
    for number in UInt64(0)..<10 { try Self.insert(Self.randomBytes(number), into: first) }
    _ = try first.checkpoint()
    _ = first.release()
    for _ in 0..<3 {
      clock.advance(seconds: Self.hour)
      let store = try Self.open(disk, clock)
      #expect(try store.historyStart(through: store.graph.head) == 1)
      _ = store.release()
    }
    let writing = try Self.open(disk, clock)
    try Self.insert([1], into: writing)
    _ = try writing.checkpoint()
    _ = writing.release()
    clock.advance(seconds: Self.hour - 1)
    var store = try Self.open(disk, clock)
    #expect(try store.historyStart(through: store.graph.head) == 1)
    _ = store.release()
    clock.advance(seconds: 2)
    store = try Self.open(disk, clock)
    #expect(try store.historyStart(through: store.graph.head) == store.graph.head)
    _ = store.release()
  }

  @Test("bears clocks that are wrong for a while")
  func wrongClocks() {
    let clock = ManualClock()
    var options = DurableStore.Options()
    options.clock = clock.clock
    options.historyByteCount = 1 << 30
    options.historyNanoseconds = UInt64(Self.hour * 1e9)
    let history = JournalHistory(options)
    let now = clock.now
    let minute: UInt64 = 60_000_000_000
    func readable(_ minutesAgo: [Int]) -> UInt64? {
      let extents = minutesAgo.enumerated().map { index, minutes in
        let time = minutes == .max ? 0 : UInt64(Int64(now) - Int64(minutes) * Int64(minute))
        return SegmentExtent(
          sequence: UInt64(index), lastVersion: UInt64(index), end: 4_096, allottedByteCount: 4_096, beganAt: time)
      }
      return history.firstReadable(extents)?.sequence
    }
    #expect(readable([100, 70, 50, 20]) == 2)
    #expect(readable([100, 70]) == nil)
    #expect(readable([]) == nil)
    // In the year 1990 for one segment: what lies before it is not given up for that.
    #expect(readable([50, 19_000_000, 20]) == 0)
    #expect(readable([19_000_000, 20]) == 1)
    // In the future: it was begun before the next one.
    #expect(readable([-100_000, 70, 50]) == 2)
    #expect(readable([-100_000, 50, 20]) == 0)
    // Without a time.
    #expect(readable([.max, .max, 70, 50]) == 3)
    #expect(readable([.max, 50, .max]) == 0)
    clock.advance(seconds: 2 * Self.hour)
    #expect(readable([.max, .max]) == nil)
  }

  @Test("is told by headers of one format version only")
  func headers() {
    func parsed(version: UInt16, time: UInt64) -> String {
      var header = SegmentHeader(
        storeID: StoreID(low: 1, high: 2), epoch: 1, sequence: 1, salt: FileSalt(low: 1, high: 2), lastVersion: 1,
        durableThrough: 1, previousChain: 0)
      header.formatVersion = version
      header.beganAt = time
      var writer = ByteWriter()
      header.write(to: &writer)
      return switch writer.withBytes({ SegmentHeader.parse($0) }) {
      case .header(let read): read == header ? "same" : "other"
      case .bad: "bad"
      case .empty: "empty"
      case .unsupported: "unsupported"
      }
    }
    #expect(parsed(version: 1, time: 0) == "same" && parsed(version: 2, time: 0) == "same")
    #expect(parsed(version: 1, time: 5) == "bad" && parsed(version: 2, time: 5) == "bad")
    #expect(parsed(version: 3, time: 1) == "same" && parsed(version: 3, time: UInt64(Int64.max)) == "same")
    #expect(parsed(version: 3, time: 0) == "bad" && parsed(version: 3, time: UInt64(Int64.max) + 1) == "bad")
    #expect(parsed(version: 4, time: 5) == "unsupported")
  }

  // MARK: Segments

  @Test("leaves a segment with the next commit, unless there is no room for another")
  func rolling() throws {
    for hasRoom in [true, false] {
      let disk = SimulatedDisk(seed: 1)
      let clock = ManualClock()
      let store = try Self.open(disk, clock) { $0.preparesSegments = true }
      for _ in 0..<3 { try Self.insert([1], into: store) }
      clock.advance(seconds: 2 * Self.period)
      if !hasRoom { disk.setCapacity(disk.byteCount) }
      // Commits that were not proven to be on disk are not left.
      store.graph.enterGateBlocking()
      store.graph.begin().insert(into: TableID(0)) { $0.set(ColumnID(0), .data([2])) }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      try store.lookAfterAge()
      #expect(store.statistics.segmentCount == (hasRoom ? 2 : 1))
      store.flush(through: version)
      try Self.insert([3], into: store)
      let names = disk.paths.filter { $0.hasSuffix(".segment") }
      let times = names.compactMap { path -> UInt64? in
        guard let bytes = disk.content(path), case .header(let header) = bytes.withUnsafeBytes(SegmentHeader.parse)
        else { return nil }
        return header.beganAt
      }
      #expect(times.count == (hasRoom ? 2 : 1) && times == times.sorted())
      _ = store.release()
      #expect(try Self.open(disk.crash(.nothing), clock).opening.rowCount == 5)
    }
  }
}
