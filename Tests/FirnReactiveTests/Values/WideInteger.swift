import FirnEngine

/// Whole numbers of 2,560 bits in two's complement: slow and plain, to check sums with.
struct WideInteger: Equatable {
  private var limbs = [UInt32](repeating: 0, count: 80)

  init(_ number: Int128 = 0) {
    for index in limbs.indices { limbs[index] = UInt32(truncatingIfNeeded: number >> Int128(min(32 * index, 127))) }
  }

  /// A finite number in units of 2^-1074; infinity as 2^1024.
  init(unitsOf number: Double) {
    let magnitude = number.magnitude
    let exponent = Int(magnitude.bitPattern >> 52)
    var mantissa = magnitude.bitPattern & 0xF_FFFF_FFFF_FFFF
    if exponent > 0 { mantissa |= 1 << 52 }
    self.init(Int128(mantissa))
    self = shifted(by: max(exponent - 1, 0))
    if number < 0 { self = -self }
  }

  func shifted(by bits: Int) -> WideInteger {
    var result = WideInteger()
    for index in limbs.indices {
      let (word, rest) = (index - bits / 32, UInt64(bits % 32))
      let high = word >= 0 ? UInt64(limbs[word]) : 0
      let low = word >= 1 ? UInt64(limbs[word - 1]) : 0
      result.limbs[index] = UInt32(truncatingIfNeeded: ((high << 32 | low) << rest) >> 32)
    }
    return result
  }

  var isNegative: Bool { limbs[79] >> 31 != 0 }
  var magnitude: WideInteger { isNegative ? -self : self }

  static func + (lhs: WideInteger, rhs: WideInteger) -> WideInteger {
    var result = lhs
    var carry: UInt64 = 0
    for index in lhs.limbs.indices {
      carry += UInt64(lhs.limbs[index]) + UInt64(rhs.limbs[index])
      result.limbs[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    return result
  }

  static prefix func - (number: WideInteger) -> WideInteger {
    var result = number
    for index in result.limbs.indices { result.limbs[index] = ~result.limbs[index] }
    return result + WideInteger(1)
  }

  static func - (lhs: WideInteger, rhs: WideInteger) -> WideInteger { lhs + -rhs }

  static func * (lhs: WideInteger, rhs: Int) -> WideInteger {
    var result = WideInteger()
    for bit in 0..<63 where rhs >> bit & 1 != 0 { result = result + lhs.shifted(by: bit) }
    return result
  }

  static func < (lhs: WideInteger, rhs: WideInteger) -> Bool { (lhs - rhs).isNegative }

  /// Whether a Double is the nearest to `self` / `count` in units of 2^-1074, of two the one with the even last bit.
  func isNearest(_ number: Double, dividedBy count: Int = 1) -> Bool {
    let distance = distance(number, count)
    for neighbour in [number.nextUp, number.nextDown] where neighbour.magnitude >= number.magnitude || number.isFinite {
      if neighbour.isInfinite, number.isInfinite { continue }
      let other = self.distance(neighbour, count)
      if other < distance { return false }
      if other == distance, number.bitPattern & 1 != 0 { return false }
    }
    return true
  }

  func isNearest(_ number: Float) -> Bool {
    let distance = distance(Self.value(number), 1)
    for neighbour in [number.nextUp, number.nextDown] {
      if neighbour.isInfinite, number.isInfinite { continue }
      let other = self.distance(Self.value(neighbour), 1)
      if other < distance { return false }
      if other == distance, number.bitPattern & 1 != 0 { return false }
    }
    return true
  }

  private static func value(_ number: Float) -> Double {
    number.isInfinite ? (number < 0 ? -0x1p128 : 0x1p128) : Double(number)
  }

  private func distance(_ number: Double, _ count: Int) -> WideInteger {
    (self - WideInteger(unitsOf: number) * count).magnitude
  }
}
