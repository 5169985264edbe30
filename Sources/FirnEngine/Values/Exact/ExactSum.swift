/// The exact sum of binary floating-point numbers, from which numbers can be taken out again.
///
/// A superaccumulator: a fixed-point number that is as wide as all numbers together, in chunks of 32 bits that overlap, so that
/// carries may wait (R. M. Neal, "Fast exact summation using small and large superaccumulators", arXiv:1505.05571, the small one).
/// Other than there, a number goes into three chunks, so that carries may wait for 2^30 of them, and only chunks from the
/// lowest to the highest that was needed are kept: usually three or four.
///
/// Nulls and NaN are not for it; infinities are counted.
///
/// Invariant: the sum of the finite numbers is Σ `chunks[i]` · 2^(32 (`first` + i) - 1074).
package struct ExactSum: Sendable {
  private var chunks: [Int64] = []
  private var first = 0
  /// How many numbers came or went since carries were last taken on.
  private var waiting = 0
  private var finiteCount = 0
  private var positiveInfinityCount = 0
  private var negativeInfinityCount = 0

  package init() {}

  /// The numbers in it.
  package var count: Int { finiteCount + positiveInfinityCount + negativeInfinityCount }

  /// Adds a number that is not NaN. O(1).
  @inline(__always)
  package mutating func add(_ number: Double) { take(number, 1) }

  /// Takes out a number that was added. O(1).
  package mutating func remove(_ number: Double) { take(number, -1) }

  private mutating func take(_ number: Double, _ times: Int) {
    guard number.isFinite else {
      if number > 0 { positiveInfinityCount &+= times } else { negativeInfinityCount &+= times }
      return
    }
    finiteCount &+= times
    var mantissa = number.bitPattern & 0xF_FFFF_FFFF_FFFF
    var position = Int(truncatingIfNeeded: number.bitPattern &>> 52 & 0x7FF)
    if position > 0 {
      mantissa |= 1 &<< 52
      position &-= 1
    }
    if mantissa == 0 { return }
    let chunk = position &>> 5
    let shift = UInt64(truncatingIfNeeded: position & 31)
    let rest = mantissa &>> (32 &- shift)
    var low = Int64(truncatingIfNeeded: mantissa &<< shift & 0xFFFF_FFFF)
    var middle = Int64(truncatingIfNeeded: rest & 0xFFFF_FFFF)
    var high = Int64(truncatingIfNeeded: rest &>> 32)
    if (number.sign == .minus) == (times > 0) { (low, middle, high) = (-low, -middle, -high) }
    if chunk < first || chunk &+ 3 > first &+ chunks.count { makeRoom(for: chunk) }
    let place = chunk &- first
    chunks.withUnsafeMutableBufferPointer { chunks in
      let chunks = chunks.baseAddress.unsafelyUnwrapped + place
      chunks[0] &+= low
      chunks[1] &+= middle
      chunks[2] &+= high
    }
    waiting &+= 1
    if waiting == 1 &<< 30 { carry() }
  }

  private mutating func makeRoom(for chunk: Int) {
    if chunks.isEmpty { first = chunk }
    if chunk < first {
      chunks.insert(contentsOf: repeatElement(0, count: first - chunk), at: 0)
      first = chunk
    }
    let missing = chunk + 3 - first - chunks.count
    if missing > 0 { chunks.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Leaves 32 bits in each chunk but the last, which has the sign.
  private mutating func carry() {
    waiting = 0
    guard let last = chunks.indices.last else { return }
    for index in 0..<last {
      chunks[index + 1] += chunks[index] >> 32
      chunks[index] &= 0xFFFF_FFFF
    }
    if Int64(Int32(truncatingIfNeeded: chunks[last])) != chunks[last] {
      chunks.append(chunks[last] >> 32)
      chunks[last] &= 0xFFFF_FFFF
    }
  }

  // MARK: Results

  /// The sum of the finite numbers without its sign, in parts of 32 bits.
  private func magnitude() -> (isNegative: Bool, limbs: [UInt32]) {
    var sum = self
    sum.carry()
    let isNegative = sum.chunks.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in sum.chunks.indices { sum.chunks[index] = -sum.chunks[index] }
      sum.carry()
    }
    var limbs = sum.chunks.map { UInt32(truncatingIfNeeded: $0) }
    if let last = sum.chunks.last { limbs.append(UInt32(truncatingIfNeeded: last >> 32)) }
    return (isNegative, limbs)
  }

  /// The infinity or NaN that infinities make of the sum; nil without any.
  private var infinite: Double? {
    switch (positiveInfinityCount, negativeInfinityCount) {
    case (0, 0): nil
    case (_, 0): .infinity
    case (0, _): -.infinity
    default: .nan
    }
  }

  /// The sum, rounded once: the nearest Double.
  package var sum: Double {
    if let infinite { return infinite }
    let (isNegative, limbs) = magnitude()
    let sum = BinaryRounding.double(limbs, offset: 32 * first, isInexact: false)
    return isNegative ? -sum : sum
  }

  /// The sum, rounded once: the nearest Float.
  package var floatSum: Float {
    if let infinite { return Float(infinite) }
    let (isNegative, limbs) = magnitude()
    let sum = BinaryRounding.float(limbs, offset: 32 * first, isInexact: false)
    return isNegative ? -sum : sum
  }

  /// The exact sum by the number of numbers, rounded once; nil of nothing.
  package var average: Double? {
    if count <= 0 { return nil }
    if let infinite { return infinite }
    let (isNegative, limbs) = magnitude()
    let average = BinaryRounding.double(limbs, offset: 32 * first, dividedBy: UInt64(finiteCount))
    return isNegative ? -average : average
  }
}
