package import FirnEngine

/// Finds the slots of views by values that they name.
///
/// Takes 8 bytes for each value, and a fraction for what is free: there may be very many views, each with a value of its
/// own. A table with open addressing and linear probing, from which entries are removed by moving back those that follow
/// (Knuth, *The Art of Computer Programming* 3, 6.4, algorithm R). Only a part of each value's hash is kept, so that slots
/// of other values may be found, too, rarely: the caller has to tell.
package final class ValueSlots {
  private struct Entry: BitwiseCopyable {
    var hash: UInt32
    /// A slot, or the complement of the place of a list of slots; `Entry.free` where nothing is.
    var slot: Int32

    static var free: Int32 { .min }
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var usedCount = 0
  /// The slots of values that several views name.
  @exclusivity(unchecked) private var lists: [[Int32]] = []
  private var freeLists: [Int32] = []

  private let seed = Int.random(in: .min ... .max)

  package init() {}

  package var isEmpty: Bool { usedCount == 0 }

  package func insert(_ slot: Int32, for value: Value) {
    if 4 * (usedCount + 1) > 3 * entries.count { grow() }
    let hash = hash(value)
    let place = place(of: hash)
    let known = entries[place].slot
    if known == Entry.free {
      entries[place] = Entry(hash: hash, slot: slot)
      usedCount += 1
    } else if known < 0 {
      lists[Int(~known)].append(slot)
    } else {
      let list = freeLists.popLast() ?? Int32(lists.count)
      if Int(list) == lists.count { lists.append([known, slot]) } else { lists[Int(list)] = [known, slot] }
      entries[place].slot = ~list
    }
  }

  package func remove(_ slot: Int32, for value: Value) {
    if entries.isEmpty { return }
    let place = place(of: hash(value))
    let known = entries[place].slot
    if known == slot { return removeEntry(at: place) }
    if known >= 0 || known == Entry.free { return }
    lists[Int(~known)].removeAll { $0 == slot }
    if !lists[Int(~known)].isEmpty { return }
    lists[Int(~known)] = []
    freeLists.append(~known)
    removeEntry(at: place)
  }

  @inline(__always)
  package func visit(_ value: Value, _ body: (Int32) -> Void) {
    if usedCount == 0 { return }
    let known = entries[place(of: hash(value))].slot
    if known >= 0 {
      body(known)
    } else if known != Entry.free {
      for slot in lists[Int(~known)] { body(slot) }
    }
  }

  /// How many entries are looked at for a value, for tests that count work.
  package func probeCount(_ value: Value) -> Int {
    if entries.isEmpty { return 0 }
    let hash = hash(value)
    let distance = place(of: hash) - home(of: hash)
    return 1 + (distance < 0 ? distance + entries.count : distance)
  }

  /// Whole numbers, which are most of what is looked up, are mixed with a number that nobody outside knows.
  private func hash(_ value: Value) -> UInt32 {
    guard case .int(let number) = value else { return UInt32(truncatingIfNeeded: value.hashValue) }
    return UInt32(truncatingIfNeeded: RowKey(UInt64(bitPattern: number))._rawHashValue(seed: seed))
  }

  /// Where the table is searched for a hash from.
  private func home(of hash: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(entries.count)) &>> 32) }

  /// The place of a hash, or the free one where it belongs.
  private func place(of hash: UInt32) -> Int {
    var place = home(of: hash)
    while entries[place].slot != Entry.free, entries[place].hash != hash {
      place &+= 1
      if place == entries.count { place = 0 }
    }
    return place
  }

  private func removeEntry(at place: Int) {
    usedCount -= 1
    var gap = place
    var next = place
    while true {
      next = next + 1 == entries.count ? 0 : next + 1
      if entries[next].slot == Entry.free { break }
      let home = home(of: entries[next].hash)
      // Those stay that are searched for from behind the gap.
      let isBehind = gap <= next ? gap < home && home <= next : gap < home || home <= next
      if isBehind { continue }
      entries[gap] = entries[next]
      gap = next
    }
    entries[gap] = Entry(hash: 0, slot: Entry.free)
  }

  private func grow() {
    let old = entries
    entries = Array(repeating: Entry(hash: 0, slot: Entry.free), count: max(8, old.count + old.count / 2))
    for entry in old where entry.slot != Entry.free { entries[place(of: entry.hash)] = entry }
  }
}
