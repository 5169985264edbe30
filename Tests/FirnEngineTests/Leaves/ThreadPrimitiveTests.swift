import CFirn
import Dispatch
import FirnEngine
import Foundation
import Glibc
import Testing

@Suite struct ThreadPrimitiveTests {
  /// A lock, a counter it protects, and a leaf that grows behind a published count.
  private final class Shared: @unchecked Sendable {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 3)
    let lock = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    init() {
      words.initialize(repeating: 0, count: 3)
      lock.initialize(to: 0)
    }

    deinit {
      words.deallocate()
      lock.deallocate()
    }
  }

  @Test func spinLock() async {
    let shared = Shared()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<10_000 {
            firn_spin_lock(shared.lock)
            shared.words[0] += 1
            firn_spin_unlock(shared.lock)
          }
        }
      }
    }
    #expect(shared.words[0] == 40_000)
  }

  @Test func atomics() {
    var word: UInt64 = 1
    firn_atomic_store_release(&word, 5)
    #expect(firn_atomic_load_acquire(&word) == 5)
    #expect(firn_atomic_exchange_seq_cst(&word, 7) == 5)
    #expect(!firn_atomic_compare_exchange_seq_cst(&word, 1, 3))
    #expect(firn_atomic_compare_exchange_seq_cst(&word, 7, 3))
    #expect(firn_atomic_load_seq_cst(&word) == 3 && firn_atomic_load_relaxed(&word) == 3)
  }

  /// Readers use all of what is published while the writer appends in place behind it; meant for ThreadSanitizer.
  @Test func appendingBesideReaders() {
    let shared = Shared()
    let (ints, strings, doubles) = (1, 2, 0)
    let leaves = UnsafeMutablePointer<Block?>.allocate(capacity: 3)
    let store = BlockStore()
    leaves[ints] = IntLeaf.make(capacity: 256, store: store)
    leaves[strings] = BytesLeaf.make(capacity: 256, byteCapacity: 4000, store: store)
    leaves[doubles] = FixedLeaf.make(capacity: 256, valueSize: 8, store: store)
    let original = UInt(bitPattern: leaves[strings]!)
    store.version += 1
    let address = UInt(bitPattern: leaves)
    // A thread of its own: a task might have to wait until another test has done its work.
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { isDone.signal() }
      let leaves = UnsafePointer<Block?>(bitPattern: address)!
      var count = 0
      while count < 250 {
        count = Int(firn_atomic_load_acquire(shared.words))
        var sum: Int64 = 0
        for slot in 0..<count {
          sum += IntLeaf.value(leaves[ints]!, slot)
          if BytesLeaf.string(leaves[strings]!, slot) != "s\(slot)" { sum = -1 }
        }
        #expect(sum == Int64(count * (count - 1) / 2))
        let seen = count
        defer { firn_atomic_store_relaxed(shared.words + 1, UInt64(seen)) }
        _ = maskOf { IntLeaf.match(leaves[ints]!, count: count, from: 3, through: 99, into: $0) }
        _ = maskOf { FixedLeaf.match(leaves[doubles]!, count: count, .less, 50.0, into: $0) }
        for relation in [BytesLeaf.Relation.contains, .equals, .hasPrefix, .hasSuffix] {
          _ = maskOf { BytesLeaf.match(leaves[strings]!, count: count, relation, "s1", into: $0) }
        }
      }
    }
    for slot in 0..<250 {
      _ = IntLeaf.append(leaves[ints]!, slot, Int64(slot), store: store)
      _ = BytesLeaf.append(leaves[strings]!, slot, "s\(slot)", store: store)
      _ = FixedLeaf.append(leaves[doubles]!, slot, Double(slot), store: store)
      firn_atomic_store_release(shared.words, UInt64(slot + 1))
      // Let the reader catch up now and then, without ordering its reads before the writes that follow.
      while slot % 16 == 0 && firn_atomic_load_relaxed(shared.words + 1) < UInt64(slot) { sched_yield() }
    }
    isDone.wait()
    #expect(UInt(bitPattern: leaves[strings]!) == original)
    leaves.deallocate()
  }
}
