/// How serious a message of the log is; as a threshold, how serious a message must be to be passed on.
@frozen public enum LogLevel: UInt, Sendable {
  /// As a threshold: nothing is passed on.
  case off
  /// The process cannot go on.
  case fatal
  /// Something that was asked for failed, and nobody else is told.
  case error
  /// Something is probably not as it was meant.
  case warn
  /// What an operator may want to know.
  case info
  /// What happens to databases as a whole: opening, closing.
  case detail
  /// For debugging programs.
  case debug
  /// For debugging this library.
  case trace
  /// As a threshold: everything is passed on.
  case all
}
