import FirnDurability
import FirnEngine
import Foundation
import Testing

@testable import Firn

/// Random commits by many authors, with checkpoints, reopenings and crashes in between: the history is that of a naive model.
@Suite("The past")
struct PastTests {
  @Test("of files agrees with the model", arguments: 1...8 as ClosedRange<UInt64>)
  func files(seed: UInt64) async throws { try await PastRun(seed: seed, inMemory: false).run(70) }

  @Test("of a database in memory agrees with the model", arguments: 1...4 as ClosedRange<UInt64>)
  func memory(seed: UInt64) async throws { try await PastRun(seed: seed, inMemory: true).run(70) }
}

final class PastRun {
  private var configuration: Realm.Configuration
  private var disk: SimulatedDisk?
  private var store: RealmStore
  private var model = PastModel()
  private var random: SeededRandom
  private let seed: UInt64
  /// The versions after which there is history: of commits, and the first one.
  private var versions: [UInt64] = []
  /// Positions noted when versions were new.
  private var positions: [UInt64: HistoryPosition] = [:]
  private var log: [String] = []

  init(seed: UInt64, inMemory: Bool) async throws {
    print("Past seed \(seed)")
    self.seed = seed
    random = SeededRandom(seed)
    configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: [PastFlight.self, PastPlane.self])
    configuration.history = .init(byteCount: 1 << 30)
    configuration.checkpoints.interval = nil
    if inMemory {
      configuration.inMemoryIdentifier = UUID().uuidString
    } else {
      let disk = SimulatedDisk(seed: seed)
      configuration.fileSystem = disk
      self.disk = disk
    }
    store = try await RealmStore.open(configuration)
    note(store.store.graph.head)
  }

  func run(_ stepCount: Int) async throws {
    for step in 0..<stepCount {
      switch random.below(20) {
      case 0...11: try await commit()
      case 12, 13:
        log.append("checkpoint")
        try await store.checkpoint()
      case 14: try await reopen()
      case 15: try await crash()
      default: try await compare(step)
      }
    }
    try await compare(stepCount)
    try await store.close()
  }

  private func note(_ version: UInt64) {
    versions.append(version)
    positions[version] = store.store.historyPosition(of: version)
  }

  private func commit() async throws {
    let author = random.chance(30) ? "" : "author \(random.below(5))"
    let box = Unchecked(self)
    do {
      try await store.write(author: author, metadata: author.isEmpty ? [:] : ["seed": "\(seed)"]) { realm in
        let run = box.value
        let next = run.model.change(realm, &run.random)
        if run.random.chance(10) { throw Cancelled() }
        run.model = next
      }
    } catch is Cancelled {
      log.append("cancel")
      return
    }
    let version = store.store.graph.head
    // Nothing was written.
    if version == versions.last { return model.dropLast() }
    model.commit(version, by: author)
    log.append("commit \(version)")
    note(version)
  }

  private struct Cancelled: Error {}

  private func reopen() async throws {
    if disk == nil { return }
    log.append("reopen")
    try await store.close()
    store = try await RealmStore.open(configuration)
    if store.store.graph.head != versions.last { note(store.store.graph.head) }
  }

  /// Everything was acknowledged.
  private func crash() async throws {
    guard let disk else { return }
    log.append("crash")
    store.store.leaveOpenStores()
    let crashed = disk.crash()
    self.disk = crashed
    configuration.fileSystem = crashed
    store = try await RealmStore.open(configuration)
  }

  private func compare(_ step: Int) async throws {
    guard let start = versions.randomElement(using: &random) else { return }
    let place = Comment(rawValue: "seed \(seed), step \(step), after \(start): \(log.suffix(20))")
    let expected = model.commits.filter { $0.version > start && !$0.lines.isEmpty }
    var found: [RealmStore.HistoryEntry] = []
    for try await entry in store.history(after: start) where !entry.classes.isEmpty { found.append(entry) }
    #expect(found.map(\.version) == expected.map(\.version), place)
    for (entry, commit) in zip(found, expected) {
      #expect(Set(PastModel.lines(entry)) == Set(commit.lines), place)
      #expect(PastModel.lines(entry).count == commit.lines.count, place)
      #expect(entry.cause?.author ?? "" == commit.author, place)
      #expect(entry.cause?.metadata ?? [:] == (commit.author.isEmpty ? [:] : ["seed": "\(seed)"]), place)
    }
    var count = 0
    for try await entry in store.history() where !entry.classes.isEmpty { count += 1 }
    #expect(count == model.commits.count { !$0.lines.isEmpty }, place)

    let touched = try #require(
      try await store.touchedRows(after: start), place)
    let (flights, planes) = model.touched(after: start)
    #expect(touched.version.number == store.store.graph.head)
    #expect(touched.touched("PastFlight", in: store.store) == flights, place)
    #expect(touched.touched("PastPlane", in: store.store) == planes, place)
    #expect(store.store.historyPosition(of: start) == positions[start], place)
    if try await store.touchedRows(after: store.store.graph.head + 1)
      != nil
    {
      Issue.record("the future")
    }
  }
}
