import DepartureBoard
import DeparturePlan
import DepartureScreen
import Dispatch
import Firn
import Foundation

/// The board on a terminal: connects observers, screen, keys and replay.
@MainActor
final class ScreenBoard {
  private let board: OpenedBoard
  private let options: BoardOptions
  private let terminal: TerminalSession
  private let pace: ReplayPace
  private var screen = BoardScreen()
  private var encoder: FrameEncoder
  private var decoder = KeyDecoder()
  private var feed: BoardFeed?
  private var latencyToken: NotificationToken?
  private var latency = LatencyAverage()
  private var commitRate = CommitRate()
  private var isDrawScheduled = false
  private var inputCount = 0
  private var ending: Ending?

  private enum Ending {
    case quit
    case interrupted(signal: Int32)
  }

  private static let frameInterval = DispatchTimeInterval.milliseconds(33)
  private static let figuresInterval = DispatchTimeInterval.milliseconds(500)
  /// How long the rest of a key's sequence may take.
  private static let keyInterval = DispatchTimeInterval.milliseconds(50)

  init(_ board: OpenedBoard, _ options: BoardOptions, _ terminal: TerminalSession, _ abilities: TerminalAbilities) {
    self.board = board
    self.options = options
    self.terminal = terminal
    encoder = FrameEncoder(abilities)
    var speed = options.minutesPerSecond(onTerminal: true)
    if options.speed == nil, case .resumed(_, _, let stored) = board.start, stored > 0 { speed = stored }
    pace = ReplayPace(minutesPerSecond: speed)
    screen.notice = board.recovery
    screen.vicinity = board.vicinity?.name
  }

  /// Returns 0, or 128 and the number of the signal that ended it.
  func run() throws -> Int32 {
    // However this ends, the terminal comes first.
    defer { terminal.close() }
    let realm = try board.store.store.realm()
    terminal.onEvent = { [unowned self] event in handle(event) }
    latencyToken = realm.observe { [unowned self] _, _ in
      if let age = board.store.reading.ageOfNewest { latency.add(age) }
    }
    feed = BoardFeed(realm: realm, clock: board.clock, vicinity: board.vicinity) { [unowned self] news in
      screen.receive(news)
      needsDraw()
    }
    let replay = RunningReplay(board.replay, at: pace)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: Self.figuresInterval, leeway: .milliseconds(50))
    timer.setEventHandler { [unowned self] in MainActor.assumeIsolated { readFigures() } }
    timer.activate()
    draw()
    _ = MainLoop.serve(until: Date(timeIntervalSinceNow: options.seconds(onTerminal: true))) {
      ending != nil || replay.failure != nil
    }
    timer.cancel()
    terminal.close()
    try replay.end()
    feed = nil
    latencyToken = nil
    try board.close()
    print(farewell)
    if case .interrupted(let signal)? = ending { return 128 + signal }
    return 0
  }

  private var farewell: String {
    let stopped = "The board stopped at \(screen.status?.time ?? "the beginning")."
    guard BoardStore.outlivesProcess, let path = board.store.location.path else {
      return "\(stopped) It was kept in memory only, and is gone."
    }
    let next = screen.status?.isDayOver == true ? "begins the day again" : "goes on from there, or anew with --restart"
    return "\(stopped) It is kept in \(path): started again, it \(next)."
  }

  // MARK: Events

  private func handle(_ event: TerminalSession.Event) {
    switch event {
    case .input(let bytes):
      inputCount += 1
      for key in decoder.decode(bytes) { press(key) }
      if decoder.isWaiting { finishKeyLater() }
    case .needsRedraw:
      encoder.forget()
      draw()
    case .willStop: pace.setHeld(true)
    case .didContinue: pace.setHeld(false)
    case .interrupted(let signal): end(.interrupted(signal: signal))
    case .hungUp: end(.interrupted(signal: SIGHUP))
    }
  }

  private func finishKeyLater() {
    let count = inputCount
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.keyInterval) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.inputCount == count, let key = self.decoder.finish() else { return }
        self.press(key)
      }
    }
  }

  private func press(_ key: Key) {
    switch screen.press(key) {
    case nil: break
    case .quit?: end(.quit)
    case .kill?: dieOnTheSpot()
    case .setPaused(let isPaused)?: pace.setPaused(isPaused)
    case .setMinutesPerSecond(let speed)?: pace.setMinutesPerSecond(speed)
    case .select(let selection)?: feed?.select(selection)
    case .redraw?: encoder.forget()
    }
    needsDraw()
  }

  private func end(_ ending: Ending) {
    if self.ending == nil { self.ending = ending }
    MainLoop.wake()
  }

  /// The terminal is given back, and nothing else is done: the store gets no more chance than in a crash.
  private func dieOnTheSpot() -> Never {
    terminal.close()
    kill(getpid(), SIGKILL)
    fatalError("the process outlived a SIGKILL")
  }

  // MARK: Drawing

  private func readFigures() {
    let reading = board.store.reading
    let rate = commitRate.read(reading.commitCount, at: .now)
    screen.figures = reading.figures(commitsPerSecond: rate, latency: latency.average)
    needsDraw()
  }

  /// Draws soon, once for everything that arrives until then.
  private func needsDraw() {
    guard !isDrawScheduled else { return }
    isDrawScheduled = true
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.frameInterval) { [weak self] in
      MainActor.assumeIsolated { self?.draw() }
    }
  }

  private func draw() {
    isDrawScheduled = false
    let bytes = encoder.encode(screen.draw(terminal.size))
    if !bytes.isEmpty { terminal.write(bytes) }
  }
}
