extension DecimalFloat {
  /// Negative, zero or positive as the number comes before, with or after another. A total order: NaN comes first and
  /// equals itself, the zeros are equal.
  package func order(to other: DecimalFloat) -> Int {
    if isNaN || other.isNaN { return (isNaN ? 0 : 1) - (other.isNaN ? 0 : 1) }
    let sign = signum
    let otherSign = other.signum
    if sign != otherSign { return sign < otherSign ? -1 : 1 }
    return sign * magnitudeOrder(to: other)
  }

  private var signum: Int { isZero ? 0 : (isNegative ? -1 : 1) }

  private func magnitudeOrder(to other: DecimalFloat) -> Int {
    if kind == .infinite || other.kind == .infinite {
      return (kind == .infinite ? 1 : 0) - (other.kind == .infinite ? 1 : 0)
    }
    if coefficient == 0 || other.coefficient == 0 { return Self.order(coefficient, other.coefficient) }
    let top = exponent + DecimalPowers.digitCount(coefficient)
    let otherTop = other.exponent + DecimalPowers.digitCount(other.coefficient)
    if top != otherTop { return top < otherTop ? -1 : 1 }
    // The exponents differ by less than 34 now.
    if exponent >= other.exponent {
      return Self.order(coefficient * DecimalPowers.power(exponent - other.exponent), other.coefficient)
    }
    return Self.order(coefficient, other.coefficient * DecimalPowers.power(other.exponent - exponent))
  }

  private static func order(_ lhs: UInt128, _ rhs: UInt128) -> Int { lhs < rhs ? -1 : (lhs == rhs ? 0 : 1) }

  /// The number without trailing zeros: the same parts for all numbers of one value.
  package var normalized: DecimalFloat {
    guard kind == .finite else { return self }
    if coefficient == 0 { return .zero }
    var coefficient = coefficient
    var exponent = exponent
    while exponent < Self.exponentMax {
      let (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: 10)
      if rest != 0 { break }
      coefficient = quotient
      exponent += 1
    }
    return DecimalFloat(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
  }
}

/// By value: 1.0 equals 1.00, and NaN itself.
extension DecimalFloat: Hashable {
  package static func == (lhs: DecimalFloat, rhs: DecimalFloat) -> Bool { lhs.order(to: rhs) == 0 }

  package func hash(into hasher: inout Hasher) { hasher.combine(normalized.bits) }
}
