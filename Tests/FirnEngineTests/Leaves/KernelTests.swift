import CFirn
import FirnEngine
import Testing

/// Every kernel against its portable variant and a naive loop, for all lengths, with unreadable memory behind the values.
@Suite struct KernelTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func ranges(seed: UInt64) {
    var random = SeededGenerator(seed)
    func check<T: FixedWidthInteger & BitwiseCopyable>(
      _ n: Int, _ kernel: (UnsafePointer<T>?, Int, T, T, UnsafeMutablePointer<UInt64>?) -> Void,
      _ portable: (UnsafePointer<T>?, Int, T, T, UnsafeMutablePointer<UInt64>?) -> Void
    ) {
      let few = random.chance(50)
      let values = (0..<n).map { _ in
        few ? T.random(in: 0...9, using: &random) : .random(in: .min ... .max, using: &random)
      }
      let guarded = GuardedValues(values)
      func bound() -> T {
        switch random.below(4) {
        case 0: .min
        case 1: .max
        case 2: values.randomElement(using: &random) ?? 0
        default: few ? T.random(in: 0...9, using: &random) : .random(in: .min ... .max, using: &random)
        }
      }
      let (lo, hi) = (bound(), bound())
      let expected = maskOf(values.map { lo <= $0 && $0 <= hi })
      #expect(maskOf { kernel(guarded.start, n, lo, hi, $0) } == expected, "seed \(seed), n \(n), \(lo)...\(hi)")
      #expect(maskOf { portable(guarded.start, n, lo, hi, $0) } == expected, "seed \(seed), n \(n), \(lo)...\(hi)")
    }
    for n in 0...256 {
      check(n, firn_range_u8, firn_range_u8_portable)
      check(n, firn_range_u16, firn_range_u16_portable)
      check(n, firn_range_u32, firn_range_u32_portable)
      check(n, firn_range_i64, firn_range_i64_portable)
    }
  }

  @Test(arguments: [UInt64(4), 5])
  func comparisons(seed: UInt64) {
    var random = SeededGenerator(seed)
    func check<T: BinaryFloatingPoint & BitwiseCopyable>(
      _ n: Int, _ kernel: (UnsafePointer<T>?, Int, Int32, T, UnsafeMutablePointer<UInt64>?) -> Void,
      _ portable: (UnsafePointer<T>?, Int, Int32, T, UnsafeMutablePointer<UInt64>?) -> Void
    ) {
      let specials: [T] = [.nan, .infinity, -.infinity, 0, -0.0, 1, 2, 3]
      let values = (0..<n).map { _ in specials[random.below(8)] }
      let guarded = GuardedValues(values)
      let constant = specials[random.below(8)]
      let operators: [(T, T) -> Bool] = [(>), (>=), (<), (<=), (==)]
      for (op, relation) in operators.enumerated() {
        let expected = maskOf(values.map { relation($0, constant) })
        #expect(
          maskOf { kernel(guarded.start, n, Int32(op), constant, $0) } == expected, "seed \(seed), n \(n), op \(op)")
        #expect(
          maskOf { portable(guarded.start, n, Int32(op), constant, $0) } == expected, "seed \(seed), n \(n), op \(op)")
      }
    }
    for n in 0...256 {
      check(n, firn_compare_f64, firn_compare_f64_portable)
      check(n, firn_compare_f32, firn_compare_f32_portable)
    }
  }

  @Test(arguments: [UInt64(6), 7])
  func integerAggregates(seed: UInt64) {
    typealias Extremes<T> = (
      UnsafePointer<T>?, Int, UnsafePointer<UInt64>?, UnsafeMutablePointer<T>?, UnsafeMutablePointer<T>?
    ) -> Bool
    var random = SeededGenerator(seed)
    func check<T: FixedWidthInteger & BitwiseCopyable, Sum: FixedWidthInteger>(
      _ n: Int, _ sums: [(UnsafePointer<T>?, Int, UnsafePointer<UInt64>?) -> Sum], _ extremes: [Extremes<T>]
    ) {
      let values = (0..<n).map { _ in T.random(in: .min ... .max, using: &random) }
      let guarded = GuardedValues(values)
      let percent = [0, 3, 50, 100][random.below(4)]
      let mask = maskOf((0..<256).map { _ in random.chance(percent) })
      let selected = values.enumerated().filter { isSet(mask, $0.offset) }.map(\.element)
      let expected = selected.reduce(Sum(0)) { $0 &+ Sum(truncatingIfNeeded: $1) }
      for sum in sums { #expect(sum(guarded.start, n, mask) == expected, "seed \(seed), n \(n)") }
      for kernel in extremes {
        var (least, greatest) = (T(1), T(1))
        #expect(kernel(guarded.start, n, mask, &least, &greatest) == !selected.isEmpty)
        #expect(least == selected.min() ?? 1 && greatest == selected.max() ?? 1, "seed \(seed), n \(n)")
      }
    }
    for n in 0...256 {
      check(n, [firn_sum_u8, firn_sum_u8_portable], [firn_minmax_u8, firn_minmax_u8_portable])
      check(n, [firn_sum_u16, firn_sum_u16_portable], [firn_minmax_u16, firn_minmax_u16_portable])
      check(n, [firn_sum_u32, firn_sum_u32_portable], [firn_minmax_u32, firn_minmax_u32_portable])
      check(n, [firn_sum_i64, firn_sum_i64_portable], [firn_minmax_i64, firn_minmax_i64_portable])
    }
  }

  @Test(arguments: [UInt64(8), 9])
  func floatingAggregates(seed: UInt64) {
    typealias Extremes<T> = (
      UnsafePointer<T>?, Int, UnsafePointer<UInt64>?, UnsafeMutablePointer<T>?, UnsafeMutablePointer<T>?
    ) -> Bool
    var random = SeededGenerator(seed)
    func check<T: BinaryFloatingPoint & BitwiseCopyable>(
      _ n: Int, _ sum: (UnsafePointer<T>?, Int, UnsafePointer<UInt64>?) -> Double,
      _ portable: (UnsafePointer<T>?, Int, UnsafePointer<UInt64>?) -> Double, _ extremes: [Extremes<T>]
    ) {
      let values = (0..<n).map { _ in random.chance(10) ? T.nan : T(Float.random(in: -1e6...1e6, using: &random)) }
      let guarded = GuardedValues(values)
      let percent = [0, 3, 50, 100][random.below(4)]
      let mask = maskOf((0..<256).map { _ in random.chance(percent) })
      let numbers = maskOf((0..<256).map { isSet(mask, $0) && !($0 < n && values[$0].isNaN) })
      let selected = values.enumerated().filter { isSet(numbers, $0.offset) }.map(\.element)
      let exact = selected.reduce(0.0) { $0 + Double($1) }
      let result = sum(guarded.start, n, numbers)
      #expect(abs(result - exact) <= 1e-6, "seed \(seed), n \(n)")
      #expect(result.bitPattern == portable(guarded.start, n, numbers).bitPattern, "seed \(seed), n \(n)")
      for kernel in extremes {
        var (least, greatest) = (T(1), T(1))
        #expect(kernel(guarded.start, n, mask, &least, &greatest) == !selected.isEmpty, "seed \(seed), n \(n)")
        #expect(least == selected.min() ?? 1 && greatest == selected.max() ?? 1, "seed \(seed), n \(n)")
      }
    }
    for n in 0...256 {
      check(n, firn_sum_f64, firn_sum_f64_portable, [firn_minmax_f64, firn_minmax_f64_portable])
      check(n, firn_sum_f32, firn_sum_f32_portable, [firn_minmax_f32, firn_minmax_f32_portable])
    }
  }

  @Test func maskCounts() {
    var random = SeededGenerator(10)
    for _ in 0..<100 {
      let mask = (0..<4).map { _ in random.next() }
      let expected = mask.reduce(0) { $0 + $1.nonzeroBitCount }
      #expect(firn_mask_count(mask) == expected && firn_mask_count_portable(mask) == expected)
    }
  }

  @Test(arguments: [UInt64(11), 12])
  func find(seed: UInt64) {
    var random = SeededGenerator(seed)
    for n in 0...256 {
      for m in [0, 1, 2, 3, 7, 8, 9, 20, 40] {
        let letters = 1 + random.below(3)
        var hay = (0..<n).map { _ in UInt8(random.below(letters)) }
        let needle = (0..<m).map { _ in UInt8(random.below(letters)) }
        if m <= n && random.chance(50) {
          let place = random.below(n - m + 1)
          hay.replaceSubrange(place..<(place + m), with: needle)
        }
        let expected = n < m ? -1 : (0...(n - m)).first { Array(hay[$0..<($0 + m)]) == needle } ?? -1
        let (guardedHay, guardedNeedle) = (GuardedValues(hay), GuardedValues(needle))
        let found = firn_find(guardedHay.start, n, guardedNeedle.start, m)
        #expect(m == 0 ? found == 0 : found == expected, "seed \(seed), n \(n), m \(m)")
        #expect(
          found == firn_find_portable(guardedHay.start, n, guardedNeedle.start, m), "seed \(seed), n \(n), m \(m)")
      }
    }
  }

  @Test(arguments: [UInt64(13), 14, 15])
  func bytes(seed: UInt64) {
    var random = SeededGenerator(seed)
    for n in 0...256 {
      let letters = 1 + random.below(4)
      let longest = [1, 4, 12, 40][random.below(4)]
      func text(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random.below(letters)) } }
      let values = (0..<n).map { _ in text(random.below(longest + 1)) }
      var end = 0
      let ends = values.map { value -> Int in
        end += value.count
        return end
      }
      let ends16 = GuardedValues([0] + ends.map { UInt16($0) })
      let ends32 = GuardedValues([0] + ends.map { UInt32($0) })
      let arena = GuardedValues(values.flatMap { $0 }, leadingBytes: 8)
      for _ in 0..<4 {
        let needle = random.chance(60) ? values.randomElement(using: &random) ?? [] : text(random.below(longest + 2))
        let cut = random.chance(50) ? Array(needle.prefix(random.below(4) + 1)) : needle
        let guardedNeedle = GuardedValues(cut)
        let relations: [([UInt8]) -> Bool] = [
          { $0 == cut },
          { contains($0, cut) },
          { $0.starts(with: cut) },
          { $0.reversed().starts(with: cut.reversed()) },
        ]
        for (relation, matches) in relations.enumerated() {
          let expected = maskOf(values.map(matches))
          let op = Int32(relation)
          for kernel in [firn_match_bytes16, firn_match_bytes16_portable] {
            let mask = maskOf { kernel(ends16.start + 1, arena.start, n, op, guardedNeedle.start, cut.count, $0) }
            #expect(mask == expected, "seed \(seed), n \(n), relation \(relation), needle \(cut)")
          }
          for kernel in [firn_match_bytes32, firn_match_bytes32_portable] {
            let mask = maskOf { kernel(ends32.start + 1, arena.start, n, op, guardedNeedle.start, cut.count, $0) }
            #expect(mask == expected, "seed \(seed), n \(n), relation \(relation), needle \(cut)")
          }
        }
      }
    }
  }
}
