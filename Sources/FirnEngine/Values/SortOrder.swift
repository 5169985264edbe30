extension Value {
  /// The order of values in sorted results: negative, zero or positive as `self` comes before, with or after `other`.
  ///
  /// Null < bool < numbers < string < data < date < object id < UUID < link < list < map. Numbers compare by numeric value across
  /// kinds, NaN below all other numbers and equal to itself; strings and data by unsigned bytes; object ids and UUIDs
  /// by their bytes in memory order. The order is total. A binary floating-point number meets a decimal as the decimal
  /// that its text stands for, see `DecimalFloat.init(_: Double)`.
  package func order(to other: Value) -> Int {
    switch (self, other) {
    case (.bool(let a), .bool(let b)): a == b ? 0 : (b ? -1 : 1)
    case (.int(let a), .int(let b)): threeWay(a, b)
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): numericOrder(a, b)
    case (.float(let a), .float(let b)): numericOrder(Double(a), Double(b))
    case (.string(let a), .string(let b)), (.data(let a), .data(let b)): byteOrder(a, b)
    case (.objectID(let a), .objectID(let b)): byteOrder(a, b)
    case (.uuid(let a), .uuid(let b)): byteOrder(a, b)
    case (.decimal128(let a), .decimal128(let b)): DecimalFloat(a).order(to: DecimalFloat(b))
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

  /// Whether it is a binary number that equals nothing in conditions, not even itself. A decimal NaN equals itself, and
  /// is below all numbers.
  package var isUnordered: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value), .date(let value): value.isNaN
    default: false
    }
  }

  /// Whether it is no number, which aggregates pass over.
  package var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value), .date(let value): value.isNaN
    case .decimal128(let value): DecimalFloat(value).isNaN
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

/// Numbers of different kinds. Integers are compared exactly.
private func mixedNumericOrder(_ a: Value, _ b: Value) -> Int {
  switch (a, b) {
  case (.int(let int), .float(let float)): order(int, Double(float))
  case (.int(let int), .double(let double)): order(int, double)
  case (.float(let float), .int(let int)): -order(int, Double(float))
  case (.double(let double), .int(let int)): -order(int, double)
  case (.float(let float), .double(let double)): numericOrder(Double(float), double)
  case (.double(let double), .float(let float)): numericOrder(double, Double(float))
  default: decimal(a).order(to: decimal(b))
  }
}

private func order(_ int: Int64, _ double: Double) -> Int {
  if double.isNaN { return 1 }
  if double >= 0x1p63 { return -1 }
  if double < -0x1p63 { return 1 }
  let whole = Int64(double)
  return int != whole ? threeWay(int, whole) : threeWay(Double(whole), double)
}

private func decimal(_ value: Value) -> DecimalFloat {
  switch value {
  case .int(let int): DecimalFloat(int)
  case .float(let float): DecimalFloat(Double(float))
  case .double(let double): DecimalFloat(double)
  case .decimal128(let bits): DecimalFloat(bits)
  default: .nan
  }
}
