/// The exact sum of decimal numbers, from which numbers can be taken out again: ``ExactSum`` with chunks of nine digits.
///
/// Invariant: the sum of the finite numbers is Σ `chunks[i]` · 10^(9 (`first` + i) - 6176).
package struct ExactDecimalSum: Sendable {
  private var chunks: [Int64] = []
  private var first = 0
  private var waiting = 0
  private var finiteCount = 0
  private var positiveInfinityCount = 0
  private var negativeInfinityCount = 0

  private static var base: Int64 { 1_000_000_000 }

  package init() {}

  /// The numbers in it.
  package var count: Int { finiteCount + positiveInfinityCount + negativeInfinityCount }

  /// Adds a number that is not NaN. O(1).
  package mutating func add(_ number: DecimalFloat) { take(number, 1) }

  /// Takes out a number that was added. O(1).
  package mutating func remove(_ number: DecimalFloat) { take(number, -1) }

  private mutating func take(_ number: DecimalFloat, _ times: Int) {
    guard number.kind == .finite else {
      if number.isNegative { negativeInfinityCount += times } else { positiveInfinityCount += times }
      return
    }
    finiteCount += times
    if number.coefficient == 0 { return }
    let position = number.exponent - DecimalFloat.exponentMin
    let (chunk, shift) = position.quotientAndRemainder(dividingBy: 9)
    let scale = Int64(DecimalPowers.power(shift))
    let sign: Int64 = number.isNegative == (times > 0) ? -1 : 1
    // 34 digits in four parts, each in two chunks.
    makeRoom(from: chunk, to: chunk + 5)
    var rest = number.coefficient
    for part in 0..<4 {
      let (next, digits) = rest.quotientAndRemainder(dividingBy: UInt128(Self.base))
      let scaled = Int64(digits) * scale
      chunks[chunk - first + part] += sign * (scaled % Self.base)
      chunks[chunk - first + part + 1] += sign * (scaled / Self.base)
      rest = next
    }
    waiting += 1
    if waiting == 1 << 30 { carry() }
  }

  private mutating func makeRoom(from chunk: Int, to end: Int) {
    if chunks.isEmpty { first = chunk }
    if chunk < first {
      chunks.insert(contentsOf: repeatElement(0, count: first - chunk), at: 0)
      first = chunk
    }
    let missing = end - first - chunks.count
    if missing > 0 { chunks.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Leaves nine digits in each chunk, none of them negative, but the last, which has the sign.
  private mutating func carry() {
    waiting = 0
    guard let last = chunks.indices.last else { return }
    func floor(_ number: Int64) -> Int64 {
      let quotient = number / Self.base
      return number % Self.base < 0 ? quotient - 1 : quotient
    }
    for index in 0..<last {
      let over = floor(chunks[index])
      chunks[index + 1] += over
      chunks[index] -= over * Self.base
    }
    if chunks[last].magnitude >= Self.base.magnitude {
      let over = floor(chunks[last])
      chunks[last] -= over * Self.base
      chunks.append(over)
    }
  }

  // MARK: Results

  private func magnitude() -> (isNegative: Bool, limbs: [Int64]) {
    var sum = self
    sum.carry()
    let isNegative = sum.chunks.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in sum.chunks.indices { sum.chunks[index] = -sum.chunks[index] }
      sum.carry()
    }
    return (isNegative, sum.chunks)
  }

  private var infinite: DecimalFloat? {
    switch (positiveInfinityCount, negativeInfinityCount) {
    case (0, 0): nil
    case (_, 0): .infinity(isNegative: false)
    case (0, _): .infinity(isNegative: true)
    default: .nan
    }
  }

  /// The sum, rounded once to 34 digits. Without zeros at the end of a fraction.
  package var sum: DecimalFloat {
    if let infinite { return infinite }
    let (isNegative, limbs) = magnitude()
    return Self.round(limbs, first, isNegative, isInexact: false)
  }

  /// The exact sum by the number of numbers, rounded once; nil of nothing.
  package var average: DecimalFloat? {
    if count <= 0 { return nil }
    if let infinite { return infinite }
    let (isNegative, limbs) = magnitude()
    // So many zeros behind the dividend that more digits come out than are kept.
    var quotient = Array(repeating: 0, count: 7) + limbs
    let divisor = UInt128(finiteCount)
    var rest: UInt128 = 0
    for index in quotient.indices.reversed() {
      let part = (rest * UInt128(Self.base) + UInt128(quotient[index])).quotientAndRemainder(dividingBy: divisor)
      quotient[index] = Int64(part.quotient)
      rest = part.remainder
    }
    return Self.round(quotient, first - 7, isNegative, isInexact: rest != 0)
  }

  /// - Parameter first: The first limb is worth 10^(9 first - 6176).
  private static func round(_ limbs: [Int64], _ first: Int, _ isNegative: Bool, isInexact: Bool) -> DecimalFloat {
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return .zero }
    var coefficient = UInt128(limbs[top])
    var index = top
    while index > 0, coefficient < DecimalPowers.power(28) {
      index -= 1
      coefficient = coefficient * UInt128(base) + UInt128(limbs[index])
    }
    var exponent = 9 * (first + index) + DecimalFloat.exponentMin
    var isInexact = isInexact
    if index > 0 {
      let missing = 37 - DecimalPowers.digitCount(coefficient)
      index -= 1
      let unit = DecimalPowers.power(9 - missing)
      let (digits, rest) = UInt128(limbs[index]).quotientAndRemainder(dividingBy: unit)
      coefficient = coefficient * (UInt128(base) / unit) + digits
      exponent -= missing
      if rest != 0 || limbs[..<index].contains(where: { $0 != 0 }) { isInexact = true }
    }
    return DecimalFloat(isNegative: isNegative, rounding: coefficient, exponent: exponent, isInexact: isInexact).plain
  }
}

extension DecimalFloat {
  /// The same number without zeros at the end of its fraction, and without exponent where its digits allow that.
  fileprivate var plain: DecimalFloat {
    guard kind == .finite, coefficient != 0 else { return self }
    var (coefficient, exponent) = (coefficient, exponent)
    while exponent < 0, coefficient % 10 == 0 { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
    if exponent > 0, DecimalPowers.digitCount(coefficient) + exponent <= Self.precision {
      (coefficient, exponent) = (coefficient * DecimalPowers.power(exponent), 0)
    }
    return DecimalFloat(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
  }

  /// A number per value that is not NaN, in the order of values.
  package var orderCode: UInt128 {
    let sign = UInt128(1) << 127
    switch kind {
    case .notANumber: return 0
    case .infinite: return isNegative ? 1 : .max
    case .finite: break
    }
    if coefficient == 0 { return sign }
    // All digits, as if the point were behind the first of them.
    let padding = Self.precision - DecimalPowers.digitCount(coefficient)
    let digits = coefficient * DecimalPowers.power(padding)
    let place = UInt128(exponent - padding - Self.exponentMin + Self.precision + 1)
    let magnitude = place << 113 | digits
    return isNegative ? sign - magnitude : sign + magnitude
  }

  /// The number with a code.
  package init(orderCode code: UInt128) {
    let sign = UInt128(1) << 127
    switch code {
    case 0: self = .nan
    case 1: self = .infinity(isNegative: true)
    case .max: self = .infinity(isNegative: false)
    case sign: self = .zero
    default:
      let magnitude = code > sign ? code - sign : sign - code
      let exponent = Int(magnitude >> 113) + Self.exponentMin - Self.precision - 1
      let digits = magnitude & (UInt128(1) << 113 - 1)
      // Below the least exponent there are only zeros.
      self = DecimalFloat(isNegative: code < sign, rounding: digits, exponent: exponent).plain
    }
  }
}
