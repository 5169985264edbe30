internal import Dispatch
internal import FirnEngine
internal import Synchronization

/// Tells the log and the statistics of write transactions that stay open for long.
///
/// A transaction costs no look at a clock. While anybody writes, and the log takes warnings, the watch looks once a
/// second who is inside, and stops when nobody has been there since the last look.
///
/// State       guarded by
/// beginCount  atomic; written by whoever has the writer's role
/// isLooking   atomic
/// state       its lock
final class WriterWatch: Sendable {
  private let name: String
  private let gate: WriterGate
  private let beginCount = Atomic<Int>(0)
  private let isLooking = Atomic<Bool>(false)
  private let state = Guarded(LongTransaction())

  private static let queue = DispatchQueue(label: "firn.watch", qos: .utility)

  /// - Parameter name: That of the database, for messages.
  init(_ name: String, _ gate: WriterGate) {
    self.name = name
    self.gate = gate
  }

  /// A transaction begins. The caller has the writer's role.
  func didBegin() {
    beginCount.store(beginCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    if !isLooking.load(ordering: .relaxed) { start() }
  }

  /// The open transaction; nil without one. Its age is that which the looks have seen.
  var open: (site: CallSite, age: UInt64)? {
    guard let site = gate.occupancy.site else { return nil }
    return (site, state.withLock { $0.age(of: beginCount.load(ordering: .relaxed), at: Clock.now) })
  }

  @inline(never)
  private func start() {
    // Nobody would hear of it.
    if !Log.wants(.warn) { return }
    if isLooking.exchange(true, ordering: .sequentiallyConsistent) { return }
    _ = state.withLock { $0.look(at: beginCount.load(ordering: .relaxed), isOpen: true, Clock.now) }
    lookLater()
  }

  private func lookLater() {
    Self.queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.look() }
  }

  private func look() {
    let count = beginCount.load(ordering: .sequentiallyConsistent)
    if !look(at: count, Clock.now) { return lookLater() }
    isLooking.store(false, ordering: .sequentiallyConsistent)
    if beginCount.load(ordering: .sequentiallyConsistent) != count { start() }
  }

  /// Looks once. True when nobody has been there since the last look.
  func look(at count: Int? = nil, _ now: UInt64) -> Bool {
    let occupancy = gate.occupancy
    let count = count ?? beginCount.load(ordering: .relaxed)
    let finding = state.withLock { $0.look(at: count, isOpen: occupancy.site != nil, now) }
    if let report = finding.report {
      report.write(
        "The write transaction of \(occupancy.site?.description ?? "a writer") in the database \(name)",
        occupancy.waiterCount)
    }
    return finding.isIdle
  }
}

/// Decides what to say of the transactions that a ``WriterWatch`` sees. Holds no clock and no gate.
struct LongTransaction {
  /// After which time a transaction is worth a warning; the next comes after twice the time.
  static let ageMin: UInt64 = 5_000_000_000

  private var number = 0
  private var since: UInt64 = 0
  private var nextReport = Self.ageMin
  private var isReported = false

  struct Finding: Equatable {
    var report: Report?
    /// Whether nobody is inside, and nobody was since the last look.
    var isIdle = false
  }

  enum Report: Equatable {
    case isOpen(secondCount: UInt64)
    case hasEnded(secondCount: UInt64)
  }

  /// - Parameters:
  ///   - number: How many transactions have begun.
  ///   - isOpen: Whether the last of them is open.
  ///   - now: Nanoseconds.
  mutating func look(at number: Int, isOpen: Bool, _ now: UInt64) -> Finding {
    let isSame = number == self.number
    var finding = Finding()
    if isReported, !isSame || !isOpen {
      finding.report = .hasEnded(secondCount: (now - since) / 1_000_000_000)
      isReported = false
    }
    if !isOpen || !isSame {
      finding.isIdle = !isOpen && isSame
      (self.number, since, nextReport) = (number, now, Self.ageMin)
      return finding
    }
    if now - since >= nextReport {
      finding.report = .isOpen(secondCount: (now - since) / 1_000_000_000)
      nextReport = 2 * nextReport
      isReported = true
    }
    return finding
  }

  /// Nanoseconds since a transaction was seen first; 0 for one that was not seen yet.
  func age(of number: Int, at now: UInt64) -> UInt64 { number == self.number ? now - since : 0 }
}

extension LongTransaction.Report {
  fileprivate func write(_ transaction: String, _ waiterCount: Int) {
    switch self {
    case .isOpen(let secondCount):
      let waiting =
        switch waiterCount {
        case 0: "Nobody waits for it."
        case 1: "One write waits for it."
        default: "\(waiterCount) writes wait for it."
        }
      Log.warning(
        "\(transaction) has been open for \(secondCount) seconds. \(waiting) A block must not wait for another write, "
          + "a task must not suspend inside of it, and transactions of two databases inside each other need the same "
          + "order everywhere.")
    case .hasEnded(let secondCount):
      Log.warning("A write transaction that was reported has ended after about \(secondCount) seconds.")
    }
  }
}
