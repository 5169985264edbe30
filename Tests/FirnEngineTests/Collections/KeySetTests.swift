import FirnEngine
import Testing

@Suite struct KeySetTests {
  private func keys(_ root: UnsafeRawPointer?) -> [UInt64] {
    var keys: [UInt64] = []
    KeySet.forEach(root) { keys.append($0) }
    return keys
  }

  private func lowerBound(_ model: [UInt64], _ key: UInt64) -> Int {
    var low = 0
    var high = model.count
    while low < high {
      let middle = (low + high) / 2
      if model[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Random changes of all kinds against a sorted array; old roots are compared at the end.
  @Test(
    arguments: [
      (1, 300), (2, 5_000), (3, 200_000), (4, 1 << 34), (5, 1 << 50), (6, 40), (7, 1 << 33),
    ] as [(seed: UInt64, span: UInt64)])
  func behavesLikeASortedArray(seed: UInt64, span: UInt64) {
    print("KeySet seed \(seed)")
    var random = SeededGenerator(seed)
    let store = BlockStore(poisonsFreedBlocks: true)
    var root: Block?
    var model: [UInt64] = []
    var versions: [(root: Block?, model: [UInt64])] = []
    for step in 0..<600 {
      if random.next() % 3 == 0 {
        store.version += 1
        if step % 8 == 0 { versions.append((root, model)) }
      }
      let grows = (step / 150) % 2 == 0
      let count = Int(random.next() % 60) * (random.next() % 16 == 0 ? 40 : 1)
      let batch = (0..<count).map { _ in random.next() % span }
      let takes = random.next() % 10 < (grows ? 3 : 7)
      if takes {
        let victims = Array(model.shuffled(using: &random).prefix(count * (grows ? 1 : 2)))
        if random.next() % 2 == 0 {
          for key in victims { root = KeySet.remove(root!, key, store) }
        } else {
          root = victims.sorted().withUnsafeBufferPointer { KeySet.removeAll(root, sorted: $0, store) }
        }
        for key in victims { model.remove(at: lowerBound(model, key)) }
      } else {
        if random.next() % 2 == 0 {
          for key in batch { root = KeySet.insert(root, key, store) }
        } else {
          root = batch.sorted().withUnsafeBufferPointer { KeySet.insertAll(root, sorted: $0, store) }
        }
        model = (model + batch).sorted()
      }
      KeySet.checkInvariants(root)
      #expect(KeySet.count(root) == model.count)
      #expect(keys(root) == model)
      for _ in 0..<5 {
        let key = random.next() % span
        let rank = lowerBound(model, key)
        #expect(KeySet.rank(root, of: key) == rank)
        #expect(KeySet.contains(root, key) == (rank < model.count && model[rank] == key))
        guard let present = model.randomElement(using: &random), let root else { continue }
        #expect(KeySet.contains(root, present))
        #expect(KeySet.rank(root, of: present) == lowerBound(model, present))
        let index = Int(random.next() % UInt64(model.count))
        #expect(KeySet.select(root, index) == model[index])
        #expect(Array(KeyIterator(KeyCursor(root, from: index)).prefix(700)) == Array(model[index...].prefix(700)))
      }
    }
    for version in versions {
      KeySet.checkInvariants(version.root)
      #expect(keys(version.root) == version.model)
    }
    store.version += 1
    KeySet.retireAll(root, store)
    #expect(leakedBlockCount(store) == 0)
  }

  @Test func fillsLeavesWhenAscending() {
    for first in [0, 1 << 40] as [UInt64] {
      let store = BlockStore()
      var root: Block?
      for key in 0..<100_000 as Range<UInt64> { root = KeySet.insert(root, first + key * 3, store) }
      KeySet.checkInvariants(root)
      #expect(store.allocatedByteCount < 100_000 * 42 / 10)
      #expect(KeySet.select(root!, 77_777) == first + 77_777 * 3)
      for key in 0..<100_000 as Range<UInt64> { root = KeySet.remove(root!, first + key * 3, store) }
      #expect(root == nil)
      #expect(store.allocatedBlockCount == 0)
    }
  }

  @Test func emptiesFromTheEndAndFromTheMiddle() {
    for order in [Array((0..<40_000).reversed()), (0..<40_000).map { ($0 + 20_000) % 40_000 }] {
      let store = BlockStore()
      var root = (0..<40_000 as Range<UInt64>).map { $0 }.withUnsafeBufferPointer {
        KeySet.build(sorted: $0, store)
      }
      for (step, key) in order.enumerated() {
        root = KeySet.remove(root!, UInt64(key), store)
        if step % 997 == 0 { KeySet.checkInvariants(root) }
      }
      #expect(root == nil)
      #expect(store.allocatedBlockCount == 0)
    }
  }

  /// The span of a leaf around 2^32, its base and both widths.
  @Test func changesWidthAndBase() {
    let store = BlockStore()
    let limit = UInt64(UInt32.max)
    for keys in [
      [0, limit], [0, limit + 1], [limit, limit + 1], [limit + 1, 5 * limit], [limit + 1, 2 * limit + 1],
      [limit + 1, 2 * limit + 2], [UInt64.max, UInt64.max, 0], [UInt64.max - limit, UInt64.max],
    ] as [[UInt64]] {
      for order in [keys, keys.reversed()] {
        var root: Block?
        for key in order { root = KeySet.insert(root, key, store) }
        KeySet.checkInvariants(root)
        #expect(self.keys(root) == keys.sorted())
        for key in keys {
          #expect(KeySet.contains(root, key))
          root = KeySet.remove(root!, key, store)
        }
        #expect(root == nil)
      }
    }
    // Full leaves of 32-bit offsets that have to become wide: the new key lies far below or between.
    for extra in [0, 1 << 41, 1 << 60] as [UInt64] {
      var model = (0..<512 as Range<UInt64>).map { 1 << 40 + $0 * 2 }
      var root = model.withUnsafeBufferPointer { KeySet.build(sorted: $0, store) }
      root = KeySet.insert(root, extra, store)
      model = (model + [extra]).sorted()
      KeySet.checkInvariants(root)
      #expect(self.keys(root) == model)
      KeySet.retireAll(root, store)
    }
    #expect(store.allocatedBlockCount == 0)
  }

  @Test func removesMoreOfAKeyThanOneLeafHolds() {
    let store = BlockStore()
    let model = [UInt64](repeating: 3, count: 100) + [UInt64](repeating: 7, count: 3_000) + [9, 9, 10]
    var root = model.withUnsafeBufferPointer { KeySet.build(sorted: $0, store) }
    root = ([UInt64](repeating: 3, count: 5) + [UInt64](repeating: 7, count: 2_500) + [9])
      .withUnsafeBufferPointer { KeySet.removeAll(root, sorted: $0, store) }
    KeySet.checkInvariants(root)
    #expect(
      keys(root) == [UInt64](repeating: 3, count: 95) + [UInt64](repeating: 7, count: 500) + [9, 10])
    for _ in 0..<500 { root = KeySet.remove(root!, 7, store) }
    #expect(!KeySet.contains(root, 7))
    #expect(KeySet.count(root) == 97)
  }

  @Test func smallSetsAreSmall() {
    let store = BlockStore()
    var root: Block?
    for key in 0..<8 as Range<UInt64> { root = KeySet.insert(root, key, store) }
    #expect(root!.blockSize <= 64)
    #expect(store.allocatedBlockCount == 1)
  }
}
