/// The 16 random bytes that all files of a store have in common.
package struct StoreID: Hashable, Sendable, CustomStringConvertible {
  /// The bytes 0 ..< 8 and 8 ..< 16 as little-endian numbers.
  package let low: UInt64
  package let high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package static func random() -> StoreID {
    var random = SystemRandomNumberGenerator()
    return StoreID(low: random.next(), high: random.next())
  }

  /// Reads what ``description`` wrote.
  package init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 32 else { return nil }
    var words: [UInt64] = [0, 0]
    for (place, digit) in digits.enumerated() {
      guard let value = UInt64(hexDigit: digit) else { return nil }
      words[place / 16] |= value << UInt64(place % 16 / 2 * 8 + (place % 2 == 0 ? 4 : 0))
    }
    self.init(low: words[0], high: words[1])
  }

  /// 32 hexadecimal digits, in the order of the bytes.
  package var description: String {
    low.byteSwapped.hexadecimal(digitCount: 16) + high.byteSwapped.hexadecimal(digitCount: 16)
  }
}

extension UInt64 {
  init?(hexDigit digit: UInt8) {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = UInt64(digit - UInt8(ascii: "a") + 10)
    default: return nil
    }
  }

  /// Lower-case digits, filled up with zeros.
  func hexadecimal(digitCount: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digitCount - digits.count)) + digits
  }
}
