/// A terminal as far as the board uses one, for tests: what it is sent becomes a picture.
///
/// Widths of characters are its own, not the board's: ASCII is one column wide, and what is named wide is two.
package struct TerminalEmulator {
  package struct Cell: Equatable {
    package var text = " "
    /// The numbers of the last SGR sequence, without 0.
    package var attributes: [Int] = []
  }

  package private(set) var width: Int
  package private(set) var height: Int
  package private(set) var cells: [[Cell]]
  package private(set) var cursor = (row: 0, column: 0)
  package private(set) var isAlternate = false
  package private(set) var showsCursor = true
  package private(set) var wraps = true
  /// What the emulator does not know, and control characters that have no business on a screen.
  package private(set) var complaints: [String] = []
  /// All SGR numbers that were sent.
  package private(set) var usedAttributes: Set<Int> = []

  private var attributes: [Int] = []
  private var mainCells: [[Cell]] = []
  private var pending: [UInt8] = []
  private let wideCharacters: Set<String>

  package init(width: Int, height: Int, wideCharacters: Set<String> = []) {
    self.width = width
    self.height = height
    self.wideCharacters = wideCharacters
    cells = Self.blank(width, height)
  }

  private static func blank(_ width: Int, _ height: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: width), count: height)
  }

  /// The rows as text, without the blanks at their ends.
  package var lines: [String] {
    cells.map { row in
      var line = row.map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  package var text: String { lines.joined(separator: "\n") }

  package mutating func resize(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Self.blank(width, height)
    mainCells = Self.blank(width, height)
    cursor = (0, 0)
  }

  /// Takes bytes, cut anywhere.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let count = takeOne() { pending.removeFirst(count) }
  }

  /// Handles the command or character at the front; how many bytes it had, or nil if there is no whole one.
  private mutating func takeOne() -> Int? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return takeEscape()
    case 0x0D: cursor.column = 0
    case 0x0A: lineFeed()
    case 0x08: cursor.column = max(0, cursor.column - 1)
    case 0x20..<0x7F: put(String(UnicodeScalar(first)))
    case 0xC2...0xF4: return takeCharacter(length: first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4)
    default: complaints.append("byte \(first)")
    }
    return 1
  }

  private mutating func takeCharacter(length: Int) -> Int? {
    guard pending.count >= length else { return nil }
    guard let text = String(validating: pending.prefix(length), as: UTF8.self) else {
      complaints.append("bytes \(pending.prefix(length))")
      return 1
    }
    if text.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .nonspacingMark }), cursor.column > 0 {
      cells[cursor.row][cursor.column - 1].text += text
    } else {
      put(text)
    }
    return length
  }

  private mutating func takeEscape() -> Int? {
    guard pending.count >= 2 else { return nil }
    guard pending[1] == UInt8(ascii: "[") else {
      complaints.append("escape with \(pending[1])")
      return 2
    }
    guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    perform(Character(UnicodeScalar(pending[end])), parameters)
    return end + 1
  }

  private mutating func perform(_ final: Character, _ parameters: String) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters) {
    case ("H", _):
      let row = (numbers.first ?? 1) - 1
      let column = (numbers.dropFirst().first ?? 1) - 1
      if row >= height || column >= width { complaints.append("cursor to \(parameters)") }
      cursor = (min(row, height - 1), min(column, width - 1))
    case ("J", "2"): cells = Self.blank(width, height)
    case ("m", _):
      usedAttributes.formUnion(numbers)
      attributes = numbers.filter { $0 != 0 }
    case ("h", "?1049"):
      if !isAlternate { mainCells = cells }
      cells = Self.blank(width, height)
      isAlternate = true
    case ("l", "?1049"):
      if isAlternate { cells = mainCells }
      isAlternate = false
    case ("h", "?25"): showsCursor = true
    case ("l", "?25"): showsCursor = false
    case ("h", "?7"): wraps = true
    case ("l", "?7"): wraps = false
    default: complaints.append("sequence \(parameters)\(final)")
    }
  }

  private mutating func lineFeed() {
    if cursor.row + 1 < height {
      cursor.row += 1
    } else {
      cells.removeFirst()
      cells.append(Array(repeating: Cell(), count: width))
    }
  }

  private mutating func put(_ text: String) {
    let length = wideCharacters.contains(text) ? 2 : 1
    if cursor.column + length > width {
      if wraps {
        cursor.column = 0
        lineFeed()
      } else {
        cursor.column = width - length
      }
    }
    let (row, column) = cursor
    // Half of a wide character is none.
    if cells[row][column].text.isEmpty { cells[row][column - 1].text = " " }
    if column + length < width, cells[row][column + length].text.isEmpty { cells[row][column + length].text = " " }
    cells[row][column] = Cell(text: text, attributes: attributes)
    if length == 2 { cells[row][column + 1] = Cell(text: "", attributes: attributes) }
    cursor.column += length
  }
}
