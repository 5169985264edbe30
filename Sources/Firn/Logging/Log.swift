internal import FirnEngine
internal import Logging

/// The library's own log messages.
enum Log {
  static let logger = Logging.Logger(label: "firn")

  static func info(_ message: String) { logger.info("\(message)") }

  static func warning(_ message: String) { logger.warning("\(message)") }

  static func error(_ message: String) { logger.error("\(message)") }

  private static let said = Lock<Set<String>>([])

  /// Logs a warning unless one of the same topic was logged before in this process.
  static func once(_ topic: String, _ message: () -> String) {
    let isNew = said.withLock { $0.insert(topic).inserted }
    if isNew { logger.warning("\(message())") }
  }
}
