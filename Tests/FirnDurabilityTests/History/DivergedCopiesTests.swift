import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

/// Which commit a version number stands for, in copies of one store that go on apart.
@Suite("Copies that diverge")
struct DivergedCopiesTests {
  /// One of the copies, with all that it ever was.
  private struct Copy {
    var disk: SimulatedDisk
    var store: DurableStore
    /// The numbers that the commits up to a version wrote.
    var past: [UInt64: [Int64]]
    var keepsHistory: Bool
    private var schemaVersion: UInt64 = 0

    init(_ disk: SimulatedDisk, past: [UInt64: [Int64]], keepsHistory: Bool) throws {
      (self.disk, self.past, self.keepsHistory) = (disk, past, keepsHistory)
      store = try Self.open(disk, keepsHistory, schemaVersion)
      forgetLost()
    }

    private static func open(
      _ disk: SimulatedDisk, _ keepsHistory: Bool, _ schemaVersion: UInt64, migrating: Int64? = nil
    ) throws -> DurableStore {
      try DurableHistoryTests.open(disk) { options in
        options.durability = .onCheckpoint
        if !keepsHistory { options.historyByteCount = 0 }
        options.schemaVersion = schemaVersion
        if let migrating {
          options.migration.block = { try DurableHistoryTests.commit(migrating, to: $0.graph) }
        }
      }
    }

    /// Commits that did not survive a crash.
    private mutating func forgetLost() {
      let head = store.graph.head
      past = past.filter { $0.key <= head }
    }

    mutating func commit(_ number: Int64) throws {
      let before = store.graph.head
      let version = try DurableHistoryTests.commit(number, to: store)
      past[version] = (past[before] ?? []) + [number]
    }

    mutating func reopen() throws {
      if let error = store.release() { throw error }
      store = try Self.open(disk, keepsHistory, schemaVersion)
    }

    /// Writes a number while it is opened: a new base, to which no commit of the journal leads.
    mutating func migrate(_ number: Int64) throws {
      let before = store.graph.head
      if let error = store.release() { throw error }
      schemaVersion += 1
      store = try Self.open(disk, keepsHistory, schemaVersion, migrating: number)
      past[store.graph.head] = (past[before] ?? []) + [number]
    }

    mutating func crash(_ survival: SimulatedDisk.Survival) throws {
      let crashed = disk.crash(survival)
      _ = store.release()
      disk = crashed
      store = try Self.open(disk, keepsHistory, schemaVersion)
      forgetLost()
    }
  }

  private struct Named: Hashable {
    let version: UInt64
    let mark: UInt64
  }

  @Test("have names of their own for all that they do not share", arguments: 0..<60)
  func names(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var number: Int64 = 0
    func next() -> Int64 {
      number += 1
      return number
    }
    var first = try Copy(SimulatedDisk(seed: seed), past: [:], keepsHistory: random.chance(50))
    for _ in 0..<random.below(5) { try first.commit(next()) }
    if random.chance(50) { _ = try first.store.checkpoint() }
    if random.chance(30) { try first.reopen() }
    var copies = try (0..<2).map { _ in
      try Copy(first.disk.crash(.everything), past: first.past, keepsHistory: random.chance(50))
    }
    _ = first.store.release()
    var pasts: [Named: [Int64]] = [:]
    for step in 0..<40 {
      let index = random.below(2)
      switch random.below(12) {
      case 0, 1, 2, 3, 4: try copies[index].commit(next())
      case 5: for _ in 0..<20 { try copies[index].commit(next()) }
      case 6, 7: _ = try copies[index].store.checkpoint()
      case 8: try copies[index].reopen()
      case 9: try copies[index].migrate(next())
      default: try copies[index].crash(SimulatedDisk.Survival.allCases.randomElement(using: &random) ?? .nothing)
      }
      for copy in copies {
        let head = copy.store.graph.head
        for version in 0...head {
          guard let position = copy.store.historyPosition(of: version), let past = copy.past[version] else { continue }
          let name = Named(version: version, mark: position.mark)
          let known = pasts[name]
          #expect(known == nil || known == past, "seed \(seed), step \(step), version \(version)")
          pasts[name] = past
        }
        #expect(copy.store.historyPosition(of: head) != nil && copy.store.historyPosition(of: head + 1) == nil)
      }
    }
    #expect(pasts.count > 10)
    for copy in copies { _ = copy.store.release() }
  }

  @Test("share the names of what they share, as long as history is kept", arguments: 0..<20)
  func shared(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var copy = try Copy(SimulatedDisk(seed: seed), past: [:], keepsHistory: true)
    var names: [UInt64: HistoryPosition] = [:]
    names[copy.store.graph.head] = copy.store.historyPosition(of: copy.store.graph.head)
    for number in Int64(1)...60 {
      try copy.commit(number)
      let head = copy.store.graph.head
      names[head] = copy.store.historyPosition(of: head)
      switch random.below(8) {
      case 0, 1: _ = try copy.store.checkpoint()
      case 2: try copy.reopen()
      case 3:
        copy.store.flush(through: head)
        try copy.crash(.everything)
      default: break
      }
      for (version, name) in names {
        #expect(copy.store.historyPosition(of: version) == name, "seed \(seed), \(number) commits, version \(version)")
      }
    }
    _ = copy.store.release()
  }
}
