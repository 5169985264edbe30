import DepartureScreen
import TerminalEmulation
import Testing

@Suite struct FrameEncoderTests {
  private static let wide: Set<String> = ["東", "京", "🛫"]
  private static let pieces = ["東", "京", "🛫", "a", "b", " ", "  ", "é", "long text", "→"]
  private static let styles = [Style.plain, .bar, .title, .faint, Style(.red, isBold: true)]

  private func show(_ frame: Frame, on terminal: TerminalEmulator) -> Bool {
    (0..<frame.size.height).allSatisfy { row in
      frame.cells(ofRow: row).elementsEqual(terminal.cells[row]) { cell, shown in
        cell.text == shown.text && cell.isRightHalf == shown.text.isEmpty
          && cell.style.isReversed == shown.attributes.contains(7) && cell.style.isBold == shown.attributes.contains(1)
      }
    }
  }

  /// Any sequence of pictures: the terminal shows the last, whatever was left out.
  @Test(arguments: 1...40)
  func theTerminalShowsTheLastFrame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var size = ScreenSize(width: 12, height: 3)
    var terminal = TerminalEmulator(width: 12, height: 3, wideCharacters: Self.wide)
    var encoder = FrameEncoder(TerminalAbilities())
    var frame = Frame(size)
    for step in 0..<60 {
      if Int.random(in: 0..<10, using: &random) == 0 {
        size = ScreenSize(width: .random(in: 1...20, using: &random), height: .random(in: 1...5, using: &random))
        terminal.resize(width: size.width, height: size.height)
        encoder.forget()
        frame = Frame(size)
      }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        frame.write(
          Self.pieces.randomElement(using: &random)!, row: .random(in: 0..<size.height, using: &random),
          column: .random(in: 0..<size.width, using: &random), Self.styles.randomElement(using: &random)!)
      }
      let bytes = encoder.encode(frame)
      // Cut anywhere.
      let cut = Int.random(in: 0...bytes.count, using: &random)
      terminal.feed(bytes[..<cut])
      terminal.feed(bytes[cut...])
      #expect(
        show(frame, on: terminal),
        "seed \(seed), step \(step): expected \(frame.lines), found \(terminal.lines)")
      #expect(terminal.complaints.isEmpty)
      #expect(encoder.encode(frame).isEmpty)
    }
  }

  @Test func sendsOnlyWhatChanged() {
    var encoder = FrameEncoder(TerminalAbilities())
    var frame = Frame(ScreenSize(width: 80, height: 24))
    _ = encoder.encode(frame)
    frame.write("x", row: 4, column: 7)
    #expect(String(decoding: encoder.encode(frame), as: UTF8.self) == "\u{1B}[5;8Hx")
    encoder.forget()
    #expect(encoder.encode(frame).starts(with: Array("\u{1B}[0m\u{1B}[2J".utf8)))
  }

  @Test func withoutColorThereIsNone() {
    var encoder = FrameEncoder(TerminalAbilities(showsColor: false))
    var frame = Frame(ScreenSize(width: 9, height: 1))
    frame.write("late", row: 0, column: 0, Style(.red, isBold: true))
    #expect(String(decoding: encoder.encode(frame), as: UTF8.self).contains("\u{1B}[0;1mlate"))
  }

  @Test func withoutUnicodeEverythingIsASCIIAndAsWide() {
    var encoder = FrameEncoder(TerminalAbilities(writesUnicode: false))
    var frame = Frame(ScreenSize(width: 12, height: 1))
    frame.write("─東京é→x", row: 0, column: 0)
    var terminal = TerminalEmulator(width: 12, height: 1)
    let bytes = encoder.encode(frame)
    #expect(bytes.allSatisfy { $0 < 0x80 })
    terminal.feed(bytes)
    #expect(terminal.lines == ["-?????>x"])
  }

  @Test(arguments: [
    (["TERM": "xterm", "LANG": "de_DE.UTF-8"], TerminalAbilities()),
    (["TERM": "xterm", "LANG": "C"], TerminalAbilities(writesUnicode: false)),
    (["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"], TerminalAbilities(writesUnicode: false)),
    (["TERM": "xterm", "LANG": "C.utf8", "NO_COLOR": "1"], TerminalAbilities(showsColor: false)),
    (["TERM": "xterm", "LANG": "C.utf8", "NO_COLOR": ""], TerminalAbilities()),
    (["TERM": "vt100", "LANG": "C.utf8"], TerminalAbilities(showsColor: false)),
    (["TERM": "dumb", "LANG": "C.utf8"], TerminalAbilities(placesCursor: false, showsColor: false)),
    ([:], TerminalAbilities(placesCursor: false, showsColor: false, writesUnicode: false)),
  ])
  func readsTheEnvironment(environment: [String: String], expected: TerminalAbilities) {
    #expect(TerminalAbilities(environment: environment) == expected)
  }
}
