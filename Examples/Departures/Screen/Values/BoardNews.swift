/// What an observer brings: the values of a part of the screen, in the order in which they are shown.
package enum BoardNews: Equatable, Sendable {
  case status(BoardStatus)
  case departures([DepartureLine])
  case airlines([AirlineLine])
  case weather([WeatherLine])
  case statuses([StatusLine])
  /// Added to the log, the newest last.
  case log([LogLine])
}
