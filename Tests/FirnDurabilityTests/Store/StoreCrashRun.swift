import FirnEngine
import TestSupport

@testable import FirnDurability

/// A life of a whole store with crashes, and what an opening may find after each.
///
/// After a crash the content is exactly that of one of the versions that were made, of none before the last one that was
/// acknowledged, and the store goes on from there.
struct StoreCrashRun {
  struct Violation: Error, CustomStringConvertible {
    var description: String
  }

  enum Step {
    case commit, flush, prove, checkpoint, age, close, delete
  }

  /// A version that may be found.
  struct Entry {
    enum Content {
      case held(Version)
      case copied(StoreContent)
    }

    var number: UInt64
    var content: Content
    var nextKeys: [UInt64]
    var memory: RandomWriting.Memory

    func isSame(as contents: GraphContents) -> Bool {
      let found = StoreContent(contents)
      switch content {
      case .held(let version): return StoreContent(version.contents) == found
      case .copied(let content): return content == found
      }
    }

    /// What a new store holds.
    static var empty: Entry {
      let count = EffectsSchema.tables.count
      return Entry(
        number: 1, content: .copied(StoreContent()), nextKeys: Array(repeating: 0, count: count),
        memory: RandomWriting.Memory(tableCount: count))
    }
  }

  static let path = "/store.firn"

  var random: SeededRandom
  var disk: SimulatedDisk
  let bug: PlantedBug?
  let key: StoreKey?
  let rowCountMax: Int
  /// From the last acknowledged one on, oldest first.
  var entries = [Entry.empty]
  var acknowledged: UInt64 = 0
  /// Whether the files may be in the middle of being deleted.
  var isDeleting = false
  /// Whether no store may be there.
  var isAbsent = true
  var counts = Counts()

  private(set) var store: DurableStore?
  private let clock = ManualClock()
  private var durability = Durability.everyCommit
  private var writing: RandomWriting?
  private var log: ObservingLog?

  struct Counts {
    var commits = 0
    var crashes = 0
    var deaths = 0
    var bases = 0
    var deltas = 0
    var deletions = 0
    /// Checkpoints after the journal had failed.
    var saves = 0

    var checkpoints: Int { bases + deltas }

    static func += (left: inout Counts, right: Counts) {
      left.commits += right.commits
      left.crashes += right.crashes
      left.deaths += right.deaths
      left.bases += right.bases
      left.deltas += right.deltas
      left.deletions += right.deletions
      left.saves += right.saves
    }
  }

  init(seed: UInt64, key: StoreKey? = nil, bug: PlantedBug? = nil, rowCountMax: Int = 12) {
    self.key = key
    random = SeededRandom(seed)
    disk = SimulatedDisk(seed: random.next())
    self.bug = bug
    self.rowCountMax = rowCountMax
  }

  private var fileSystem: any FileSystem { bug.map { PlantedFileSystem(disk, $0) } ?? disk }

  private var keyOptions: DurableStore.Options {
    var options = DurableStore.Options()
    options.key = key
    return options
  }

  /// What a failed call may do to the caller: anything but to make the store look damaged. A healthy disk excuses nothing.
  func judge(_ error: any Error, _ what: String) throws {
    if error is Violation { throw error }
    guard let error = error as? StoreError else { throw Violation(description: "\(what): \(error)") }
    if error.code == .corrupted { throw Violation(description: "\(what): \(error.message)") }
    if !disk.didStop { throw Violation(description: "\(what), without a fault: \(error.message)") }
  }

  // MARK: Opening

  /// Opens the store and checks what it holds. Throws violations, and what the disk is to blame for.
  mutating func open(olderModel: Bool = false) throws {
    var options = DurableStore.Options()
    durability = [.everyCommit, .everyCommit, .everyCommit, .interval(.seconds(3_600)), .onCheckpoint][random.below(5)]
    options.durability = durability
    options.key = key
    options.segmentByteCount = random.chance(70) ? 4_096 : 16_384
    options.segmentCountMax = [2, 5, 32][random.below(3)]
    options.clock = clock.clock
    if random.chance(20) {
      options.historyByteCount = 10_000
      options.recordsOldValues = random.chance(50)
      options.historyNanoseconds = random.chance(50) ? 3_600_000_000_000 : nil
    }
    options.checkpointByteCount = .max
    options.checkpointNanoseconds = nil
    options.preparesSegments = false
    options.idleNanoseconds = nil
    options.threadCount = 1
    options.poisonsFreedBlocks = true
    let schema = olderModel ? Array(EffectsSchema.tables.prefix(3)) : EffectsSchema.tables
    if isDeleting, disk.content(Self.path) == nil { try finishDeleting() }
    let store: DurableStore
    do {
      store = try DurableStore.open(
        Self.path, schema: schema, options: options, seed: HashSeed(1, 2), fileSystem: fileSystem)
    } catch {
      try judge(error, "opening")
      throw error
    }
    // The background work of the opening comes before all else.
    store.trigger.settle()
    try check(store)
    self.store = store
    guard let journal = store.journal else { throw Violation(description: "the store has no journal") }
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    var nextKeys = graph.nextKeys
    nextKeys += Array(repeating: 0, count: EffectsSchema.tables.count - nextKeys.count)
    let log = ObservingLog(journal, nextKeys: nextKeys, publishesEarly: bug == .publishesEarly)
    graph.setLog(log)
    self.log = log
    writing = RandomWriting(graph: graph, seed: random.next(), rowCountMax: rowCountMax)
    writing?.memory = entries[0].memory
  }

  /// Without its base, half a deletion is no store any more, and may be repeated. Until it is, the base may come back.
  private mutating func finishDeleting() throws {
    let hasJournal = disk.paths.contains { $0.hasPrefix(Self.path + ".journal/") }
    if random.chance(50) || !hasJournal {
      do {
        _ = try DurableStore.deleteFiles(Self.path, fileSystem)
      } catch {
        try judge(error, "deleting again")
        throw error
      }
    } else {
      do {
        _ = try DurableStore.open(
          Self.path, schema: EffectsSchema.tables, options: keyOptions, seed: HashSeed(1, 2),
          fileSystem: fileSystem)
        throw Violation(description: "a journal without its base was taken for a store")
      } catch let error as StoreError {
        if error.code != .corrupted, !disk.didStop { throw Violation(description: "\(error.message)") }
        if error.code != .corrupted { throw error }
      }
      return try finishDeleting()
    }
    deleted()
  }

  private mutating func deleted() {
    isDeleting = false
    isAbsent = true
    entries = [.empty]
    acknowledged = 0
  }

  /// What was opened is one of the versions that may be there, and verifying finds nothing to object to.
  private mutating func check(_ store: DurableStore) throws {
    let version = store.graph.holdHead()
    let number = store.opening.version
    if isAbsent, !isDeleting, !store.opening.isNew, store.opening.rowCount > 0 {
      throw Violation(description: "a deleted store is back at version \(number)")
    }
    if !isAbsent, store.opening.isNew { throw Violation(description: "the store is gone") }
    if number < acknowledged {
      throw Violation(description: "version \(acknowledged) was acknowledged, but only \(number) is there")
    }
    guard var entry = entries.last(where: { $0.number <= number }) else {
      throw Violation(description: "version \(number) is there, the first one is \(entries[0].number)")
    }
    // A version that only brought a catalogue has the content of the one before.
    if entry.number != number, entry.number + 1 != number {
      throw Violation(description: "nobody made version \(number) after \(entry.number)")
    }
    if !entry.isSame(as: version.contents) {
      throw Violation(
        description: "version \(number) has other content than at its commit: "
          + "\(StoreContent(version.contents).rowCount) rows")
    }
    version.contents.checkInvariants()
    store.graph.enterGateBlocking()
    let nextKeys = store.graph.nextKeys
    store.graph.gate.leave()
    for (index, next) in nextKeys.enumerated() where next < entry.nextKeys[index] {
      throw Violation(description: "table \(index) gives out key \(next) again, it was at \(entry.nextKeys[index])")
    }
    // It costs as much as opening.
    if random.chance(25) { try verify(version) }
    entry.number = version.number
    entry.content = .held(version)
    entries = [entry]
    acknowledged = number
    isDeleting = false
    isAbsent = false
  }

  private func verify(_ version: Version) throws {
    do {
      let record = try DurableStore.verify(Self.path, fileSystem, options: keyOptions)
      if record.version != version.number {
        throw Violation(description: "verifying found version \(record.version) instead of \(version.number)")
      }
      if record.rowCounts.reduce(0, { $0 + $1.count }) != StoreContent(version.contents).rowCount {
        throw Violation(description: "verifying found other rows")
      }
    } catch {
      try judge(error, "verifying")
      throw error
    }
  }

  // MARK: Going on

  /// Whether the store is open and takes commits afterwards. Throws violations only.
  mutating func perform(_ step: Step) throws -> Bool {
    do {
      switch step {
      case .commit: return try commit()
      case .flush: return try flush()
      case .prove:
        store?.journal?.proveDurable()
        return true
      case .checkpoint: return try checkpoint()
      case .age: return try age()
      case .close:
        try store?.close()
        acknowledgeSaved()
        forget()
      case .delete:
        isDeleting = true
        _ = try DurableStore.deleteFiles(Self.path, fileSystem)
        counts.deletions += 1
        deleted()
      }
      return false
    } catch {
      if let store { acknowledge(store.statistics.durableVersion) }
      try judge(error, "\(step)")
      return false
    }
  }

  private mutating func commit() throws -> Bool {
    guard var writing, let log, let store else { return false }
    let memory = writing.memory
    defer { self.writing = writing }
    do {
      let version = try writing.commit()
      counts.commits += 1
      entries.append(
        Entry(
          number: version.number, content: .held(version), nextKeys: log.state.withLock { $0.nextKeys },
          memory: writing.memory))
      if durability == .everyCommit, outcome(of: version.number) == .durable { acknowledge(version.number) }
      return true
    } catch {
      let refusedMemory = writing.memory
      writing.memory = memory
      try judge(error, "committing")
      if (error as? StoreError)?.code == .durabilityLost {
        if let refused = log.state.withLock({ $0.refused }) {
          entries.append(
            Entry(
              number: refused.number, content: .copied(refused.content), nextKeys: refused.nextKeys,
              memory: refusedMemory))
        }
        acknowledge(store.statistics.durableVersion)
        return false
      }
      // There was no room for a segment, and nothing has happened.
      return !disk.isStopped
    }
  }

  private enum Outcome {
    case durable, lost, undecided
  }

  private func outcome(of number: UInt64) -> Outcome {
    let outcome = Lock(Outcome.undecided)
    store?.graph.whenDurable(number) { error in outcome.withLock { $0 = error == nil ? .durable : .lost } }
    return outcome.withLock { $0 }
  }

  private mutating func flush() throws -> Bool {
    guard let store, let last = entries.last else { return false }
    store.flush(through: last.number)
    acknowledge(store.statistics.durableVersion)
    switch outcome(of: last.number) {
    case .undecided: throw Violation(description: "nobody knows what became of commit \(last.number)")
    case .durable:
      if durability == .everyCommit { acknowledge(last.number) }
      return store.statistics.durableVersion >= last.number
    case .lost:
      if !disk.didStop { throw Violation(description: "commit \(last.number) was lost without a fault") }
      try checkLoss()
      return false
    }
  }

  /// Readers see what was acknowledged, and nobody commits any more.
  private mutating func checkLoss() throws {
    guard let store, var writing else { return }
    if !entries[0].isSame(as: store.graph.holdHead().contents) {
      throw Violation(description: "after the loss the head is not what was acknowledged")
    }
    do {
      writing.memory = entries[0].memory
      _ = try writing.commit()
      throw Violation(description: "a commit was taken after the loss")
    } catch let error as StoreError {
      if error.code != .durabilityLost { throw Violation(description: "after the loss: \(error.message)") }
    }
  }

  private mutating func checkpoint() throws -> Bool {
    guard let store else { return false }
    do {
      let record = try store.checkpoint()
      acknowledgeSaved()
      let hasFailed = store.journal?.hasFailed ?? false
      if hasFailed { counts.saves += 1 }
      if store.statistics.lastCheckpointFailure != nil {
        throw Violation(description: "a checkpoint succeeded, but the statistics say that it failed")
      }
      if record.byteCount == 0 { return !hasFailed }
      if record.isBase { counts.bases += 1 } else { counts.deltas += 1 }
      return !hasFailed
    } catch {
      acknowledge(store.statistics.durableVersion)
      if !(error is Violation), store.statistics.lastCheckpointFailure == nil {
        throw Violation(description: "a checkpoint failed, and the statistics do not say so")
      }
      try judge(error, "checkpoint")
      return !disk.isStopped && (error as? StoreError)?.code != .durabilityLost
    }
  }

  /// Time goes by, and what is too old for history is given up, with a checkpoint if need be.
  private mutating func age() throws -> Bool {
    guard let store else { return false }
    clock.advance(seconds: [60, 600, 4_000][random.below(3)])
    let before = store.statistics.lastCheckpoint?.nanoseconds
    do {
      try store.lookAfterAge()
      if store.statistics.lastCheckpoint?.nanoseconds != before { acknowledgeSaved() }
      return store.journal?.hasFailed == false
    } catch {
      acknowledge(store.statistics.durableVersion)
      try judge(error, "age")
      return !disk.isStopped && (error as? StoreError)?.code != .durabilityLost
    }
  }

  /// A checkpoint saved all that readers see.
  private mutating func acknowledgeSaved() {
    guard let store, let last = entries.last else { return }
    if store.journal?.hasFailed != true { return acknowledge(last.number) }
    let head = store.graph.holdHead()
    if !entries.contains(where: { $0.number == head.number }) {
      // The version that took back what was lost.
      var entry = entries[0]
      entry.number = head.number
      entry.content = .held(head)
      entries = [entry]
    }
    acknowledge(head.number)
  }

  /// Whether there is a store that takes no commits, on a disk that works again.
  var isSavable: Bool { !disk.isStopped && store?.journal?.hasFailed == true }

  private mutating func acknowledge(_ number: UInt64) {
    acknowledged = max(acknowledged, number)
    while entries.count > 1, entries[1].number <= acknowledged { entries.removeFirst() }
  }

  // MARK: Crashing

  /// A process that dies takes its threads along.
  mutating func forget() {
    store?.journal?.settle()
    store = nil
    writing = nil
    log = nil
  }

  mutating func crash(_ survival: SimulatedDisk.Survival, damagesTails: Bool = false) {
    forget()
    counts.crashes += 1
    disk = disk.crash(survival, damagesTails: damagesTails)
  }

  /// The process dies, and what it wrote gets to the disk sometime, unless the system takes it to be there already.
  mutating func die(dropsCaches: Bool = false) {
    forget()
    counts.deaths += 1
    disk.setFault(nil)
    disk.releaseLocks()
    if dropsCaches { disk.dropCaches() }
  }
}
