/// The held versions of a graph, oldest first, and for each the blocks that died right after it.
///
/// A block is shown by the versions from its birth to its death without a gap, so it may be freed exactly when no version
/// in between is held. As in the dead lists of ZFS: a block that a commit replaces enters the list of the version before;
/// when an entry is dropped, those of its dead blocks that an older held version shows (birth not after it) move to that
/// version's list and the others are free. An old version thus costs what changed since, not the number of commits.
///
/// **Tip and head.** The newest entry, the *tip*, is what the next writer builds on; the *head* is what readers see.
/// Entries above the head are pending. They are never dropped, since any of them may become head; nor is the head. An
/// entry below the head is dropped when nobody pins it.
///
/// **Roles.** A value, guarded by the graph's lock. Everything may be called under it, but `publish`, `publishPending`,
/// `reverse`, and `takeFreeable` only by whoever has the writer role as well, who then frees the blocks outside the lock.
/// A reader that lets go only decrements a count.
///
/// Sendable because it never follows a pointer except to the header of a dead block, which nobody writes.
package struct VersionLedger: @unchecked Sendable {
  private struct Entry {
    var version: UInt64
    var root: Block
    var pinCount: Int
    var stamp: UInt64
    var dead: [Block]
  }

  /// A line of the listing of held versions.
  package struct Held: Equatable, Sendable {
    package var version: UInt64
    /// When it was published, in the caller's measure.
    package var stamp: UInt64
    package var pinCount: Int
    /// What dropping this version alone would free.
    package var deadByteCount: Int
  }

  /// Never empty; versions ascend.
  private var entries: [Entry]

  private var headIndex = 0

  /// Blocks that no held version shows.
  private var freeable: [Block] = []

  /// The memory of an emptied list of dead blocks, for the next one.
  private var spare: [Block] = []

  /// Whether an entry below the head may be without a pin.
  private var hasDroppable = false

  /// A graph whose first version is `version`.
  package init(version: UInt64, root: Block, stamp: UInt64) {
    entries = [Entry(version: version, root: root, pinCount: 0, stamp: stamp, dead: [])]
  }
}

// MARK: - Reading

extension VersionLedger {
  /// What the next writer builds on.
  package var newest: (version: UInt64, root: Block) {
    let entry = entries.count &- 1
    return (entries[entry].version, entries[entry].root)
  }

  /// What readers see.
  package var head: (version: UInt64, root: Block) { (entries[headIndex].version, entries[headIndex].root) }

  /// Whether there are commits above the head.
  package var hasPending: Bool { headIndex < entries.count &- 1 }

  /// Whether `takeFreeable` has something to do.
  package var hasFreeable: Bool { hasDroppable || !freeable.isEmpty }

  /// The root of a version, if it is held.
  package func root(of version: UInt64) -> Block? { index(of: version).map { entries[$0].root } }

  /// The held versions, oldest first. O(dead blocks).
  package var held: [Held] {
    var result: [Held] = []
    result.reserveCapacity(entries.count)
    var older: UInt64 = 0
    for entry in entries {
      var byteCount = 0
      for block in entry.dead where block.blockBirth > older { byteCount += block.blockSize }
      result.append(
        Held(version: entry.version, stamp: entry.stamp, pinCount: entry.pinCount, deadByteCount: byteCount))
      older = entry.version
    }
    return result
  }

  /// O(1) for the newest version and the head, else O(log held versions).
  @inline(__always)
  private func index(of version: UInt64) -> Int? {
    let last = entries.count &- 1
    if entries[last].version == version { return last }
    if entries[headIndex].version == version { return headIndex }
    var low = 0
    var high = last
    while low < high {
      let middle = (low &+ high) &>> 1
      if entries[middle].version < version { low = middle &+ 1 } else { high = middle }
    }
    return entries[low].version == version ? low : nil
  }
}

// MARK: - Pins

extension VersionLedger {
  /// Holds the newest version, pending or not.
  package mutating func pinNewest() -> (version: UInt64, root: Block) {
    entries[entries.count &- 1].pinCount &+= 1
    return newest
  }

  /// Holds the version that readers see.
  package mutating func pinHead() -> (version: UInt64, root: Block) {
    entries[headIndex].pinCount &+= 1
    return head
  }

  /// Holds a version once more and returns its root; nil when it is not there any more.
  package mutating func pin(_ version: UInt64) -> Block? {
    guard let index = index(of: version) else { return nil }
    entries[index].pinCount &+= 1
    return entries[index].root
  }

  /// Holds the newest version that shows `root` and returns its number; nil when there is none. O(held versions).
  package mutating func pin(root: UnsafeRawPointer) -> UInt64? {
    guard let index = entries.lastIndex(where: { UnsafeRawPointer($0.root) == root }) else { return nil }
    entries[index].pinCount &+= 1
    return entries[index].version
  }

  /// Lets a version go. True when that was the last pin of an entry below the head: then whoever gets the writer role
  /// should call `takeFreeable`. Allocates nothing.
  @discardableResult
  package mutating func unpin(_ version: UInt64) -> Bool {
    guard let index = index(of: version), entries[index].pinCount > 0 else {
      fatalError("Version \(version) is not pinned")
    }
    entries[index].pinCount &-= 1
    if entries[index].pinCount > 0 || index >= headIndex { return false }
    hasDroppable = true
    return true
  }
}

// MARK: - Commits

extension VersionLedger {
  /// A commit that is visible at once: `version` becomes newest and head. `retired` are the older blocks it replaced.
  package mutating func publish(version: UInt64, root: Block, retired: [Block], stamp: UInt64) {
    var retired = retired
    publish(version: version, root: root, taking: &retired, stamp: stamp)
  }

  /// The same; takes the blocks out of the list and leaves it with some memory for the next ones.
  package mutating func publish(version: UInt64, root: Block, taking retired: inout [Block], stamp: UInt64) {
    let last = entries.count &- 1
    if headIndex == last && entries[last].pinCount == 0 && version > entries[last].version {
      // Nobody holds the previous version: its entry becomes the new one's. Nothing has died after it so far.
      settle(retired, older: last &- 1)
      retired.removeAllInPlace(keepingAtMost: Self.spareCountMax)
      entries[last].version = version
      entries[last].root = root
      entries[last].stamp = stamp
      return
    }
    if headIndex != last || entries[last].pinCount == 0 { hasDroppable = true }
    publishPending(version: version, root: root, taking: &retired, stamp: stamp)
    headIndex = entries.count &- 1
  }

  private static var spareCountMax: Int { 64 }

  /// A commit that readers do not see yet. `advanceHead` makes it visible, `reverse` discards it.
  package mutating func publishPending(version: UInt64, root: Block, retired: [Block], stamp: UInt64) {
    var retired = retired
    publishPending(version: version, root: root, taking: &retired, stamp: stamp)
  }

  /// The same; takes the blocks out of the list and leaves it with some memory for the next ones.
  package mutating func publishPending(version: UInt64, root: Block, taking retired: inout [Block], stamp: UInt64) {
    let last = entries.count &- 1
    if version <= entries[last].version { fatalError("Version numbers never go back") }
    swap(&entries[last].dead, &retired)
    swap(&retired, &spare)
    entries.append(Entry(version: version, root: root, pinCount: 0, stamp: stamp, dead: []))
  }

  /// Shows readers everything up to `version`, which must be a pending one; a version at or below the head changes
  /// nothing. Needs no writer role: what this makes free is dropped by the next `takeFreeable`.
  package mutating func advanceHead(to version: UInt64) {
    if version <= entries[headIndex].version { return }
    guard let index = index(of: version) else { fatalError("Version \(version) is not pending") }
    headIndex = index
    hasDroppable = true
  }

  /// Discards all pending versions: `newVersion`, higher than all of them, shows what the head shows and becomes newest
  /// and head.
  ///
  /// Blocks that pending commits replaced but that the head shows are alive again; blocks that pending commits made are
  /// dead. Discarded versions that somebody pins stay readable until they are let go. Until then they also keep those
  /// blocks of the head that later commits replace, even the ones they do not show themselves: that keeps the rule of
  /// the gapless life, and nobody writes much after a failed disk.
  ///
  /// - Parameters:
  ///   - born: at least all blocks born after the head: `store.blocks(bornAfter: ledger.head.version)`, with no
  ///     transaction open; blocks born in `newVersion` are passed over.
  ///   - root: a root born in `newVersion`; nil takes over the head's root block, which then serves two versions.
  ///   - retired: the blocks of the head that such a new root replaced.
  package mutating func reverse(
    to newVersion: UInt64, born: [Block], root: Block? = nil, retired: [Block] = [], stamp: UInt64
  ) {
    let last = entries.count &- 1
    if newVersion <= entries[last].version { fatalError("Version numbers never go back") }
    let headVersion = entries[headIndex].version
    var dead: Set<Block> = []
    for index in headIndex...last {
      entries[index].dead.removeAll { $0.blockBirth <= headVersion }
      dead.formUnion(entries[index].dead)
    }
    for block in born where block.blockBirth > headVersion && block.blockBirth < newVersion {
      if dead.insert(block).inserted { entries[last].dead.append(block) }
    }
    entries[last].dead.append(contentsOf: retired)
    let newRoot = root ?? entries[headIndex].root
    entries.append(Entry(version: newVersion, root: newRoot, pinCount: 0, stamp: stamp, dead: []))
    headIndex = last &+ 1
    hasDroppable = true
  }
}

// MARK: - Freeing

extension VersionLedger {
  /// Drops the entries that nobody holds and hands out the blocks that no held version shows. O(held versions + dead
  /// blocks of the dropped ones), the oldest version in O(1); nothing when nothing was let go.
  package mutating func takeFreeable() -> [Block] {
    var result: [Block] = []
    takeFreeable(into: &result)
    return result
  }

  /// The same, reusing the memory of an emptied list.
  package mutating func takeFreeable(into list: inout [Block]) {
    if hasDroppable { drop() }
    if list.isEmpty { swap(&list, &freeable) } else { list.append(contentsOf: freeable) }
    freeable.removeAllInPlace()
  }

  /// Oldest first, so that every dead block is looked at once: it moves to an entry that stays.
  private mutating func drop() {
    hasDroppable = false
    if entries.count == 2, headIndex == 1 {
      if entries[0].pinCount == 0 { dropOlder() }
      return
    }
    var kept = 0
    var index = 0
    while index < entries.count {
      if index < headIndex && entries[index].pinCount == 0 {
        var dead: [Block] = []
        swap(&dead, &entries[index].dead)
        settle(dead, older: kept &- 1)
        if dead.count <= Self.spareCountMax, spare.capacity == 0 {
          dead.removeAllInPlace()
          swap(&dead, &spare)
        }
      } else {
        if kept != index { entries.swapAt(kept, index) }
        kept &+= 1
      }
      index &+= 1
    }
    let dropped = entries.count &- kept
    entries.removeLast(dropped)
    headIndex &-= dropped
  }

  /// The same for the older of two, as most commits leave them behind.
  private mutating func dropOlder() {
    if freeable.isEmpty {
      swap(&freeable, &entries[0].dead)
    } else {
      freeable.append(contentsOf: entries[0].dead)
    }
    // Nothing has died after the newest, which takes over the memory of the emptied list.
    entries[0].dead.removeAllInPlace(keepingAtMost: Self.spareCountMax)
    let newest = entries.removeLast()
    entries[0].version = newest.version
    entries[0].root = newest.root
    entries[0].pinCount = newest.pinCount
    entries[0].stamp = newest.stamp
    headIndex = 0
  }

  /// Blocks whose last version is dropped stay with the next older held version if that shows them, else they are free.
  private mutating func settle(_ dead: [Block], older: Int) {
    if older < 0 {
      if freeable.isEmpty && dead.count > 64 { freeable = dead } else { freeable.append(contentsOf: dead) }
      return
    }
    let version = entries[older].version
    for block in dead {
      if block.blockBirth > version { freeable.append(block) } else { entries[older].dead.append(block) }
    }
  }
}

// MARK: - Invariants

extension VersionLedger {
  /// Traps unless versions ascend and every dead block was born early enough for the entry that lists it, once.
  package func checkInvariants() {
    if !entries.indices.contains(headIndex) { fatalError("There is no head") }
    if !entries[entries.count - 1].dead.isEmpty { fatalError("Something died after the newest version") }
    var seen = Set(freeable)
    if seen.count != freeable.count { fatalError("A block is freed twice") }
    var older: UInt64 = 0
    for entry in entries {
      if entry.version <= older { fatalError("Versions do not ascend") }
      older = entry.version
      if entry.pinCount < 0 { fatalError("A pin count is negative") }
      for block in entry.dead {
        if block.blockBirth > entry.version { fatalError("A block died before it was born") }
        if !seen.insert(block).inserted { fatalError("A block is dead twice") }
      }
    }
  }
}
