internal import FirnEngine
internal import Synchronization

/// Takes what the library logs.
///
///     Logger.shared = Logger(level: .warn) { level, message in
///         print("\(level): \(message)")
///     }
///
/// Only the shared logger is used. The default one has the level ``LogLevel/info`` and writes through swift-log, with the
/// label `firn`: where `LoggingSystem.bootstrap` says, and no more than the handler there lets through. Messages below
/// `.info`, which only come when ``level`` asks for them, pass the handler's level.
///
/// A file that also imports swift-log has two types of this name. `import struct Logging.Logger` or
/// `import class Firn.Logger` says which one it means.
public final class Logger: Sendable {
  private let threshold: Atomic<UInt>
  private let function: @Sendable (LogLevel, String) -> Void

  /// Makes a logger, which is used once it is ``shared``.
  ///
  /// - Parameters:
  ///   - level: How serious messages must be.
  ///   - logFunction: Called with each message, on any thread, perhaps on several at once. It must be quick, and use no
  ///     realm.
  public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
    threshold = Atomic(level.rawValue)
    function = logFunction
  }

  /// How serious messages must be to be passed on. May be changed on any thread, at any time.
  public var level: LogLevel {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .off }
    set {
      threshold.store(newValue.rawValue, ordering: .relaxed)
      Self.current.withLock { if $0 === self { Self.sharedThreshold.store(newValue.rawValue, ordering: .relaxed) } }
    }
  }

  private static let current = Lock(Log.swiftLog)
  /// The level of the shared logger. Written under the lock of `current`.
  private static let sharedThreshold = Atomic<UInt>(LogLevel.info.rawValue)

  /// Whether the shared logger takes messages of a level.
  static func wants(_ level: LogLevel) -> Bool { level.rawValue <= sharedThreshold.load(ordering: .relaxed) }

  /// The logger that takes the messages of the library. May be set on any thread, at any time.
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set {
      current.withLock {
        $0 = newValue
        sharedThreshold.store(newValue.threshold.load(ordering: .relaxed), ordering: .relaxed)
      }
    }
  }

  /// Passes a message on, which is made only if somebody wants it.
  func log(_ level: LogLevel, _ message: () -> String) {
    if level.rawValue > threshold.load(ordering: .relaxed) { return }
    function(level, message())
  }
}
