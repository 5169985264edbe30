/// The ints next to a constant that need not be one.
enum IntBounds {
  static let least = Int128(Int64.min)
  static let greatest = Int128(Int64.max)

  /// The least int that is not below the constant and the greatest that is not above it; one beyond the range where
  /// there is none. Found by bisection, so it is as exact as the order of values.
  static func around(_ value: Value) -> (lower: Int128, upper: Int128) {
    if case .int(let int) = value { return (Int128(int), Int128(int)) }
    return (
      first { Value.int($0).order(to: value) >= 0 }, first { Value.int($0).order(to: value) > 0 } - 1
    )
  }

  /// The first int for which a monotone condition holds.
  private static func first(where holds: (Int64) -> Bool) -> Int128 {
    var low = least
    var high = greatest + 1
    while low < high {
      let middle = (low + high) >> 1
      if holds(Int64(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A comparison with a number of the column's own type that has the outcome of one with a more precise constant.
struct RealBound<Real: BinaryFloatingPoint> {
  var operation: FixedLeaf.Comparison
  var constant: Real

  /// Nil when nothing compares so. `sign` tells on which side of the exact constant the rounded one lies.
  fileprivate init?(_ comparison: Comparison, rounded: Real, sign: Int) {
    constant = rounded
    switch comparison {
    case .equal, .notEqual:
      if sign != 0 { return nil }
      operation = .equal
    case .less: operation = sign < 0 ? .lessOrEqual : .less
    case .lessOrEqual: operation = sign > 0 ? .less : .lessOrEqual
    case .greater: operation = sign > 0 ? .greaterOrEqual : .greater
    case .greaterOrEqual: operation = sign < 0 ? .greater : .greaterOrEqual
    }
  }
}

extension RealBound where Real == Double {
  /// A binary number that is not NaN, or a date.
  init?(_ comparison: Comparison, _ value: Value) {
    switch value {
    case .int(let int):
      let rounded = Double(int)
      self.init(comparison, rounded: rounded, sign: Value.double(rounded).order(to: value))
    case .float(let float): self.init(comparison, rounded: Double(float), sign: 0)
    case .double(let double), .date(let double): self.init(comparison, rounded: double, sign: 0)
    default: return nil
    }
  }
}

extension RealBound where Real == Float {
  init?(_ bound: RealBound<Double>) {
    let rounded = Float(bound.constant)
    let widened = Double(rounded)
    self.init(
      bound.operation.comparison, rounded: rounded,
      sign: widened == bound.constant ? 0 : (widened < bound.constant ? -1 : 1))
  }
}

extension FixedLeaf.Comparison {
  fileprivate var comparison: Comparison {
    switch self {
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .equal: .equal
    }
  }

  @inline(__always)
  func holds<Real: BinaryFloatingPoint>(_ value: Real, _ constant: Real) -> Bool {
    switch self {
    case .greater: value > constant
    case .greaterOrEqual: value >= constant
    case .less: value < constant
    case .lessOrEqual: value <= constant
    case .equal: value == constant
    }
  }
}
