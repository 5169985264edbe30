import FirnDurability
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Random commits beside subscribers that are cut off at random and go on later, over clean ends, crashes, backups that
/// are put back, checkpoints, and beyond the end of history: what they are told, applied to what they had, gives what
/// there is.
@Suite struct ResumeHistoryTests {
  static let count = environmentNumber("FIRN_LIVE_HISTORIES") ?? 25

  @Test func whatIsToldGivesWhatThereIs() async throws {
    var seeds = SeededRandom.printed("Resumed histories")
    var starts: [ResumedStart: Int] = [:]
    for _ in 0..<Self.count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      do {
        var run = try await ResumeRun(seed)
        try await run.run()
        starts.merge(run.starts) { $0 + $1 }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("Resumed histories: \(starts)")
    #expect(starts.count == 3, "each kind of start")
  }
}

private struct ResumeRun {
  private enum History {
    /// Everything.
    case long
    /// What lies between checkpoints.
    case short
    /// Everything, until a crash loses what came last.
    case lost
    case memory
    /// Nothing.
    case none
  }

  private let seed: UInt64
  private let history: History
  private var random: SeededRandom
  private var configuration: Realm.Configuration
  private var disk: SimulatedDisk
  private var store: RealmStore
  private var subscribers: [Subscriber] = []
  private(set) var starts: [ResumedStart: Int] = [:]

  private struct Subscriber {
    let face: ResumedFace
    let subscriber: any AnyResumingSubscriber
    /// Whether everything that happened since its token must be known.
    var isKnown = true
    var task: Task<ResumedStart?, any Error>?
  }

  init(_ seed: UInt64) async throws {
    self.seed = seed
    random = SeededRandom(seed)
    history = [.long, .short, .lost, .memory, .none][random.below(5)]
    disk = SimulatedDisk(seed: seed)
    configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: Resumed.types)
    configuration.checkpoints.interval = nil
    configuration.history = .init(byteCount: history == .short || history == .none ? 0 : 1 << 30)
    if history == .lost { configuration.durability = .onCheckpoint }
    if history == .memory || history == .none {
      configuration.inMemoryIdentifier = UUID().uuidString
    } else {
      configuration.fileSystem = disk
    }
    store = try await RealmStore.open(configuration)
    for _ in 0..<1 + random.below(4) {
      let face = ResumedFace.all[random.below(ResumedFace.all.count)]
      subscribers.append(Subscriber(face: face, subscriber: face.makeSubscriber()))
    }
  }

  private var isInFiles: Bool { configuration.inMemoryIdentifier == nil }

  mutating func run() async throws {
    for _ in 0..<20 + random.below(30) {
      switch random.below(20) {
      case 0..<11: try await commit()
      case 11..<15:
        let index = random.below(subscribers.count)
        if subscribers[index].task == nil { connect(index) } else { try await cutOff(index) }
      case 15: try await store.checkpoint()
      case 16:
        if isInFiles { try await reopen() }
      case 17:
        if isInFiles { try await crash() }
      case 18:
        if isInFiles, random.chance(30) { try await putBack() }
      default: for _ in 0..<random.below(50) { await Task.yield() }
      }
    }
    for index in subscribers.indices {
      try await cutOff(index)
      let start = try await subscribers[index].subscriber.follow(store, upTo: 1)
      check(index, start)
    }
    try await store.close()
  }

  private mutating func commit() async throws {
    let next = random.next()
    let author = random.chance(20) ? "author" : nil
    let body: @Sendable (Realm) -> Void = { realm in
      var random = SeededRandom(next)
      for _ in 0...random.below(4) { Resumed.write(realm, &random) }
    }
    if let author { try await store.write(author: author) { body($0) } } else { try await store.write { body($0) } }
  }

  // MARK: Subscribers

  private mutating func connect(_ index: Int) {
    let (subscriber, store) = (subscribers[index].subscriber, store)
    let count = random.chance(30) ? 1 : .max
    subscribers[index].task = Task { try await subscriber.follow(store, upTo: count) }
  }

  private mutating func cutOff(_ index: Int) async throws {
    guard let task = subscribers[index].task else { return }
    if random.chance(60) { for _ in 0..<random.below(100) { await Task.yield() } }
    task.cancel()
    subscribers[index].task = nil
    check(index, try await value(of: task, index))
  }

  /// Says which subscriber failed.
  private func value(of task: Task<ResumedStart?, any Error>, _ index: Int) async throws -> ResumedStart? {
    do {
      return try await task.value
    } catch {
      Issue.record("seed \(seed), \(subscribers[index].face.name), \(history): \(error)")
      throw error
    }
  }

  /// Everybody is cut off by the end of the store.
  private mutating func waitForAll() async throws {
    for index in subscribers.indices {
      guard let task = subscribers[index].task else { continue }
      subscribers[index].task = nil
      check(index, try await value(of: task, index))
    }
  }

  private mutating func check(_ index: Int, _ start: ResumedStart?) {
    guard let start else { return }
    starts[start, default: 0] += 1
    let subscriber = subscribers[index]
    subscribers[index].isKnown = true
    if start == .initial { return }
    let place = Comment(rawValue: "seed \(seed), \(subscriber.face.name), \(history)")
    switch subscriber.face.telling {
    case .never: #expect(start == .reset, place)
    case .always where subscriber.isKnown && history != .none && history != .short: #expect(start == .resumed, place)
    case .always where history == .none: #expect(start == .reset, place)
    case .always, .sometimes: break
    }
  }

  /// What subscribers have seen may not be known any more.
  private mutating func forget() { for index in subscribers.indices { subscribers[index].isKnown = false } }

  // MARK: Ends

  private mutating func reopen() async throws {
    try await store.close()
    try await waitForAll()
    store = try await RealmStore.open(configuration)
  }

  private mutating func crash() async throws {
    try await open(disk.crash())
    if history != .long { forget() }
  }

  /// Goes on with an older state.
  private mutating func putBack() async throws {
    let backup = disk.crash(.everything)
    for _ in 0...random.below(4) { try await commit() }
    for index in subscribers.indices where random.chance(50) && subscribers[index].task == nil {
      check(index, try await subscribers[index].subscriber.follow(store, upTo: 1))
    }
    try await open(backup)
    forget()
    // Numbers are used again.
    for _ in 0..<random.below(6) { try await commit() }
  }

  private mutating func open(_ other: SimulatedDisk) async throws {
    store.store.leaveOpenStores()
    for index in subscribers.indices { try await cutOff(index) }
    disk = other
    configuration.fileSystem = other
    store = try await RealmStore.open(configuration)
  }
}
