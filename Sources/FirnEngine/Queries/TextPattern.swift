/// A text condition that needs more than comparing bytes. Plain data; what it points to belongs to its predicate.
struct TextPattern {
  let operation: TextOperator
  let options: TextOptions
  private let pattern: UnsafeBufferPointer<UInt32>
  /// The pattern in bytes when it is ASCII.
  private let asciiPattern: UnsafeRawBufferPointer?

  private static let anyRun = UInt32(UInt8(ascii: "*"))
  private static let anyOne = UInt32(UInt8(ascii: "?"))

  init(_ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions, memory: QueryMemory) {
    self.operation = operation
    self.options = options
    let folded = pattern.withUnsafeBytes { TextFolding.scalars($0, options) }
    self.pattern = UnsafeBufferPointer(start: memory.copy(folded), count: folded.count)
    asciiPattern = folded.allSatisfy { $0 < 0x80 } ? memory.copy(folded.map { UInt8($0) }) : nil
  }

  /// Whether text matches; for `notEqual` whether it is equal.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if let answer = matchesASCII(bytes) { return answer }
    return TextFolding.scalars(bytes, options).withUnsafeBufferPointer(matches)
  }

  /// The answer for short ASCII text, folded on the stack; nil for other text and for `like`.
  private func matchesASCII(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    let count = bytes.count
    if operation == .like || count > 511 { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { folded in
      let target = folded.baseAddress.unsafelyUnwrapped
      guard let source = bytes.baseAddress, count > 0 else { return matches(folded: UnsafeRawBufferPointer(folded), 0) }
      if !TextFolding.fold(ascii: source, count, options.contains(.caseInsensitive), into: target) { return nil }
      return matches(folded: UnsafeRawBufferPointer(folded), count)
    }
  }

  private func matches(folded: UnsafeRawBufferPointer, _ count: Int) -> Bool {
    // Text of ASCII has nothing in common with a pattern that needs more, and such a pattern is never empty.
    guard let asciiPattern else { return false }
    let start = operation == .endsWith ? count - asciiPattern.count : 0
    if start < 0 || count < asciiPattern.count { return false }
    if operation == .contains {
      return find(asciiPattern, in: UnsafeRawBufferPointer(start: folded.baseAddress, count: count))
    }
    if operation == .equal || operation == .notEqual, count != asciiPattern.count { return false }
    return compareBytes(
      UnsafeRawBufferPointer(start: folded.baseAddress.map { $0 + start }, count: asciiPattern.count), asciiPattern)
      == 0
  }

  private func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
    matches(text, pattern)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt32>, _ pattern: UnsafeBufferPointer<UInt32>) -> Bool {
    let (count, patternCount) = (text.count, pattern.count)
    switch operation {
    case .equal, .notEqual: return count == patternCount && stands(pattern, in: text, at: 0)
    case .beginsWith: return stands(pattern, in: text, at: 0)
    case .endsWith: return stands(pattern, in: text, at: count - patternCount)
    case .contains:
      var start = 0
      guard let first = pattern.first else { return true }
      while start <= count - patternCount {
        if text[start] == first, stands(pattern, in: text, at: start) { return true }
        start += 1
      }
      return false
    case .like: return isLike(text, pattern)
    }
  }

  @inline(__always)
  private func stands(
    _ pattern: UnsafeBufferPointer<UInt32>, in text: UnsafeBufferPointer<UInt32>, at start: Int
  ) -> Bool {
    if start < 0 || start + pattern.count > text.count { return false }
    var index = 0
    while index < pattern.count {
      if text[start + index] != pattern[index] { return false }
      index += 1
    }
    return true
  }

  /// Goes back to the last `*` on a mismatch and lets it take one more scalar; earlier ones need no second try.
  private func isLike(_ text: UnsafeBufferPointer<UInt32>, _ pattern: UnsafeBufferPointer<UInt32>) -> Bool {
    var place = 0
    var wanted = 0
    var lastRun = -1
    var resume = 0
    while place < text.count {
      if wanted < pattern.count, pattern[wanted] == Self.anyRun {
        lastRun = wanted
        resume = place
        wanted += 1
      } else if wanted < pattern.count, pattern[wanted] == Self.anyOne || pattern[wanted] == text[place] {
        place += 1
        wanted += 1
      } else if lastRun >= 0 {
        resume += 1
        place = resume
        wanted = lastRun + 1
      } else {
        return false
      }
    }
    while wanted < pattern.count, pattern[wanted] == Self.anyRun { wanted += 1 }
    return wanted == pattern.count
  }
}
