/// A rectangle of the screen.
struct ScreenArea: Equatable {
  var row: Int
  var column: Int
  var width: Int
  var height: Int

  /// Cuts rows off at the top.
  mutating func takeTop(_ rowCount: Int) -> ScreenArea {
    let taken = min(max(rowCount, 0), height)
    defer {
      row += taken
      height -= taken
    }
    return ScreenArea(row: row, column: column, width: width, height: taken)
  }

  /// Cuts rows off at the bottom.
  mutating func takeBottom(_ rowCount: Int) -> ScreenArea {
    let taken = min(max(rowCount, 0), height)
    height -= taken
    return ScreenArea(row: row + height, column: column, width: width, height: taken)
  }

  /// Cuts columns off at the left.
  mutating func takeLeft(_ columnCount: Int) -> ScreenArea {
    let taken = min(max(columnCount, 0), width)
    defer {
      column += taken
      width -= taken
    }
    return ScreenArea(row: row, column: column, width: taken, height: height)
  }
}

extension Frame {
  /// Writes a text into a row of an area, from one of its columns on, and not beyond it.
  mutating func write(
    _ text: some StringProtocol, in area: ScreenArea, row: Int = 0, column: Int = 0, width: Int = .max,
    _ style: Style = .plain
  ) {
    guard row < area.height, column < area.width else { return }
    write(
      text, row: area.row + row, column: area.column + column, width: min(width, area.width - column), style)
  }

  /// Writes a text so that it ends at the right edge of an area.
  mutating func writeRight(_ text: String, in area: ScreenArea, row: Int = 0, _ style: Style = .plain) {
    write(text, in: area, row: row, column: max(0, area.width - text.displayWidth), style)
  }

  /// A rule with a title.
  mutating func writeTitle(_ title: String, in area: ScreenArea) {
    write(String(repeating: "─", count: max(0, area.width)), in: area, .faint)
    write(" \(title) ", in: area, column: 1, width: area.width - 2, .title)
  }
}
