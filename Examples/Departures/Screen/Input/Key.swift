/// A key, as far as the board tells keys apart.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Held together with Control: a letter from `a` to `z`.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, tab, backspace, escape
}
