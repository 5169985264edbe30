extension DecimalFloat {
  /// The number nearest to ±coefficient × 10^exponent; of two equally near the one with the even last digit.
  ///
  /// Any exponent is taken: beyond the greatest number lies infinity, below the least one zero.
  ///
  /// - Parameter isInexact: The number to be rounded has more digits than the coefficient, not all of them zero. The
  ///   coefficient then has at least 35 digits.
  init(isNegative: Bool, rounding coefficient: UInt128, exponent: Int, isInexact: Bool = false) {
    var coefficient = coefficient
    var exponent = exponent
    let dropped = max(DecimalPowers.digitCount(coefficient) - Self.precision, Self.exponentMin - exponent)
    if dropped > 38 {
      // Less than half of the last digit.
      (coefficient, exponent) = (0, Self.exponentMin)
    } else if dropped > 0 {
      let unit = DecimalPowers.power(dropped)
      var (kept, rest) = coefficient.quotientAndRemainder(dividingBy: unit)
      exponent += dropped
      let half = unit / 2
      if rest > half || (rest == half && (isInexact || kept & 1 == 1)) {
        kept += 1
        if kept == DecimalPowers.power(Self.precision) {
          kept /= 10
          exponent += 1
        }
      }
      coefficient = kept
    }
    if exponent > Self.exponentMax {
      let padding = exponent - Self.exponentMax
      if coefficient == 0 {
        exponent = Self.exponentMax
      } else if DecimalPowers.digitCount(coefficient) + padding <= Self.precision {
        coefficient *= DecimalPowers.power(padding)
        exponent = Self.exponentMax
      } else {
        self = .infinity(isNegative: isNegative)
        return
      }
    }
    self.init(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
  }
}
