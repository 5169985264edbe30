import Testing

@testable import FirnEngine

/// Deterministic numbers (splitmix64); each test prints its seed.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

/// How the hashes of a test are distributed.
enum HashShape: CaseIterable {
  /// As a good hash function gives them.
  case random
  /// All the same.
  case equal
  /// The same in all but the last 8 bits that the index knows: long paths of chunks.
  case deep
  /// Different only below the bits that the index knows.
  case unknown
  /// Small numbers shifted to the top.
  case sequential
  /// Few different values.
  case few

  func hash(_ number: UInt64) -> UInt64 {
    switch self {
    case .random: number
    case .equal: 0xdead_beef_0bad_cafe
    case .deep: 0xffff_ff00_0000_0000 ^ ((number & 0xff) << 32)
    case .unknown: 0x1234_5678_0000_0000 | (number & 0xffff_ffff)
    case .sequential: (number & 0x3fff) << 50
    case .few: (number % 5) &* 0x3333_3333_3333_3333
    }
  }
}

/// An index beside the dictionary (row to hash) that says what it has to hold.
private struct Model {
  var root: Block?
  var hashes: [UInt64: UInt64] = [:]

  func check(_ context: Comment) {
    HashIndex.checkInvariants(root: root)
    #expect(HashIndex.count(root) == hashes.count, context)
    var rows: Set<UInt64> = []
    HashIndex.forEach(root) { rows.insert($0) }
    #expect(rows == Set(hashes.keys), context)
    for (row, hash) in hashes where HashIndex.find(root: root, hash: hash, where: { $0 == row }) != row {
      Issue.record("row \(row) is not found; \(context)")
    }
  }
}

@Suite struct HashIndexTests {
  @Test(arguments: HashShape.allCases)
  func agreesWithModelAtEveryVersion(shape: HashShape) {
    let seed = UInt64.random(in: 0 ..< .max)
    print("HashIndexTests.agreesWithModelAtEveryVersion \(shape) seed \(seed)")
    var numbers = Numbers(state: seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var model = Model()
    var held: [Model] = []
    var nextRow: UInt64 = 0
    for step in 0..<200 {
      store.version += 1
      let context: Comment = "\(shape), seed \(seed), step \(step)"
      // Grows for two thirds of the run, then shrinks.
      let removes = step % 100 < 66 ? 0.2 : 0.9
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        if Double.random(in: 0..<1, using: &numbers) < removes,
          let (row, hash) = model.hashes.randomElement(using: &numbers)
        {
          model.root = HashIndex.remove(model.root!, hash: hash, row: row, store: store)
          model.hashes[row] = nil
        } else {
          let hash = shape.hash(numbers.next())
          model.root = HashIndex.insert(model.root, hash: hash, row: nextRow, store: store)
          model.hashes[nextRow] = hash
          nextRow += UInt64.random(in: 1...3, using: &numbers)
        }
      }
      if Int.random(in: 0..<12, using: &numbers) == 0 {
        let count = Int.random(in: 0...600, using: &numbers)
        let entries = (0..<count).map { HashEntry(hash: shape.hash(numbers.next()), row: nextRow + UInt64($0)) }
        nextRow += UInt64(count)
        model.root = entries.withUnsafeBufferPointer { HashIndex.insertAll(model.root, $0, store: store) }
        for entry in entries { model.hashes[entry.row] = entry.hash }
      }
      HashIndex.checkInvariants(root: model.root)
      #expect(HashIndex.count(model.root) == model.hashes.count, context)
      if step % 20 == 0 {
        model.check(context)
        held.append(model)
      }
    }
    for (number, old) in held.enumerated() { old.check("\(shape), seed \(seed), held version \(number)") }
  }

  @Test(arguments: HashShape.allCases)
  func becomesEmptyAgain(shape: HashShape) {
    let seed = UInt64.random(in: 0 ..< .max)
    print("HashIndexTests.becomesEmptyAgain \(shape) seed \(seed)")
    var numbers = Numbers(state: seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var model = Model()
    for row in 0..<2_000 as Range<UInt64> {
      let hash = shape.hash(numbers.next())
      model.root = HashIndex.insert(model.root, hash: hash, row: row, store: store)
      model.hashes[row] = hash
    }
    model.check("\(shape), seed \(seed)")
    let full = model
    store.version += 1
    for row in (0..<2_000 as Range<UInt64>).shuffled(using: &numbers) {
      model.root = HashIndex.remove(model.root!, hash: model.hashes[row]!, row: row, store: store)
      model.hashes[row] = nil
      if row % 8 == 0 { HashIndex.checkInvariants(root: model.root) }
      if model.hashes.count % 500 == 0 { model.check("\(shape), seed \(seed)") }
    }
    #expect(model.root == nil)
    // Everything that the second version made is gone, all of the first is waiting for its readers.
    #expect(store.made.isEmpty)
    #expect(store.retired.count == Set(store.retired).count)
    #expect(store.retired.count == store.allocatedBlockCount)
    full.check("\(shape), seed \(seed), old version")
  }

  @Test(arguments: HashShape.allCases, [0, 1, 7, 8, 224, 225, 449, 2_000])
  func bulkLoads(shape: HashShape, count: Int) {
    let seed = UInt64.random(in: 0 ..< .max)
    print("HashIndexTests.bulkLoads \(shape) \(count) seed \(seed)")
    var numbers = Numbers(state: seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    let entries = (0..<count).map { HashEntry(hash: shape.hash(numbers.next()), row: UInt64($0)) }
    var model = Model()
    model.root = entries.withUnsafeBufferPointer { HashIndex.bulkLoad($0, store: store) }
    for entry in entries { model.hashes[entry.row] = entry.hash }
    model.check("\(shape), \(count), seed \(seed)")
    for entry in entries.prefix(400) {
      store.version += 1
      model.root = HashIndex.remove(model.root!, hash: entry.hash, row: entry.row, store: store)
      model.hashes[entry.row] = nil
    }
    model.check("\(shape), \(count), seed \(seed)")
  }

  @Test func bulkLoadsBigIndexes() {
    let seed = UInt64.random(in: 0 ..< .max)
    print("HashIndexTests.bulkLoadsBigIndexes seed \(seed)")
    var numbers = Numbers(state: seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var model = Model()
    var rows: UInt64 = 0
    for count in [100_000, 40_000, 1_000] {
      store.version += 1
      let entries = (0..<count).map { HashEntry(hash: numbers.next(), row: rows + UInt64($0)) }
      rows += UInt64(count)
      model.root = entries.withUnsafeBufferPointer { HashIndex.insertAll(model.root, $0, store: store) }
      for entry in entries { model.hashes[entry.row] = entry.hash }
      model.check("seed \(seed), \(count)")
    }
  }

  @Test func smallIndexIsOnePageOfEightSlots() {
    let store = BlockStore(poisonsFreedBlocks: true)
    var root: Block?
    for row in 0..<3 as Range<UInt64> {
      root = HashIndex.insert(root, hash: row &* 0x9e37_79b9_7f4a_7c15, row: row, store: store)
    }
    let chunk = HashChunk(root!)
    #expect(chunk.bits == 0)
    #expect(HashPage(entry: chunk.entries[0]).count == 3)
    #expect(HashPage(entry: chunk.entries[0]).capacity == 8)
  }

  @Test func isAMultiset() {
    let store = BlockStore(poisonsFreedBlocks: true)
    var root: Block? = HashIndex.insert(nil, hash: 1, row: 5, store: store)
    root = HashIndex.insert(root, hash: 1, row: 5, store: store)
    #expect(HashIndex.count(root) == 2)
    root = HashIndex.remove(root!, hash: 1, row: 5, store: store)
    #expect(HashIndex.count(root) == 1)
    #expect(HashIndex.find(root: root, hash: 1) { $0 == 5 } == 5)
    #expect(HashIndex.remove(root!, hash: 2 << 60, row: 5, store: store) == root)
    #expect(HashIndex.remove(root!, hash: 1, row: 6, store: store) == root)
    root = HashIndex.remove(root!, hash: 1, row: 5, store: store)
    #expect(root == nil)
    #expect(HashIndex.find(root: root, hash: 1) { _ in true } == nil)
  }

  @Test func holdsTheGreatestRowKey() {
    let store = BlockStore(poisonsFreedBlocks: true)
    let row = HashIndex.rowKeyLimit - 1
    let root = HashIndex.insert(nil, hash: .max, row: row, store: store)
    #expect(HashIndex.find(root: root, hash: .max) { $0 == row } == row)
  }

  @Test func unchangedPartsAreShared() {
    let seed: UInt64 = 7
    var numbers = Numbers(state: seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    let entries = (0..<20_000).map { HashEntry(hash: numbers.next(), row: UInt64($0)) }
    let old = entries.withUnsafeBufferPointer { HashIndex.bulkLoad($0, store: store) }!
    store.version += 1
    let new = HashIndex.insert(old, hash: numbers.next(), row: 20_000, store: store)
    var before: Set<Block> = []
    var after: Set<Block> = []
    HashIndex.forEachPage(HashChunk(old), base: 0, hash: 0) { page, _ in before.insert(page.block) }
    HashIndex.forEachPage(HashChunk(new), base: 0, hash: 0) { page, _ in after.insert(page.block) }
    #expect(after.subtracting(before).count <= 2)
    #expect(before.subtracting(after).count == 1)
  }
}

@Suite struct HashIndexUniquenessTests {
  /// Equal keys are found wherever they lie among many, and different ones with equal hashes are not taken for them.
  @Test(arguments: HashShape.allCases)
  func bulkLoadFindsEqualKeys(shape: HashShape) {
    let count: UInt64 = shape == .random || shape == .sequential ? 20_000 : 300
    let store = BlockStore(poisonsFreedBlocks: true)
    var numbers = Numbers(state: 4)
    let hashes = (0..<count).map { _ in shape.hash(numbers.next()) }
    for equal in [nil, (0, 1), (Int(count) / 3, Int(count) - 1)] as [(Int, Int)?] {
      var entries = hashes.indices.map { HashEntry(hash: hashes[$0], row: UInt64($0)) }
      if let equal { entries[equal.1].hash = entries[equal.0].hash }
      let (root, duplicate) = entries.withUnsafeBufferPointer { entries in
        HashIndex.bulkLoad(entries, store: store) { first, second in
          guard let equal else { return false }
          return Set([first, second]) == Set([UInt64(equal.0), UInt64(equal.1)])
        }
      }
      if let equal {
        #expect(duplicate.map { Set([$0.0, $0.1]) } == Set([UInt64(equal.0), UInt64(equal.1)]))
      } else {
        #expect(duplicate == nil)
        HashIndex.checkInvariants(root: root)
        #expect(HashIndex.count(root) == hashes.count)
      }
    }
  }
}
