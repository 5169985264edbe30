import Foundation
import TerminalEmulation
import Testing

/// The built program in a pseudo-terminal whose other end is an emulated screen.
final class ProgramInTerminal {
  enum State: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case stopped
  }

  struct TimedOut: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var screen: TerminalEmulator
  private let master: Int32
  /// Kept open, so that the modes can be read when the program is gone.
  private let slave: Int32
  private let process: pid_t
  private var hasEnded = false
  /// The modes that the program found.
  let originalModes: [UInt32]

  /// Generous, because tests share their machine with builds.
  private static let patience: TimeInterval = 60

  static var executable: String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("Departures").path
  }

  init(
    _ arguments: [String], width: Int, height: Int, environment: [String: String] = [:]
  ) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&ends.master, &ends.slave, &name, nil, nil) == 0 else {
      throw TimedOut(description: "no pseudo-terminal is to be had: \(String(cString: strerror(errno)))")
    }
    (master, slave) = ends
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    screen = TerminalEmulator(width: width, height: height)
    Self.setSize(of: master, width: width, height: height)
    originalModes = Self.modes(of: slave)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The leader of a new session gets the first terminal that it opens as its own.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of a test may block signals, which a child would inherit.
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(
      &attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))

    let inherited = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    var variables = Dictionary(uniqueKeysWithValues: inherited)
    variables["TERM"] = "xterm-256color"
    variables["LANG"] = "C.UTF-8"
    variables.merge(environment) { $1 }
    var argumentPointers = ([Self.executable] + arguments).map { strdup($0) } + [nil]
    var variablePointers = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for pointer in argumentPointers + variablePointers { free(pointer) }
    }
    var process = pid_t()
    let error = posix_spawn(&process, Self.executable, &actions, &attributes, &argumentPointers, &variablePointers)
    self.process = process
    guard error == 0 else {
      hasEnded = true
      throw TimedOut(description: "\(Self.executable) cannot be run: \(String(cString: strerror(error)))")
    }
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(slave)
    close(master)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  func signal(_ signal: Int32) {
    kill(process, signal)
  }

  func resize(width: Int, height: Int) {
    // What is still on its way was meant for the size before.
    _ = takeOutput(milliseconds: 0)
    screen.resize(width: width, height: height)
    Self.setSize(of: master, width: width, height: height)
  }

  /// Whether the terminal is as the program found it.
  var isAsBefore: Bool {
    Self.modes(of: slave) == originalModes && !screen.isAlternate && screen.showsCursor && screen.wraps
  }

  /// Takes output until the screen shows what is expected.
  func wait(
    for expectation: String, sourceLocation: SourceLocation = #_sourceLocation, _ isShown: (TerminalEmulator) -> Bool
  ) throws {
    let end = Date(timeIntervalSinceNow: Self.patience)
    while !isShown(screen) {
      guard Date() < end else {
        throw TimedOut(
          description: "waited in vain for: \(expectation) (\(sourceLocation)). The screen:\n\(screen.text)")
      }
      _ = takeOutput(milliseconds: 100)
    }
  }

  func wait(forText text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(for: "\"\(text)\"", sourceLocation: sourceLocation) { $0.text.contains(text) }
  }

  /// Takes output until the program ends or is stopped.
  func waitForEnd() throws -> State {
    let end = Date(timeIntervalSinceNow: Self.patience)
    while Date() < end {
      _ = takeOutput(milliseconds: 20)
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG | WUNTRACED) == process else { continue }
      while takeOutput(milliseconds: 0) {}
      if status & 0xFF == 0x7F { return .stopped }
      hasEnded = true
      return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
    throw TimedOut(description: "the program did not end. The screen:\n\(screen.text)")
  }

  /// Whether there was something.
  private func takeOutput(milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen.feed(buffer[..<count])
    return true
  }

  private static func setSize(of terminal: Int32, width: Int, height: Int) {
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
  }

  private static func modes(of terminal: Int32) -> [UInt32] {
    var modes = termios()
    #expect(tcgetattr(terminal, &modes) == 0)
    let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
  }
}
