extension DecimalFloat {
  package init(_ number: Int64) {
    self.init(isNegative: number < 0, coefficient: UInt128(number.magnitude), exponent: 0)
  }

  /// An integer of any width; nil when it has more than 34 digits that matter.
  package init?(exactly number: some BinaryInteger) {
    guard let magnitude = UInt128(exactly: number.magnitude) else {
      // Wider than any integer of the standard library.
      var digits = Substring(number.magnitude.description)
      let count = digits.utf8.count
      while digits.hasSuffix("0") { digits.removeLast() }
      guard digits.utf8.count <= Self.precision, let coefficient = UInt128(digits),
        count <= Self.exponentMax + Self.precision
      else { return nil }
      self.init(isNegative: number < 0, rounding: coefficient, exponent: count - digits.utf8.count)
      return
    }
    var coefficient = magnitude
    var exponent = 0
    while coefficient >= DecimalPowers.power(Self.precision) {
      let (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: 10)
      if rest != 0 { return nil }
      coefficient = quotient
      exponent += 1
    }
    self.init(isNegative: number < 0, coefficient: coefficient, exponent: exponent)
  }

  /// A binary number: integers up to 2^63 exactly, others by the shortest text that stands for them, so that 0.1 is 0.1.
  ///
  /// Different numbers stay different and in their order, also among integers and decimals.
  package init(_ number: Double) {
    if number.isNaN {
      self = .nan
    } else if number.isInfinite {
      self = .infinity(isNegative: number < 0)
    } else if number == 0 {
      self.init(isNegative: number.sign == .minus, coefficient: 0, exponent: 0)
    } else if let integer = Int64(exactly: number) {
      self.init(integer)
    } else {
      // Swift writes finite numbers as digits with point and exponent.
      self = DecimalFloat(number.description).unsafelyUnwrapped
    }
  }

  /// The nearest binary number.
  package var double: Double {
    switch kind {
    case .notANumber: .nan
    case .infinite: isNegative ? -.infinity : .infinity
    // Read by the standard library, which rounds once and correctly.
    case .finite: Double("\(isNegative ? "-" : "")\(coefficient)e\(exponent)") ?? .nan
    }
  }

  /// The number without its fraction; nil when that is not an Int64.
  package var truncated: Int64? {
    guard kind == .finite else { return nil }
    if coefficient == 0 || exponent < -Self.precision { return 0 }
    var whole = coefficient
    if exponent < 0 {
      whole /= DecimalPowers.power(-exponent)
    } else {
      guard exponent < 19, whole < DecimalPowers.power(19) else { return nil }
      whole *= DecimalPowers.power(exponent)
    }
    guard let magnitude = Int128(exactly: whole) else { return nil }
    return Int64(exactly: isNegative ? -magnitude : magnitude)
  }
}
