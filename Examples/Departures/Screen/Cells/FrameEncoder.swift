/// Turns frames into what a terminal has to be sent, leaving out what it shows already.
package struct FrameEncoder: Sendable {
  private let abilities: TerminalAbilities
  /// What the terminal shows; nil if that is unknown.
  private var shown: Frame?

  /// Unchanged cells between two changed ones that are sent again, because moving the cursor costs more.
  private static let gapMax = 4

  package init(_ abilities: TerminalAbilities) {
    self.abilities = abilities
  }

  /// To be called when something else may have written to the terminal, or its size changed.
  package mutating func forget() {
    shown = nil
  }

  /// The bytes that lead from the frame before to this one; none if they are equal.
  package mutating func encode(_ frame: Frame) -> [UInt8] {
    var output = ""
    var known = shown
    if known?.size != frame.size {
      output += "\u{1B}[0m\u{1B}[2J"
      known = Frame(frame.size)
    }
    guard let known else { return [] }
    var style = Style.plain
    for row in 0..<frame.size.height {
      let cells = frame.cells(ofRow: row)
      for run in FrameEncoder.changedRuns(Array(known.cells(ofRow: row)), Array(cells)) {
        output += "\u{1B}[\(row + 1);\(run.lowerBound + 1)H"
        for cell in cells[(cells.startIndex + run.lowerBound)..<(cells.startIndex + run.upperBound)] {
          guard !cell.isRightHalf else { continue }
          if cell.style != style {
            output += sequence(cell.style)
            style = cell.style
          }
          output += abilities.writesUnicode ? cell.text : FrameEncoder.ascii(cell.text)
        }
      }
    }
    if style != .plain { output += sequence(.plain) }
    shown = frame
    return Array(output.utf8)
  }

  /// The columns to send, in order. A run never starts in the right half of a wide character: where that changed, the
  /// left half did too.
  private static func changedRuns(_ old: [Cell], _ new: [Cell]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in new.indices where old[column] != new[column] {
      if let last = runs.last, column - last.upperBound <= gapMax {
        runs[runs.count - 1] = last.lowerBound..<(column + 1)
      } else {
        runs.append((new[column].isRightHalf ? column - 1 : column)..<(column + 1))
      }
    }
    return runs
  }

  private func sequence(_ style: Style) -> String {
    var codes = "0"
    if style.isBold { codes += ";1" }
    if style.isDim { codes += ";2" }
    if style.isReversed { codes += ";7" }
    if abilities.showsColor, style.color != .standard { codes += ";\(style.color.rawValue)" }
    return "\u{1B}[\(codes)m"
  }

  private static let asciiForms: [String: String] = [
    "─": "-", "│": "|", "┴": "+", "┬": "+", "…": "~", "→": ">", "·": ".", "█": "#", "↑": "^", "↓": "v", "°": " ",
  ]

  /// As wide as the text.
  private static func ascii(_ text: String) -> String {
    if text.utf8.count == 1 { return text }
    return asciiForms[text] ?? String(repeating: "?", count: text.displayWidth)
  }
}
