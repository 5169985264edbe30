/// What the terminal can show, as far as the environment tells.
package struct TerminalAbilities: Equatable, Sendable {
  /// Whether the cursor can be placed: without that there is no full screen.
  package var placesCursor: Bool
  package var showsColor: Bool
  package var writesUnicode: Bool

  package init(placesCursor: Bool = true, showsColor: Bool = true, writesUnicode: Bool = true) {
    self.placesCursor = placesCursor
    self.showsColor = showsColor
    self.writesUnicode = writesUnicode
  }

  /// Goes by `TERM`, by `NO_COLOR` (any text in it means no), and by the first of `LC_ALL`, `LC_CTYPE` and `LANG` that
  /// says something.
  package init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let terminal = value("TERM") ?? "dumb"
    placesCursor = terminal != "dumb"
    showsColor = placesCursor && value("NO_COLOR") == nil && !terminal.hasPrefix("vt1") && !terminal.hasSuffix("-m")
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").uppercased()
    writesUnicode = locale.contains("UTF-8") || locale.contains("UTF8")
  }
}
