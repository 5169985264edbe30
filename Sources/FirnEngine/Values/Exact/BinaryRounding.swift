/// Rounds large binary numbers to the nearest floating-point number; of two equally near to the one with the even last bit.
package enum BinaryRounding {
  /// The nearest Double.
  ///
  /// - Parameters:
  ///   - limbs: 32 bits each, the least significant ones first.
  ///   - offset: The first bit is worth 2^(offset - 1074).
  ///   - isInexact: Something not zero was cut off below. The limbs then have more bits than are kept.
  static func double(_ limbs: [UInt32], offset: Int, isInexact: Bool) -> Double {
    guard let (mantissa, lowest) = round(limbs, offset, isInexact, precision: 53, lowest: 0) else { return 0 }
    // From 2^(2045 - 1074 + 53) on.
    if lowest > 2045 { return .infinity }
    // The leading bit of the mantissa, and a carry out of it, add to the exponent.
    return Double(bitPattern: UInt64(lowest) << 52 + mantissa)
  }

  /// The nearest Float.
  static func float(_ limbs: [UInt32], offset: Int, isInexact: Bool) -> Float {
    // The least Float is 2^-149.
    guard let (mantissa, lowest) = round(limbs, offset, isInexact, precision: 24, lowest: 925) else { return 0 }
    if lowest - 925 > 253 { return .infinity }
    return Float(bitPattern: UInt32(lowest - 925) << 23 + UInt32(mantissa))
  }

  /// The leading bits, rounded, and what the last of them is worth: 2^(lowest - 1074).
  private static func round(
    _ limbs: [UInt32], _ offset: Int, _ isInexact: Bool, precision: Int, lowest lowestMin: Int
  ) -> (mantissa: UInt64, lowest: Int)? {
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return nil }
    let highest = offset + 32 * top + 31 - limbs[top].leadingZeroBitCount
    let lowest = max(highest - (precision - 1), lowestMin)
    let start = lowest - offset
    var mantissa: UInt64 = 0
    if highest >= lowest {
      for bit in 0...(highest - lowest) where isSet(limbs, start + bit) { mantissa |= 1 << UInt64(bit) }
    }
    guard isSet(limbs, start - 1) else { return (mantissa, lowest) }
    let isMore = isInexact || hasBits(limbs, below: start - 1)
    return (isMore || mantissa & 1 == 1 ? mantissa + 1 : mantissa, lowest)
  }

  private static func isSet(_ limbs: [UInt32], _ bit: Int) -> Bool {
    bit >= 0 && bit >> 5 < limbs.count && limbs[bit >> 5] >> UInt32(bit & 31) & 1 != 0
  }

  private static func hasBits(_ limbs: [UInt32], below end: Int) -> Bool {
    if end <= 0 { return false }
    let whole = min(end >> 5, limbs.count)
    if limbs[..<whole].contains(where: { $0 != 0 }) { return true }
    return whole < limbs.count && limbs[whole] & (1 << UInt32(end & 31) - 1) != 0
  }
}

extension BinaryRounding {
  /// The nearest Double to a quotient.
  ///
  /// - Parameter divisor: More than zero.
  static func double(_ limbs: [UInt32], offset: Int, dividedBy divisor: UInt64) -> Double {
    if divisor == 1 { return double(limbs, offset: offset, isInexact: false) }
    // So many zeros behind the dividend that more bits come out than are kept.
    var quotient = [0, 0, 0, 0] + limbs
    var rest: UInt64 = 0
    for index in quotient.indices.reversed() {
      let part = divisor.dividingFullWidth(
        (high: rest >> 32, low: rest << 32 | UInt64(quotient[index])))
      quotient[index] = UInt32(truncatingIfNeeded: part.quotient)
      rest = part.remainder
    }
    return double(quotient, offset: offset - 128, isInexact: rest != 0)
  }

  /// The nearest Double to an integer divided by another, which is more than zero.
  package static func double(_ number: Int128, dividedBy divisor: UInt64) -> Double {
    let magnitude = number.magnitude
    let limbs = (0..<4).map { UInt32(truncatingIfNeeded: magnitude >> UInt128(32 * $0)) }
    let quotient = double(limbs, offset: 1074, dividedBy: divisor)
    return number < 0 ? -quotient : quotient
  }
}
