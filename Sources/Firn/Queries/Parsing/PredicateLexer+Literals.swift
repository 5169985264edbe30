internal import Foundation

/// Numbers, strings and dates.
extension PredicateLexer {
  /// How many characters a number may have: more than any has whose every digit counts.
  private static let numberLengthMax = 1_000

  /// `12`, `-1.5`, `.5`, `2e10`, `0x1F`, `0o17`, `0b101`. What no `Int` holds becomes a `UInt64` or a `Double`.
  mutating func readNumber() throws(QueryError) -> PredicateToken.Kind {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    if let radix = readRadix() { return try readInteger(radix, from: start) }
    _ = readDigits()
    var isInteger = true
    if peek() == UInt8(ascii: "."), isDigit(at: position + 1) {
      isInteger = false
      position += 1
      _ = readDigits()
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if isDigit(at: position + (hasSign ? 2 : 1)) {
        isInteger = false
        position += hasSign ? 2 : 1
        _ = readDigits()
      }
    }
    try checkNumberEnd(from: start)
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    if isInteger, let value = UInt64(text) { return .unsigned(value) }
    guard let value = Double(text), value.isFinite else {
      throw .syntax("a number that a Double holds", "'\(self.text(start..<position))'", at: start)
    }
    return .double(value)
  }

  private mutating func readRadix() -> Int? {
    guard peek() == UInt8(ascii: "0"), let letter = peek(1),
      let radix = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][letter | 0x20]
    else { return nil }
    position += 2
    return radix
  }

  private mutating func readInteger(_ radix: Int, from start: Int) throws(QueryError) -> PredicateToken.Kind {
    let digits = position
    while let byte = peek(), Character(Unicode.Scalar(byte)).isHexDigit { position += 1 }
    try checkNumberEnd(from: start)
    let sign = bytes[start] == UInt8(ascii: "-") ? "-" : ""
    guard let value = Int(sign + String(decoding: bytes[digits..<position], as: UTF8.self), radix: radix) else {
      throw .syntax("an integer of 64 bits", "'\(text(start..<position))'", at: start)
    }
    return .integer(value)
  }

  private mutating func checkNumberEnd(from start: Int) throws(QueryError) {
    let end = position
    while let length = nameLength(at: position), position - start <= Self.numberLengthMax { position += length }
    if position > end || position - start > Self.numberLengthMax {
      throw .syntax("a number of at most \(Self.numberLengthMax) characters", "'\(text(start..<position))'", at: start)
    }
  }

  // MARK: Strings

  mutating func readString() throws(QueryError) -> String {
    let opening = position
    let quote = bytes[position]
    position += 1
    var value: [UInt8] = []
    var start = position
    while let byte = peek() {
      if byte == quote {
        value += bytes[start..<position]
        position += 1
        return String(decoding: value, as: UTF8.self)
      }
      position += 1
      if byte != UInt8(ascii: "\\") { continue }
      value += bytes[start..<position - 1]
      value += UTF8.encode(try readEscape()).unsafelyUnwrapped
      start = position
    }
    throw .syntax(
      "\(String(decoding: [quote], as: UTF8.self)) at the end of the string", "the end of the text", at: opening)
  }

  private mutating func readEscape() throws(QueryError) -> Unicode.Scalar {
    let start = position - 1
    guard let byte = peek() else { throw .syntax("a letter behind '\\'", "the end of the text", at: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "x"): return try readScalar(digitCount: 2, from: start)
    case UInt8(ascii: "u"): return try readScalar(digitCount: 4, from: start)
    default:
      position -= 1
      throw .syntax(
        "one of the escapes \\' \\\" \\\\ \\/ \\n \\r \\t \\f \\xXX \\uXXXX", "'\\' and \(foundHere())", at: start)
    }
  }

  /// A character by its number, or two halves of one.
  private mutating func readScalar(digitCount: Int, from start: Int) throws(QueryError) -> Unicode.Scalar {
    let unit = try readHexadecimal(digitCount, from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xdc00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      position += 2
      let low = try readHexadecimal(4, from: position - 2)
      if 0xdc00..<0xe000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)) {
        return scalar
      }
    }
    throw .syntax("both halves of a surrogate pair", "one", at: start)
  }

  private mutating func readHexadecimal(_ digitCount: Int, from start: Int) throws(QueryError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digitCount {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .syntax("\(digitCount) hexadecimal digits", foundHere(), at: position)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: Dates

  /// `@2024-02-29T12:30:15.250+01:00`.
  mutating func readDate() throws(QueryError) -> Date {
    let start = position
    position += 1
    while let byte = peek(), isDigit(at: position) || "TZ:.+-".utf8.contains(byte), position - start < 64 {
      position += 1
    }
    guard nameLength(at: position) == nil,
      let date = ISO8601Date.read(String(decoding: bytes[start + 1..<position], as: UTF8.self))
    else {
      throw .syntax(
        "a date in ISO 8601 behind '@', as @2024-02-29T12:30:00Z", "'\(text(start..<position))'", at: start)
    }
    return date
  }
}
