/// The look of a cell.
package struct Style: Hashable, Sendable {
  package enum Color: UInt8, Sendable {
    case standard = 39
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
  }

  package var color: Color
  package var isBold: Bool
  package var isDim: Bool
  package var isReversed: Bool

  package init(_ color: Color = .standard, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  package static let plain = Style()
  package static let title = Style(.cyan, isBold: true)
  package static let faint = Style(isDim: true)
  package static let bar = Style(isReversed: true)
}
