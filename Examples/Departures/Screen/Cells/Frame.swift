/// A picture of the whole terminal.
///
/// Invariant: the right half of a wide character stands to the right of it, in its style, and nowhere else.
package struct Frame: Equatable, Sendable {
  package let size: ScreenSize
  private var cells: [Cell]

  package init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  package subscript(row: Int, column: Int) -> Cell { cells[row * size.width + column] }

  package func cells(ofRow row: Int) -> ArraySlice<Cell> {
    cells[(row * size.width)..<((row + 1) * size.width)]
  }

  /// The rows as text, without the blanks at their ends.
  package var lines: [String] {
    (0..<size.height).map { row in
      var line = cells(ofRow: row).map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Writes a text into a row, from a column on, and leaves out what does not fit into the columns given.
  ///
  /// A text that is cut ends in `…`. Places outside of the frame are left out too.
  ///
  /// - Returns: The columns that were filled.
  @discardableResult
  package mutating func write(
    _ text: some StringProtocol, row: Int, column: Int, width: Int = .max, _ style: Style = .plain
  ) -> Int {
    let available = min(width, size.width - column)
    guard (0..<size.height).contains(row), column >= 0, available > 0 else { return 0 }
    var used = 0
    var rest = text[...]
    while let character = rest.popFirst() {
      let glyph = DisplayGlyph(character)
      guard glyph.width > 0 else { continue }
      let isFull = used + glyph.width > available
      // The last column is for the sign that more would come, if more comes that shows.
      if isFull || (used + glyph.width == available && rest.contains { DisplayGlyph($0).width > 0 }) {
        set("…", width: 1, row, column + used, style)
        used += 1
        break
      }
      set(glyph.text, width: glyph.width, row, column + used, style)
      used += glyph.width
    }
    return used
  }

  /// Gives a row, or a part of it, a style.
  package mutating func paint(row: Int, column: Int = 0, width: Int = .max, _ style: Style) {
    guard (0..<size.height).contains(row), column >= 0, column < size.width else { return }
    for column in column..<(column + min(width, size.width - column)) {
      cells[row * size.width + column].style = style
    }
  }

  private mutating func set(_ text: String, width: Int, _ row: Int, _ column: Int, _ style: Style) {
    let index = row * size.width + column
    let end = index + width
    // What is overwritten by half disappears wholly.
    if cells[index].isRightHalf { cells[index - 1].text = " " }
    if column + width < size.width, cells[end].isRightHalf { cells[end].text = " " }
    cells[index] = Cell(text, style)
    if width == 2 { cells[index + 1] = Cell("", style) }
  }
}
