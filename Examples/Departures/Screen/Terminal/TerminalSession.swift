internal import Dispatch
internal import Foundation

/// Holds the terminal in full-screen mode, and gives it back as it was found, however the program ends (a SIGKILL from
/// outside excepted).
///
///     open ──► full screen ◄──► stopped (Ctrl-Z: the terminal is given back until the program goes on)
///                   │
///                   ▼
///                 closed: by `close()`, or on the way down by the handler of a trap
///
/// Signals other than traps are turned into events on the main queue. While the screen is full, what is written to
/// standard error is kept and shown afterwards, if it would have gone to a terminal.
///
/// There is one session in a process, because signal handlers are the process's.
@MainActor
package final class TerminalSession {
  package enum Event: Sendable {
    case input([UInt8])
    /// The size may have changed, or something else may have been written: the screen has to be sent again.
    case needsRedraw
    /// The program is about to be stopped, or goes on afterwards.
    case willStop, didContinue
    /// The user or the system asks the program to end.
    case interrupted(signal: Int32)
    /// Nobody reads or writes any more.
    case hungUp
  }

  /// Called on the main queue.
  package var onEvent: (@MainActor (Event) -> Void)?

  private let input: Int32
  private let output: Int32
  private var originalModes: termios
  private var sources: [any DispatchSourceRead] = []
  private var isOpen = false

  fileprivate static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J"
  fileprivate static let leaveSequence = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  private static let eventSignals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]
  private static let trapSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Whether both ends are terminals.
  package static func isPossible(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) -> Bool {
    isatty(input) == 1 && isatty(output) == 1
  }

  /// Takes the terminal. Nil if it is none.
  package init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    self.input = input
    self.output = output
    originalModes = termios()
    guard tcgetattr(input, &originalModes) == 0 else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    prepareForTheWorst(signalPipe: ends[1])
    for signal in TerminalSession.eventSignals { handle(signal, with: noteSignal) }
    for signal in TerminalSession.trapSignals { handle(signal, with: giveBackAndDie) }
    read(from: ends[0]) { [weak self] bytes in
      for number in bytes { self?.signalled(Int32(number)) }
    }
    read(from: input) { [weak self] bytes in self?.onEvent?(bytes.isEmpty ? .hungUp : .input(bytes)) }
    enter()
  }

  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return .usual }
    return ScreenSize(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  package func write(_ bytes: [UInt8]) {
    guard isOpen, !writeFully(bytes, to: output) else { return }
    onEvent?(.hungUp)
  }

  /// Gives the terminal back. Nothing happens the second time.
  package func close() {
    guard isOpen else { return }
    for source in sources { source.cancel() }
    sources = []
    leave()
    for signal in TerminalSession.eventSignals + TerminalSession.trapSignals { handle(signal, with: nil) }
  }

  private func enter() {
    var modes = originalModes
    modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP | BRKINT)
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)  // ISIG stays: Ctrl-C and Ctrl-Z are signals
    modes.c_oflag &= ~tcflag_t(OPOST)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    isOpen = true
    worst?.pointee.keepErrors()
    worst?.pointee.isFullScreen = true
    _ = tcsetattr(input, TCSANOW, &modes)  // and what was typed already stays
    _ = writeFully(Array(TerminalSession.enterSequence.utf8), to: output)
  }

  private func leave() {
    isOpen = false
    worst?.pointee.giveBack()
  }

  private func signalled(_ signal: Int32) {
    switch signal {
    case SIGWINCH: onEvent?(.needsRedraw)
    case SIGTSTP: stop()
    case SIGCONT:
      // From outside, after a stop that nobody announced. Others may have used the terminal meanwhile.
      guard isOpen else { return }
      enter()
      onEvent?(.needsRedraw)
    default: onEvent?(.interrupted(signal: signal))
    }
  }

  private func stop() {
    guard isOpen else { return }
    onEvent?(.willStop)
    leave()
    raise(SIGSTOP)  // returns when the program is told to go on
    enter()
    onEvent?(.didContinue)
    onEvent?(.needsRedraw)
  }

  private func prepareForTheWorst(signalPipe: Int32) {
    let bytes = Array(TerminalSession.leaveSequence.utf8)
    let sequence = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    sequence.initialize(from: bytes, count: bytes.count)
    let state = UnsafeMutablePointer<WorstCase>.allocate(capacity: 1)
    state.initialize(
      to: WorstCase(
        signalPipe: signalPipe, input: input, output: output, originalModes: originalModes, leaveSequence: sequence,
        leaveByteCount: bytes.count))
    worst = state  // for the rest of the process: a handler may be running at any time
  }

  private func read(from descriptor: Int32, _ body: @escaping @MainActor ([UInt8]) -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        // What announced itself may be gone: others can flush a terminal. Then a read would wait.
        var now = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&now, 1, 0) == 1 else { return }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        body(Array(buffer.prefix(max(0, count))))
      }
    }
    source.activate()
    sources.append(source)
  }
}

/// What a signal handler needs: numbers and pointers only, because in a handler nothing may be allocated or locked.
private struct WorstCase {
  let signalPipe: Int32
  let input: Int32
  let output: Int32
  var originalModes: termios
  let leaveSequence: UnsafeMutablePointer<UInt8>
  let leaveByteCount: Int
  var isFullScreen = false
  /// The real standard error while another file stands for it, or -1.
  var errors: Int32 = -1

  init(
    signalPipe: Int32, input: Int32, output: Int32, originalModes: termios,
    leaveSequence: UnsafeMutablePointer<UInt8>, leaveByteCount: Int
  ) {
    self.signalPipe = signalPipe
    self.input = input
    self.output = output
    self.originalModes = originalModes
    self.leaveSequence = leaveSequence
    self.leaveByteCount = leaveByteCount
  }

  /// Lets a file without a name stand for standard error, so that messages neither spoil the screen nor vanish with it.
  mutating func keepErrors() {
    guard errors < 0, isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return }
    errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    if errors >= 0 { dup2(fileno(file), STDERR_FILENO) }
    fclose(file)
  }

  /// Restores modes and screen, and shows the messages that were kept. May be called in a handler.
  mutating func giveBack() {
    guard isFullScreen else { return }
    isFullScreen = false
    var written = 0
    while written < leaveByteCount {
      let count = Glibc.write(output, leaveSequence + written, leaveByteCount - written)
      if count < 0, errno != EINTR { break }
      written += max(0, count)
    }
    _ = tcsetattr(input, TCSANOW, &originalModes)
    guard errors >= 0 else { return }
    lseek(STDERR_FILENO, 0, SEEK_SET)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
      while true {
        let count = Glibc.read(STDERR_FILENO, buffer.baseAddress, buffer.count)
        guard count > 0, Glibc.write(errors, buffer.baseAddress, count) == count else { break }
      }
    }
    dup2(errors, STDERR_FILENO)
    Glibc.close(errors)
    errors = -1
  }
}

// Written on the main thread before the handlers that read it are set, and constant from then on; what it points to is
// changed by the main thread, and by a handler only when the process is going down.
private nonisolated(unsafe) var worst: UnsafeMutablePointer<WorstCase>?

private func noteSignal(_ signal: Int32) {
  let error = errno
  var number = UInt8(truncatingIfNeeded: signal)
  // A full pipe holds enough signals to wake up for.
  _ = worst.map { Glibc.write($0.pointee.signalPipe, &number, 1) }
  errno = error
}

private func giveBackAndDie(_ signal: Int32) {
  worst?.pointee.giveBack()
  // The handler is gone (SA_RESETHAND), so this is the end, with the signal as the cause.
  raise(signal)
}

/// Sets a handler; nil for what the system does by default.
private func handle(_ signal: Int32, with handler: (@convention(c) (Int32) -> Void)?) {
  var action = sigaction()
  sigemptyset(&action.sa_mask)
  action.__sigaction_handler.sa_handler = handler
  action.sa_flags = SA_RESTART
  if [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(signal) {
    action.sa_flags = Int32(bitPattern: SA_RESETHAND) | SA_NODEFER
  }
  sigaction(signal, &action, nil)
}

/// False when the other end is gone.
private func writeFully(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // The terminal was opened by somebody else too, who made it not wait.
      var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&wait, 1, 1_000)
    } else if errno != EINTR {
      return false
    }
  }
  return true
}
