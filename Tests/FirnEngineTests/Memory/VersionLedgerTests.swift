import FirnEngine
import Testing

/// The ledger against a model that keeps for every version the set of blocks it shows.
@Suite struct VersionLedgerTests {
  @Test(arguments: UInt64(1)...24)
  func randomHistories(seed: UInt64) {
    var model = LedgerModel(seed: seed)
    for _ in 0..<400 { model.step() }
    model.finish()
  }

  @Test func anUnpinnedVersionIsDroppedByTheNext() {
    let store = BlockStore()
    var root = store.allocate(byteCount: 64)
    _ = store.endTransaction()
    var ledger = VersionLedger(version: 1, root: root, stamp: 0)
    for version in UInt64(2)...100 {
      store.beginTransaction(version: version)
      root = store.replace(root, usedByteCount: 64, capacity: 64)
      ledger.publish(version: version, root: root, retired: store.endTransaction(), stamp: version)
      store.free(contentsOf: ledger.takeFreeable())
      #expect(store.allocatedBlockCount == 1)
    }
    #expect(ledger.held.map(\.version) == [100] && ledger.held.map(\.stamp) == [100])
  }

  @Test func releasingTheLastPinFreesWhatThatVersionAloneShowed() {
    let store = BlockStore()
    let root = store.allocate(byteCount: 64)
    _ = store.endTransaction()
    var ledger = VersionLedger(version: 1, root: root, stamp: 0)
    let newest = ledger.pinNewest()
    let again = ledger.pin(1)
    let absent = ledger.pin(2)
    #expect(newest == (1, root) && again == root && absent == nil)
    store.beginTransaction(version: 2)
    let next = store.replace(root, usedByteCount: 64, capacity: 64)
    ledger.publish(version: 2, root: next, retired: store.endTransaction(), stamp: 5)
    #expect(ledger.held.map(\.deadByteCount) == [64, 0])
    let first = ledger.unpin(1)
    let nothing = ledger.takeFreeable()
    #expect(!first && nothing.isEmpty)
    let second = ledger.unpin(1)
    #expect(second && ledger.hasFreeable)
    let freed = ledger.takeFreeable()
    #expect(freed == [root])
    #expect(!ledger.hasFreeable && ledger.root(of: 1) == nil)
  }
}

private struct LedgerModel {
  private struct Version {
    var number: UInt64
    /// The blocks it shows; for a discarded version also what it keeps on behalf of the head.
    var shown: Set<Block>
    var root: Block
    var pins = 0
  }

  private let seed: UInt64
  private var random: BlockTestRandom
  private let store = BlockStore(poisonsFreedBlocks: true)
  private var ledger: VersionLedger
  private var versions: [Version]
  private var head: UInt64 = 1
  private var number: UInt64 = 1

  init(seed: UInt64) {
    self.seed = seed
    random = BlockTestRandom(seed)
    let root = store.allocate(byteCount: 64)
    _ = store.endTransaction()
    ledger = VersionLedger(version: 1, root: root, stamp: 1)
    versions = [Version(number: 1, shown: [root], root: root)]
  }

  mutating func step() {
    switch random.below(16) {
    case 0...2: commit(pending: false)
    case 3...5: commit(pending: true)
    case 6: rollback()
    case 7...9: pin()
    case 10...12: unpin()
    case 13, 14: advance()
    default: if random.below(3) == 0 { reverse() }
    }
    ledger.checkInvariants()
    #expect(ledger.head.version == head && ledger.newest.version == versions.last?.number, "seed \(seed)")
    #expect(ledger.hasPending == (head != versions.last?.number), "seed \(seed)")
    if random.below(3) != 0 { collect() }
  }

  mutating func finish() {
    while versions.contains(where: { $0.pins > 0 }) { unpin() }
    advance(to: versions.last?.number ?? 0)
    collect()
    #expect(versions.count == 1 && ledger.held.count == 1, "seed \(seed)")
    #expect(Set(store.blocks(bornAfter: 0)) == versions[0].shown, "seed \(seed)")
    store.checkInvariants()
  }

  /// Replaces the root, replaces, retires and adds some blocks.
  private mutating func write() -> Version {
    number += 1
    store.beginTransaction(version: number)
    let tip = versions[versions.count - 1]
    var shown = tip.shown
    shown.remove(tip.root)
    let root = store.replace(tip.root, usedByteCount: 64, capacity: 64)
    for _ in 0..<random.below(8) {
      if let block = shown.randomElement(using: &random), random.below(2) == 0 {
        shown.remove(block)
        if random.below(2) == 0 {
          store.retire(block)
        } else {
          shown.insert(store.replace(block, usedByteCount: 32, capacity: block.blockSize))
        }
      } else {
        shown.insert(store.allocate(byteCount: 32 + random.below(200)))
      }
    }
    shown.insert(root)
    return Version(number: number, shown: shown, root: root)
  }

  private mutating func commit(pending: Bool) {
    let next = write()
    let retired = store.endTransaction()
    versions.append(next)
    if pending {
      ledger.publishPending(version: number, root: next.root, retired: retired, stamp: number)
    } else {
      ledger.publish(version: number, root: next.root, retired: retired, stamp: number)
      head = number
    }
  }

  private mutating func rollback() {
    _ = write()
    store.rollback()
    if random.below(2) == 0 { number -= 1 }
  }

  private mutating func pin() {
    switch random.below(3) {
    case 0:
      let pinned = ledger.pinNewest()
      versions[versions.count - 1].pins += 1
      #expect(pinned.version == versions.last?.number && pinned.root == versions.last?.root)
    case 1:
      let pinned = ledger.pinHead()
      let index = versions.firstIndex { $0.number == head }!
      versions[index].pins += 1
      #expect(pinned == (head, versions[index].root))
    default:
      let held = versions.indices.filter { versions[$0].pins > 0 || versions[$0].number >= head }
      let index = held.randomElement(using: &random)!
      let root = ledger.pin(versions[index].number)
      #expect(root == versions[index].root)
      versions[index].pins += 1
    }
  }

  private mutating func unpin() {
    let pinned = versions.indices.filter { versions[$0].pins > 0 }
    guard let index = pinned.randomElement(using: &random) else { return }
    versions[index].pins -= 1
    let isLast = ledger.unpin(versions[index].number)
    #expect(isLast == (versions[index].pins == 0 && versions[index].number < head), "seed \(seed)")
  }

  private mutating func advance() {
    let pending = versions.filter { $0.number > head }
    if let target = pending.randomElement(using: &random) { advance(to: target.number) }
  }

  private mutating func advance(to version: UInt64) {
    ledger.advanceHead(to: version)
    head = version
  }

  /// The log failed: everything above the head goes.
  private mutating func reverse() {
    let shown = versions.first { $0.number == head }!
    for index in versions.indices where versions[index].number > head { versions[index].shown.formUnion(shown.shown) }
    let born = store.blocks(bornAfter: head)
    number += 1
    var next = Version(number: number, shown: shown.shown, root: shown.root)
    if random.below(2) == 0 {
      ledger.reverse(to: number, born: born, stamp: number)
    } else {
      store.beginTransaction(version: number)
      next.root = store.replace(shown.root, usedByteCount: 64, capacity: 64)
      next.shown.remove(shown.root)
      next.shown.insert(next.root)
      let retired = store.endTransaction()
      ledger.reverse(to: number, born: born, root: next.root, retired: retired, stamp: number)
    }
    versions.append(next)
    head = number
  }

  /// Frees what the ledger hands out: exactly the blocks that no held version shows.
  private mutating func collect() {
    let freed = ledger.takeFreeable()
    versions.removeAll { $0.pins == 0 && $0.number < head }
    var uses: [Block: Int] = [:]
    for version in versions {
      for block in version.shown { uses[block, default: 0] += 1 }
    }
    for block in freed where uses[block] != nil {
      Issue.record("seed \(seed), version \(number): a block was freed that a held version shows")
      return
    }
    store.free(contentsOf: freed)
    #expect(Set(store.blocks(bornAfter: 0)) == Set(uses.keys), "seed \(seed), version \(number)")
    #expect(!ledger.hasFreeable)
    let held = ledger.held
    #expect(held.map(\.version) == versions.map(\.number), "seed \(seed)")
    #expect(held.map(\.pinCount) == versions.map(\.pins), "seed \(seed)")
    #expect(held.map(\.stamp) == versions.map(\.number), "seed \(seed)")
    for (line, version) in zip(held, versions).dropLast() {
      let own = version.shown.filter { uses[$0] == 1 }
      #expect(line.deadByteCount == own.reduce(0) { $0 + $1.blockSize }, "seed \(seed)")
    }
  }
}
