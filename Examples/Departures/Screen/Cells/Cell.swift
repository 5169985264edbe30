/// One column of one row of the terminal.
package struct Cell: Hashable, Sendable {
  /// What stands here, one or two columns wide; empty in the right half of something wide.
  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }

  package static let blank = Cell(" ")

  package var isRightHalf: Bool { text.isEmpty }
}
