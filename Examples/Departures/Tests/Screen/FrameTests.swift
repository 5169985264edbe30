import DepartureScreen
import Testing

@Suite struct FrameTests {
  private func line(_ width: Int, _ text: String, column: Int = 0, room: Int = .max) -> String {
    var frame = Frame(ScreenSize(width: width, height: 1))
    frame.write(text, row: 0, column: column, width: room)
    return frame.lines[0]
  }

  @Test(arguments: [
    (10, "Boston", "Boston"), (6, "Boston", "Boston"), (5, "Boston", "Bost…"), (1, "Boston", "…"),
    (8, "東京国際", "東京国際"), (7, "東京国際", "東京国…"), (6, "東京国際", "東京…"), (2, "東京", "…"), (2, "東", "東"),
    (6, "Zu\u{308}rich", "Zu\u{308}rich"), (4, "a\u{200D}b\u{200B}c", "abc"), (9, "", ""),
  ])
  func cutsByColumns(width: Int, text: String, expected: String) {
    #expect(line(width, text) == expected)
  }

  @Test(arguments: ["\u{1B}[2J", "a\rb", "a\r\nb", "\u{7}", "\u{9B}31m", "\u{2028}", "\u{202E}abc", "\u{0}"])
  func neverPassesOnWhatATerminalObeys(text: String) {
    let shown = line(40, text)
    for scalar in shown.unicodeScalars {
      #expect(
        ![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory), "\(text.debugDescription)")
    }
  }

  @Test func leavesOutWhatIsOutside() {
    var frame = Frame(ScreenSize(width: 3, height: 2))
    for row in [-1, 2, 99] { frame.write("abc", row: row, column: 0) }
    for column in [-1, 3, 99] { frame.write("abc", row: 0, column: column) }
    frame.write("abc", row: 0, column: 0, width: 0)
    frame.write("abc", row: 0, column: 0, width: -4)
    frame.paint(row: 5, .bar)
    frame.paint(row: 0, column: 9, .bar)
    #expect(frame == Frame(ScreenSize(width: 3, height: 2)))
  }

  @Test func halfOfAWideCharacterGoesWhollyAway() {
    var frame = Frame(ScreenSize(width: 6, height: 1))
    frame.write("東京際", row: 0, column: 0)
    frame.write("x", row: 0, column: 1)
    frame.write("y", row: 0, column: 4)
    #expect((0..<6).map { frame[0, $0].text } == [" ", "x", "京", "", "y", " "])
  }

  @Test(arguments: [("a", 1), ("東", 2), ("é", 1), ("e\u{301}", 1), ("🛫", 2), ("한", 2), ("Ａ", 2), ("→", 1), ("█", 1)])
  func knowsWidths(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }
}
