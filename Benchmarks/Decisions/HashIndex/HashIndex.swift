import FirnEngine

/// Which structure finds a row by its key? The versioned index of the engine beside a `Dictionary` and a flat table that
/// only ever show their latest state.
@main
enum HashIndexDecision {
  static let count = 1_000_000
  static let seed = HashSeed(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)

  static func main() {
    // Keys in random order, as primary keys of another system are; row key = position.
    let keys = (0..<count).map { Int64(truncatingIfNeeded: scramble(UInt64($0)) >> 8) }
    print("\(count) Int64 keys -> row keys, ns (median of 5)")
    print("                                       HashIndex  Dictionary  flat table")
    keys.withUnsafeBufferPointer { keys in
      compare(keys)
      small(keys)
      transactions(keys)
    }
    bytes()
  }

  private static func compare(_ keys: UnsafeBufferPointer<Int64>) {
    let entries = UnsafeMutableBufferPointer<HashEntry>.allocate(capacity: count)
    defer { entries.deallocate() }
    var store = BlockStore()
    var root: Block?
    let bulk = median {
      store = BlockStore()
      var index = 0
      while index < count {
        entries.initializeElement(at: index, to: HashEntry(hash: seed.hash(keys[index]), row: UInt64(index)))
        index &+= 1
      }
      root = HashIndex.bulkLoad(UnsafeBufferPointer(entries), store: store)
    }
    var dictionary: [Int64: UInt64] = [:]
    let dictionaryBulk = median {
      dictionary = [:]
      for (row, key) in keys.enumerated() { dictionary[key] = UInt64(row) }
    }
    var table = FlatTable(capacity: 1 << 21)
    let tableBulk = median {
      table.deallocate()
      table = FlatTable(capacity: 1 << 21)
      for (row, key) in keys.enumerated() { table.insert(hash: seed.hash(key), row: UInt64(row)) }
    }
    row("build, per entry", [bulk, dictionaryBulk, tableBulk].map { $0 / Double(count) })

    let picks = (0..<count).map { Int(scramble(UInt64($0) &+ 77) % UInt64(count)) }
    var found: UInt64 = 0
    let lookup = median {
      for pick in picks {
        let key = keys[pick]
        found &+= HashIndex.find(root: root, hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0
      }
    }
    // The keys looked up are read from the column at random too; this is what that costs alone.
    let reading = median { for pick in picks { found &+= seed.hash(keys[pick]) } }
    let dictionaryLookup = median { for pick in picks { found &+= dictionary[keys[pick]] ?? 0 } }
    let tableLookup = median {
      for pick in picks {
        let key = keys[pick]
        found &+= table.find(hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0
      }
    }
    row("random look-up, hit, key from column", [lookup, dictionaryLookup, tableLookup].map { $0 / Double(count) })
    row("  of which reading the wanted key", [reading / Double(count)])

    let wanted = picks.map { keys[$0] }
    let streamed = median {
      for key in wanted { found &+= HashIndex.find(root: root, hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
    }
    let dictionaryStreamed = median { for key in wanted { found &+= dictionary[key] ?? 0 } }
    let tableStreamed = median {
      for key in wanted { found &+= table.find(hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
    }
    row(
      "random look-up, hit, verified in column",
      [streamed, dictionaryStreamed, tableStreamed].map { $0 / Double(count) })
    let missing = wanted.map { ~$0 }
    let missed = median {
      for key in missing { found &+= HashIndex.find(root: root, hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
    }
    let dictionaryMissed = median { for key in missing { found &+= dictionary[key] ?? 0 } }
    let tableMissed = median {
      for key in missing { found &+= table.find(hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
    }
    row("random look-up, miss", [missed, dictionaryMissed, tableMissed].map { $0 / Double(count) })
    row(
      "bytes per entry",
      [
        Double(store.allocatedByteCount) / Double(count), Double(dictionary.capacity) * 4 / 3 * 16.125 / Double(count),
        Double(1 << 24) / Double(count),
      ])
    var grown: Block?
    let growing = median {
      let store = BlockStore()
      grown = nil
      for (row, key) in keys.enumerated() {
        grown = HashIndex.insert(grown, hash: seed.hash(key), row: UInt64(row), store: store)
      }
    }
    row("one by one in one transaction", [growing / Double(count)])
    if found == 1 { print() }
    table.deallocate()
  }

  private static func small(_ keys: UnsafeBufferPointer<Int64>) {
    let store = BlockStore()
    let size = 1_000
    let entries = (0..<size).map { HashEntry(hash: seed.hash(keys[$0]), row: UInt64($0)) }
    let root = entries.withUnsafeBufferPointer { HashIndex.bulkLoad($0, store: store) }
    var dictionary: [Int64: UInt64] = [:]
    let table = FlatTable(capacity: 2_048)
    for row in 0..<size {
      dictionary[keys[row]] = UInt64(row)
      table.insert(hash: seed.hash(keys[row]), row: UInt64(row))
    }
    let picks = (0..<1 << 12).map { keys[Int(scramble($0) % UInt64(size))] }
    var found: UInt64 = 0
    let index = median {
      for _ in 0..<100 {
        for key in picks { found &+= HashIndex.find(root: root, hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
      }
    }
    let swift = median { for _ in 0..<100 { for key in picks { found &+= dictionary[key] ?? 0 } } }
    let flat = median {
      for _ in 0..<100 {
        for key in picks { found &+= table.find(hash: seed.hash(key)) { keys[Int($0)] == key } ?? 0 }
      }
    }
    row("hot look-up among 1,000", [index, swift, flat].map { $0 / Double(100 * picks.count) })
    row("bytes per entry of 1,000", [Double(store.allocatedByteCount) / Double(size)])
    if found == 1 { print() }
    table.deallocate()
  }

  /// Each transaction is a version of its own, so that it copies root, chunks and page; what it replaces is freed.
  private static func transactions(_ keys: UnsafeBufferPointer<Int64>) {
    let store = BlockStore()
    let entries = (0..<count).map { HashEntry(hash: seed.hash(keys[$0]), row: UInt64($0)) }
    guard var root = entries.withUnsafeBufferPointer({ HashIndex.bulkLoad($0, store: store) }) else { return }
    var version: UInt64 = 1
    func transaction(_ body: () -> Void) {
      version += 1
      store.beginTransaction(version: version)
      body()
      store.free(contentsOf: store.endTransaction())
    }
    var next = UInt64(count)
    let rounds = 100_000
    let inserts = median {
      for _ in 0..<rounds {
        transaction { root = HashIndex.insert(root, hash: seed.hash(Int64(next)), row: next, store: store) }
        next += 1
      }
    }
    row("insert, 1-row transaction", [inserts / Double(rounds)])
    var first = UInt64(count)
    let removes = median {
      for _ in 0..<rounds {
        transaction { root = HashIndex.remove(root, hash: seed.hash(Int64(first)), row: first, store: store) ?? root }
        first += 1
      }
    }
    row("remove, 1-row transaction", [removes / Double(rounds)])
    let empty = median { for _ in 0..<rounds { transaction {} } }
    row("  of which an empty transaction", [empty / Double(rounds)])
    let batch = 10_000
    let batches = median {
      let added = (0..<batch).map { HashEntry(hash: seed.hash(Int64(next) + Int64($0)), row: next + UInt64($0)) }
      next += UInt64(batch)
      transaction { root = added.withUnsafeBufferPointer { HashIndex.insertAll(root, $0, store: store) } ?? root }
    }
    row("insertAll of 10,000, per entry", [batches / Double(batch)])
    HashIndex.checkInvariants(root: root)
  }

  private static func bytes() {
    let text = (0..<4_096).map { UInt8(truncatingIfNeeded: scramble($0)) }
    var sum: UInt64 = 0
    text.withUnsafeBytes { text in
      guard let start = text.baseAddress else { return }
      for count in [8, 20, 100] {
        let time = median {
          for _ in 0..<250 { for offset in 0..<2_000 { sum &+= seed.hash(bytes: start + offset, count: count) } }
        }
        row("hash of \(count) bytes", [time / 500_000])
      }
    }
    let time = median { for number in 0..<500_000 as Range<Int64> { sum &+= seed.hash(number) } }
    row("hash of an Int64", [time / 500_000])
    if sum == 1 { print() }
  }

  private static func row(_ name: String, _ values: [Double]) {
    let cells = values.map { value in
      let text = "\((value * 10).rounded() / 10)"
      return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }
    print(name + String(repeating: " ", count: max(0, 40 - name.count)) + cells.joined())
  }

  /// Nanoseconds of `body`, the median of five runs.
  private static func median(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<5).map { _ in
      let parts = clock.measure(body).components
      return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
    }
    return times.sorted()[2]
  }

  private static func scramble(_ number: UInt64) -> UInt64 {
    var word = number &* 0x9e37_79b9_7f4a_7c15 &+ 0x1234_5678
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

/// The fastest that is not versioned: one table of the same slots, changed in place.
struct FlatTable {
  private let slots: UnsafeMutablePointer<UInt64>
  private let mask: Int

  init(capacity: Int) {
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
  }

  func deallocate() { slots.deallocate() }

  func insert(hash: UInt64, row: UInt64) {
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 { index = (index &+ 1) & mask }
    slots[index] = ((hash >> 40) << 40) | (row &+ 1)
  }

  @inline(__always)
  func find(hash: UInt64, where verify: (UInt64) -> Bool) -> UInt64? {
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if slot >> 40 == hash >> 40 {
        let row = (slot & 0xff_ffff_ffff) &- 1
        if verify(row) { return row }
      }
      index = (index &+ 1) & mask
    }
  }
}
