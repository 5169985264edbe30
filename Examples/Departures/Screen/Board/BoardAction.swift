/// What a key asks of the program. The screen decides, and does none of it.
package enum BoardAction: Equatable, Sendable {
  case quit
  /// End the process on the spot, as a crash would.
  case kill
  case setPaused(Bool)
  case setMinutesPerSecond(Double)
  /// Show other departures.
  case select(BoardSelection)
  /// Send the whole screen again.
  case redraw
}
