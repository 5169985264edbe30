internal import FirnDurability
internal import FirnEngine
internal import Logging

/// The library's own log messages.
enum Log {
  static func error(_ message: @autoclosure () -> String) { Logger.shared.log(.error, message) }

  static func warning(_ message: @autoclosure () -> String) { Logger.shared.log(.warn, message) }

  static func info(_ message: @autoclosure () -> String) { Logger.shared.log(.info, message) }

  static func detail(_ message: @autoclosure () -> String) { Logger.shared.log(.detail, message) }

  static func debug(_ message: @autoclosure () -> String) { Logger.shared.log(.debug, message) }

  static func trace(_ message: @autoclosure () -> String) { Logger.shared.log(.trace, message) }

  /// Whether messages that each commit could cause are wanted. A load: it is asked on every one.
  static func wants(_ level: LogLevel) -> Bool { Logger.wants(level) }

  static func tell(_ event: StoreEvent, of database: String) {
    switch event {
    case .opening(let step, let percent):
      detail("Opening the database \(database): \(step.rawValue), \(percent) %.")
    case .checkpoint(let record):
      detail(
        "Checkpoint of the database \(database): \(record.byteCount) bytes of version \(record.version) as a "
          + "\(record.isBase ? "base" : "delta"), in \(record.nanoseconds / 1_000_000) ms.")
    }
  }

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
