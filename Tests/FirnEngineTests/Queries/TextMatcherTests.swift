import TestSupport
import Testing

@testable import FirnEngine

/// Tests of text in elements and mixed values against the rules, word by word.
@Suite struct TextMatcherTests {
  private static let operations: [TextOperator] = [.equal, .notEqual, .contains, .beginsWith, .endsWith, .like]

  /// With all options: case, diacritics, both and none count for nothing.
  @Test(arguments: 0...3 as ClosedRange<UInt8>) func wordsMatchByTheRules(rawOptions: UInt8) {
    let options = TextOptions(rawValue: rawOptions)
    let memory = QueryMemory()
    let words = QueryModel.words.map { Array($0.utf8) }
    for operation in Self.operations {
      for needle in words {
        let matcher = TextMatcher(operation, needle, options, memory: memory)
        // Each word alone, which may be the needle, and the needle at either end and in the middle.
        for text in words + words.flatMap({ [$0 + needle, needle + $0, $0 + needle + $0] }) {
          let expected = QueryModel.naive(text, operation, needle, options)
          #expect(matcher.holds(.string(text)) == expected, "\(text) \(operation) \(needle)")
          if options.isEmpty { #expect(matcher.holds(.data(text)) == expected) }
        }
        for value in [.int(1), .null, .bool(true)] as [Value] {
          #expect(matcher.holds(value) == (operation == .notEqual))
        }
      }
    }
  }
}
