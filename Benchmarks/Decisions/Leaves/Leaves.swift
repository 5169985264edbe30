import CFirn
import FirnEngine
import Glibc

/// What leaves cost beside plain Swift arrays, per row: scans, aggregates, reading strings, copying a leaf.
///
/// 1,024 leaves of 256 rows for each column (cold: more than the caches hold) and 16 leaves (hot).
@main
nonisolated enum Leaves {
  static func main() {
    for clusterCount in [16, 1024] {
      let bench = Columns(clusterCount: clusterCount)
      print("\n\(clusterCount * 256) rows, \(bench.shortBytes / (clusterCount * 256)) B per short string")
      print("                         leaf   array   ns per row (best of 15)")
      bench.run()
    }
  }
}

private struct Columns {
  let store = BlockStore()
  let clusterCount: Int
  var ages: [Block] = []
  var wides: [Block] = []
  var scores: [Block] = []
  var shorts: [Block] = []
  var longs: [Block] = []
  var shortBytes = 0
  var ints: [Int64] = []
  var doubles: [Double] = []
  var shortStrings: [String] = []
  var longStrings: [String] = []

  init(clusterCount: Int) {
    self.clusterCount = clusterCount
    var random = SystemRandomNumberGenerator()
    for _ in 0..<clusterCount {
      var (age, wide, score, short, long): (Block?, Block?, Block?, Block?, Block?)
      for slot in 0..<256 {
        let int = Int64.random(in: 0..<100, using: &random)
        let double = Double.random(in: 0..<100, using: &random)
        let text = String((0..<Int.random(in: 4...15)).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement()! })
        let longText = text + "@a-long-domain.example.org"
        age = IntLeaf.append(age, slot, int, store: store)
        wide = IntLeaf.append(wide, slot, int &* 0x1000_0000_0000, store: store)
        score = FixedLeaf.append(score, slot, double, store: store)
        short = BytesLeaf.append(short, slot, text, store: store)
        long = BytesLeaf.append(long, slot, longText, store: store)
        ints.append(int)
        doubles.append(double)
        shortStrings.append(text)
        longStrings.append(longText)
      }
      ages.append(age!)
      wides.append(wide!)
      scores.append(score!)
      shorts.append(short!)
      longs.append(long!)
      shortBytes += short!.blockSize
    }
  }

  func run() {
    let mask = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
    defer { mask.deallocate() }
    let all = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
    defer { all.deallocate() }
    SlotMask.fill(all, count: 256)

    func scan(_ leaves: [Block], _ match: (Block) -> Void) -> Int {
      var count = 0
      for leaf in leaves {
        match(leaf)
        count &+= SlotMask.count(mask)
      }
      return count
    }
    line("Int > (1 byte)") {
      scan(ages) { IntLeaf.match($0, count: 256, from: 51, through: .max, into: mask) }
    } _: {
      count(ints, 50)
    }
    line("Int > (8 bytes)") {
      scan(wides) { IntLeaf.match($0, count: 256, from: 51 * 0x1000_0000_0000, through: .max, into: mask) }
    } _: {
      count(ints, 50)
    }
    line("Double >") {
      scan(scores) { FixedLeaf.match($0, count: 256, .greater, 50.0, into: mask) }
    } _: {
      count(doubles, 50)
    }
    line("Double sum") {
      var sum = 0.0
      for leaf in scores { sum += FixedLeaf.sumDoubles(leaf, count: 256, mask: all) }
      return Int(sum)
    } _: {
      Int(doubles.reduce(0, +))
    }
    line("string ==") {
      scan(shorts) { BytesLeaf.match($0, count: 256, .equals, "abcdefgh", into: mask) }
    } _: {
      shortStrings.reduce(0) { $0 &+ ($1 == "abcdefgh" ? 1 : 0) }
    }
    line("string has prefix") {
      scan(shorts) { BytesLeaf.match($0, count: 256, .hasPrefix, "ab", into: mask) }
    } _: {
      shortStrings.reduce(0) { $0 &+ ($1.hasPrefix("ab") ? 1 : 0) }
    }
    line("string contains") {
      scan(shorts) { BytesLeaf.match($0, count: 256, .contains, "abc", into: mask) }
    } _: {
      var needle = "abc"
      return needle.withUTF8 { needle in
        shortStrings.reduce(0) { count, string in
          var string = string
          return count &+ string.withUTF8 { firn_find($0.baseAddress, $0.count, needle.baseAddress, 3) >= 0 ? 1 : 0 }
        }
      }
    }
    line("read Int (1 byte)") {
      var sum: Int64 = 0
      for leaf in ages { for slot in 0..<256 { sum &+= IntLeaf.value(leaf, slot) } }
      return Int(sum)
    } _: {
      Int(ints.reduce(0, &+))
    }
    line("read String, short") {
      read(shorts)
    } _: {
      read(shortStrings)
    }
    line("read String, long") {
      read(longs)
    } _: {
      read(longStrings)
    }
    line("copy a leaf, 1 update") {
      update(shorts)
    } _: {
      var copies = 0
      var start = 0
      while start < shortStrings.count {
        var copy = Array(shortStrings[start..<(start + 256)])
        copy[7] = "something"
        copies &+= copy.count
        start += 256
      }
      return copies
    }
  }

  /// One string of every leaf replaced by the next version.
  private func update(_ leaves: [Block]) -> Int {
    store.version += 1
    var size = 0
    for leaf in leaves {
      let copy = BytesLeaf.set(leaf, 7, "something", slotCount: 256, store: store)
      size &+= copy.blockSize
      // Born in this version: freed at once.
      store.retire(copy)
    }
    return size
  }

  private func read(_ leaves: [Block]) -> Int {
    var total = 0
    for leaf in leaves {
      var slot = 0
      while slot < 256 {
        total &+= consume(BytesLeaf.string(leaf, slot))
        slot &+= 1
      }
    }
    return total
  }

  private func read(_ strings: [String]) -> Int {
    var total = 0
    for string in strings { total &+= consume(string) }
    return total
  }

  private func count<T: Comparable>(_ values: [T], _ bound: T) -> Int {
    values.withUnsafeBufferPointer { values in
      var (count, k) = (0, 0)
      while k < values.count {
        count &+= values[k] > bound ? 1 : 0
        k &+= 1
      }
      return count
    }
  }

  private func line(_ title: String, _ leaf: () -> Int, _ array: () -> Int) {
    func best(_ body: () -> Int) -> Double {
      var best = Double.infinity
      var sink = 0
      let repeats = max(1, 64 / clusterCount)
      for _ in 0..<15 {
        let start = now()
        for _ in 0..<repeats { sink &+= body() }
        best = min(best, Double(now() &- start) / Double(repeats * clusterCount * 256))
      }
      if sink == 1 { print() }
      return best
    }
    let padded = title + String(repeating: " ", count: 22 - title.count)
    print(padded, rounded(best(leaf)), rounded(best(array)))
  }

  private func rounded(_ value: Double) -> String {
    let text = "\((value * 1000).rounded() / 1000)"
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }

  private func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

@inline(never)
private func consume(_ string: String) -> Int { string.utf8.count }
