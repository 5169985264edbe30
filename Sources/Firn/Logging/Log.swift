internal import FirnEngine
internal import Logging

/// The library's own log messages.
enum Log {
  static func error(_ message: @autoclosure () -> String) { Logger.shared.log(.error, message) }

  static func warning(_ message: @autoclosure () -> String) { Logger.shared.log(.warn, message) }

  static func info(_ message: @autoclosure () -> String) { Logger.shared.log(.info, message) }

  static func detail(_ message: @autoclosure () -> String) { Logger.shared.log(.detail, message) }

  private static let said = Lock<Set<String>>([])

  /// Logs a warning unless one of the same topic was logged before in this process.
  static func once(_ topic: String, _ message: () -> String) {
    let isNew = said.withLock { $0.insert(topic).inserted }
    if isNew { Logger.shared.log(.warn, message) }
  }

  // MARK: swift-log

  /// Made with the first message, so that programs can say before where it goes.
  private static let sink = Logging.Logger(label: "firn")

  /// The logger that is shared unless the program sets another.
  static var swiftLog: Logger {
    Logger(level: .info) { level, message in
      let level = level.ofSwiftLog
      var sink = sink
      // Somebody asked for it.
      if level < .info { sink.logLevel = min(sink.logLevel, level) }
      sink.log(level: level, "\(message)")
    }
  }
}

extension LogLevel {
  fileprivate var ofSwiftLog: Logging.Logger.Level {
    switch self {
    case .off, .fatal: .critical
    case .error: .error
    case .warn: .warning
    case .info: .info
    case .detail, .debug: .debug
    case .trace, .all: .trace
    }
  }
}
