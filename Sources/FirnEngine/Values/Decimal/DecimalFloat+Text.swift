extension DecimalFloat {
  /// Reads digits with an optional sign, point and exponent, or `inf`, `infinity`, `nan` in any case. More than 34
  /// digits are rounded. Nil for any other text.
  package init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ Self.parse($0) }) else { return nil }
    self = number
  }

  private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> DecimalFloat? {
    var index = 0
    let isNegative = readSign(text, &index)
    if let special = special(text[index...], isNegative: isNegative) { return special }
    var coefficient: UInt128 = 0
    var exponent = 0
    var keptCount = 0
    var isInexact = false
    var hasDigits = false
    var isBehindPoint = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else if let digit = digit(byte) {
        hasDigits = true
        if keptCount < 37 {
          coefficient = coefficient * 10 + UInt128(digit)
          if coefficient != 0 { keptCount += 1 }
          if isBehindPoint { exponent -= 1 }
        } else {
          isInexact = isInexact || digit != 0
          if !isBehindPoint { exponent += 1 }
        }
      } else {
        break
      }
      index += 1
    }
    guard hasDigits else { return nil }
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e"), let written = exponentValue(text, index + 1) else { return nil }
      exponent += written
    }
    return DecimalFloat(isNegative: isNegative, rounding: coefficient, exponent: exponent, isInexact: isInexact)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }

  private static func readSign(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") else { return false }
    index += 1
    return text[index - 1] == UInt8(ascii: "-")
  }

  /// The exponent written from `start` to the end of the text. Those that no number can have are cut.
  private static func exponentValue(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var index = start
    let isNegative = readSign(text, &index)
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      guard let digit = digit(text[index]) else { return nil }
      if value < 1 << 50 { value = value * 10 + Int(digit) }
      index += 1
    }
    return isNegative ? -value : value
  }

  private static func special(_ text: Slice<UnsafeBufferPointer<UInt8>>, isNegative: Bool) -> DecimalFloat? {
    guard let first = text.first, digit(first) == nil, first != UInt8(ascii: ".") else { return nil }
    let word = text.lazy.map { $0 | 0x20 }
    if word.elementsEqual("inf".utf8) || word.elementsEqual("infinity".utf8) { return infinity(isNegative: isNegative) }
    return word.elementsEqual("nan".utf8) ? .nan : nil
  }
}

extension DecimalFloat: CustomStringConvertible {
  /// The shortest usual form: without zeros at the end of a fraction, and with an exponent where there would be zeros
  /// that say nothing of the precision (`1.5E10`) or more than five behind the point. Numbers of more digits than 64 bits
  /// hold have a plus sign before a positive exponent (`E+6144`), which RealmSwift leaves out for shorter ones only.
  package var description: String {
    let sign = isNegative ? "-" : ""
    switch kind {
    case .notANumber: return "NaN"
    case .infinite: return sign + "Inf"
    case .finite: break
    }
    if coefficient == 0 { return sign + "0" }
    var coefficient = coefficient
    var exponent = exponent
    while exponent < 0, coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    let plus = coefficient > UInt128(UInt64.max) ? "+" : ""
    let digits = String(coefficient)
    let top = exponent + digits.utf8.count - 1
    if exponent == 0 { return sign + digits }
    if exponent < 0, top >= -6 {
      let point = digits.utf8.count + exponent
      if point > 0 { return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))" }
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let fraction = digits.dropFirst()
    return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)E\(top < 0 ? "" : plus)\(top)"
  }
}
