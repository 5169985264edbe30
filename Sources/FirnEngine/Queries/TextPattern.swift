/// A text condition that needs more than comparing bytes.
struct TextPattern: Sendable {
  let operation: TextOperator
  let options: TextOptions
  private let pattern: [UInt32]

  private static let anyRun = UInt32(UInt8(ascii: "*"))
  private static let anyOne = UInt32(UInt8(ascii: "?"))

  init(_ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions) {
    self.operation = operation
    self.options = options
    self.pattern = pattern.withUnsafeBytes { TextFolding.scalars($0, options) }
  }

  /// Whether text matches; for `notEqual` whether it is equal.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Most text is ASCII and short: folded on the stack.
    if bytes.count <= 1024, TextFolding.isASCII(bytes) {
      return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: bytes.count + 1) { folded in
        let foldsCase = options.contains(.caseInsensitive)
        var index = 0
        while index < bytes.count {
          folded[index] = TextFolding.fold(ascii: bytes[index], foldsCase)
          index &+= 1
        }
        return matches(UnsafeBufferPointer(rebasing: folded[..<bytes.count]))
      }
    }
    return TextFolding.scalars(bytes, options).withUnsafeBufferPointer(matches)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
    pattern.withUnsafeBufferPointer { matches(text, $0) }
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
