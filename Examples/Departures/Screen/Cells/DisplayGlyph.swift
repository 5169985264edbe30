/// What a terminal is given for a character: nothing that it could take for a command, and as wide as said.
///
/// Terminals disagree about clusters of many scalars. So a glyph is one base scalar with at most two combining marks;
/// joiners, variation selectors and bidirectional controls are left out, and control characters are replaced.
package struct DisplayGlyph: Equatable, Sendable {
  package let text: String
  /// Columns: 0 for what does not show, 1 or 2.
  package let width: Int

  private static let replacement = DisplayGlyph(text: "\u{FFFD}", width: 1)
  private static let nothing = DisplayGlyph(text: "", width: 0)
  private static let markCountMax = 2

  private init(text: String, width: Int) {
    self.text = text
    self.width = width
  }

  package init(_ character: Character) {
    if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F {
      self.init(text: String(character), width: 1)
      return
    }
    var base: Unicode.Scalar?
    var marks = String.UnicodeScalarView()
    for scalar in character.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
        self = DisplayGlyph.replacement
        return
      case .format:
        continue
      case .nonspacingMark, .enclosingMark:
        if marks.count < DisplayGlyph.markCountMax, !scalar.properties.isVariationSelector { marks.append(scalar) }
      default:
        if base == nil { base = scalar }
      }
    }
    guard let base else {
      self = DisplayGlyph.nothing
      return
    }
    guard !DisplayGlyph.regionalIndicators.contains(base.value) else {
      self = DisplayGlyph.replacement
      return
    }
    self.init(text: String(base) + String(marks), width: DisplayGlyph.isWide(base) ? 2 : 1)
  }

  /// Two of them are a flag on one terminal and two letters on the next.
  private static let regionalIndicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

  /// The ranges of Unicode's East Asian Width that are wide or full-width; emoji are asked of the standard library.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= wideRanges[0].lowerBound else { return false }
    return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
  }
}

extension StringProtocol {
  /// Columns that the text takes on a terminal.
  package var displayWidth: Int { reduce(0) { $0 + DisplayGlyph($1).width } }
}
