extension Value {
  /// The order of values in sorted results: negative, zero or positive as `self` comes before, with or after `other`.
  ///
  /// Null < bool < numbers < string < data < date < object id < UUID < link < list < map. Numbers compare by numeric value across
  /// kinds, NaN below all other numbers and equal to itself; strings and data by unsigned bytes; object ids and UUIDs
  /// by their bytes in memory order. The order is total within the values of one column. A decimal meets a binary
  /// floating-point number only in mixed columns, where the comparison goes through the nearest `Double`.
  package func order(to other: Value) -> Int {
    switch (self, other) {
    case (.bool(let a), .bool(let b)): a == b ? 0 : (b ? -1 : 1)
    case (.int(let a), .int(let b)): threeWay(a, b)
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): numericOrder(a, b)
    case (.float(let a), .float(let b)): numericOrder(Double(a), Double(b))
    case (.string(let a), .string(let b)), (.data(let a), .data(let b)): byteOrder(a, b)
    case (.objectID(let a), .objectID(let b)): byteOrder(a, b)
    case (.uuid(let a), .uuid(let b)): byteOrder(a, b)
    case (.decimal128(let a), .decimal128(let b)): DecimalParts(a).order(to: DecimalParts(b))
    case (.link(let a), .link(let b)): threeWay(a.rawValue, b.rawValue)
    case (.object(let table, let a), .object(let otherTable, let b)):
      table == otherTable ? threeWay(a.rawValue, b.rawValue) : threeWay(table, otherTable)
    // Two collections of a kind rank equal.
    case (.list, .list), (.map, .map): 0
    default: kindRank == other.kindRank ? mixedNumericOrder(self, other) : threeWay(kindRank, other.kindRank)
    }
  }

  /// The place of the value's kind in the order; all numbers have one.
  var kindRank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal128: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectID: 6
    case .uuid: 7
    case .link, .object: 8
    case .list: 9
    case .map: 10
    }
  }

  /// The value is a number that equals nothing, not even itself, under `==`.
  package var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value), .date(let value): value.isNaN
    case .decimal128(let value): DecimalParts(value).kind == .notANumber
    default: false
    }
  }
}

@inline(__always)
private func threeWay<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a == b ? 0 : 1) }

/// NaN before every number and equal to itself; the zeros are equal.
private func numericOrder(_ a: Double, _ b: Double) -> Int {
  if a < b { return -1 }
  if a > b { return 1 }
  if a == b { return 0 }
  return threeWay(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1)
}

private func byteOrder(_ a: [UInt8], _ b: [UInt8]) -> Int {
  let common = min(a.count, b.count)
  var index = 0
  while index < common {
    if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
    index &+= 1
  }
  return threeWay(a.count, b.count)
}

private func byteOrder(_ a: Bytes12, _ b: Bytes12) -> Int {
  if a.word0 != b.word0 { return threeWay(UInt32(bigEndian: a.word0), UInt32(bigEndian: b.word0)) }
  if a.word1 != b.word1 { return threeWay(UInt32(bigEndian: a.word1), UInt32(bigEndian: b.word1)) }
  return threeWay(UInt32(bigEndian: a.word2), UInt32(bigEndian: b.word2))
}

private func byteOrder(_ a: Bytes16, _ b: Bytes16) -> Int {
  if a.low != b.low { return threeWay(UInt64(bigEndian: a.low), UInt64(bigEndian: b.low)) }
  return threeWay(UInt64(bigEndian: a.high), UInt64(bigEndian: b.high))
}

/// Numbers of different kinds. Integers against floating point are compared exactly.
private func mixedNumericOrder(_ a: Value, _ b: Value) -> Int {
  switch (a, b) {
  case (.int(let int), .float(let float)): order(int, Double(float))
  case (.int(let int), .double(let double)): order(int, double)
  case (.float(let float), .int(let int)): -order(int, Double(float))
  case (.double(let double), .int(let int)): -order(int, double)
  case (.float(let float), .double(let double)): numericOrder(Double(float), double)
  case (.double(let double), .float(let float)): numericOrder(double, Double(float))
  case (.int(let int), .decimal128(let decimal)): DecimalParts(int).order(to: DecimalParts(decimal))
  case (.decimal128(let decimal), .int(let int)): DecimalParts(decimal).order(to: DecimalParts(int))
  default: numericOrder(approximation(a), approximation(b))
  }
}

private func order(_ int: Int64, _ double: Double) -> Int {
  if double.isNaN { return 1 }
  if double >= 0x1p63 { return -1 }
  if double < -0x1p63 { return 1 }
  let whole = Int64(double)
  return int != whole ? threeWay(int, whole) : threeWay(Double(whole), double)
}

private func approximation(_ value: Value) -> Double {
  switch value {
  case .int(let int): Double(int)
  case .float(let float): Double(float)
  case .double(let double): double
  case .decimal128(let bytes): DecimalParts(bytes).approximation
  default: .nan
  }
}

/// A decimal taken apart: sign, exponent and coefficient of the binary integer decimal encoding (IEEE 754-2008, 3.5).
private struct DecimalParts {
  enum Kind { case notANumber, infinite, finite }

  var kind: Kind
  var isNegative: Bool
  var exponent: Int
  var coefficient: UInt128

  init(_ int: Int64) {
    kind = .finite
    isNegative = int < 0
    exponent = 0
    coefficient = UInt128(int.magnitude)
  }

  init(_ bytes: Bytes16) {
    let high = bytes.high
    isNegative = high >> 63 != 0
    exponent = 0
    coefficient = 0
    kind = .finite
    let combination = (high >> 58) & 0x1F
    if combination == 0x1F {
      kind = .notANumber
    } else if combination == 0x1E {
      kind = .infinite
    } else if combination >> 3 != 3 {
      // A coefficient beyond 34 digits, like the long form of the encoding, stands for zero.
      exponent = Int((high >> 49) & 0x3FFF) - 6176
      let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bytes.low)
      let limit: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000
      coefficient = digits < limit ? digits : 0
    }
  }

  func order(to other: DecimalParts) -> Int {
    if kind == .notANumber || other.kind == .notANumber {
      return threeWay(kind == .notANumber ? 0 : 1, other.kind == .notANumber ? 0 : 1)
    }
    let sign = signum
    let otherSign = other.signum
    if sign != otherSign { return threeWay(sign, otherSign) }
    return sign * magnitudeOrder(to: other)
  }

  private var signum: Int { kind == .finite && coefficient == 0 ? 0 : (isNegative ? -1 : 1) }

  private func magnitudeOrder(to other: DecimalParts) -> Int {
    if kind == .infinite || other.kind == .infinite {
      return threeWay(kind == .infinite ? 1 : 0, other.kind == .infinite ? 1 : 0)
    }
    if coefficient == 0 || other.coefficient == 0 { return threeWay(coefficient, other.coefficient) }
    if exponent < other.exponent { return -other.magnitudeOrder(to: self) }
    var scaled = coefficient
    var steps = exponent - other.exponent
    while steps > 0 {
      if scaled > other.coefficient { return 1 }
      scaled *= 10  // at most ten times 34 digits, which fit
      steps -= 1
    }
    return threeWay(scaled, other.coefficient)
  }

  var approximation: Double {
    switch kind {
    case .notANumber: return .nan
    case .infinite: return isNegative ? -.infinity : .infinity
    case .finite:
      var value = Double(coefficient)
      var steps = exponent
      while steps > 0, value.isFinite, value != 0 {
        value *= 10
        steps -= 1
      }
      while steps < 0, value != 0 {
        value /= 10
        steps += 1
      }
      return isNegative ? -value : value
    }
  }
}
