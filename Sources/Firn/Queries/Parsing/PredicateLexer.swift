/// Takes the text of a predicate apart. Each byte is looked at a bounded number of times.
struct PredicateLexer {
  let bytes: [UInt8]
  var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The next token; `end` for ever at the end.
  mutating func next() throws(QueryError) -> PredicateToken {
    skipSpace()
    let start = position
    let kind = try readKind()
    return PredicateToken(kind: kind, range: start..<position)
  }

  /// What stands in a part of the text, cut when it is long.
  func text(_ range: Range<Int>) -> String {
    let text = String(decoding: bytes[range.clamped(to: 0..<bytes.count)].prefix(200), as: UTF8.self)
    return ShownValue.text(text)
  }

  /// How messages call a token.
  func shown(_ token: PredicateToken) -> String {
    if case .end = token.kind { "the end" } else { "'\(text(token.range))'" }
  }

  private mutating func readKind() throws(QueryError) -> PredicateToken.Kind {
    guard let byte = peek() else { return .end }
    if let kind = Self.singles[byte] {
      position += 1
      return kind
    }
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
      UInt8(ascii: "|"), UInt8(ascii: ":"):
      return try readSymbol()
    case UInt8(ascii: "."): return isDigit(at: position + 1) ? try readNumber() : single(.dot)
    case UInt8(ascii: "-"):
      let isNumber = isDigit(at: position + 1) || (peek(1) == UInt8(ascii: ".") && isDigit(at: position + 2))
      return isNumber ? try readNumber() : single(.arithmetic)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "%"): return try readPlaceholder()
    case UInt8(ascii: "@"): return try readCollectionOperator()
    case UInt8(ascii: "$"): return try readVariable()
    case UInt8(ascii: "#"): return try readEscapedName()
    default: return try readWord()
    }
  }

  private static let singles: [UInt8: PredicateToken.Kind] = [
    UInt8(ascii: "("): .openParenthesis, UInt8(ascii: ")"): .closeParenthesis, UInt8(ascii: "{"): .openBrace,
    UInt8(ascii: "}"): .closeBrace, UInt8(ascii: "["): .openBracket, UInt8(ascii: "]"): .closeBracket,
    UInt8(ascii: ","): .comma, UInt8(ascii: "+"): .arithmetic, UInt8(ascii: "*"): .arithmetic,
    UInt8(ascii: "/"): .arithmetic, UInt8(ascii: "^"): .arithmetic, UInt8(ascii: "?"): .arithmetic,
  ]

  private mutating func single(_ kind: PredicateToken.Kind) -> PredicateToken.Kind {
    position += 1
    return kind
  }

  private mutating func readSymbol() throws(QueryError) -> PredicateToken.Kind {
    let pair = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
    if let kind = Self.pairs[pair] {
      position += 2
      return kind
    }
    switch bytes[position] {
    case UInt8(ascii: "="): return single(.comparison(.equal))
    case UInt8(ascii: "<"): return single(.comparison(.less))
    case UInt8(ascii: ">"): return single(.comparison(.greater))
    case UInt8(ascii: "!"): return single(.not)
    case UInt8(ascii: ":"): return single(.arithmetic)
    case let byte:
      let sign = String(decoding: [byte], as: UTF8.self)
      throw .syntax("'\(sign)\(sign)'", "'\(sign)'", at: position)
    }
  }

  private static let pairs: [String: PredicateToken.Kind] = [
    "==": .comparison(.equal), "!=": .comparison(.notEqual), "<>": .comparison(.notEqual),
    "<=": .comparison(.lessOrEqual), "=<": .comparison(.lessOrEqual), ">=": .comparison(.greaterOrEqual),
    "=>": .comparison(.greaterOrEqual), "&&": .and, "||": .or, ":=": .arithmetic,
  ]

  // MARK: Words

  private mutating func readWord() throws(QueryError) -> PredicateToken.Kind {
    let start = position
    guard let name = try readName() else { throw unexpectedCharacter() }
    if position - start <= 14, let keyword = PredicateKeyword(rawValue: name.lowercased()) { return .keyword(keyword) }
    return .name(name, isEscaped: false)
  }

  private mutating func readEscapedName() throws(QueryError) -> PredicateToken.Kind {
    position += 1
    guard let name = try readName() else {
      throw .syntax("a name behind '#'", foundHere(), at: position)
    }
    return .name(name, isEscaped: true)
  }

  private mutating func readCollectionOperator() throws(QueryError) -> PredicateToken.Kind {
    if isDigit(at: position + 1) { return .date(try readDate()) }
    position += 1
    guard let name = try readName() else {
      throw .syntax("a collection operator such as '@count'", "'@'", at: position - 1)
    }
    return .collectionOperator(name)
  }

  private mutating func readVariable() throws(QueryError) -> PredicateToken.Kind {
    let start = position
    position += 1
    let digits = readDigits()
    if !digits.isEmpty {
      guard digits.count < 10, let index = Int(text(digits)) else {
        throw .syntax("the index of an argument", "'\(text(start..<position))'", at: start)
      }
      return .argument(index)
    }
    guard let name = try readName() else {
      throw .syntax("a name behind '$', or the index of an argument", foundHere(), at: position)
    }
    return .variable(name)
  }

  private mutating func readPlaceholder() throws(QueryError) -> PredicateToken.Kind {
    let start = position
    position += 1
    let lengths = position
    while let byte = peek(), position - lengths < 2, "hlqjzt".utf8.contains(byte) { position += 1 }
    guard let letter = peek(), let kind = PredicatePlaceholder(letter, hasLength: position > lengths) else {
      if peek() != nil { position += 1 }
      let found = String(decoding: bytes[start..<position], as: UTF8.self)
      throw .syntax(
        "'%@' for a value, '%K' for a key path, or '%d', '%u', '%f' and such for numbers", "'\(found)'", at: start)
    }
    position += 1
    return .placeholder(kind)
  }

  private mutating func readName() throws(QueryError) -> String? {
    let start = position
    while let length = nameLength(at: position, isFirst: position == start) { position += length }
    if position == start { return nil }
    let name = bytes[start..<position]
    try Self.checkMarks(in: name, at: start)
    return String(decoding: name, as: UTF8.self)
  }

  /// Refuses names with marks that take long to compare.
  static func checkMarks(in name: some Collection<UInt8>, at position: Int) throws(QueryError) {
    guard name.contains(where: { $0 >= 0x80 }), CombiningMarks.areMany(in: Array(name)) else { return }
    throw .syntax(
      "a name with at most \(CombiningMarks.countMax) marks on a character", "more", at: position)
  }

  /// How many bytes the character has that stands somewhere, if it may be part of a name.
  func nameLength(at place: Int, isFirst: Bool = false) -> Int? {
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): return 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return isFirst ? nil : 1
    case 0..<0x80: return nil
    default:
      let (scalar, length) = scalar(at: place)
      return Self.isLetter(scalar) ? length : nil
    }
  }

  /// Beyond ASCII a name may have everything but spaces and punctuation, which is more than a name in Swift may have.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .unassigned,
      .privateUse, .surrogate:
      false
    default: true
    }
  }

  // MARK: Bytes

  func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  func isDigit(at place: Int) -> Bool {
    place < bytes.count && UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place]
  }

  mutating func readDigits() -> Range<Int> {
    let start = position
    while isDigit(at: position) { position += 1 }
    return start..<position
  }

  /// The character that stands somewhere, and its bytes.
  func scalar(at place: Int) -> (scalar: Unicode.Scalar, length: Int) {
    var decoder = UTF8()
    var rest = bytes[place...].prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return ("\u{fffd}", 1) }
    return (scalar, UTF8.width(scalar))
  }

  func foundHere() -> String {
    if position >= bytes.count { return "the end" }
    let (scalar, _) = scalar(at: position)
    return scalar.properties.generalCategory == .control
      ? "the character U+\(String(scalar.value, radix: 16, uppercase: true))" : "'\(scalar)'"
  }

  private func unexpectedCharacter() -> QueryError {
    let (scalar, _) = scalar(at: position)
    let isQuote = "“”‘’„‚«»`´".unicodeScalars.contains(scalar)
    let hint = isQuote ? "Strings stand in ' or \"." : nil
    return .syntax("a key path, a value or an operator", foundHere(), hint, at: position)
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || 0x09...0x0d ~= byte { position += 1 }
  }
}
