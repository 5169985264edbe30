internal import Foundation

/// Reads JSON text into `JSONObject`s, arrays, strings, integers, `JSONNumber`, Booleans and `NSNull`.
///
/// For text from outside: works without recursion in a time that is proportional to the bytes, bounds the depth, and
/// refuses what is not JSON and keys given twice. Integers that fit are `Int`; all other numbers keep their text, of which
/// the property decides how much it can hold.
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthMax: Int
  private var position = 0
  /// Finished values of the containers that are open, one after the other.
  private var values: [Any] = []
  private var containers: [Container] = []

  private struct Container {
    var isObject: Bool
    /// Where its values start.
    var start: Int
    var keys: [ExactKey<String>] = []
    var knownKeys: Set<ExactKey<String>> = []

    /// Adds a key; false when there is one like it.
    mutating func add(_ key: String) -> Bool {
      keys.append(ExactKey(key))
      return knownKeys.insert(ExactKey(key)).inserted
    }
  }

  struct Failure: Error {
    let position: Int
    let reason: String
  }

  /// Reads one value, which the text consists of.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, depthMax: Int) throws -> Any {
    var reader = JSONReader(bytes: bytes, depthMax: depthMax)
    return try reader.read()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, depthMax: Int) {
    self.bytes = bytes
    self.depthMax = depthMax
  }

  private mutating func read() throws -> Any {
    repeat {
      skipSpace()
      try readKeyIfNeeded()
      guard let byte = peek() else { throw failure("the end, where a value should be") }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        position += 1
        containers.append(Container(isObject: byte == UInt8(ascii: "{"), start: values.count))
        if containers.count > depthMax { throw failure("more than \(depthMax) arrays and objects within each other") }
        skipSpace()
        if peek() == (byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")) { break }
        continue
      case UInt8(ascii: "\""): values.append(try readString())
      case UInt8(ascii: "t"): values.append(try readWord("true", true))
      case UInt8(ascii: "f"): values.append(try readWord("false", false))
      case UInt8(ascii: "n"): values.append(try readWord("null", NSNull()))
      default: values.append(try readNumber())
      }
      try closeContainers()
    } while !containers.isEmpty
    skipSpace()
    if position < bytes.count { throw failure("something after the value") }
    return values[0]
  }

  /// After a value: goes over the comma to the next one, or closes what ends here.
  private mutating func closeContainers() throws {
    while !containers.isEmpty {
      // Only the fields: a copy of the container would have its keys copied with the next one.
      let start = containers[containers.count - 1].start
      let isObject = containers[containers.count - 1].isObject
      skipSpace()
      let byte = peek()
      if byte == UInt8(ascii: ","), values.count > start {
        position += 1
        return
      }
      guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw failure(byte == nil ? "the end inside of an array or object" : "no comma, where one should be")
      }
      position += 1
      let value = content(of: containers.removeLast())
      values.removeLast(values.count - start)
      values.append(value)
    }
  }

  /// The finished value of a container. A function of its own, so that no slice of the values outlives it: taking them
  /// out would copy those of all open containers.
  private func content(of container: Container) -> Any {
    guard container.isObject else { return Array(values[container.start...]) }
    var object = JSONObject(values: Dictionary(minimumCapacity: container.keys.count))
    for (offset, key) in container.keys.enumerated() { object.values[key] = values[container.start + offset] }
    return object
  }

  private mutating func readKeyIfNeeded() throws {
    if containers.isEmpty || !containers[containers.count - 1].isObject { return }
    guard peek() == UInt8(ascii: "\"") else { throw failure("no key, where one should be") }
    let start = position
    let key = try readString()
    if !containers[containers.count - 1].add(key) { throw failure("a key given twice", at: start) }
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw failure("no colon after a key") }
    position += 1
    skipSpace()
  }

  // MARK: Scalars

  private mutating func readWord(_ word: StaticString, _ value: Any) throws -> Any {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[position..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw failure("no value, where one should be") }
    position = end
    return value
  }

  private mutating func readNumber() throws -> Any {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    let first = position
    skipDigits()
    let digitCount = position - first
    if digitCount == 0 { throw failure("no value, where one should be", at: start) }
    if digitCount > 1, bytes[first] == UInt8(ascii: "0") { throw failure("a number that starts with 0", at: start) }
    var isInteger = true
    if peek() == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let fraction = position
      skipDigits()
      if position == fraction { throw failure("a number without digits after the point", at: start) }
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      let exponent = position
      skipDigits()
      if position == exponent { throw failure("a number without digits in its exponent", at: start) }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return value }
    return JSONNumber(text: text, isInteger: isInteger)
  }

  private mutating func readString() throws -> String {
    let opening = position
    position += 1
    var text = String()
    var start = position
    while let byte = peek() {
      if byte == UInt8(ascii: "\"") {
        text += try decoded(start..<position)
        position += 1
        return text
      }
      if byte < 0x20 { throw failure("a control character in a string") }
      position += 1
      if byte != UInt8(ascii: "\\") { continue }
      text += try decoded(start..<position - 1)
      text.unicodeScalars.append(try readEscape())
      start = position
    }
    throw failure("a string without end", at: opening)
  }

  private mutating func readEscape() throws -> Unicode.Scalar {
    guard let byte = peek() else { throw failure("the end inside of a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw failure("an unknown escape in a string", at: position - 2)
    }
    let start = position - 2
    let unit = try readHexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xdc00, peek() == UInt8(ascii: "\\"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw failure("half of a surrogate pair", at: start) }
    position += 2
    let low = try readHexadecimal()
    guard 0xdc00..<0xe000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)) else {
      throw failure("half of a surrogate pair", at: start)
    }
    return scalar
  }

  private mutating func readHexadecimal() throws -> UInt32 {
    guard position + 4 <= bytes.count else { throw failure("the end inside of a string") }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("an escape without four digits")
      }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }

  // MARK: Bytes

  private func decoded(_ range: Range<Int>) throws -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw failure("bytes that are not UTF-8", at: range.lowerBound)
    }
    return text
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func skipDigits() {
    while let byte = peek(), 0x30...0x39 ~= byte { position += 1 }
  }

  private func failure(_ found: String, at place: Int? = nil) -> Failure {
    Failure(position: place ?? position, reason: found)
  }
}
