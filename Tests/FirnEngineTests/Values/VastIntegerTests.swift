import FirnEngine
import Testing

/// Integers that are wider than any of the standard library become decimals when 34 digits are enough for them.
@Suite struct VastIntegerTests {
  @Test(arguments: [false, true]) func digitsThatMatterAreCounted(isNegative: Bool) throws {
    for count in [1, 33, 34, 35, 40] {
      for zeros in [40, 41, 100, 6_000, 6_112 - count, 6_145 - count, 6_146 - count] {
        let digits = (0..<count).map { String(1 + $0 % 9) }.joined()
        let found = DecimalFloat(
          exactly: VastInteger(digits: digits + String(repeating: "0", count: zeros), isNegative: isNegative))
        let fits = count <= 34 && count + zeros <= 6_145
        #expect((found != nil) == fits, "\(count) digits, \(zeros) zeros")
        guard let found else { continue }
        let expected = try #require(DecimalFloat("\(isNegative ? "-" : "")\(digits)e\(zeros)"))
        #expect(found.order(to: expected) == 0, "\(count) digits, \(zeros) zeros: \(found)")
      }
    }
  }
}

/// An integer of any width. It implements only the requirements that the conversion to a decimal uses.
private struct VastInteger: BinaryInteger {
  let digits: String
  let isNegative: Bool

  init(digits: String, isNegative: Bool) { (self.digits, self.isNegative) = (digits, isNegative) }

  static var isSigned: Bool { true }
  var description: String { (isNegative ? "-" : "") + digits }
  var magnitude: VastInteger { VastInteger(digits: digits, isNegative: false) }
  // These are more than 128 bits, whatever they stand for.
  var words: [UInt] { [1, 2, 3, 4, 5] }
  var bitWidth: Int { 320 }
  var trailingZeroBitCount: Int { 0 }

  init(integerLiteral value: Int) { self.init(value) }
  init<Source: BinaryInteger>(_ source: Source) {
    self.init(digits: "\(source.magnitude)", isNegative: source < 0)
  }
  init<Source: BinaryInteger>(exactly source: Source) { self.init(source) }
  init<Source: BinaryInteger>(truncatingIfNeeded source: Source) { self.init(source) }
  init<Source: BinaryInteger>(clamping source: Source) { self.init(source) }
  init<Source: BinaryFloatingPoint>(_ source: Source) { fatalError("The conversion does not use floating point.") }
  init?<Source: BinaryFloatingPoint>(exactly source: Source) {
    fatalError("The conversion does not use floating point.")
  }

  static func < (left: VastInteger, right: VastInteger) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (lower, higher) = left.isNegative ? (right, left) : (left, right)
    return (lower.digits.count, lower.digits) < (higher.digits.count, higher.digits)
  }
  // The optimizer of Swift 6.3 crashes when it specializes the standard library for operators that it knows to trap.
  @inline(never) private func unsupported() -> VastInteger { fatalError("The conversion does not use arithmetic.") }

  static func + (left: VastInteger, right: VastInteger) -> VastInteger { left.unsupported() }
  static func - (left: VastInteger, right: VastInteger) -> VastInteger { left.unsupported() }
  static func * (left: VastInteger, right: VastInteger) -> VastInteger { left.unsupported() }
  static func / (left: VastInteger, right: VastInteger) -> VastInteger { left.unsupported() }
  static func % (left: VastInteger, right: VastInteger) -> VastInteger { left.unsupported() }
  static prefix func ~ (number: VastInteger) -> VastInteger { number.unsupported() }
  static func *= (left: inout VastInteger, right: VastInteger) { left = left * right }
  static func /= (left: inout VastInteger, right: VastInteger) { left = left / right }
  static func %= (left: inout VastInteger, right: VastInteger) { left = left % right }
  static func &= (left: inout VastInteger, right: VastInteger) { left = left.unsupported() }
  static func |= (left: inout VastInteger, right: VastInteger) { left = left.unsupported() }
  static func ^= (left: inout VastInteger, right: VastInteger) { left = left.unsupported() }
  static func <<= <Count: BinaryInteger>(left: inout VastInteger, right: Count) { left = left.unsupported() }
  // It stays wider than anything.
  static func >>= <Count: BinaryInteger>(left: inout VastInteger, right: Count) {}
}
