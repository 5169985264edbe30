/// Columns and rows of a terminal. What no terminal has is brought into bounds.
package struct ScreenSize: Equatable, Sendable {
  package let width: Int
  package let height: Int

  private static let sideMax = 1_000

  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), ScreenSize.sideMax)
    self.height = min(max(height, 1), ScreenSize.sideMax)
  }

  /// For terminals that do not tell.
  package static let usual = ScreenSize(width: 80, height: 24)
}
