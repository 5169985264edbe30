extension DecimalFloat {
  package static prefix func - (number: DecimalFloat) -> DecimalFloat {
    switch number.kind {
    case .notANumber: .nan
    case .infinite: .infinity(isNegative: !number.isNegative)
    case .finite:
      DecimalFloat(isNegative: !number.isNegative, coefficient: number.coefficient, exponent: number.exponent)
    }
  }

  package var magnitude: DecimalFloat { isNegative ? -self : self }

  // MARK: Sums

  package static func - (lhs: DecimalFloat, rhs: DecimalFloat) -> DecimalFloat { lhs + -rhs }

  package static func + (lhs: DecimalFloat, rhs: DecimalFloat) -> DecimalFloat {
    switch (lhs.kind, rhs.kind) {
    case (.notANumber, _), (_, .notANumber): return .nan
    case (.infinite, .infinite): return lhs.isNegative == rhs.isNegative ? lhs : .nan
    case (.infinite, .finite): return lhs
    case (.finite, .infinite): return rhs
    case (.finite, .finite):
      return lhs.exponent >= rhs.exponent ? sum(coarse: lhs, fine: rhs) : sum(coarse: rhs, fine: lhs)
    }
  }

  /// The sum of two finite numbers, of which `coarse` has the greater exponent, or the same.
  private static func sum(coarse: DecimalFloat, fine: DecimalFloat) -> DecimalFloat {
    let distance = coarse.exponent - fine.exponent
    if coarse.coefficient == 0 {
      if fine.coefficient != 0 { return fine }
      return DecimalFloat(
        isNegative: coarse.isNegative && fine.isNegative, coefficient: 0, exponent: fine.exponent)
    }
    let digitCount = DecimalPowers.digitCount(coarse.coefficient)
    if fine.coefficient == 0 {
      let padding = min(distance, precision - digitCount)
      return DecimalFloat(
        isNegative: coarse.isNegative, coefficient: coarse.coefficient * DecimalPowers.power(padding),
        exponent: coarse.exponent - padding)
    }
    // The coarse number gets as many digits as it needs, or 37: then the rest of the fine one only decides rounding.
    let padding = min(distance, 37 - digitCount)
    let scaled = coarse.coefficient * DecimalPowers.power(padding)
    let exponent = coarse.exponent - padding
    let shift = distance - padding
    let (whole, rest) =
      shift > precision
      ? (0, fine.coefficient) : fine.coefficient.quotientAndRemainder(dividingBy: DecimalPowers.power(shift))
    let isInexact = rest != 0
    if coarse.isNegative == fine.isNegative {
      return DecimalFloat(
        isNegative: coarse.isNegative, rounding: scaled + whole, exponent: exponent, isInexact: isInexact)
    }
    if scaled > whole {
      return DecimalFloat(
        isNegative: coarse.isNegative, rounding: scaled - whole - (isInexact ? 1 : 0), exponent: exponent,
        isInexact: isInexact)
    }
    // Only numbers aligned exactly come here. Zero has no sign of its own.
    return DecimalFloat(
      isNegative: scaled != whole && fine.isNegative, rounding: whole - scaled, exponent: exponent)
  }

  // MARK: Products

  package static func * (lhs: DecimalFloat, rhs: DecimalFloat) -> DecimalFloat {
    let isNegative = lhs.isNegative != rhs.isNegative
    switch (lhs.kind, rhs.kind) {
    case (.notANumber, _), (_, .notANumber): return .nan
    case (.infinite, _), (_, .infinite): return lhs.isZero || rhs.isZero ? .nan : .infinity(isNegative: isNegative)
    case (.finite, .finite): break
    }
    let product = lhs.coefficient.multipliedFullWidth(by: rhs.coefficient)
    let digitCount = DecimalPowers.digitCount(lhs.coefficient) + DecimalPowers.digitCount(rhs.coefficient)
    let exponent = lhs.exponent + rhs.exponent
    // At most 37 digits are kept, at least 36.
    let dropped = digitCount - 37
    if dropped <= 0 { return DecimalFloat(isNegative: isNegative, rounding: product.low, exponent: exponent) }
    let (kept, rest) = DecimalPowers.power(dropped).dividingFullWidth(product)
    return DecimalFloat(isNegative: isNegative, rounding: kept, exponent: exponent + dropped, isInexact: rest != 0)
  }

  package static func / (lhs: DecimalFloat, rhs: DecimalFloat) -> DecimalFloat {
    let isNegative = lhs.isNegative != rhs.isNegative
    switch (lhs.kind, rhs.kind) {
    case (.notANumber, _), (_, .notANumber), (.infinite, .infinite): return .nan
    case (.infinite, .finite): return .infinity(isNegative: isNegative)
    case (.finite, .infinite): return DecimalFloat(isNegative: isNegative, coefficient: 0, exponent: exponentMin)
    case (.finite, .finite): break
    }
    if rhs.coefficient == 0 { return lhs.coefficient == 0 ? .nan : .infinity(isNegative: isNegative) }
    let preferred = lhs.exponent - rhs.exponent
    if lhs.coefficient == 0 { return DecimalFloat(isNegative: isNegative, rounding: 0, exponent: preferred) }
    // So many zeros behind the dividend give a quotient of 36 or 37 digits.
    let dividendCount = DecimalPowers.digitCount(lhs.coefficient)
    let padding = 36 + DecimalPowers.digitCount(rhs.coefficient) - dividendCount
    let first = min(padding, 37 - dividendCount)
    let dividend = (lhs.coefficient * DecimalPowers.power(first)).multipliedFullWidth(
      by: DecimalPowers.power(padding - first))
    var (quotient, rest) = rhs.coefficient.dividingFullWidth(dividend)
    var exponent = preferred - padding
    if rest == 0 {
      while exponent < preferred, quotient % 10 == 0 {
        quotient /= 10
        exponent += 1
      }
    }
    return DecimalFloat(isNegative: isNegative, rounding: quotient, exponent: exponent, isInexact: rest != 0)
  }
}
