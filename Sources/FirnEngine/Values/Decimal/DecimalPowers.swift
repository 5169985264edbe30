/// Powers of ten and the digits of numbers.
enum DecimalPowers {
  /// 10^0 to 10^38: all that fit into 128 bits.
  private static let powers: [UInt128] = (0...38).reduce(into: []) { powers, _ in
    powers.append(powers.last.map { $0 * 10 } ?? 1)
  }

  /// 10^exponent, for exponents up to 38.
  static func power(_ exponent: Int) -> UInt128 { powers[exponent] }

  /// The decimal digits of a number; 1 for zero.
  static func digitCount(_ number: UInt128) -> Int {
    if number == 0 { return 1 }
    // 1233 / 4096 is a little more than log10(2), so the estimate is right or one too low.
    let estimate = ((128 - number.leadingZeroBitCount) * 1233) >> 12
    return estimate < powers.count && number >= powers[estimate] ? estimate + 1 : estimate
  }
}
