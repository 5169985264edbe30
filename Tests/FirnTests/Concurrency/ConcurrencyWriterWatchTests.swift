import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

private class Tick: Object {
  @Persisted var number: Int

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Write transactions that stay open.
@Suite(.serialized) struct ConcurrencyWriterWatchTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func aTransactionIsReportedAfterFiveSecondsAndThenLessOften() {
    var watched = LongTransaction()
    #expect(watched.look(at: 1, isOpen: true, 10 * Self.second) == .init())
    let reports = (11...60).map { watched.look(at: 1, isOpen: true, $0 * Self.second).report }
    #expect(reports.compactMap(\.self) == [5, 10, 20, 40].map { .isOpen(secondCount: $0) })
    #expect(
      watched.age(of: 1, at: 61 * Self.second) == 51 * Self.second && watched.age(of: 2, at: 61 * Self.second) == 0)
    #expect(
      watched.look(at: 1, isOpen: false, 61 * Self.second) == .init(report: .hasEnded(secondCount: 51), isIdle: true))
    #expect(watched.look(at: 1, isOpen: false, 62 * Self.second) == .init(isIdle: true))
  }

  @Test func manyShortTransactionsAreNone() {
    var watched = LongTransaction()
    for number in 1...100 {
      #expect(watched.look(at: number, isOpen: true, UInt64(number) * 4 * Self.second) == .init())
    }
    #expect(watched.look(at: 101, isOpen: false, 500 * Self.second) == .init())
    #expect(watched.look(at: 101, isOpen: false, 501 * Self.second) == .init(isIdle: true))
  }

  @Test func theNextOneBeginsAnew() {
    var watched = LongTransaction()
    _ = watched.look(at: 1, isOpen: true, 0)
    #expect(watched.look(at: 1, isOpen: true, 7 * Self.second).report == .isOpen(secondCount: 7))
    #expect(watched.look(at: 2, isOpen: true, 9 * Self.second).report == .hasEnded(secondCount: 9))
    #expect(watched.look(at: 2, isOpen: true, 13 * Self.second).report == nil)
    #expect(watched.look(at: 2, isOpen: true, 14 * Self.second).report == .isOpen(secondCount: 5))
  }

  @Test func theLogAndTheStatisticsNameTheWriterAndThoseWhoWait() async throws {
    let lines = Lock<[String]>([])
    let name = UUID().uuidString
    let old = Logger.shared
    Logger.shared = Logger(level: .warn) { _, line in lines.withLock { $0.append(line) } }
    defer { Logger.shared = old }
    let configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Tick.self])
    let store = try await RealmStore.open(configuration)
    #expect(store.statistics.openWrite == nil && store.statistics.waitingWriteCount == 0)
    let waiters = Lock<[JoinedThread]>([])
    try await store.write { realm in
      let now = Clock.now
      let waiter = JoinedThread {
        let realm = try! Realm(configuration: configuration)
        try! realm.write { realm.create(Tick.self) }
      }
      waiters.withLock { $0.append(waiter) }
      while store.statistics.waitingWriteCount == 0 { sched_yield() }
      let statistics = store.statistics
      #expect(statistics.openWrite?.origin.contains("ConcurrencyWriterWatchTests.swift") == true)
      #expect(statistics.waitingWriteCount == 1)
      _ = store.store.writerWatch.look(now + 6 * Self.second)
      realm.create(Tick.self)
    }
    for waiter in waiters.withLock({ $0 }) { waiter.join() }
    let said = lines.withLock { $0.filter { $0.contains(name) } }
    #expect(said.count == 1 && said[0].contains("has been open for") && said[0].contains("One write waits for it."))
    #expect(said.first?.contains("ConcurrencyWriterWatchTests.swift") == true)
    #expect(store.statistics.openWrite == nil && store.statistics.waitingWriteCount == 0)
    try await store.close()
  }
}
